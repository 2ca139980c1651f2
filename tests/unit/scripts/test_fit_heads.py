"""The head that is fitted is the head that is written."""

import numpy as np
import onnxruntime

from scripts.fit_heads.network import FEATURES, OFFICIAL, go_on, halved, logits, start, to_onnx

CHARACTERS = ("", "A", "Ψ", " ")
PLAIN = np.zeros(FEATURES, np.float32), np.ones(FEATURES, np.float32)
SPREAD = np.linspace(-1, 1, FEATURES, dtype=np.float32), np.linspace(0.5, 2, FEATURES, dtype=np.float32)


def _weights(spread: tuple[np.ndarray, np.ndarray] = PLAIN) -> dict[str, np.ndarray]:
    dice = np.random.default_rng(3)
    official = {c: (dice.normal(size=OFFICIAL).astype(np.float32), 0.5) for c in ("", "A", " ")}
    return start(CHARACTERS, official, spread, seed=1)


def test_the_graph_gives_what_the_fit_saw() -> None:
    weights = _weights(SPREAD)
    features = np.random.default_rng(4).normal(size=(1, 23, FEATURES)).astype(np.float32)
    expected = np.exp(logits(weights, features, np.ones((1, 23), np.float32), np))
    session = onnxruntime.InferenceSession(to_onnx(weights).SerializeToString())
    (given,) = session.run(None, {"x": features})
    np.testing.assert_allclose(given, expected / expected.sum(axis=-1, keepdims=True), atol=1e-5)


def test_half_the_bytes_give_the_same_characters() -> None:
    whole = to_onnx(_weights())
    half = halved(whole)
    features = np.random.default_rng(7).normal(size=(1, 40, FEATURES)).astype(np.float32)
    given, expected = (
        onnxruntime.InferenceSession(graph.SerializeToString()).run(None, {"x": features})[0]
        for graph in (half, whole)
    )
    np.testing.assert_allclose(given, expected, atol=0.01)
    assert half.ByteSize() < 0.55 * whole.ByteSize()


def test_before_the_fit_known_characters_are_read_as_the_official_layer_reads_them() -> None:
    weights = _weights() | {"out": np.zeros((160, len(CHARACTERS)), np.float32)}
    features = np.random.default_rng(5).normal(size=(1, 9, FEATURES)).astype(np.float32)
    given = logits(weights, features, np.ones((1, 9), np.float32), np)
    official = features[..., :OFFICIAL] @ weights["official"] + weights["out_bias"]
    np.testing.assert_allclose(given, official, rtol=1e-5, atol=1e-4)
    assert (given[..., 2] < 0).all()


def test_padding_does_not_change_what_a_line_says() -> None:
    weights = _weights()
    features = np.random.default_rng(6).normal(size=(1, 12, FEATURES)).astype(np.float32)
    padded = np.concatenate([features, np.ones((1, 8, FEATURES), np.float32)], axis=1)
    inside = np.concatenate([np.ones((1, 12)), np.zeros((1, 8))], axis=1).astype(np.float32)
    alone = logits(weights, features, np.ones((1, 12), np.float32), np)
    np.testing.assert_allclose(logits(weights, padded, inside, np)[:, :12], alone, atol=1e-4)


def test_syllables_that_share_a_letter_learn_together() -> None:
    characters = ("", "가", "각", "나", "A", " ")
    weights = start(characters, {}, PLAIN, seed=1)
    assert weights["spelled"].sum(axis=0).tolist() == [0, 3, 3, 3, 0, 0]
    shared = weights["spelled"].T @ weights["spelled"]
    assert (shared[1, 2], shared[1, 3], shared[2, 3]) == (2, 2, 1)
    weights["parts"] = np.random.default_rng(8).normal(size=weights["parts"].shape).astype(np.float32)
    features = np.random.default_rng(9).normal(size=(1, 7, FEATURES)).astype(np.float32)
    expected = np.exp(logits(weights, features, np.ones((1, 7), np.float32), np))
    session = onnxruntime.InferenceSession(to_onnx(weights).SerializeToString())
    (given,) = session.run(None, {"x": features})
    np.testing.assert_allclose(given, expected / expected.sum(axis=-1, keepdims=True), atol=1e-5)


def test_a_fit_goes_on_from_what_was_written() -> None:
    characters = ("", "가", "각", "A", " ")
    weights = start(characters, {}, SPREAD, seed=1)
    other = np.full(FEATURES, 0.3, np.float32), np.full(FEATURES, 1.7, np.float32)
    again = go_on(to_onnx(weights), characters, other, seed=1)
    features = np.random.default_rng(11).normal(size=(1, 9, FEATURES)).astype(np.float32)
    given, expected = (logits(w, features, np.ones((1, 9), np.float32), np) for w in (again, weights))
    np.testing.assert_allclose(given, expected, atol=1e-4)


def test_a_block_more_adds_nothing_at_first() -> None:
    characters = ("", "가", "A", " ")
    weights = start(characters, {}, PLAIN, seed=1)
    whole = {name: value for name, value in weights.items() if not name.endswith("3")}
    again = go_on(to_onnx(whole), characters, PLAIN, seed=1)
    assert set(again) == set(weights)
    features = np.random.default_rng(12).normal(size=(1, 9, FEATURES)).astype(np.float32)
    given, expected = (logits(w, features, np.ones((1, 9), np.float32), np) for w in (again, whole))
    np.testing.assert_allclose(given, expected, atol=1e-4)

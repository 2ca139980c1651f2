"""The reader of further scripts: its classes are those that are shipped, its rows and images can be drawn."""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
import pytest

from receipt_engine import assets
from receipt_engine.models import FURTHER
from receipt_engine.stages.recognize.scripts import Script, is_printed
from scripts.fit_scripts.classes import SHARES, characters, letters
from scripts.fit_scripts.slips import slip
from scripts.fit_scripts.worsening import as_photographed
from scripts.make_receipts.dice import Dice


def test_the_shipped_list_of_classes_is_that_of_the_fit() -> None:
    names = assets.model_file("text-recognizer-scripts-classes.txt").read_text(encoding="utf-8")
    assert ("", *names.split("\n"), " ") == characters()
    assert set(SHARES) == set(FURTHER)


@pytest.mark.parametrize("script", sorted(SHARES))
def test_a_script_may_print_all_its_letters(script: str) -> None:
    signs = {c for c in letters(script) if unicodedata.category(c) == "Sc"}
    assert all(is_printed(c, script) for c in set(letters(script)) - signs)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sign", "script", "printed"), [("₹", "devanagari", 1), ("₹", "arabic", 0), ("₪", "arabic", 1)]
)
def test_a_sign_for_money_is_printed_where_its_countries_write(
    sign: str, script: Script, printed: int
) -> None:
    assert is_printed(sign, script) == bool(printed)


@pytest.mark.parametrize("script", sorted(SHARES))
def test_most_rows_as_on_receipts_have_only_known_letters(script: str) -> None:
    known = {*letters(script), " "}
    rows = [slip(script, Dice("slip", script, number)) for number in range(300)]
    assert sum(bool(row.strip()) and set(row) <= known for row in rows) > 270
    assert len(set(rows)) > 250


def test_a_worse_image_keeps_its_shape_roughly_and_differs() -> None:
    line = np.full((40, 320, 3), 230, np.uint8)
    line[12:30, 20:300:9] = 30
    for number in range(40):
        seen = as_photographed(line, Dice("worse", number))
        assert seen.dtype == np.uint8
        assert abs(seen.shape[1] / seen.shape[0] - 8) < 0.6
        assert seen.std() > 3


def test_a_network_is_restored_from_its_graph_and_settled_without_a_change() -> None:
    torch = pytest.importorskip("torch")
    onnxruntime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    from scripts.fit_scripts.network import Reader
    from scripts.fit_scripts.restoring import restore, settle

    path = assets.model_file("text-recognizer-scripts.onnx")
    network = Reader(len(characters())).eval()
    restore(network, path)
    lines = torch.rand((1, 3, 48, 192)) * 2 - 1
    given = onnxruntime.InferenceSession(str(path)).run(None, {"x": lines.numpy()})[0]
    with torch.no_grad():
        assert np.abs(network(lines).numpy() - given).max() < 1e-3
        settle(network, [torch.rand((4, 3, 48, 192)) * 2 - 1])
        assert np.abs(network(lines).numpy() - given).max() < 1e-3


def test_the_mean_of_two_graphs_lies_between_their_weights() -> None:
    pytest.importorskip("torch")
    onnx = pytest.importorskip("onnx")
    from scripts.fit_scripts.exporting import _mix

    def graph(name: str, values: list[float]) -> Any:
        weight = onnx.numpy_helper.from_array(np.array(values, np.float32), name)
        return onnx.helper.make_graph([], "one", [], [], [weight])

    whole = onnx.numpy_helper.from_array(np.array([10, -20], np.int8), "w_whole")
    scales = onnx.numpy_helper.from_array(np.array([0.5, 0.5], np.float32), "w_scales")
    new, former = graph("w", [1, 2]), onnx.helper.make_graph([], "one", [], [], [whole, scales])
    _mix(new, former, 0.75)
    assert onnx.numpy_helper.to_array(new.initializer[0]).tolist() == [2.0, -1.0]

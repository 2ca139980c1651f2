"""CTC decoding with alternatives."""

import numpy as np

from receipt_engine.stages.recognize.spans import decode

CHARACTERS = ("", "1", "7", ".", " ")


def rows(*steps: dict[str, float]) -> np.ndarray:
    table = np.full((len(steps), 5), 1e-4, dtype=np.float32)
    for i, step in enumerate(steps):
        for character, probability in step.items():
            table[i, CHARACTERS.index(character)] = probability
    return table


def test_repeats_merge_and_blank_separates() -> None:
    chars = decode(rows({"1": 0.99}, {"1": 0.98}, {"": 0.99}, {"1": 0.99}), CHARACTERS, 1.0)
    assert "".join(c.text for c in chars) == "11"


def test_a_doubtful_character_keeps_its_rival() -> None:
    (char,) = decode(rows({"1": 0.6, "7": 0.38}), CHARACTERS, 1.0)
    assert char.text == "1"
    assert char.alternatives[0][0] == "7"


def test_a_point_that_blank_beat_narrowly_stays_possible() -> None:
    chars = decode(rows({"1": 0.99}, {"": 0.6, ".": 0.39}, {"7": 0.99}), CHARACTERS, 1.0)
    assert "".join(c.text for c in chars) == "17"
    gap = chars[1]
    assert gap.text == "" and dict(gap.alternatives)["."] > 0.3


def test_places_are_shares_of_the_picture_without_its_padding() -> None:
    chars = decode(rows({"1": 0.99}, {"": 0.99}, {"": 0.99}, {"": 0.99}), CHARACTERS, 0.5)
    assert (chars[0].start, chars[0].end) == (0.0, 0.5)

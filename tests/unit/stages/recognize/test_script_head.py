"""Heads of the reader that looks at lines of further scripts by itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from receipt_engine import assets
from receipt_engine.document import Quad
from receipt_engine.models import FURTHER
from receipt_engine.runtime.onnx import Array
from receipt_engine.stages.recognize import Feature, LinearHead, ScriptHead
from receipt_engine.stages.recognize.scripts import Script, is_printed, script_of
from receipt_engine.stages.recognize.spans import read_line

QUAD = Quad((5, 5), (280, 5), (280, 30), (5, 30))
NAMES = ("A", "1", "₪", "א", "ก", "Ж")


class Unused:
    """A graph that is not run."""

    def run(self, inputs: Mapping[str, Array]) -> Array:
        raise AssertionError(inputs)


@pytest.fixture
def classes(tmp_path: Path) -> Path:
    path = tmp_path / "classes.txt"
    path.write_text("\n".join(NAMES), encoding="utf-8")
    return path


def _logits(*best: int) -> np.ndarray:
    logits = np.zeros((1, len(best), len(NAMES) + 2), np.float32)
    logits[0, np.arange(len(best)), best] = 20
    return logits


def test_a_head_names_only_what_its_script_prints(classes: Path) -> None:
    assert ScriptHead.load(classes, "hebrew").characters == ("", "A", "1", "₪", "א", " ")
    assert ScriptHead.load(classes, "cyrillic").characters == ("", "A", "1", "Ж", " ")


def test_the_east_asian_head_is_a_part_of_the_whole_layer(tmp_path: Path) -> None:
    """Its rows come first, in the order of the class list, and are not copied."""
    names, weights = tmp_path / "classes.txt", tmp_path / "weights.npz"
    names.write_text("\n".join(("Ж", "a", "本", "Σ", "屋")), encoding="utf-8")
    rows = np.arange(7, dtype=np.float32)
    np.savez(weights, weight=np.repeat(rows[:, None], 120, axis=1), bias=rows)
    whole = LinearHead.load(names, weights, Unused())
    east_asian, latin = whole.restrict("cjk"), whole.restrict("latin")
    assert whole.characters == ("", "a", "本", "屋", " ", "Ж", "Σ")
    assert east_asian.characters == whole.characters[:5] and latin.characters == ("", "a", " ")
    assert np.shares_memory(east_asian.weight, whole.weight)
    assert latin.weight[:, 0].tolist() == latin.bias.tolist() == [0, 2, 6]


def test_what_another_script_would_win_goes_to_the_next_best(classes: Path) -> None:
    logits = _logits(5, 0, 2)
    logits[0, 0, 4] = 10
    feature = Feature(np.zeros((1, 3, 504), np.float32), 1.0, lambda: logits)
    assert read_line(QUAD, feature, ScriptHead.load(classes, "thai")).text == "ก1"
    assert read_line(QUAD, feature, ScriptHead.load(classes, "hebrew")).text == "א1"


def test_chances_of_a_step_sum_to_one(classes: Path) -> None:
    feature = Feature(np.zeros((1, 3, 504), np.float32), 1.0, lambda: _logits(5, 0, 2))
    chances = ScriptHead.load(classes, "thai").probabilities(feature)
    assert chances.shape == (3, 5)
    assert np.allclose(chances.sum(axis=1), 1)


def test_without_the_reader_nothing_is_read(classes: Path) -> None:
    with pytest.raises(ValueError, match="reader"):
        ScriptHead.load(classes, "thai").probabilities(Feature(np.zeros((1, 3, 504), np.float32)))


@pytest.mark.parametrize("script", FURTHER)
def test_shipped_classes_have_the_script(script: Script) -> None:
    head = ScriptHead.load(assets.model_file("text-recognizer-scripts-classes.txt"), script)
    shown = {script_of(c) for c in head.characters} - {None}
    assert shown == {script, "latin"}
    assert set("0123456789.,AZaz%") <= set(head.characters)


def test_every_script_is_of_the_known_ones() -> None:
    assert set(FURTHER) <= set(get_args(Script))
    assert not is_printed("ก", "arabic")
    assert is_printed("٣", "arabic")

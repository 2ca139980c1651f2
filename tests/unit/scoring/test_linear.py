"""Linear models: what is declared and what is weighted must be the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from receipt_engine.errors import ModelError
from receipt_engine.scoring.linear import load_models

DECLARED = {"tall": ("bias", "height", "width")}


def written(folder: Path, text: str) -> Path:
    path = folder / "weights.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_model_scores_and_says_what_moved_it(tmp_path: Path) -> None:
    text = "[tall]\nbias = 1.0\nheight = 2.0\nwidth = -1.0\n"
    model = load_models(written(tmp_path, text), DECLARED)["tall"]
    assert model.score({"height": 1.0, "width": 4.0}) == -1.0
    assert model.probability({}) == pytest.approx(0.7310586)
    wide, high = model.contributions({"height": 1.0, "width": 4.0})
    assert (wide.feature, wide.weight, wide.value) == ("width", -1.0, 4.0)
    assert (wide.share, high.share) == pytest.approx((-4 / 6, 2 / 6))


def test_a_model_that_declares_no_bias_has_none(tmp_path: Path) -> None:
    declared = {"tall": ("height",)}
    model = load_models(written(tmp_path, "[tall]\nheight = 2.0\n"), declared)["tall"]
    assert model.score({}) == 0.0 and model.score({"height": 1.5}) == 3.0
    with pytest.raises(ModelError, match="unknown \\['bias'\\]"):
        load_models(written(tmp_path, "[tall]\nbias = 1.0\nheight = 2.0\n"), declared)


def test_contributions_of_nothing_are_none(tmp_path: Path) -> None:
    text = "[tall]\nbias = 1\nheight = 2\nwidth = 0\n"
    model = load_models(written(tmp_path, text), DECLARED)["tall"]
    assert model.contributions({"height": 0.0, "width": 3.0}) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tall]\nbias = 1.0\nheight = 2.0\n", "missing \\['width'\\]"),
        ("[tall]\nbias = 1.0\nheight = 2.0\nwidth = 0.0\ndepth = 1.0\n", "unknown \\['depth'\\]"),
        ("[tall]\nheight = 2.0\nwidth = 0.0\n", "missing \\['bias'\\]"),
        ("[wide]\nbias = 1.0\n", "models"),
        ("[tall]\nbias = 'much'\n", "float"),
        ("[tall", "Install the package again"),
    ],
)
def test_a_file_that_does_not_match_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        load_models(written(tmp_path, text), DECLARED)


def test_an_undeclared_feature_is_refused(tmp_path: Path) -> None:
    text = "[tall]\nbias = 1.0\nheight = 2.0\nwidth = 0.0\n"
    model = load_models(written(tmp_path, text), DECLARED)["tall"]
    with pytest.raises(ModelError, match="'depth'"):
        model.score({"depth": 1.0})

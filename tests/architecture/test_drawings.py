"""The drawings of the documentation say what the code does, and were made by their scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import draw_architecture, draw_confidence

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "receipt_engine"


def test_the_architecture_has_the_steps_of_the_recipe() -> None:
    code = "".join((PACKAGE / name).read_text(encoding="utf-8") for name in ("pipeline.py", "documents.py"))
    steps = re.findall(r'\.run\(\s*"([^"]+)"', code)
    drawn = [step for band in draw_architecture.BANDS for step in band.steps]
    assert sorted(drawn) == sorted(set(steps)), "scripts/draw_architecture.py: BANDS"


@pytest.mark.parametrize("theme", draw_architecture.THEMES)
def test_the_architecture_is_as_drawn(theme: str) -> None:
    file = draw_architecture.FOLDER / f"architecture-{theme}.svg"
    fresh = draw_architecture.draw(theme)
    assert file.read_text(encoding="utf-8") == fresh, "run python -m scripts.draw_architecture"


def test_the_confidence_page_has_the_curve_that_is_shipped() -> None:
    curves = draw_confidence.read()
    page = draw_confidence.PAGE.read_text(encoding="utf-8")
    assert draw_confidence.with_table(page, curves) == page, "run python -m scripts.draw_confidence"
    for theme in ("light", "dark"):
        file = draw_confidence.FOLDER / f"risk-{theme}.svg"
        fresh = draw_confidence.draw(curves, theme)
        assert file.read_text(encoding="utf-8") == fresh, "run python -m scripts.draw_confidence"


def test_risk_falls_to_nothing_where_all_kept_values_are_right() -> None:
    points = draw_confidence.risk_and_coverage([(0.95, 6, 6.0), (0.6, 2, 1.0)])
    assert points == [(0.95, 0.75, 0.0), (0.6, 1.0, 0.125)]

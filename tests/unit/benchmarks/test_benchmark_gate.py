"""The gate draws the same pictures everywhere and fails when a score falls too far."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from benchmarks import gate
from benchmarks.datasets import ItemLabel, Label, Sample, SummaryLabel
from benchmarks.outcome import Outcome

MakeOutcome = Callable[..., Outcome]


def test_the_draw_does_not_depend_on_order() -> None:
    samples = [Sample(f"{name}{number}", name, Path("x")) for name in ("a", "b") for number in range(20)]
    drawn = gate.draw(samples, {"a": 3, "b": 0})
    assert len(drawn) == 3
    assert {s.id for s in gate.draw(samples[::-1], {"a": 3, "b": 0})} == {s.id for s in drawn}
    assert len(gate.draw(samples, {"a": 3})) == 3 + gate.OTHERS


def test_scores(outcome: MakeOutcome) -> None:
    label = {"total": Label.of(Decimal(5)), "tip": Label.of(None)}
    items = [ItemLabel(("Tea",), Decimal(5))]
    line = {"desc": "Tea", "lineTotal": 5.0}
    outcomes = [
        outcome(label, {"total": 5.0, "lineItems": [line]}, dataset="a", items=items),
        outcome(label, {"total": 6.0}, dataset="b", summary=[SummaryLabel("Total", Decimal(5))]),
    ]
    scores, sizes = gate.score(outcomes)
    assert scores["a"] == {"total": 1.0, "tip": 1.0, "items_f1": 1.0}
    assert scores["b"] == {"total": 0.0, "tip": 1.0, "summary_f1": 0.0}
    assert scores["all"]["total"] == 0.5
    assert sizes["all"] == {"total": 2, "tip": 2, "items_f1": 1, "summary_f1": 1}


@pytest.mark.parametrize(
    ("dataset", "name", "before", "after", "size", "fails"),
    [
        ("all", "total", 0.95, 0.94, 75, False),  # within one receipt
        ("all", "total", 0.95, 0.92, 75, True),
        ("a", "total", 1.0, 0.9, 10, False),  # one receipt of ten
        ("a", "total", 1.0, 0.8, 10, True),
        ("a", "total", 1.0, 0.5, 2, False),
        ("all", "items_f1", 0.9, 0.88, 40, False),
        ("all", "items_f1", 0.9, 0.86, 40, True),
        ("a", "total", 0.8, 1.0, 10, False),  # better is fine
    ],
)
def test_a_fall_beyond_tolerance(
    dataset: str, name: str, before: float, after: float, size: int, fails: bool
) -> None:
    found = gate.falls({dataset: {name: before}}, {dataset: {name: after}}, {dataset: {name: size}})
    assert bool(found) is fails


def test_a_score_that_is_gone_has_fallen() -> None:
    (fall,) = gate.falls({"a": {"total": 1.0}}, {"a": {}}, {"a": {}})
    assert str(fall) == "a.total fell from 1.000 to 0.000"


def test_data_sets_that_are_not_here_do_not_count() -> None:
    assert gate.falls({"a": {"total": 1.0}}, {"b": {"total": 0.0}}, {"b": {"total": 1}}) == []


def test_the_baseline_survives_writing(tmp_path: Path) -> None:
    scores = {"a-b": {"total": 0.5, "items_f1": 0.75}, "all": {"total": 1.0}}
    gate.write_baseline(tmp_path / "gate.toml", scores)
    assert gate.read_baseline(tmp_path / "gate.toml") == scores

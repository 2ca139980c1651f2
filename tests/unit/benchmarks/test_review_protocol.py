"""Counting the looks until nearly all fields are right."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.datasets.sample import Label, Sample
from benchmarks.outcome import Outcome
from benchmarks.protocols.review import Field, fields, looks_until, right_after
from receipt_engine.result import Result

#: Wrong are the second and the fifth.
CHANCES = (0.8, 0.5, 0.2, 0.1, 0.05, *[0.01] * 5)
ORDERED = [Field(chance, chance not in (0.5, 0.05)) for chance in CHANCES]


@pytest.mark.parametrize(("target", "looks"), [(0.8, 0), (0.9, 2), (0.95, 5), (1.0, 5)])
def test_looks_end_with_the_last_wrong_field_that_is_not_borne(target: float, looks: int) -> None:
    assert looks_until(ORDERED, target) == looks
    assert right_after(ORDERED, looks) >= target
    assert looks == 0 or right_after(ORDERED, looks - 1) < target


def test_a_missing_value_is_looked_at_early() -> None:
    sample = Sample(
        "a", "set", Path("a.jpg"), fields={"date": Label.of("2024-03-14"), "establishment": Label.of("Tea")}
    )
    result = Result(establishment="Tea", establishment_confidence=0.97)
    assert _judged(fields([Outcome(sample, result.to_dict())])) == [(0.8, False), (0.03, True)]
    assert _judged(fields([Outcome(sample, None)])) == [(0.8, False), (0.8, False)]


def test_a_label_that_contradicts_its_picture_does_not_count() -> None:
    sample = Sample("a", "set", Path("a.jpg"), fields={"establishment": Label.of("Tee")})
    outcomes = [Outcome(sample, Result(establishment="Coffee", establishment_confidence=0.97).to_dict())]
    (wrong,) = fields(outcomes)
    assert not wrong.right and wrong.what == "a establishment: Coffee, labelled Tee"
    assert _judged(fields(outcomes, {("a", "establishment")})) == [(0.03, True)]


def _judged(found: list[Field]) -> list[tuple[float, bool]]:
    return [(field.chance, field.right) for field in found]

"""Printed forms of dates and amounts, right and damaged ones, from the tables beside this file."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from parse_lands import LANDS

from receipt_engine.stages.parse import ACCEPTED, find_amounts, find_dates

FOLDER = Path(__file__).parent


def rows(name: str) -> Iterator[tuple[str, str, str]]:
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            land, text, expected = line.split("\t")
            yield land, text, expected


@pytest.mark.parametrize(("land", "text", "expected"), list(rows("dates.tsv")))
def test_best_date_of_a_line(land: str, text: str, expected: str) -> None:
    readings = [r for r in find_dates(text, LANDS[land]) if r.cost <= ACCEPTED]
    best = min(readings, key=lambda reading: reading.cost).iso if readings else ""
    assert best == expected


@pytest.mark.parametrize(("land", "text", "expected"), list(rows("amounts.tsv")))
def test_best_amount_of_a_line(land: str, text: str, expected: str) -> None:
    places = [a for a in find_amounts(text, LANDS[land]) if a.readings[0].cost <= ACCEPTED]
    best = min(places, key=lambda place: place.readings[0].cost).value if places else None
    assert best == (Decimal(expected) if expected else None)

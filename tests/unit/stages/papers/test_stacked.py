"""Two receipts that were read as one are told by what both say."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from receipt_engine import Engine
from receipt_engine.document import Reading, Span
from receipt_engine.options import ExtractOptions
from receipt_engine.result import LineItem, Result
from receipt_engine.stages.papers import are_two, places_between
from receipt_engine.testing import fake_models
from tests.unit.stages.papers.laid import HEIGHT, PITCH, Laid, picture

BOOKS = (
    ("HARBOUR BOOKSHOP LTD", ""),
    ("12 Quay Street", ""),
    ("Tel 020 7946 0018", ""),
    ("05/06/2024 14:20", ""),
    ("Atlas of Rivers", "12.50"),
    ("Pencil", "1.30"),
    ("Notebook A5", "4.20"),
    ("TOTAL", "18.00"),
    ("CASH", "20.00"),
    ("CHANGE", "2.00"),
)
TEA = (
    ("GREEN KETTLE TEA ROOM", ""),
    ("3 Mill Lane", ""),
    ("Tel 020 7946 0733", ""),
    ("07/06/2024 16:05", ""),
    ("Pot of Assam", "3.40"),
    ("Fruit scone", "2.60"),
    ("Cream", "1.10"),
    ("TOTAL", "7.10"),
    ("CASH", "10.00"),
    ("CHANGE", "2.90"),
)


def _reading(below: tuple[tuple[str, str], ...]) -> tuple[Reading, tuple[Span, ...]]:
    laid = [Laid(20, 20, rows=BOOKS), Laid(20, 20 + PITCH * len(BOOKS), rows=below)]
    page, spans = picture(laid, surface=250, paper=250, size=(300, 700))
    first = sum(len([text for text in row if text]) for row in BOOKS)
    moved = tuple(replace(s, quad=s.quad) for s in spans)
    reading = Reading(page.width, page.height, (page.width, page.height), 0, page.quality, moved)
    return reading, moved[:first]


def test_two_receipts_one_pitch_apart() -> None:
    reading, first = _reading(TEA)
    assert (tuple(range(len(first))), tuple(range(len(first), len(reading.spans)))) in list(
        places_between(reading.spans)
    )
    results = Engine(models=fake_models("")).interpret_all(reading, ExtractOptions(region="gb"))
    assert [float(result.total or 0) for result in results] == [18.0, 7.1]
    assert not any(result.validated_total for result in results), "only a row's gap tells them apart"


@pytest.mark.parametrize("day", ["05/06/2024 16:05", "05062024", ""])
def test_two_proved_totals_are_two_receipts_on_one_day_too(day: str) -> None:
    reading, _ = _reading(
        tuple((day, "") if "/" in row[0] else row for row in TEA if day or "/" not in row[0])
    )
    results = Engine(models=fake_models("")).interpret_all(reading, ExtractOptions(region="gb"))
    assert [float(result.total or 0) for result in results] == [18.0, 7.1]


def test_a_part_without_a_head_is_no_receipt() -> None:
    reading, _ = _reading(TEA[4:])
    ends = {above[-1] for above, _ in places_between(reading.spans)}
    amounts = [i for i, span in enumerate(reading.spans) if "." in span.text]
    assert not any(amounts[2] < end < amounts[-4] for end in ends)
    assert len(Engine(models=fake_models("")).interpret_all(reading, ExtractOptions(region="gb"))) == 1


def _part(total: int, **others: object) -> Result:
    sure = Result(
        total=Decimal(total),
        total_confidence=0.9,
        validated_total=True,
        date="2024-06-05 00:00:00",
        date_confidence=0.8,
        establishment="SHOP",
        establishment_confidence=0.6,
        line_items=(LineItem(line_total=Decimal(7)),),
    )
    return replace(sure, **others)


@pytest.mark.parametrize(
    ("first", "second", "two"),
    [
        ({}, {}, True),
        ({"establishment_confidence": 0.1}, {}, True),
        ({}, {"establishment_confidence": 0.59}, False),
        ({}, {"establishment_confidence": None}, False),
        ({"line_items": ()}, {}, True),
        ({}, {"line_items": ()}, True),
        ({"line_items": ()}, {"line_items": ()}, False),
        ({"total_confidence": 0.89}, {}, False),
        ({}, {"total_confidence": None}, False),
        ({"validated_total": False}, {}, False),
        ({}, {"validated_total": False}, False),
        ({}, {"date": None, "date_confidence": None}, True),
        ({"validated_total": False}, {"date": "2024-06-07 00:00:00"}, True),
        ({"validated_total": False}, {"date": "2024-06-05 09:30:00"}, False),
        ({"validated_total": False}, {"date": "2024-06-07 00:00:00", "date_confidence": 0.79}, False),
        ({"validated_total": False}, {"date": None, "date_confidence": None}, False),
    ],
)
def test_what_makes_two_receipts(first: dict[str, object], second: dict[str, object], two: bool) -> None:
    assert are_two(_part(5, **first), _part(7, **second)) == two
    assert not are_two(_part(5, **first), _part(5, **second))


def test_rows_without_a_gap_are_not_parted() -> None:
    reading, _ = _reading(TEA)
    tight = tuple(
        replace(
            span,
            quad=replace(
                span.quad,
                bottom_left=_down(span.quad.bottom_left),
                bottom_right=_down(span.quad.bottom_right),
            ),
        )
        for span in reading.spans
    )
    assert not list(places_between(tight))


def _down(point: tuple[float, float]) -> tuple[float, float]:
    return point[0], point[1] + PITCH - HEIGHT

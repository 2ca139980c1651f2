"""Rows from spans: level, tilted, bent."""

from __future__ import annotations

import math

from receipt_engine.document import Quad, Span
from receipt_engine.stages.group import group
from tests.printed import spans

TEXT = """
BREAD                    2.50
BUTTER AND MILK          4.10
CHEESE                   7.25
APPLES                   3.00
ORANGES                  1.15
TOTAL                   18.00
"""
ROWS = [" ".join(line.split()) for line in TEXT.strip().split("\n")]


def moved(span: Span, move: object) -> Span:
    points = [move(x, y) for x, y in span.quad.points]  # type: ignore[operator]
    return Span(span.text, span.score, Quad(*points), span.chars)


def texts(found: tuple[Span, ...]) -> list[str]:
    return [line.text for line in group(found)]


def test_level_rows() -> None:
    assert texts(spans(TEXT)) == ROWS


def test_the_order_of_spans_does_not_matter() -> None:
    assert texts(tuple(reversed(spans(TEXT)))) == ROWS


def test_rows_tilted_by_ten_degrees() -> None:
    c, s = math.cos(math.radians(10)), math.sin(math.radians(10))
    tilted = tuple(moved(span, lambda x, y: (x * c - y * s, x * s + y * c)) for span in spans(TEXT))
    assert texts(tilted) == ROWS


def test_an_amount_column_that_hangs_half_a_row_low() -> None:
    bent = tuple(
        moved(span, lambda x, y: (x, y + 14.0)) if span.text[0].isdigit() else span for span in spans(TEXT)
    )
    assert texts(bent) == ROWS


def test_words_keep_their_place_in_the_row() -> None:
    line = group(spans(TEXT))[1]
    left, right = line.place(line.text.index("4.10"), len(line.text))
    assert (round(left), round(right)) == (250, 290)


def test_nothing_gives_no_rows() -> None:
    assert group(()) == ()

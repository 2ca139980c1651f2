"""Converts composed receipts to the rows that reading their image would give, without drawing one."""

from __future__ import annotations

import re

from receipt_engine.document import Char, Line, Quad, Span
from receipt_engine.stages.group import group
from scripts.make_receipts import Composed
from scripts.make_receipts.tape import Row, columns

#: Size of a normal printed character and the gap between rows, in page pixels.
_WIDTH, _HEIGHT, _BLANK = 10.0, 18.0, 6.0
_LOGO = 3.0
_SCORE = 0.99


def composed_lines(composed: Composed) -> tuple[Line, ...]:
    """The receipt's rows in order, each word where the till would print it."""
    return group(composed_spans(composed))


def composed_spans(composed: Composed) -> tuple[Span, ...]:
    """The receipt's texts, split at wide gaps, row by row, where the till would print them."""
    spans: list[Span] = []
    top = 0.0
    for row in composed.rows:
        height = _HEIGHT * (_LOGO if row.logo else 2.0 if {"big", "tall"} & set(row.style) else 1.0)
        spans.extend(_spans(row, composed.width, top, height))
        top += height + _BLANK
    return tuple(spans)


def _spans(row: Row, width: int, top: float, height: float) -> list[Span]:
    """The row's texts, split at wide gaps."""
    text = row.logo or row.text
    wide = _WIDTH * (2.0 if row.logo or "big" in row.style else 1.0)
    room = max(0.0, width * _WIDTH - columns(text) * wide)
    left = room / 2 if row.logo or "center" in row.style else room if "right" in row.style else 0.0
    found: list[Span] = []
    for match in re.finditer(r"\S+(?: \S+)*", text):
        start = left + columns(text[: match.start()]) * wide
        end = left + columns(text[: match.end()]) * wide
        quad = Quad((start, top), (end, top), (end, top + height), (start, top + height))
        step = 1 / len(match.group())
        chars = tuple(Char(c, _SCORE, i * step, (i + 1) * step) for i, c in enumerate(match.group()))
        found.append(Span(match.group(), _SCORE, quad, chars))
    return found

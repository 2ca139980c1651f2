"""How surely the digits of a date were read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from receipt_engine.document import Char, DateReading, ParsedLine
from receipt_engine.stages.dating.places import Place

#: Digits of day, month and year; what follows them is the time.
_DATE_DIGITS = 8


def legibility(rows: Sequence[ParsedLine], shown: Sequence[tuple[Place, DateReading]]) -> float:
    """Probability (0 to 1) that no digit was misread, at the place that was read best.

    shown: places that print the same day; two that agree would have to be misread alike.
    """
    return max((_of(rows[place.row], reading) for place, reading in shown), default=1.0)


def _of(parsed: ParsedLine, reading: DateReading) -> float:
    digits = [char for char in _chars(parsed, reading.start, reading.end) if char.text.isdigit()]
    probability = 1.0
    for char in digits[:_DATE_DIGITS]:
        probability *= char.score
    return probability


def _chars(parsed: ParsedLine, start: int, end: int) -> Iterator[Char]:
    """Characters of a part of the row's text, empty ones left out."""
    offset = 0
    for word in parsed.line.words:
        position = offset
        for char in word.chars:
            if char.text and start <= position < end:
                yield char
            position += len(char.text)
        offset += len(word.text) + 1

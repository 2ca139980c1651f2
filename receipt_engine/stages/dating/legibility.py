"""How surely the digits of a date were read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from receipt_engine.document import Char, DateReading, ParsedLine
from receipt_engine.stages.dating.printed_dates import PrintedDate

#: Digits of day, month and year; what follows them is the time.
_DATE_DIGITS = 8


def legibility(rows: Sequence[ParsedLine], shown: Sequence[tuple[PrintedDate, DateReading]]) -> float:
    """Probability (0 to 1) that no digit was misread, where the date was read best.

    shown: prints of the same day; two that agree would have to be misread alike.
    """
    return max((_of(rows[printed.row], reading) for printed, reading in shown), default=1.0)


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

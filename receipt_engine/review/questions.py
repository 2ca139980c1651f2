"""What to ask first: the fields that are most likely wrong."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from receipt_engine.batch.doubts import confidences
from receipt_engine.batch.row import Row
from receipt_engine.result import Result

#: Chance of being wrong below which a field is not worth a look.
WORTH_A_LOOK = 0.02
_RUNNERS_UP = 5
#: Days around a date in which others of the same folder speak for it.
_NEAR = 182
#: Share of misread dates that fall into such a stretch by chance (their years are any of the last decade's);
#: and receipts that this share weighs as much as.
_BY_CHANCE = 0.1
_WEIGHT = 5


class Question(NamedTuple):
    """Is this right? row: the number of the receipt in the results; chance: of being wrong, 0 to 1;
    boxes: where it is printed, on the upright page; text: the printed row; others: what else it may be."""

    row: int
    field: str
    value: str | None
    chance: float
    boxes: list[list[float]]
    text: str
    others: list[str]


def questions(rows: Sequence[Row], worth: float = WORTH_A_LOOK) -> list[Question]:
    """The fields of all receipts, likeliest wrong first, without those that `is_asked_about` leaves out.

    A date that lies far from nearly all the others is likelier wrong than its own receipt tells.
    """
    days = sorted(day for row in rows if not row.duplicate and (day := _day(row)) is not None)
    found = [
        question
        for number, row in enumerate(rows)
        if is_asked_about(row)
        for question in _of_row(number, row, days)
        if question.chance >= worth
    ]
    return sorted(found, key=lambda question: -question.chance)


def is_asked_about(row: Row) -> bool:
    """Not a duplicate of another receipt, nor a file without a picture that a person could look at."""
    failure = row.failure
    return not row.duplicate and (failure is None or (row.sha256 is not None and failure.has_picture))


def _day(row: Row) -> int | None:
    """The day of the receipt, counted from the year 1."""
    iso = row.found.date_iso if row.found else None
    return None if iso is None else date.fromisoformat(iso[:10]).toordinal()


def _among(days: Sequence[int], day: int, chance: float) -> float:
    """The chance that a date is wrong, known the sorted days of all receipts: those of a person lie close
    together, and a misread year falls among them by chance only. It never lessens."""
    near = bisect_right(days, day + _NEAR) - bisect_left(days, day - _NEAR) - 1
    expected = (near + _BY_CHANCE * _WEIGHT) / (len(days) - 1 + _WEIGHT)
    odds = chance / max(1 - chance, 1e-9) * max(1.0, _BY_CHANCE / expected)
    return odds / (1 + odds)


def _of_row(number: int, row: Row, days: Sequence[int]) -> list[Question]:
    result = row.found or Result()
    day = _day(row)
    fields: dict[str, Any] = (result.evidence or {}).get("fields", {})
    return [
        Question(
            number,
            doubt.field,
            None if doubt.value is None else str(doubt.value),
            round(chance if day is None or doubt.field != "date" else _among(days, day, chance), 4),
            place.get("boxes", []),
            place.get("text") or "",
            _others(place, doubt.value),
        )
        for doubt in confidences(result)
        for chance in (1 - doubt.confidence,)
        for place in (_place(fields, doubt.field),)
    ]


def _place(fields: dict[str, Any], field: str) -> dict[str, Any]:
    """Where evidence has a field; "taxes[1]" is the second of a list."""
    name, _, index = field.partition("[")
    place = fields.get(name) or {}
    if isinstance(place, list):
        position = int(index.rstrip("]") or 0)
        place = place[position] if position < len(place) else {}
    return dict(place)


def _others(place: dict[str, Any], value: object) -> list[str]:
    """The runners-up as a person would type them, without the value itself."""
    others = [_text(other) for other, _ in place.get("runnersUp", ())]
    return [other for other in dict.fromkeys(others) if other != str(value)][:_RUNNERS_UP]


def _text(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)

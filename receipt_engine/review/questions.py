"""Chooses the fields to ask a person about, those most likely wrong first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from receipt_engine.batch.doubts import confidences
from receipt_engine.batch.row import Row
from receipt_engine.result import Result
from receipt_engine.review.folder import Folder

#: Probability of being wrong below which a field is not asked about.
WORTH_A_LOOK = 0.02
_RUNNERS_UP = 5


class Question(NamedTuple):
    """Asks whether a field is right. row: index of the receipt in the results; chance: of being wrong, 0 to
    1; boxes: where it is printed, on the upright page; text: the printed row; others: other candidates."""

    row: int
    field: str
    value: str | None
    chance: float
    boxes: list[list[float]]
    text: str
    others: list[str]


def questions(rows: Sequence[Row], worth: float = WORTH_A_LOOK) -> list[Question]:
    """The fields of all receipts, most likely wrong first, without rows that `is_asked_about` excludes.

    The other receipts of the folder adjust the chance that a receipt gives by itself, see `Folder`.
    """
    folder = Folder(rows)
    found = [
        question
        for number, row in enumerate(rows)
        if is_asked_about(row)
        for question in _of_row(number, row, folder)
        if question.chance >= worth
    ]
    return sorted(found, key=lambda question: -question.chance)


def is_asked_about(row: Row) -> bool:
    """Whether a row is neither a duplicate of another receipt nor a file that cannot be shown as an image."""
    failure = row.failure
    return not row.duplicate and (failure is None or (row.sha256 is not None and failure.has_picture))


def _of_row(number: int, row: Row, folder: Folder) -> list[Question]:
    result = row.found or Result()
    fields: dict[str, Any] = (result.evidence or {}).get("fields", {})
    return [
        Question(
            number,
            doubt.field,
            None if doubt.value is None else str(doubt.value),
            round(folder.chance(number, result, doubt.field, 1 - doubt.confidence), 4),
            place.get("boxes", []),
            place.get("text") or "",
            _others(place, doubt.value),
        )
        for doubt in confidences(result)
        for place in (_place(fields, doubt.field),)
    ]


def _place(fields: dict[str, Any], field: str) -> dict[str, Any]:
    """The evidence of a field; "taxes[1]" is the second entry of a list."""
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

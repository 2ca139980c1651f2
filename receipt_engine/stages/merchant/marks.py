"""Places in the rows that are something definite (a phone number, a date, a web address): neither part
of a name nor of an address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from receipt_engine.document import ParsedLine, Record

Kind = Literal["url", "email", "phone", "fax", "id", "date", "number"]

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
#: Dates and times in the forms that every country prints.
_CALENDAR = re.compile(
    r"(?<![\w/.#-])(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d{2}|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2})(?![-./]?\d)"
    rf"|\b\d{{1,2}}[ -]?{_MONTH}[ .,'´-]*(?:19|20)?\d{{2}}\b|\b{_MONTH}[. ]{{1,2}}\d{{1,2}}(?:,|"
    rf" ) ?(?:19|20)\d{{2}}\b"
    r"|\b\d{1,2}:\d{2}(?::\d{2})?\s?(?:[ap]\.?m?\b\.?)?",
    re.IGNORECASE,
)


class Mark(Record, frozen=True):
    """text[start:end] of a row. value: as it is to be reported. score: how surely, about log-odds.

    label_start: where the words begin that name it ("Tel:"), or start.
    """

    kind: Kind
    row: int
    start: int
    end: int
    value: str
    score: float
    label_start: int
    rule: str


def covered(marks: Iterable[Mark], row: int, start: int, end: int) -> bool:
    """Whether text[start:end] of a row touches a mark."""
    return any(m.row == row and m.start < end and start < m.end for m in marks)


def without_marks(text: str, row: int, offset: int, marks: Sequence[Mark]) -> str:
    """A text that begins at `offset` of its row, its marks and their labels blanked out."""
    kept = list(text)
    for mark in marks:
        if mark.row != row:
            continue
        for i in range(max(0, mark.label_start - offset), min(len(kept), mark.end - offset)):
            kept[i] = " "
    return "".join(kept)


def date_marks(rows: Sequence[ParsedLine]) -> tuple[Mark, ...]:
    """Dates and times of day as marks, so that they are no part of a name."""
    found: list[Mark] = []
    for index, parsed in enumerate(rows):
        if not parsed.dates and not any(map(str.isdigit, parsed.text)):
            continue
        spans = [(d.start, d.end) for d in parsed.dates if d.cost < 1.5]
        spans += [m.span() for m in _CALENDAR.finditer(parsed.text)]
        found.extend(Mark("date", index, s, e, parsed.text[s:e], 1.0, s, "date") for s, e in spans)
    return tuple(found)

"""Dates as entities, and whether a place is already one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from receipt_engine.document import Entity, ParsedLine

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
#: Dates and times in the forms that every country prints.
_CALENDAR = re.compile(
    r"(?<![\w/.#-])(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d{2}|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2})(?![-./]?\d)"
    rf"|\b\d{{1,2}}[ -]?{_MONTH}[ .,'´-]*(?:19|20)?\d{{2}}\b|\b{_MONTH}[. ]{{1,2}}\d{{1,2}}(?:,|"
    rf" ) ?(?:19|20)\d{{2}}\b"
    r"|\b\d{1,2}:\d{2}(?::\d{2})?\s?(?:[ap]\.?m?\b\.?)?",
    re.IGNORECASE,
)


def covered(entities: Iterable[Entity], row: int, start: int, end: int) -> bool:
    """Whether text[start:end] of a row touches an entity."""
    return any(m.row == row and m.start < end and start < m.end for m in entities)


def date_entities(rows: Sequence[ParsedLine]) -> tuple[Entity, ...]:
    """Dates and times of day as entities, so that they are no part of a name."""
    found: list[Entity] = []
    for index, parsed in enumerate(rows):
        if not parsed.dates and not any(map(str.isdigit, parsed.text)):
            continue
        spans = [(d.start, d.end) for d in parsed.dates if d.cost < 1.5]
        spans += [m.span() for m in _CALENDAR.finditer(parsed.text)]
        found.extend(Entity("date", index, s, e, parsed.text[s:e], 1.0, s, "date") for s, e in spans)
    return tuple(found)

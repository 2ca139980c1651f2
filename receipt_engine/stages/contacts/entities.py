"""Dates as entities, and whether a place is already one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from receipt_engine.document import Entity, ParsedLine
from receipt_engine.region import language_codes, load_language

#: Dates and times of numbers in the forms that every country prints.
_NUMERIC = re.compile(
    r"(?<![\w/.#-])(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d{2}|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2})(?![-./]?\d)"
    r"|\b\d{1,2}:\d{2}(?::\d{2})?\s?(?:[ap]\.?m?\b\.?)?",
    re.IGNORECASE,
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
#: Shorter names of months are words of other languages, too.
_SHORTEST_MONTH = 3


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
        spans += [m.span() for m in _NUMERIC.finditer(parsed.text)]
        spans += [m.span() for m in _with_month().finditer(parsed.text)]
        found.extend(Entity("date", index, s, e, parsed.text[s:e], 1.0, s, "date") for s, e in spans)
    return tuple(found)


@cache
def _with_month() -> re.Pattern[str]:
    """Dates with the name of a month in any language: "15 Aug 2017", "Aug 15, 2017"."""
    every = {name for code in language_codes() for month in load_language(code).months for name in month}
    names = sorted((n for n in every if len(n) >= _SHORTEST_MONTH), key=lambda n: (-len(n), n))
    month = rf"(?:{'|'.join(map(re.escape, names))})"
    return re.compile(
        rf"\b{_DAY}[ -]?{month}[ .,'´-]*(?:19|20)?\d{{2}}\b"
        rf"|\b{month}[. ]{{1,2}}{_DAY}(?:,| ) ?(?:19|20)\d{{2}}\b",
        re.IGNORECASE,
    )

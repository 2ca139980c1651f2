"""Dates of Nepal's calendar, the Bikram Sambat: "2083/08/05" is 21 November 2026.

Its years run 56 or 57 ahead, so that those of receipts (2047 and later) are none that a Gregorian date could
have. Days of its months follow no formula; ``regions/calendars/bikram_sambat.toml`` has them.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from functools import cache

from receipt_engine import assets
from receipt_engine.document import DateLayout
from receipt_engine.region import read_table
from receipt_engine.region.schema import Table
from receipt_engine.stages.parse.dates.calendar_dates import Day, possible

_MARK = r"(?P<mark>[/.-])"
_YEAR_FIRST = re.compile(
    rf"(?<![0-9./-])(?P<y>20[4-9][0-9]){_MARK}(?P<m>[0-9]{{1,2}})(?P=mark)(?P<d>[0-9]{{1,2}})(?![0-9]|[./-][0-9])"
)
_YEAR_LAST = re.compile(
    rf"(?<![0-9./-])(?P<d>[0-9]{{1,2}}){_MARK}(?P<m>[0-9]{{1,2}})(?P=mark)(?P<y>20[4-9][0-9])(?![0-9]|[./-][0-9])"
)


class _Almanac(Table, frozen=True):
    """The file; it explains its keys."""

    sources: tuple[str, ...]
    first_year: int
    first_day: datetime.date
    months: tuple[tuple[int, ...], ...]


@cache
def _almanac() -> _Almanac:
    return read_table(assets.folder("regions") / "calendars" / "bikram_sambat.toml", _Almanac)


def gregorian(year: int, month: int, day: int) -> datetime.date | None:
    """The day in our calendar; None when the year is not tabled or has no such day.

    >>> gregorian(2083, 8, 5)
    datetime.date(2026, 11, 21)
    """
    almanac = _almanac()
    before = year - almanac.first_year
    if not (0 <= before < len(almanac.months) and 1 <= month <= 12):
        return None
    if not 1 <= day <= almanac.months[before][month - 1]:
        return None
    past = sum(map(sum, almanac.months[:before])) + sum(almanac.months[before][: month - 1]) + day - 1
    return almanac.first_day + datetime.timedelta(days=past)


def bikram_sambat_days(line: str) -> Iterator[Day]:
    """Every date of the calendar in a plain line."""
    for pattern in (_YEAR_FIRST, _YEAR_LAST):
        for match in pattern.finditer(line):
            day = gregorian(int(match["y"]), int(match["m"]), int(match["d"]))
            if day is not None:
                place = match.start(), match.end()
                yield from possible(*place, day.year, day.month, day.day, 0.1, DateLayout.ERA)

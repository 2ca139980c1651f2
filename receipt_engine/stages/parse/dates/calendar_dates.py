"""Does the calendar arithmetic: which years, months and days a receipt can have."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from typing import NamedTuple

from receipt_engine.document import DateDigits, DateLayout

#: Cost of a date that cannot exist.
IMPOSSIBLE = 99.0
_FIRST, _LAST = 1990, 2035
_BUDDHIST = 543


def full_year(digits: str, *, buddhist: bool = False) -> int:
    """The Gregorian year of a printed year of two or four digits.

    Two digits are of this century up to 2035; above that they are of the last one, or of the Buddhist
    calendar's 26th century where that is printed (`buddhist`). Buddhist years of four digits (2533 to 2578)
    are recognised by their size.
    """
    year = int(digits)
    if len(digits) == 2:
        if buddhist and _LAST < 2000 + year <= _LAST + _BUDDHIST - 500:
            return 2500 + year - _BUDDHIST
        return 2000 + year if 2000 + year <= _LAST else 1900 + year
    return year - _BUDDHIST if _FIRST + _BUDDHIST <= year <= _LAST + _BUDDHIST else year


def date_cost(year: int, month: int, day: int) -> float:
    """Cost of this day as a receipt's date, by its year; `IMPOSSIBLE` when the calendar has no such day."""
    if not (_FIRST <= year <= _LAST and 1 <= month <= 12 and 1 <= day <= 31):
        return IMPOSSIBLE
    if day > calendar.monthrange(year, month)[1]:
        return IMPOSSIBLE
    if year < 2000:
        return 4.0
    if year < 2010:
        return 2.0
    if year < 2015:
        return 0.3
    return 0.0 if year <= 2030 else 3.0


class Day(NamedTuple):
    """One reading of a span of a line as a date."""

    start: int
    end: int
    year: int
    month: int
    day: int
    cost: float
    layout: DateLayout
    digits: DateDigits


def possible(
    start: int,
    end: int,
    year: int,
    month: int,
    day: int,
    cost: float,
    layout: DateLayout,
    digits: DateDigits = DateDigits.SEPARATED,
) -> Iterator[Day]:
    """The date, unless the calendar has no such day; an unlikely year adds to its cost."""
    price = date_cost(year, month, day)
    if price < IMPOSSIBLE:
        yield Day(start, end, year, month, day, max(0.0, cost) + price, layout, digits)

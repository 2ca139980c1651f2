"""Does the calendar arithmetic, which years, months and days a receipt can have, and finds dates in other
notations: with a Roman month ("14.XI.2025"), of Nepal's calendar, and with East Asian signs or an era
("令和6年3月5日", "R6.3.5", "二零二三年十月一日").

The years of Nepal's Bikram Sambat run 56 or 57 ahead, so those of receipts (2047 and later) cannot be
Gregorian years: "2083/08/05" is 21 November 2026. The lengths of its months follow no formula;
``regions/calendars/bikram_sambat.toml`` lists them.
"""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from receipt_engine import assets
from receipt_engine.document import DateDigits, DateLayout
from receipt_engine.region import Era, Region, read_table
from receipt_engine.region.schema import Table
from receipt_engine.stages.parse.dates.calendar_words import calendar_signs

_MONTHS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
#: The year has four digits, and no space stands before a lone X: "2 X 24" and "2 X 2000" are a count and a
#: price.
_DATE = re.compile(
    r"(?<![\w.,/-])(?P<d>[0-3]?[0-9])(?P<mark>[ ./-]{1,2})(?P<m>X?V?I{1,3}|I[VX]|V|XI{1,2}|(?<! )X)(?P=mark)"
    r"(?P<y>(?:199|20[0-9])[0-9])(?![\d/-]|[.,][0-9])"
)
_COST = 0.1
#: Cost of a date that cannot exist.
IMPOSSIBLE = 99.0
_FIRST, _LAST = 1990, 2035
_BUDDHIST = 543


def roman_days(line: str) -> Iterator[Day]:
    """Every date of a plain line whose month is a Roman numeral."""
    for match in _DATE.finditer(line):
        if match["m"] in _MONTHS:
            month = _MONTHS.index(match["m"]) + 1
            yield from possible(
                *match.span(), int(match["y"]), month, int(match["d"]), _COST, DateLayout.DAY_ROMAN_YEAR
            )


_MARK = r"(?P<mark>[/.-])"
_YEAR_FIRST = re.compile(
    rf"(?<![0-9./-])(?P<y>20[4-9][0-9]){_MARK}(?P<m>[0-9]{{1,2}})(?P=mark)(?P<d>[0-9]{{1,2}})(?![0-9]|[./-][0-9])"
)
_YEAR_LAST = re.compile(
    rf"(?<![0-9./-])(?P<d>[0-9]{{1,2}}){_MARK}(?P<m>[0-9]{{1,2}})(?P=mark)(?P<y>20[4-9][0-9])(?![0-9]|[./-][0-9])"
)


class _Almanac(Table, frozen=True):
    """The calendar's file, which explains its keys."""

    sources: tuple[str, ...]
    first_year: int
    first_day: datetime.date
    months: tuple[tuple[int, ...], ...]


@cache
def _almanac() -> _Almanac:
    return read_table(assets.folder("regions") / "calendars" / "bikram_sambat.toml", _Almanac)


def gregorian(year: int, month: int, day: int) -> datetime.date | None:
    """The Gregorian date of a Bikram Sambat day; None when the year is not tabled or has no such day.

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
    """Every Bikram Sambat date in a plain line."""
    for pattern in (_YEAR_FIRST, _YEAR_LAST):
        for match in pattern.finditer(line):
            day = gregorian(int(match["y"]), int(match["m"]), int(match["d"]))
            if day is not None:
                place = match.start(), match.end()
                yield from possible(*place, day.year, day.month, day.day, 0.1, DateLayout.ERA)


#: Characters that the East Asian zero is misread as.
_ZEROS = "Oo0"


#: Digits of the year of an era that began over a century ago: "115年3月8日".
_OLD_ERA = 3
_THREE_DIGITS = re.compile(
    r"(?<![0-9])(?<![0-9][./\-,])(?P<y>1[0-9]{2})(?P<s>[./\-])(?P<m>[0-9]{2})(?P=s)(?P<d>[0-9]{2})(?![0-9])"
    r"(?![./\-,][0-9])"
)


class _Patterns(NamedTuple):
    """written: all in characters ("二零二三年十月一日"); signed: digits with such signs."""

    written: re.Pattern[str]
    signed: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    signs = calendar_signs()
    digits = "".join(signs.digits)
    number = f"[{digits}{''.join(signs.tens)}]"
    return _Patterns(
        re.compile(
            rf"(?P<y>[{digits}{_ZEROS}]{{4}}) ?[{signs.year}] ?(?P<m>{number}{{1,2}}) ?[{signs.month}] ?"
            rf"(?P<d>{number}{{1,3}}) ?[{signs.day}]?"
        ),
        re.compile(
            rf"(?<![0-9])(?P<y>[0-9]{{2,4}}) ?[{signs.year}] ?(?P<m>[0-9]{{1,2}}) ?[{signs.month}] ?"
            rf"(?P<d>[0-9]{{1,2}}) ?(?:[{signs.day}]|(?![0-9]))"
        ),
    )


@lru_cache(maxsize=64)
def _era_pattern(eras: tuple[Era, ...]) -> tuple[re.Pattern[str], dict[str, int]] | None:
    if not eras:
        return None
    signs = calendar_signs()
    names = {name: era.start for era in eras for name in era.names}
    alternatives = "|".join(
        f"(?P<e{i}>" + "".join(f"[{re.escape(c)}{signs.misread.get(c, '')}]" for c in name) + ")"
        for i, name in enumerate(names)
    )
    date = (
        rf" ?(?P<y>[0-9]{{1,3}}|[{signs.first_year}]) ?[{signs.year}.\-/] ?(?P<m>[0-9]{{1,2}})"
        rf" ?[{signs.month}.\-/] ?(?P<d>[0-9]{{1,2}})(?![0-9])"
    )
    starts = {f"e{i}": start for i, start in enumerate(names.values())}
    return re.compile(rf"(?<![A-Za-z])(?:{alternatives}){date}"), starts


def east_asian_days(line: str, region: Region) -> Iterator[Day]:
    """All readings of all dates with an era, or with signs of year and month, in a plain, repaired line."""
    yield from _days_of_eras(line, region.dates.eras)
    signs = calendar_signs()
    if not any(sign in line for sign in signs.month):
        return
    yield from _days_of_eras(line, signs.eras)
    patterns = _patterns()
    newest = max((e.start for e in region.dates.eras), default=None)
    for match in patterns.signed.finditer(line):
        start, end, y, m, d = *match.span(), match["y"], int(match["m"]), int(match["d"])
        if len(y) != _OLD_ERA:
            yield from possible(start, end, full_year(y), m, d, 0.3 * (len(y) == 2), DateLayout.SIGNS)
        if len(y) <= _OLD_ERA and newest is not None:
            yield from possible(start, end, newest + int(y) - 1, m, d, 0.5, DateLayout.ERA_YEAR)
    for match in patterns.written.finditer(line):
        year = int("".join(str(signs.digits.get(c, 0)) for c in match["y"]))
        yield from possible(
            *match.span(), year, _number(match["m"]), _number(match["d"]), 0.1, DateLayout.SIGNS
        )


def old_era_days(line: str, region: Region) -> Iterator[Day]:
    """Days whose year has three digits, counted by an era that began over a century ago: "114/11/29"."""
    if not region.dates.eras:
        return
    newest = max(era.start for era in region.dates.eras)
    for match in _THREE_DIGITS.finditer(line):
        year, month, day = (int(match[group]) for group in "ymd")
        yield from possible(*match.span(), newest + year - 1, month, day, 0.3, DateLayout.ERA_YEAR)


def _days_of_eras(line: str, eras: tuple[Era, ...]) -> Iterator[Day]:
    era = _era_pattern(eras)
    if era is None:
        return
    pattern, starts = era
    for match in pattern.finditer(line):
        count = int(match["y"]) if match["y"].isdecimal() else 1
        first = next(start for group, start in starts.items() if match[group])
        yield from possible(
            *match.span(), first + count - 1, int(match["m"]), int(match["d"]), 0.1, DateLayout.ERA
        )


def _number(text: str) -> int:
    """The value of a number below 100 in characters: 十二, 二十, 廿一; 0 when it is not well-formed."""
    signs = calendar_signs()
    total, digit = 0, None
    for character in text:
        if character in signs.tens:
            total += 10 * signs.tens[character] * (1 if digit is None else digit)
            digit = None
        elif digit is not None:
            return 0
        else:
            digit = signs.digits[character]
    return total + (digit or 0)


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

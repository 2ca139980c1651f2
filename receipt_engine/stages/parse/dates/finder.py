"""Finds the dates in a printed line, with the time printed beside them or elsewhere on the line.

>>> from receipt_engine.region import load_region
>>> [(d.iso, d.cost) for d in find_dates("04/05/2021 18:42", load_region("gb"))]
[('2021-05-04T18:42:00', 0.1), ('2021-04-05T18:42:00', 2.4)]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from receipt_engine.document import DateDigits, DateLayout, DateReading
from receipt_engine.region import Region, currency_marks
from receipt_engine.scoring.costs import ACCEPTED, DOUBTFUL, FORBIDDEN
from receipt_engine.stages.parse.dates.calendar_words import CalendarWords, calendar_signs, calendar_words
from receipt_engine.stages.parse.dates.calendars import (
    Day,
    bikram_sambat_days,
    east_asian_days,
    old_era_days,
    roman_days,
)
from receipt_engine.stages.parse.dates.confusions import OTHER_CENTURY, repair_date_digits
from receipt_engine.stages.parse.dates.numeric import numeric_days
from receipt_engine.stages.parse.dates.times import (
    Clock,
    broken_clock_at,
    clock_at,
    clocks,
    compact_clock_at,
    spaced_clock_at,
)
from receipt_engine.stages.parse.dates.written import worded_days
from receipt_engine.stages.parse.limits import MAX_LINE
from receipt_engine.vocabulary.confusions import DIGIT_COST
from receipt_engine.vocabulary.normalise import alphanumerics, ascii_forms
from receipt_engine.vocabulary.street_names import is_behind_street, is_house_number
from receipt_engine.vocabulary.terms import term_phrases

__all__ = ["calendar_spans", "find_dates"]

#: Every all-numeric date contains a match of this.
_NUMERIC = re.compile(
    r"[0-9] ?[/\-.,|\\:;_]{1,2} ?[0-9] ?[0-9]? ?[/\-.,|\\:;_]{1,2} ?'?[0-9]"
    r"|[0-9]{6}|[0-9]{4}[/\-.][0-9]|[0-9]{3}/20|[0-9][/\-.][0-9]{5}"
    r"|[0-9]{1,2} [0-9]{1,2} (?:[0-9]{4}|[0-9]{2})(?![0-9])|[0-9][/\-. ][0-9]{1,2}[/\-. ][0-9]"
)
_LETTERS = re.compile(
    r"[^\W\d_](?:[^\W\d_]|\.[^\W\d_])|[\u0600-\u06ff\u0900-\u0bff\u0e00-\u0e7f]|[0-9][^\W\d_]|[^\W\d_][0-9]"
)
_DIGITISH = re.compile(r"[0-9OolI]")
_PHONE_BEFORE = 3.2
#: Cost of reading as money a time that may be a price, or opening hours.
_OR_PRICE = 3.2
_STREET_BEFORE = 4.0
_CONFUSED_DIGIT = 1.2
_CONFUSION = 0.35  # per repaired letter; less than in amounts, as a date's shape leaves less doubt
#: Between a date and a dotted time: at most a bracketed weekday and one short word.
_BESIDE = re.compile(r"[\s,;|/@()T-]{0,4}(?:\(?[^\W\d_]{1,8}[.:)]{0,2})?[\s.:,-]{0,3}")
_FAR = 12
_MAYBE_PRICE = 40  # added distance, in characters, of a time printed like a price
_MAX_READINGS = 5
#: A product's name between the day that begins a row and the amount that ends it. If the text between them
#: has a digit, other than those of a rate, only a comma marks a price: a point may separate hour and minute.
_NAME_BETWEEN = re.compile(r"[^\W\d_]{4}")
_RATE = re.compile(r"[0-9.,]+ ?%")
#: The end of a row behind a price: a currency's sign, a mark, a tax code.
_PRICE_ENDS = re.compile(r"[ *€$]*(?: [^\W_])?[ *]*$")
#: Hour and minute whose colon was not read, at the end of a line.
_LOST_COLON = re.compile(r"[0-9]{4} *$")


class _Dated(NamedTuple):
    """A day with its time. start, end: the printed extent, including a time beside the date."""

    day: Day
    clock: Clock | None
    cost: float
    start: int
    end: int


def find_dates(text: str, region: Region, *, default_order: str | None = None) -> tuple[DateReading, ...]:
    """Every date of a line: spans left to right, the readings of each span likeliest first.

    Order of an ambiguous numeric date: default_order ("d/m" or "m/d"), else the region's; the other order
    follows at a higher cost. Days that no calendar has, and years outside 1990 to 2035, are rejected. A time
    on the same line is joined to the nearest date. start and end enclose the date, and the time if it
    stands beside it. A first reading that costs more than `ACCEPTED` is probably no date.
    """
    return tuple(_reading(dated, text) for dated in _dated(text, region, default_order))


def calendar_spans(line: str, region: Region) -> list[tuple[int, int, float]]:
    """(start, end, cost of reading it as money) of everything in a plain line that is a date or time."""
    spans: list[tuple[int, int, float]] = []
    if not _DIGITISH.search(line):
        return spans
    for dated in _dated(line, region, None):
        if dated.cost <= ACCEPTED:
            spans.append((dated.day.start, dated.day.end, FORBIDDEN))
            if dated.clock is not None:
                spans.append(
                    (dated.clock.start, dated.clock.end, _OR_PRICE if dated.clock.is_doubtful else FORBIDDEN)
                )
    patterns = _patterns()
    for match in patterns.opening_hours.finditer(line) if _QUARTER.search(line) else ():
        spans.append((match.start(), match.end(), _OR_PRICE))
    if not spans and patterns.maybe_clock.search(line):
        found = clocks(repair_date_digits(line), calendar_words(region))
        spans.extend(
            (c.start, c.end, FORBIDDEN)
            for c in found
            if c.cost <= DOUBTFUL and not _COLON.search(line, c.start, c.end)
        )
    return spans


#: A full quarter of an hour, printed like an amount.
_QUARTER = re.compile(r"[.,](?:00|15|30|45)")
_DASHED = re.compile(r"[012][0-9]-[0-5][0-9]-[0-5][0-9](?! ?[0-9:])")
_COLON = re.compile(r"[:;]")  # such times are read as amounts only beside a currency


class _Patterns(NamedTuple):
    """signed_day: year and month with their signs. opening_hours: "9.00-18.30", not "9.00 -1.30", a
    discount. clock_mark: a separator of hour and minute; maybe_clock: that with numbers, or AM or PM."""

    signed_day: re.Pattern[str]
    opening_hours: re.Pattern[str]
    clock_mark: re.Pattern[str]
    maybe_clock: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    signs = calendar_signs()
    hour = r"(?:2[0-4]|[01]?[0-9])[.,](?:00|15|30|45)"
    until = "|".join(map(re.escape, term_phrases("until")))
    mark = rf"(?:[:;{signs.hour}]|{signs.hour_words})"
    return _Patterns(
        re.compile(rf"[{signs.year}].{{1,6}}[{signs.month}]"),
        re.compile(rf"(?<![0-9.,]){hour}(?:-|- | - | ?(?:{until}) ?){hour}(?![0-9.,])"),
        re.compile(rf"{mark}|[.,]", re.IGNORECASE),
        re.compile(rf"[0-9] ?{mark} ?[0-9]|[0-9] ?[ap]\.? ?m|[{signs.hour}]", re.IGNORECASE),
    )


@lru_cache(maxsize=2048)
def _dated(text: str, region: Region, default_order: str | None) -> tuple[_Dated, ...]:
    """Does the work of `find_dates`; cached, because the amount finder asks for the same line."""
    original = ascii_forms(text[:MAX_LINE])
    if len(_DIGITISH.findall(original)) < 3 and not _has_signs(original):
        return ()
    line = repair_date_digits(original)
    words = calendar_words(region)
    days = list(roman_days(original))
    if _NUMERIC.search(line):
        days.extend(bikram_sambat_days(line) if region.dates.calendar == "bikram sambat" else ())
        days.extend(old_era_days(line, region))
        days.extend(numeric_days(line, region, default_order, lambda at: words.is_labelled(line, at, "date")))
    if _LETTERS.search(line) or _has_signs(line):
        days.extend(worded_days(line, words))
        days.extend(east_asian_days(line, region))
    if not days:
        return ()
    first = min(day.end for day in days)
    days = [day for day in days if day.start < first or not _is_clock(day, line, words)]
    days = [
        _with_context(day, original, words)
        for day in days
        if day.layout.names_month or not is_house_number(original, day.start, day.end)
    ]
    return tuple(_with_times(_places(days), line, words))


def _is_clock(day: Day, line: str, words: CalendarWords) -> bool:
    """Whether a later day of a row is the time behind a word for it, with dashes: "TIME 09-12-10"."""
    return _DASHED.match(line, day.start) is not None and words.is_labelled(line, day.start, "time")


def _has_signs(line: str) -> bool:
    """Whether year and month are printed with East Asian signs."""
    return not line.isascii() and _patterns().signed_day.search(line) is not None


def _with_context(day: Day, original: str, words: CalendarWords) -> Day:
    """Adds the cost of repaired letters and digits, of a telephone label before the day, and of a street word
    before a day with a month name: streets are named after days ("Calle 9 de Julio 18")."""
    extra = (
        sum(_CONFUSION for c in original[day.start : day.end] if c in DIGIT_COST)
        if not day.layout.names_month
        else 0
    )
    extra += _CONFUSED_DIGIT * (OTHER_CENTURY.search(original, day.start, day.end) is not None)
    if words.is_labelled(original, day.start, "phone", "fax"):
        extra += _PHONE_BEFORE
    if day.layout.names_month and is_behind_street(original, day.start, numbers=day.cost > 0):
        extra += _STREET_BEFORE
    return day._replace(cost=round(day.cost + extra, 2))


def _places(days: Iterable[Day]) -> list[list[Day]]:
    """Days grouped by overlapping spans, left to right; the cheapest first in each, without duplicates."""
    groups: list[list[Day]] = []
    for day in sorted(days, key=lambda d: (d.cost, d.start - d.end)):
        for group in groups:
            if day.start < group[0].end and group[0].start < day.end:
                if all((d.year, d.month, d.day) != (day.year, day.month, day.day) for d in group):
                    group.append(day)
                break
        else:
            groups.append([day])
    return sorted(groups, key=lambda group: group[0].start)


def _with_times(places: list[list[Day]], line: str, words: CalendarWords) -> Iterable[_Dated]:
    free = clocks(line, words) if _patterns().clock_mark.search(line) else ()
    taken: set[int] = set()
    for place in places:
        best = place[0]
        clock = _clock_of(best, line, words, free, taken, places)
        if clock is not None:
            taken.add(clock.start)
        readings: list[_Dated] = []
        for day in place[:_MAX_READINGS]:
            own = (
                clock
                if clock is None or clock.start >= day.end or clock.end <= day.start or day is best
                else None
            )
            readings.extend(_joined(day, own))
        yield from sorted(readings, key=lambda dated: dated.cost)


def _joined(day: Day, clock: Clock | None) -> Iterable[_Dated]:
    if clock is None:
        return (_Dated(day, None, day.cost, day.start, day.end),)
    beside = -_FAR < clock.start - day.end < _FAR or 0 <= day.start - clock.end < _FAR
    start, end = (min(day.start, clock.start), max(day.end, clock.end)) if beside else (day.start, day.end)
    cost = round(day.cost + min(clock.cost, 0.4), 2)
    joined = _Dated(day, clock, cost, start, end)
    if clock.is_doubtful:
        return (joined, _Dated(day, None, round(day.cost + 1.4, 2), day.start, day.end))
    return (joined,)


def _clock_of(
    day: Day, line: str, words: CalendarWords, free: Sequence[Clock], taken: set[int], places: list[list[Day]]
) -> Clock | None:
    """The time that belongs to a day: touching it, beside it, inside it, or the nearest one of the line.

    free: all times of the line. taken: starts of those that already belong to another day.
    """
    glued = clock_at(line, day.end, words)
    if glued is not None:
        return glued
    gap = _BESIDE.match(line, day.end)
    beside = gap.end() if gap else day.end
    near = clock_at(line, beside, words) or broken_clock_at(line, beside, words)
    if near is not None and any(p[0].start <= near.start < p[0].end for p in places if p[0] is not day):
        near = None  # the first numbers of another date
    if near is not None and not near.dotted:
        return near
    if day.layout is DateLayout.EIGHT_DIGITS or day.digits is DateDigits.UNSEPARATED:
        compact = compact_clock_at(line, beside)
        if compact is not None and line[day.end : beside].strip() in ("", "T", "-", "/"):
            return compact
    candidates = [] if near is None else [(_MAYBE_PRICE, near)]
    for clock in free:
        inside = day.start < clock.start and clock.end <= day.end and not clock.dotted
        overlapping = clock.start < day.end and day.start < clock.end
        if clock.start in taken or (overlapping and not inside):
            continue
        if clock.is_doubtful and line[clock.end : day.start].strip(" -,|/"):
            continue
        if any(p[0].start <= clock.start < p[0].end for p in places if p[0] is not day):
            continue
        after = clock.start >= day.end
        distance = 0 if inside else clock.start - day.end if after else 2 * (day.start - clock.end) + 4
        candidates.append((distance + _MAYBE_PRICE * clock.is_doubtful, clock))
    candidates = [c for c in candidates if not _is_priced(day, c[1], line, words)]
    if candidates:
        return _unbroken(min(candidates, key=lambda c: c[0])[1], day, line, words)
    ends = line[day.end : beside] == " " and _LOST_COLON.match(line, beside) is not None
    labelled = ends or words.is_labelled(line, beside, "time")
    compact = compact_clock_at(line, beside) if labelled else None
    return compact or (spaced_clock_at(line, beside) if beside > day.end else None)


def _unbroken(clock: Clock, day: Day, line: str, words: CalendarWords) -> Clock:
    """The time; with the first digit of its hour where that begins the row, apart from the second, and the
    day ends it: "1 8:22 19/02/2026"."""
    first = clock.start - 2
    whole = first >= 0 and not line[:first].strip() and not line[clock.end : day.start].strip()
    return (broken_clock_at(line, first, words) if whole else None) or clock


def _is_priced(day: Day, clock: Clock, line: str, words: CalendarWords) -> bool:
    """Whether the time is really a price: the row begins with the day and ends with a product and its price
    ("14.09.2023 Minibar 14,00 B"), or with a sign of a currency and a broken number."""
    if (
        not clock.is_doubtful
        or clock.start < day.end
        or line[: day.start].strip()
        or not _PRICE_ENDS.match(line, clock.end)
    ):
        return False
    between = _RATE.sub("", line[day.end : clock.start]).strip()
    if any(sign in between for sign in currency_marks().signs):
        return True  # "£7 3.50"
    named = (
        _NAME_BETWEEN.search(between) is not None
        and alphanumerics(between.strip(" .,()")) not in words.weekdays
    )
    return named and ("," in line[clock.start : clock.end] or not any(c.isdigit() for c in between))


def _reading(dated: _Dated, text: str) -> DateReading:
    day, clock = dated.day, dated.clock
    return DateReading(
        text[dated.start : dated.end],
        dated.start,
        dated.end,
        day.year,
        day.month,
        day.day,
        clock.hour if clock else None,
        clock.minute if clock else None,
        clock.second if clock else None,
        dated.cost,
        day.layout,
        day.digits,
    )

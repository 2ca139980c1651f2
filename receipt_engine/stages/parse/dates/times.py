"""Finds the times of day in a printed line.

>>> from receipt_engine.region import load_region
>>> [(t.hour, t.minute, t.second) for t in find_times("TIME 05:17:09 PM", load_region("us"))]
[(17, 17, 9)]
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from receipt_engine.document import TimeReading
from receipt_engine.region import Region
from receipt_engine.scoring.costs import DOUBTFUL
from receipt_engine.stages.parse.dates.calendar_words import CalendarWords, calendar_signs, calendar_words
from receipt_engine.stages.parse.dates.confusions import repair_date_digits
from receipt_engine.stages.parse.limits import MAX_LINE
from receipt_engine.vocabulary.normalise import ascii_forms

#: No digits touch the time's start, except a receipt number or a date: "0203-20:57", "14.03.24-20:57".
_ALONE = re.compile(r"(?<![0-9])(?:(?<![0-9][.,:;/-])|(?:(?<=[0-9]{4}-)|(?<=[./][0-9]{2}-))(?=[0-2][0-9]:))")
#: No digit follows, except that of a date after a lost space: "19:04:582022-11-29".
_APART = r"(?:(?![0-9])|(?=20[0-9]{2}[/.-][01][0-9][/.-])|(?=[0-3][0-9][/.-][01][0-9][/.-]20[0-9]{2}))"
_COMPACT = re.compile(r"(?P<hour>[01][0-9]|2[0-3])(?P<minute>[0-5][0-9])(?P<second>[0-5][0-9])?(?![0-9])")
_SPACED = re.compile(
    r"(?P<hour>[01][0-9]|2[0-3])(?P<mark>[ -])(?P<minute>[0-5][0-9])"
    r"(?:(?P=mark)(?P<second>[0-5][0-9]))?(?= *$)"
)
#: A time whose colon was lost, before AM or PM; behind a day one letter of those is enough: "7-24-11 4 58P".
_BEFORE_HALF = re.compile(
    r"(?:1[0-2]|0?[1-9]) [0-5][0-9](?= ?[AaPp]\.? ?[Mm](?![^\W\d_])"
    r"|(?:(?<=\d[/-]\d\d .....)|(?<=\d[/-]\d\d ....))[AP](?!\w))"
)
#: The first digit of an hour, apart from the second.
_BROKEN_HOUR = re.compile(r"(?:[01] [0-9]|2 [0-3])[:;][0-5][0-9](?! ?[AaPp]\.? ?[Mm])")
#: After a space, one letter is a tax code rather than half of AM or PM: "PASTA 235G A".
_TAX_LETTER = re.compile(r" [A-Za-z]")
_NOON = 12
_DOTTED = 4.0  # far more prices than times are printed so
_LABELLED = 0.3
#: The letters before an hour in the number of a car or a machine: "5J6RW2H59HL004471".
_IN_NUMBER = re.compile(r"(?<=[^\W_]{2})")


class _Patterns(NamedTuple):
    """clock: "18:42", "18.42.10", "18h42", "18時20分", "20 :13", seconds and their fraction optional.
    whole_hour: an hour before AM or PM, or with its sign. maybe: a line without this has no time: numbers
    around a mark, four digits, a number beside a letter."""

    clock: re.Pattern[str]
    whole_hour: re.Pattern[str]
    maybe: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    signs = calendar_signs()
    words = rf" ?{signs.hour_words} ?(?![0-9]{{2}}[.,][0-9])"
    clock = re.compile(
        r"(?P<hour>2[0-3]|[01]?[0-9])"
        rf"(?P<mark> ?[:;] ?|[.,]|[.:;]{{2}}|{words}|[{signs.hour}] ?)"
        r"(?P<minute>[0-5][0-9]|[0-5] [0-9](?![0-9.,]))"
        rf"(?:(?P<mark2> ?[:;]{{1,2}} ?|[.,']|[{signs.minute}] ?|{signs.minute_words} ?)"
        r"(?P<second>[0-5] ?[0-9])" + _APART + r"|:[6-9][0-9](?![0-9]))?"  # misread seconds
        rf"(?(second)(?:[.,][0-9]{{1,6}}(?=[Z+]|$))?)[{signs.minute}{signs.second}]?"
        + _APART
        + r"(?!:[0-9]|/[0-9](?![0-9]?\.[0-9]))"  # a software version may follow: "20:57/2.1.40/"
    )
    whole_hour = re.compile(rf"(?P<hour>2[0-3]|[01]?[0-9])(?: ?(?=[AaPp]\.? ?[Mm])|[{signs.hour}](?![0-9]))")
    maybe = re.compile(
        rf"[0-9OolIS] ?(?:[:;.,{signs.hour}]|{signs.hour_words})[:;.]? ?[0-9OolIS]"
        r"|[0-9]{4}|[0-9] ?[^\W\d]|[^\W\d] ?[0-9]|[0-9]-[0-9]{2} *$"
    )
    return _Patterns(clock, whole_hour, maybe)


class Clock(NamedTuple):
    """A time of a plain line. dotted: printed like an amount, so it counts only beside a date or label."""

    start: int
    end: int
    hour: int
    minute: int
    second: int | None
    cost: float
    dotted: bool

    @property
    def is_doubtful(self) -> bool:
        """Whether it may as well be a price."""
        return self.dotted and self.cost > DOUBTFUL


def find_times(text: str, region: Region) -> tuple[TimeReading, ...]:
    """Every time of day in a line, left to right, as 24-hour values.

    A time with a point ("18.42") costs more than `ACCEPTED` unless AM or PM, seconds or a word for time
    stands beside it.
    """
    original = ascii_forms(text[:MAX_LINE])
    if not _patterns().maybe.search(original):
        return ()
    line = repair_date_digits(original)
    return tuple(
        TimeReading(
            text[clock.start : clock.end],
            clock.start,
            clock.end,
            clock.hour,
            clock.minute,
            clock.second,
            clock.cost,
            clock.dotted,
        )
        for clock in clocks(line, calendar_words(region))
    )


@lru_cache(maxsize=1024)
def clocks(line: str, words: CalendarWords) -> tuple[Clock, ...]:
    """Times in a plain, repaired line that do not touch another number; cached, because the date and amount
    finders ask for them too."""
    found: list[Clock] = []
    position = 0
    pattern = _patterns().clock
    while match := pattern.search(line, position):
        clock = None
        if _ALONE.match(line, match.start()):
            clock = _clock(line, match, words)
        if clock is None:
            position = match.start() + 1
            while position < len(line) and line[position].isdigit() and line[position - 1].isdigit():
                position += 1
            continue
        if words.is_labelled(line, clock.start - 2, "time"):
            clock = broken_clock_at(line, clock.start - 2, words) or clock
        found.append(clock)
        position = clock.end
    if all(clock.dotted for clock in found):  # perhaps only the day and month of a date
        found.extend(_other_clocks(line, words))
    return tuple(sorted(found, key=lambda clock: clock.start))


def clock_at(line: str, position: int, words: CalendarWords) -> Clock | None:
    """The time that starts exactly at a position, regardless of the text before it."""
    match = _patterns().clock.match(line, position)
    return None if match is None else _clock(line, match, words)


def broken_clock_at(line: str, position: int, words: CalendarWords) -> Clock | None:
    """The time at a position whose hour is broken in two, without AM or PM: "1 3:08"."""
    if position < 0 or _BROKEN_HOUR.match(line, position) is None:
        return None
    closed = f"{line[:position]} {line[position]}{line[position + 2 :]}"
    clock = clock_at(closed, position + 1, words)
    return None if clock is None or clock.dotted else clock._replace(start=position, cost=clock.cost + 0.6)


def compact_clock_at(line: str, position: int) -> Clock | None:
    """The time at a position printed with digits only: "1842" or "184210"."""
    match = _COMPACT.match(line, position)
    if match is None:
        return None
    second = match.group("second")
    return Clock(
        position,
        match.end(),
        int(match["hour"]),
        int(match["minute"]),
        int(second) if second else None,
        0.3,
        False,
    )


def spaced_clock_at(line: str, position: int) -> Clock | None:
    """The time at a position where the colon was lost or is a dash, at the end of a line: "18 59"."""
    match = _SPACED.match(line, position)
    if match is None:
        return None
    second = int(match["second"]) if match["second"] else None
    return Clock(position, match.end(), int(match["hour"]), int(match["minute"]), second, 1.0, False)


def _clock(line: str, match: re.Match[str], words: CalendarWords) -> Clock | None:
    second = match.group("second")
    mark, mark2 = match["mark"].strip(), (match["mark2"] or "").strip()
    dotted = mark in (".", ",")
    if (
        mark[:1] in (".", ",")
        and unicodedata.category(line[match.start() - 1 : match.start()] or " ") == "Sc"
    ):
        return None  # an amount: "$4.50", "£2..10"
    if mark.isalpha() and mark.isascii() and _IN_NUMBER.match(line, match.start()):
        return None
    start, end, hour, half = _half(line, match.start(), match.end(), int(match["hour"]), words)
    cost = 0.0 if mark == ":" or not mark.isascii() else 0.3
    if dotted:
        labelled = words.is_labelled(line, start, "time")
        cost = _LABELLED if half or labelled else 0.8 if second and mark == mark2 else _DOTTED
    if half is None:
        cost += 0.4  # AM beside 15:20
    minute = match["minute"].replace(" ", "")
    if minute != match["minute"]:
        if dotted or mark not in (":", ";"):
            return None
        cost += 0.6
    seconds = int(second.replace(" ", "")) if second else None
    return Clock(start, end, hour, int(minute), seconds, cost, dotted)


def _half(
    line: str, start: int, end: int, hour: int, words: CalendarWords
) -> tuple[int, int, int, bool | None]:
    """Applies an AM or PM mark before or after a time.

    Returns start, end (both with the mark), the hour of 24, and whether there was a mark; None for that if AM
    contradicts the hour.
    """
    after = words.half_after.match(line, end)
    if after and line[after.end() : after.end() + 1].isdigit():
        after = None
    before = None
    if after is None and line[start - 2 : start].rstrip(" .")[-1:].isalpha():
        before = words.half_before.search(line, max(0, start - 14), start)
    mark = after or before
    if mark is None:
        return start, end, hour, False
    if after:
        end = after.end()
    else:
        start = mark.start()
    if mark.group("pm"):
        return start, end, hour % 12 + 12 if hour <= 12 else hour, True
    if hour > 12:
        return start, end, hour, None
    return start, end, hour % 12, True


def _other_clocks(line: str, words: CalendarWords) -> list[Clock]:
    """Whole hours, times of digits only, and labelled ones with dashes: "5 PM", "午後6時", "0517PM",
    "ORA:12-47-36"."""
    found: list[Clock] = []
    for match in re.finditer(r"(?<![0-9.,/])(?<![^Mm]-)(?<![0-9]:)[0-9]{1,6}", line):  # "9am-5pm"
        position = match.start()
        if found and position < found[-1].end:
            continue
        compact = compact_clock_at(line, position)
        if compact is not None:
            start, end, hour, _ = _half(line, position, compact.end, compact.hour, words)
            mark = line[compact.end : end]
            # A letter behind 2025 is no half of AM: the series of an invoice.
            has_half = len(mark) > (compact.hour > _NOON) and not _TAX_LETTER.fullmatch(mark)
            if has_half or words.is_labelled(line, position, "time"):
                found.append(compact._replace(start=start, end=end, hour=hour, cost=0.8))
            continue
        spaced = _BEFORE_HALF.match(line, position)
        if spaced is not None:
            numbers = [int(number) for number in spaced.group().split()]
            start, end, hour, _ = _half(line, position, spaced.end(), numbers[0], words)
            found.append(Clock(start, end, hour, numbers[1], None, 0.8, False))
            continue
        dashed = spaced_clock_at(line, position)
        if dashed is not None and words.is_labelled(line, position, "time"):
            found.append(dashed)
            continue
        whole = _patterns().whole_hour.match(line, position)
        if whole is not None:
            start, end, hour, half_day = _half(line, position, whole.end(), int(whole["hour"]), words)
            if half_day:
                found.append(Clock(start, end, hour, 0, None, 1.2, False))
    return found

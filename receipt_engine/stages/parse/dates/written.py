"""Finds dates with a month name: "5 Nov '23", "15 de marzo de 2024", "Fri Aug 9 13:46:58 2024"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache, partial

from receipt_engine.document import DateLayout
from receipt_engine.stages.parse.dates.calendar_words import CalendarWords, MonthNames, calendar_signs
from receipt_engine.stages.parse.dates.calendars import Day, full_year, possible
from receipt_engine.vocabulary.normalise import INDIAN_SIGNS, alphanumerics, letters_from_right

#: Letters with the marks above and below them in Latin, Arabic, Indian scripts and Thai.
_MARKS = rf"\u0300-\u036f\u064b-\u065f\u0670\u0e31\u0e34-\u0e3a\u0e47-\u0e4e{INDIAN_SIGNS}"
_TOKEN = re.compile(rf"(?:[^\W_]|[{_MARKS}])+")
#: Every such date has a number after a word, and that number is no amount with cents.
_NUMBER_BEHIND = re.compile(r"(?:[A-Za-z]|[^\x00-\x7f])\.?[ \-./,'_]{0,3}[0-9]++(?![.,][0-9]{2}(?![0-9.:h]))")
_MAX_TOKENS = 60
_DIGIT = re.compile("[0-9]")
#: A number of the date stands at most this many characters after the month's name.
_REACH = 24
_LETTER_RUN = re.compile(r"[^\W\d_]{3,}")
_MAX_RUNS = 4
_CAPITAL_INSIDE = re.compile(r"(?<=[a-z])(?=[A-Z][a-z]{2})")
#: Between the name and its numbers; empty where they touch, as in 18OCT2024.
_GAP = r"[ \-./,'_]{0,3}"
#: A year, perhaps followed directly by a time; no price behind a product ("SOKKEN 3 PAAR 14,08").
_YEAR = (
    r"(?P<year>(?:199|20[0-9]|25[0-9])[0-9]|'?[0-9]{2}(?![.,][0-9]{2}(?![0-9.:h])))"
    r"(?:(?![0-9])|(?=[0-2]?[0-9] ?[:;h] ?[0-5][0-9]))"
    r"(?! ?[:;h][0-5][0-9])(?![/.\-][0-9](?![0-9]?[:.h][0-5][0-9]))"
)
_CLOCK = r"[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?(?: ?[AP]M)?"
#: "May0814", "Feb 2319": where "May08'14" lost its mark; "MAR 2019" has no day.
_DAY_YEAR_GLUED = re.compile(r" ?(?!199|20)(?P<day>[0-3][0-9])(?P<year>[0-9]{2})(?![0-9:/,]|[.-][0-9])")
_GLUED = 0.9
#: "Table 12 DEC15'21": the number before the name is no day when day and year follow it.
_OTHER_NUMBER = 1.6
#: "21 Aug 25" as 25 August 2021; and around a month in Arabic or Hebrew letters, since some tills print such
#: dates from the right and others from the left.
_SWAPPED, _TURNED = 2.6, 0.8
#: "Sep07:23 03:46P": the same mark read as a colon; the time follows.
_DAY_COLON_YEAR = re.compile(r" ?(?P<day>[0-3]?[0-9])[:;](?P<year>[0-9]{2})(?= {1,2}[0-2]?[0-9]:[0-5][0-9])")
_COLON = 1.0


class _Patterns:
    """Patterns compiled with the joining words of a region's languages.

    buddhist: years of two digits may be of the Buddhist calendar.
    """

    def __init__(self, joiners: str, buddhist: bool) -> None:
        self.buddhist = buddhist
        ordinal = f"(?:{calendar_signs().ordinals})?"
        join = rf"(?:(?:{joiners})[ .]{{0,2}}){{0,2}}"
        join_before = rf"(?:[ .]{{0,2}}(?:{joiners})\b){{0,2}}"
        flags = re.IGNORECASE
        self.day_before = re.compile(
            r"(?<![0-9])(?:(?<![0-9][.,:/\-])|(?<=:[0-5][0-9]-)|(?<=[0-9]{3}[/\-]))"
            rf"(?P<day>[0-9]{{1,2}}){ordinal}{join_before}{_GAP}$",
            flags,
        )
        self.year_before = re.compile(rf"(?<![0-9])(?P<year>[12][0-9]{{3}}){join_before}{_GAP}$", flags)
        self.year_after = re.compile(rf"{_GAP}{join}{_YEAR}", flags)
        self.day_year_after = re.compile(
            rf"{_GAP}(?P<day>[0-9]{{1,2}})(?![0-9:]|[.,][0-9]{{2}}(?![0-9])){ordinal}{join_before}"
            rf"[ \-./,'_]{{1,3}}{join}{_YEAR}",
            flags,
        )
        self.day_clock_year_after = re.compile(
            rf"{_GAP}(?P<day>[0-9]{{1,2}}),? (?P<clock>{_CLOCK}) (?:[A-Z]{{3,4}} )?"
            r"(?P<year>[12][0-9]{3})(?![0-9])"
        )
        self.day_after = re.compile(rf"{_GAP}{join}(?P<day>[0-9]{{1,2}})(?![0-9])", flags)
        # "2025. gada 14. maijs"
        self.name_last = re.compile(
            rf"(?<![0-9])(?P<year>(?:199|20[0-9])[0-9])\.? ?(?:{joiners})\.? ?(?P<day>[0-9]{{1,2}})\.? ?"
            r"(?P<name>[^\W\d_]{3,})",
            flags,
        )
        # "demarzo", "demarzode"
        self.joined_name = re.compile(rf"(?:{joiners})(?P<name>[^\W\d_]{{3,}}?)(?:{joiners})?", flags)
        # "02 tháng 09 năm 2023", "02 de 09 de 2023": words for month and year around numbers.
        self.all_joined = re.compile(
            rf"(?<![0-9])(?P<day>[0-9]{{1,2}})[ .,]{{0,2}}(?:{joiners})[ .]{{0,2}}(?P<month>[0-9]{{1,2}})"
            rf"[ .,]{{0,2}}(?:{joiners})?[ .,]{{1,2}}(?P<year>[12][0-9]{{3}}|[0-9]{{2}})(?![0-9:.,/])"
            rf"|(?<![0-9])(?P<day2>[0-9]{{1,2}})(?:{joiners})(?P<month2>[0-9]{{1,2}})(?:{joiners})"
            r"(?P<year2>[12][0-9]{3})(?![0-9])",
            flags,
        )


@lru_cache(maxsize=64)
def _patterns(joiners: str, buddhist: bool) -> _Patterns:
    return _Patterns(joiners, buddhist)


def worded_days(line: str, words: CalendarWords) -> Iterator[Day]:
    """All readings of all dates with words in a plain, repaired line that has digits."""
    if not _NUMBER_BEHIND.search(line):
        return
    patterns = _patterns(words.joiners, words.region.dates.calendar == "buddhist")
    previous: re.Match[str] | None = None
    for count, token in enumerate(_TOKEN.finditer(line)):
        if count == _MAX_TOKENS:
            break
        if not token.group().isdigit() and _DIGIT.search(line, token.start(), token.end() + _REACH):
            yield from _around_token(line, token, previous, words.months, patterns)
        previous = token
    for match in patterns.name_last.finditer(line):
        found = words.months.month(match["name"])
        if found is not None:
            year, day, cost = int(match["year"]), int(match["day"]), found[1] + 0.1
            yield from possible(*match.span(), year, found[0], day, cost, DateLayout.YEAR_DAY_NAME)
    for match in patterns.all_joined.finditer(line):
        date, month, printed = (match[g] or match[g + "2"] for g in ("day", "month", "year"))
        cost = 0.1 + 0.2 * (len(printed) == 2)
        year = full_year(printed)
        yield from possible(*match.span(), year, int(month), int(date), cost, DateLayout.JOINED)


def _around_token(
    line: str, token: re.Match[str], previous: re.Match[str] | None, months: MonthNames, patterns: _Patterns
) -> Iterator[Day]:
    for start, end in _cores(token, months):
        found = months.month(line[start:end])
        if found is None:
            glued = patterns.joined_name.fullmatch(line, start, end)
            if glued is not None:
                found = months.exact.get(alphanumerics(glued["name"]))
        beside = previous is not None and token.start() - previous.end() <= 1
        if found is None and beside and previous is not None and months.begins(previous.group()):
            joined = months.exact.get(alphanumerics(line[previous.start() : end]))
            if joined is not None:
                start, found = previous.start(), joined
        if found is None and end - start >= 3:
            found = _between_numbers(line, start, end, months, patterns)
        if found is not None:
            days = list(_around_name(line, start, end, *found, patterns))
            yield from days
            if days:
                return


def _cores(token: re.Match[str], months: MonthNames) -> Iterator[tuple[int, int]]:
    """Spans of a token that may be a month's name: all of it; the part without digits at its ends; the runs
    of letters between digits ("Monday6May2024"); what a capital begins inside a word ("TimeFeb 14")."""
    text, start, end = token.group(), token.start(), token.end()
    head = len(text) - len(text.lstrip("0123456789"))
    tail = len(text) - len(text.rstrip("0123456789"))
    if tail and alphanumerics(text[: len(text) - tail]) in months.exact:
        yield start, end - tail  # "Jun10" is not "junio"
    yield start, end
    yield from ((start + inner.start(), end) for inner in _CAPITAL_INSIDE.finditer(text))
    if not head and not tail:
        return
    for left in (head, head - 1):
        for right in (tail, tail - 1):
            if left >= 0 and right >= 0 and len(text) - left - right >= 3 and (left or right):
                yield start + left, end - right
    for run in list(_LETTER_RUN.finditer(text))[:_MAX_RUNS]:
        if run.end() == len(text):
            break
        yield start + run.start(), start + run.end()


def _between_numbers(
    line: str, start: int, end: int, months: MonthNames, patterns: _Patterns
) -> tuple[int, float] | None:
    """The month of a misread name, where day and year around it make a month very likely."""
    day_before = patterns.day_before.search(line, max(0, start - 16), start)
    if day_before and patterns.year_after.match(line, end):
        return months.nearest(line[start:end])
    if patterns.day_year_after.match(line, end):
        return months.nearest(line[start:end])
    return None


def _around_name(
    line: str, start: int, end: int, month: int, cost: float, patterns: _Patterns
) -> Iterator[Day]:
    """The dates that a month's name forms with the numbers around it. cost: of the name."""
    written = partial(_written, buddhist=patterns.buddhist)
    if line[end : end + 1] in (".", "॰"):
        end += 1
    day = patterns.day_before.search(line, max(0, start - 16), start)
    year = patterns.year_after.match(line, end)
    both = patterns.day_year_after.match(line, end)
    if day and year:
        short = _is_short(year)
        extra = _OTHER_NUMBER if short and both and not _is_short(both) else 0.2 * short
        yield from written(
            day.start(), year.end(), year["year"], month, day["day"], cost + extra, DateLayout.DAY_NAME_YEAR
        )
        if short and len(day["day"]) == 2:
            turned = _TURNED if letters_from_right(line[start:end]) else _SWAPPED
            layout = DateLayout.YEAR_NAME_DAY
            yield from written(
                day.start(), year.end(), day["day"], month, year["year"], cost + turned, layout
            )
    short = both is not None and _is_short(both)
    lost = None if both or (day and year) else _DAY_YEAR_GLUED.match(line, end)
    for match, extra, layout in (
        (both, 0.7 * short + 0.4 * bool(day and short), DateLayout.NAME_DAY_YEAR),
        (lost, _GLUED + 0.4 * bool(day), DateLayout.NAME_DAY_YEAR_GLUED),
        (_DAY_COLON_YEAR.match(line, end), _COLON, DateLayout.NAME_DAY_YEAR_COLON),
        (patterns.day_clock_year_after.match(line, end), 0.0, DateLayout.NAME_DAY_TIME_YEAR),
    ):
        if match is not None:
            yield from written(start, match.end(), match["year"], month, match["day"], cost + extra, layout)
    first = patterns.year_before.search(line, max(0, start - 16), start)
    last = patterns.day_after.match(line, end)
    if first and last:
        yield from written(
            first.start(), last.end(), first["year"], month, last["day"], cost + 0.1, DateLayout.YEAR_NAME_DAY
        )


def _is_short(year: re.Match[str]) -> bool:
    """Whether a year has two digits and no mark before them."""
    return len(year["year"]) == 2 and year.string[year.start("year") - 1] != "'"


def _written(
    start: int, end: int, year: str, month: int, day: str, cost: float, layout: DateLayout, *, buddhist: bool
) -> Iterator[Day]:
    full = full_year(year.strip("'"), buddhist=buddhist)
    yield from possible(start, end, full, month, int(day.strip("'")), cost, layout)

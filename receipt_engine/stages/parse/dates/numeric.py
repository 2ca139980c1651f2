"""Finds dates printed with digits only, OCR errors included: "05/03/2024", "2024-03-05", "050324"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from receipt_engine.document import DateDigits, DateLayout
from receipt_engine.region import DateOrder, Region
from receipt_engine.stages.parse.dates.calendars import IMPOSSIBLE, Day, date_cost, full_year, possible

_LAYOUTS = {"dmy": DateLayout.DMY, "mdy": DateLayout.MDY, "ymd": DateLayout.YMD}
_REPAIRED, _UNSEPARATED = DateDigits.REPAIRED, DateDigits.UNSEPARATED

#: Tells whether a word for date stands right before an offset.
Labelled = Callable[[int], bool]


@dataclass(frozen=True, slots=True)
class Orders:
    """Costs of each order of day, month and year in an all-numeric date.

    with_year4: for years of four digits that stand last; with_year2: for years of two digits. buddhist: those
    may be of the Buddhist calendar.
    """

    with_year4: dict[str, float]
    with_year2: dict[str, float]
    buddhist: bool = False


_ORDERS: dict[DateOrder, Orders] = {
    "dmy": Orders({"dmy": 0.1, "mdy": 2.4}, {"dmy": 0.1, "ymd": 2.3, "mdy": 2.6}),
    "mdy": Orders({"mdy": 0.1, "dmy": 2.4}, {"mdy": 0.1, "dmy": 2.4, "ymd": 3.2}),
    "ymd": Orders({"dmy": 0.6, "mdy": 0.9}, {"ymd": 0.3, "dmy": 1.5, "mdy": 1.9}),
}


def orders(region: Region, default_order: str | None) -> Orders:
    """The costs for a region; default_order, "d/m" or "m/d", overrides its order."""
    base = replace(_ORDERS[region.dates.order], buddhist=region.dates.calendar == "buddhist")
    if default_order is None:
        return base
    first, other = ("dmy", "mdy") if default_order == "d/m" else ("mdy", "dmy")
    year2 = {first: 0.1, other: 3.2, "ymd": 1.5 if region.dates.order == "ymd" else 2.6}
    return Orders({first: 0.1, other: 3.2}, year2, base.buddhist)


_SEP = r"(?: ?[/\-.,|\\:;_] ?[/\-.,]? ?| )"
#: A date is not followed by more of a chain of numbers; a time may follow directly, its first colon perhaps
#: misread as a point.
_TAIL = (
    r"(?:(?![0-9])|(?=[0-2]?[0-9] ?[:;hH] ?[0-5][0-9])|(?=[0-2][0-9]\.[0-5][0-9]:[0-5][0-9](?![0-9])))"
    r"(?![/\-.][0-9](?![0-9]?[:.hH][0-5][0-9]))"
)
#: A date does not begin inside a chain of numbers, unless its own separators differ ("7-27/09/2023") or a
#: time stands before it ("18:42-27-09-2023", "18:42:0927/09/2023", "18:4227/09/2023"), or a number before it
#: and a time behind it ("0044109927/09/2023 18:42").
_HEAD = (
    r"(?:(?<![0-9])|(?<=[0-9]:[0-5][0-9])(?=[0-3][0-9](?P<glued>[/.-])[01][0-9](?P=glued)20[0-9]{2})"
    r"|(?<=[0-9]{6})(?=[0-3][0-9](?P<number>[/.-])[01][0-9](?P=number)20[0-9]{2} ?[0-2][0-9]:[0-5][0-9]))"
    r"(?:(?<![0-9][./\-,:])|(?<=:[0-5][0-9]-)"
    r"|(?:(?<=[0-9]-)|(?<=[0-9]/))(?=[0-9]{1,2}(?P<mark>[/.-])[0-9]{1,2}(?P=mark)[0-9]{4}(?![0-9]))"
    r"(?<!(?P=mark))"
    r"|(?<=[0-9]{3}[/-])(?=[0-9]{1,2}[/.-][0-9]{1,2}[/.-](?:19|20)[0-9]{2}(?![0-9]))"
    r"|(?:(?<=[0-9]{3}-)|(?<=[0-9]{3}/))(?=[0-9]{1,2}(?P<mark2>[/.-])[0-9]{1,2}(?P=mark2)[0-9]{2}(?![0-9]))"
    r"(?<!(?P=mark2)))"
)
_YEAR_FIRST = re.compile(
    r"(?:(?<![0-9])|(?<=[0-9]:[0-5][0-9])(?=20[0-9]{2}[/.-]))(?:(?<![0-9][./\-,])|(?<=:[0-5][0-9]-)|(?<=[0-9]{4}[/-])(?=20[0-9]{2}[/.-])"
    r"|(?:(?<=[0-9]-)|(?<=[0-9]/))(?=[0-9]{4}(?P<mark>[/.-])[0-9]{1,2}(?P=mark)[0-9]{1,2})(?<!(?P=mark)))"
    rf"(?P<y>[0-9]{{4}}|2 0[0-9]{{2}}|20 [0-9]{{2}}|20[0-9] [0-9])"
    rf"(?P<s>{_SEP})(?P<a>[0-9] ?[0-9]|[0-9])(?P<z>{_SEP})"
    rf"(?P<b>[0-3] [0-9](?= *$| [0-9]{{1,2}}:)|[0-9]{{1,2}}){_TAIL}"
)
#: Minutes before AM or PM, the hour before them in two digits: the year has four ("2017:10:52 pm").
_HALF_DAY = ":[0-5][0-9] ?[AaPp][.]?[Mm]"
_YEAR_LAST = re.compile(
    rf"{_HEAD}(?P<a>[0-9] ?[0-9]|[0-9])"
    rf"(?P<s>{_SEP})(?P<b>[0-9] ?[0-9]|[0-9])(?P<z>{_SEP})"
    rf"(?P<y>(?:19|20|25)[0-9]{{2}}(?![:;][0-5][0-9](?![0-9])(?!{_HALF_DAY}))(?:(?=[0-2][0-9]\.[0-5][0-9](?![0-9]))|{_TAIL})"
    rf"|(?:'?[0-9]{{2}}|2 ?0 ?[0-9] ?[0-9]){_TAIL})"
)
#: East Asian format: the year first, in two digits, and a day of one digit without a zero.
_SHORT_YEAR_FIRST = re.compile(
    r"(?<![0-9])(?<![0-9][./\-,])(?P<y>[0-9]{2})(?P<s>[./\-])(?P<a>[0-9]{1,2})(?P=s)(?P<b>[0-9])(?![0-9]|[./\-][0-9])"
)
#: "05/03/20 24": a year broken in two, unless a time follows.
_YEAR_GOES_ON = re.compile(r" ([0-3][0-9])(?![0-9])(?! ?[:;.,hH/\-][0-9])")
#: One or both separators lost, or misread as the digit 1 or 7: "27112/2023", "27/1212023", "2712/2023".
_LOST = tuple(
    (re.compile(rf"(?<![0-9])(?<![0-9][./\-]){pattern}(?![0-9])(?![/\-.][0-9])"), cost)
    for pattern, cost in (
        (r"(?P<a>[0-3][0-9])[17](?P<b>[01][0-9])[/\-.](?P<y>[12][0-9]{3})", 2.0),
        (r"(?P<a>[0-3][0-9])[/\-.](?P<b>[0-3][0-9])[17](?P<y>[12][0-9]{3})", 2.0),
        (r"(?P<a>[0-3]?[0-9])[/\-.](?P<b>[0-3][0-9])(?P<y>20[0-3][0-9])", 1.8),
        (r"(?P<a>[0-3][0-9])(?P<b>[0-3][0-9])[/\-.](?P<y>20[0-3][0-9])", 2.9),
        (r"(?P<a>[0-3][0-9]) (?P<b>[01][0-9])(?P<y>20[0-3][0-9])", 2.9),
        (r"(?P<a>[1-9])(?P<b>[0-3][0-9])/(?P<y>20[0-3][0-9])(?= [0-2]?[0-9]:[0-5])", 2.0),
        (r"(?P<a>[0-3][0-9])(?P<b>[1-9])/(?P<y>20[0-3][0-9])(?= [0-2]?[0-9]:[0-5])", 2.0),
        (r"(?P<y>20[0-3][0-9])[/\-.](?P<a>[01][0-9])(?P<b>[0-3][0-9])", 3.2),
        (r"(?P<y>20[0-3][0-9])(?P<a>[01][0-9])[/\-.](?P<b>[0-3][0-9])", 3.2),
        (r"(?P<y>20[0-3][0-9])[17](?P<a>[01][0-9])[/\-.](?P<b>[0-3][0-9])", 2.6),
        (r"(?P<y>20[0-3][0-9])[/\-.](?P<a>[01][0-9])[17](?P<b>[0-3][0-9])", 2.6),
        (r"(?P<a>[0-3][0-9])[17](?P<b>[01][0-9])[17](?P<y>20[0-3][0-9])", 3.6),
        # "13/02/161 13:31": a digit too many
        (r"(?P<a>[0-3]?[0-9])/(?P<b>[0-3]?[0-9])/(?P<y>(?!20)[0-3][0-9])[0-9](?= [0-2]?[0-9]:[0-5])", 1.2),
    )
)
#: Separators of a date one of which was lost, and what a time right behind them takes off the cost.
_LOST_TO_BLANK = ({" ", "/"}, {" ", "."}, {" ", "-"})
_TIME_BEHIND = re.compile(r" ?[0-2]?[0-9]:[0-5][0-9]")
_TIMED = 2.4
#: The century of a year at the head of a row, apart from its rest ("20 22-02-24"); the cost of a day there.
_YEAR_BROKEN = re.compile(r"^\W*20 \d\d-$")
_REST_OF_YEAR = 1.4
#: The cost of a day that may be the number of a house.
_HOUSE = 2.0
_EAST_ASIAN = re.compile(r"[\u3040-\u9fff]")
_LETTERS_BEFORE = re.compile(r"[A-Za-z]+$")
_LOST_GATE = re.compile(
    r"[0-9]{4}[/\-.][0-9]|[0-9][/\-.][0-9]{5}|[0-9]{10}|/[0-9]{3} |[0-9]{3}/20|[0-9] [0-9]{6}(?![0-9])"
)
_COMPACT8 = re.compile(
    r"(?<![0-9])(?<![0-9][./\-,])[0-9]{8}"
    r"(?:(?![0-9])|(?=[0-9]{4}(?:[0-9]{2})?(?![0-9]))|(?=[0-2][0-9]:[0-5][0-9]))"
    r"(?![.,][0-9])(?!/[0-9]{1,3}(?![0-9]))"
)
_COMPACT6 = re.compile(r"(?<![0-9])(?<![0-9][./\-,])[0-9]{6}(?![0-9])(?![./,\-][0-9])")


def numeric_days(line: str, region: Region, default_order: str | None, labelled: Labelled) -> Iterator[Day]:
    """All readings of all all-numeric dates in a plain, repaired line."""
    costs = orders(region, default_order)
    for match in _from_every_number(_YEAR_FIRST, line):
        yield from _year_first(match)
    for match in _from_every_number(_YEAR_LAST, line):
        yield from _year_last(match, costs, labelled)
    if region.dates.order == "ymd":
        for match in _SHORT_YEAR_FIRST.finditer(line):
            year, a, b = full_year(match["y"]), int(match["a"]), int(match["b"])
            yield from possible(match.start(), match.end(), year, a, b, 0.6, DateLayout.YMD)
    if _LOST_GATE.search(line):
        for pattern, cost in _LOST:
            for match in pattern.finditer(line):
                label = -1.6 if labelled(match.start()) else 0.0
                yield from _lost(match, cost + label, costs)
    for match in _COMPACT8.finditer(line):
        yield from _compact8(match, costs, labelled)
    for match in _COMPACT6.finditer(line):
        yield from _compact6(match, costs, labelled)


def _from_every_number(pattern: re.Pattern[str], line: str) -> Iterator[re.Match[str]]:
    """Matches that may overlap: else a time before a date could use up the date's day as a year."""
    match = pattern.search(line)
    while match is not None:
        yield match
        match = pattern.search(line, match.start("s"))


def _separators_cost(first: str, second: str, year_digits: int) -> float:
    """Cost of the separators between day, month and year."""
    a, b = first.strip(), second.strip()
    cost = 0.1 * (first != a and a != "") + 0.1 * (second != b and b != "")
    if a != b:
        cost += 0.7 if year_digits == 4 else 1.8 if not any(c.isspace() for c in first + second) else 3.2
        if not (a and b):
            cost += 1.0
        if ":" in (a, b):
            cost += 2.5
    mark = a or b
    if not mark:
        return 0.7 if year_digits == 4 else 3.4
    if len(a) > 1 or len(b) > 1:
        cost += 0.6
    if mark[0] in ",:;|\\_":
        cost += 0.7 if year_digits == 4 else 2.4
    if year_digits == 2 and (first == a) != (second == b):
        cost += 1.0  # "03-7 - 15": a unit in an address
    return cost


def _year_first(match: re.Match[str]) -> Iterator[Day]:
    year = full_year(match["y"].replace(" ", ""))
    a, b = (int(match[group].replace(" ", "")) for group in "ab")
    base = _separators_cost(match["s"], match["z"], 4)
    base += 0.9 * sum(" " in match[group] for group in "yab")
    yield from possible(match.start(), match.end(), year, a, b, base, DateLayout.LONG_YEAR_FIRST)
    if a > 12:
        yield from possible(
            match.start(), match.end(), year, b, a, base + 2.4, DateLayout.LONG_YEAR_DAY_MONTH
        )


def _year_last(match: re.Match[str], costs: Orders, labelled: Labelled) -> Iterator[Day]:
    line = match.string
    digits = re.sub(r"[ ']", "", match["y"])
    if len(digits) == 2 and {match["s"].strip(), match["z"].strip()} & {":", ";"}:
        return  # a time
    if len(digits) == 2 and match["s"] != match["z"] and line[: match.start()].rstrip().endswith("#"):
        return  # units of a building: "#02-14/16"
    base = _separators_cost(match["s"], match["z"], len(digits)) + _touching_letters(match, len(digits))
    if len(digits) == 2 and _is_house(match) and not labelled(match.start()):
        base += _HOUSE
    if {match["s"], match["z"]} in _LOST_TO_BLANK and _TIME_BEHIND.match(line, match.end()):
        base -= _TIMED
    if " " in match["y"]:
        base += 0.9
    if not match["s"].strip() and not match["z"].strip() and _in_number_row(line, match.start(), match.end()):
        return
    alone = match["a"].replace(" ", "")
    month = match["b"].replace(" ", "")
    base += 0.9 * (" " in match["b"])
    base += _REST_OF_YEAR * (len(digits) == 2 and _YEAR_BROKEN.search(line, 0, match.end("s")) is not None)
    rest = _YEAR_GOES_ON.match(line, match.end()) if digits == "20" else None
    if rest is not None:
        yield from _ordered(
            match.start(), rest.end(), alone, month, digits + rest.group(1), base + 0.5, costs, _REPAIRED
        )
        base += 1.2
    if " " not in match["a"]:
        yield from _ordered(match.start(), match.end(), alone, month, digits, base, costs)
        return
    word_before = line[: match.start()].endswith(" ") and line[match.start() - 2].isalnum()
    joined, apart = (1.6, 0.2) if word_before else (0.6, 1.4)
    yield from _ordered(match.start(), match.end(), alone, month, digits, base + joined, costs, _REPAIRED)
    yield from _ordered(match.end("a") - 1, match.end(), alone[1:], month, digits, base + apart, costs)


def _touching_letters(match: re.Match[str], year_digits: int) -> float:
    """Cost of letters that touch the date: "HD03-04-06" is a unit or a code, "DATE05/03/24" a date."""
    letters = _LETTERS_BEFORE.search(match.string, max(0, match.start() - 3), match.start())
    cost = 0.0
    if letters and len(letters.group()) < 3:
        cost += 2.0 if year_digits == 2 else 0.6
    return cost


def _is_house(match: re.Match[str]) -> bool:
    """Whether a number follows an East Asian letter as a house's does: "元町12-13-30", "元町 2-13-30"."""
    before = match.string[: match.start()]
    before = before.rstrip() if len(match["a"]) == 1 else before
    return _EAST_ASIAN.match(before[-1:]) is not None


def _in_number_row(line: str, start: int, end: int) -> bool:
    """Whether more numbers stand right before or after: "Ph 08 12 03 2024"."""
    return bool(
        re.search(r"[0-9] ?$", line[max(0, start - 2) : start])
        or re.match(r" [0-9]+(?![0-9:hH.])", line[end : end + 8])
    )


def _ordered(
    start: int,
    end: int,
    a: str,
    b: str,
    year: str,
    base: float,
    costs: Orders,
    digits: DateDigits = DateDigits.SEPARATED,
) -> Iterator[Day]:
    """The readings of the parts a, b and year, as printed from left to right, under each order that fits."""
    table = costs.with_year4 if len(year) == 4 else costs.with_year2
    readings = []
    for order, cost in table.items():
        if order == "dmy":
            readings.append((full_year(year, buddhist=costs.buddhist), int(b), int(a), cost, order))
        elif order == "mdy":
            readings.append((full_year(year, buddhist=costs.buddhist), int(a), int(b), cost, order))
        elif len(a) == 2 and len(year) == 2:
            readings.append((full_year(a, buddhist=costs.buddhist), int(b), int(year), cost, order))
    valid = [r for r in readings if date_cost(*r[:3]) < IMPOSSIBLE]
    # When the calendar allows one order only, it matters little that it is not the country's usual one.
    days = {r[:3] for r in valid}
    for y, m, d, cost, order in valid:
        price = min(cost, 0.5) if len(days) == 1 else cost
        yield from possible(start, end, y, m, d, base + price, _LAYOUTS[order], digits)


def _lost(match: re.Match[str], cost: float, costs: Orders) -> Iterator[Day]:
    if match.start("y") == match.start():
        year, a, b = int(match["y"]), int(match["a"]), int(match["b"])
        yield from possible(
            match.start(), match.end(), year, a, b, cost, DateLayout.LONG_YEAR_FIRST, _REPAIRED
        )
    else:
        yield from _ordered(
            match.start(), match.end(), match["a"], match["b"], match["y"], cost, costs, _REPAIRED
        )


def _compact8(match: re.Match[str], costs: Orders, labelled: Labelled) -> Iterator[Day]:
    digits, start, end = match.group(), match.start(), match.end()
    cost = 0.3 if labelled(start) else 1.3 if _free(match) else 2.6
    if match.string[end : end + 1].isdigit():
        cost += 0.4
    yield from possible(
        start, end, int(digits[:4]), int(digits[4:6]), int(digits[6:]), cost, DateLayout.EIGHT_DIGITS
    )
    if digits[4:6] in ("19", "20"):
        yield from _ordered(start, end, digits[:2], digits[2:4], digits[4:], cost + 0.4, costs, _UNSEPARATED)


def _compact6(match: re.Match[str], costs: Orders, labelled: Labelled) -> Iterator[Day]:
    digits, start, end = match.group(), match.start(), match.end()
    clock = re.match(r" ?[-T]? ?[0-2][0-9][:h][0-5][0-9]", match.string[end : end + 8])
    cost = 0.9 if labelled(start) else 2.2 if clock and _free(match) else 4.8
    yield from _ordered(start, end, digits[:2], digits[2:4], digits[4:], cost, costs, _UNSEPARATED)


def _free(match: re.Match[str]) -> bool:
    """Whether neither letters nor "-", "#" or "*" touch the digits, except a "T" after them."""
    line = match.string
    before, after = line[match.start() - 1 : match.start()], line[match.end() : match.end() + 1]
    return not (before.isalnum() or before in ("-", "#", "*")) and not (after.isalpha() and after != "T")

"""Finds the time of the sale: printed with the date, beside it, or on another row. Costs are in nats."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from receipt_engine.document import DateReading, ParsedLine, Record, RoleMatch, Sheet, TimeReading, says
from receipt_engine.region import Role, Term
from receipt_engine.stages.dating.printed_dates import PrintedDate
from receipt_engine.vocabulary import find_terms, phrase_terms, term_at_end

#: A time that costs more is not that of the sale.
MAX_TIME_COST = 1.5
#: A time that costs more is treated as something else: a price, a ratio.
_LIMIT = 3.2
_WITH_DATE = -2.5
_IN_NUMBER = 1.0  # the date is so doubtful that it may be part of a document's number
_OF_DOCUMENT = 2.5  # the last digits of a document's number, which begins with the day
_SAME_ROW = -0.5
_PER_ROW = 0.1
_MOST_ROWS = 1.5
_OTHER_DAY = 1.0  # behind a word for some other day, with another date nearer: a departure
_DOTTED = 1.5  # a price with a tax code looks the same
_RANGE = 3.5  # opening hours
_FIRST_OF_TWO = 1.0  # the start of a ride or a stay, which is paid at its end
_LABEL_COST: dict[Role, float] = {
    "time": -1.2,
    "date": -1.0,
    "not_date": 2.0,
    "phone": 1.5,
    "balance": 1.0,
    "footer": 1.0,
}
_OF_TRIP = 0.3
_ROWS_OF_STAY = 2
_STAY: tuple[Term, ...] = ("arrival", "departure")
#: What is between opening hours, or between the hours of a journey: "LEEDS 07:12 -> YORK 07:39".
_BETWEEN_HOURS = re.compile(
    r"[\s.]*(?:[-–—~]|[^\W\d_]{1,5})[\s.\-–—~]*|[^\d>→]{0,40}(?:[-=]>|→)[^\d>→]{0,40}"
)
#: Most minutes between the till's time and the card's on the slip below it.
_SAME_MOMENT = 3
#: Rows of a card slip above its time, and the least weight of their words.
_SLIP_ROWS = 7
_NAMES_CARD = 0.7
#: Most hours between the start and the end of a ride, a meal or parking.
_LONGEST_STAY = 30


class Clock(Record, frozen=True):
    """A candidate for the time of the sale. with_date: it is printed together with the chosen date."""

    hour: int
    minute: int
    second: int | None
    cost: float
    row: int
    with_date: bool = False

    @property
    def text(self) -> str:
        return f"{self.hour:02d}:{self.minute:02d}:{self.second or 0:02d}"

    @property
    def minutes(self) -> int:
        return self.hour * 60 + self.minute


def find_clocks(
    rows: Sequence[ParsedLine],
    sheet: Sheet,
    printed_dates: Sequence[PrintedDate],
    chosen: Sequence[tuple[PrintedDate, DateReading]],
) -> tuple[Clock, ...]:
    """Candidates for the time of the sale, likeliest first. chosen: every occurrence of the chosen date."""
    found = [*_with_date(rows, chosen), *_apart(rows, sheet, printed_dates, chosen)]
    return tuple(
        sorted(
            _last_of_two(tuple(_without_arrival(found, rows)), sheet),
            key=lambda clock: (clock.cost, clock.row),
        )
    )


def is_start(first: PrintedDate, second: PrintedDate, rows: Sequence[ParsedLine]) -> bool:
    """Whether two dates with times, on adjacent rows, are the start and the end of a ride or a stay; or two
    behind words for the guests' arrival and departure, who pay when they leave."""
    a, b = first.readings[0], second.readings[0]
    if is_stay(first, second, rows):
        return True
    if not (0 < second.row - first.row <= 1 and a.hour is not None and b.hour is not None):
        return False
    hours = _hours(b) - _hours(a)
    return 0 < hours <= _LONGEST_STAY


def is_stay(first: PrintedDate, second: PrintedDate, rows: Sequence[ParsedLine]) -> bool:
    """Whether two days stand behind words for the guests' arrival and departure, on neighbouring rows."""
    near = 0 <= second.row - first.row <= _ROWS_OF_STAY
    return near and _is_behind(rows, first, "arrival") and _is_behind(rows, second, "departure")


def _is_behind(rows: Sequence[ParsedLine], printed: PrintedDate, term: Term) -> bool:
    """Whether the last such word before a date is that one, whatever place it names: "Return: Central"."""
    found = (m.term for m in find_terms(rows[printed.row].text[: printed.start]) if m.term in _STAY)
    return deque(found, 1) == deque([term])


def _hours(reading: DateReading) -> float:
    days = (reading.year * 12 + reading.month) * 31 + reading.day
    return days * 24 + (reading.hour or 0) + (reading.minute or 0) / 60


def _with_date(
    rows: Sequence[ParsedLine], chosen: Sequence[tuple[PrintedDate, DateReading]]
) -> Iterator[Clock]:
    least = min((printed.cost for printed, _ in chosen), default=0.0)
    for printed, reading in chosen:
        if reading.hour is not None and reading.minute is not None:
            number = rows[printed.row].text[reading.start : reading.end].isdigit()
            cost = _WITH_DATE if reading.cost <= _LIMIT else _IN_NUMBER
            cost = _OF_DOCUMENT if number and printed.label == "receipt_number" else cost
            cost += printed.cost - least
            yield Clock(reading.hour, reading.minute, reading.second, cost, printed.row, True)


def _apart(
    rows: Sequence[ParsedLine],
    sheet: Sheet,
    printed_dates: Sequence[PrintedDate],
    chosen: Sequence[tuple[PrintedDate, DateReading]],
) -> Iterator[Clock]:
    """Times that are not printed with a date."""
    for index, parsed in enumerate(rows):
        taken = [(p.start, p.end) for p in printed_dates if p.row == index and p.readings[0].cost <= _LIMIT]
        joined = {
            (r.hour, r.minute)
            for p in printed_dates
            if p.row == index
            for r in p.readings[:1]
            if r.hour is not None and r.cost <= _LIMIT
        }
        for number, time in enumerate(parsed.times):
            if any(start < time.end and time.start < end for start, end in taken):
                continue
            if (time.hour, time.minute) in joined:
                continue
            label = _label_cost(sheet, index, time)
            gap = min((abs(printed.row - index) for printed, _ in chosen), default=0)
            cost = time.cost + label + (_SAME_ROW if gap == 0 else min(_MOST_ROWS, gap * _PER_ROW))
            cost += _OTHER_DAY * (label > 0 and _is_nearer(index, printed_dates, chosen))
            cost += _DOTTED if time.dotted and sheet.zones[index] != "header" else 0.0
            cost += _RANGE if _is_range(parsed, number, sheet.roles[index]) else 0.0
            if cost <= _LIMIT:
                yield Clock(time.hour, time.minute, time.second, cost, index)


def _label_cost(sheet: Sheet, index: int, time: TimeReading) -> float:
    """Cost by the label before the time on its row."""
    before = [m for m in sheet.roles[index] if m.role in _LABEL_COST and m.end <= time.start + 1]
    if not before:
        return 0.0
    last = max(before, key=lambda m: (m.end, m.weight))
    if last.role == "not_date" and "trip" in phrase_terms(last.phrase):
        return _OF_TRIP  # "FROM 22:14", "TO 22:39": the ride's own day
    return last.weight * _LABEL_COST[last.role]


def _is_nearer(
    index: int, printed_dates: Sequence[PrintedDate], chosen: Sequence[tuple[PrintedDate, DateReading]]
) -> bool:
    """Whether another date than the chosen one is printed nearer to a time, as that of a journey is."""
    own = {printed.row for printed, _ in chosen}
    gap = min((abs(row - index) for row in own), default=0)
    others = (p.row for p in printed_dates if p.readings[0].cost <= _LIMIT and p.row not in own)
    return any(abs(row - index) < gap for row in others)


def _is_range(parsed: ParsedLine, number: int, roles: Sequence[RoleMatch]) -> bool:
    """Whether the time is one end of "10AM - 9PM" or of a journey; not "START 10:12 END 10:40", where each
    has its label."""
    times = parsed.times
    pairs = [(times[i], times[i + 1]) for i in (number - 1, number) if 0 <= i < len(times) - 1]
    return any(
        _BETWEEN_HOURS.fullmatch(parsed.text[a.end : b.start])
        and not any(m.role == "time" and a.end <= m.start < b.start for m in roles)
        for a, b in pairs
    )


def _without_arrival(clocks: Sequence[Clock], rows: Sequence[ParsedLine]) -> Iterator[Clock]:
    """Makes the time of the guests' arrival ("TIME IN : 11:02") cost more than that of their departure, or
    than a later one printed with the same day: "OPENED 12/03/2025 19:02", and below "12/03/2025 21:40"."""
    for clock in clocks:
        left = [
            other.cost
            for other in clocks
            if other.minutes > clock.minutes
            and other.row >= clock.row
            and other.cost <= MAX_TIME_COST
            and _announces(rows[clock.row], "arrival")
            and (
                (other.with_date and clock.with_date)
                or (other.row - clock.row <= _ROWS_OF_STAY and _announces(rows[other.row], "departure"))
            )
        ]
        yield replace(clock, cost=max(clock.cost, *left) + _FIRST_OF_TWO) if left else clock


def _announces(parsed: ParsedLine, term: Term) -> bool:
    """Whether a phrase of the term stands right before a time of the row, or before its date."""
    starts = (*(time.start for time in parsed.times), *(day.start for day in parsed.dates))
    return any(term_at_end(parsed.text[:start], term) for start in starts)


def _last_of_two(clocks: Sequence[Clock], sheet: Sheet) -> Iterator[Clock]:
    """Adds cost to the earlier of two times: an order, a ride or a stay is paid at its end.

    Of times printed with the date the last counts; of others, the second on one row or two adjacent ones. A
    card slip's time within a few minutes of the till's above is no later time.
    """
    for clock in clocks:
        later = any(
            other.minutes - clock.minutes > _SAME_MOMENT * (clock.row < other.row and _on_slip(other, sheet))
            and other.with_date == clock.with_date
            and (clock.with_date or 0 <= other.row - clock.row <= 1)
            and abs(other.cost - clock.cost) < _FIRST_OF_TWO
            for other in clocks
        )
        yield replace(clock, cost=clock.cost + _FIRST_OF_TWO) if later else clock


def _on_slip(clock: Clock, sheet: Sheet) -> bool:
    """Whether a time stands below rows that name a card and the bank's answer."""
    above = [m for roles in sheet.roles[max(0, clock.row - _SLIP_ROWS) : clock.row] for m in roles]
    return says(above, ["card"], _NAMES_CARD) and says(above, ["footer"], _NAMES_CARD)

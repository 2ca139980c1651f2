"""Collects the printed dates, each with its cost as the purchase date by its label, zone and time, and
computes the probability that its digits were read correctly.

All values but probabilities are costs in nats, like the readings' own: 0.7 is even odds, 3 one in twenty.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import DateReading, ParsedLine, Record, RoleMatch, Sheet, Zone
from receipt_engine.region import TAXES, Role
from receipt_engine.scoring.certainty import LIKELY, SURE
from receipt_engine.scoring.costs import ACCEPTED
from receipt_engine.vocabulary import lowered, phrase_terms, term_pattern

#: Roles of labels that name the number after them.
_NAMING: frozenset[Role] = frozenset(
    ("date", "not_date", "phone", "fax", "tax_id", "receipt_number", "loyalty", "balance", "void", "deposit")
)
#: Role of the label before a date → cost of that date being the purchase date.
_LABEL_COST: dict[Role, float] = {
    "date": -1.2,
    "not_date": 4.0,
    "phone": 2.0,
    "fax": 2.5,
    "tax_id": 2.0,
    "receipt_number": 0.3,
    "loyalty": 1.5,
    "balance": 1.0,
    "void": 2.0,
    "deposit": 2.0,
}
_ZONE_COST: dict[Zone, float] = {"header": 0.0, "items": 0.9, "summary": 0.5, "after": 0.5}
#: Factor on the cost of a zone for a day behind a sure word for the date.
_NAMED_ZONE = 0.3
_WITH_TIME = -1.0
#: A label in an unlisted language, such as "Datum:".
_UNKNOWN_LABEL = -0.6
_NAMED = re.compile(r"[^\W\d_]{2,14}\.{0,3} ?: ?$")
_ABOVE = 0.8  # factor for a label's weight when it stands on the row above
#: Cost of a day that begins an entry of a bill's list, and the fewest entries that make a list.
_LISTED = 2.0
_MIN_LISTED = 3
#: Cost of the two days of a period: when the work was done, not when it was billed.
_OF_PERIOD = 1.5
#: Cost of the day of another document, such as the order or the invoice that a credit note is for.
_OF_OTHER = 1.2
_CHARGED: frozenset[Role] = TAXES | {"service"}


class PrintedDate(Record, frozen=True):
    """A date as printed. readings: all of its readings, likeliest first; cost: of being the purchase date, on
    top of any reading's own; label: the role of its label, if any; listed: it begins an entry of a
    bill; label_cost: the label's share of the cost."""

    row: int
    readings: tuple[DateReading, ...]
    cost: float
    label: Role | None
    listed: bool = False
    label_cost: float = 0.0

    @property
    def start(self) -> int:
        return min(reading.start for reading in self.readings)

    @property
    def end(self) -> int:
        return max(reading.end for reading in self.readings)

    @property
    def is_other(self) -> bool:
        """Whether its label names some other day: an expiry, a return-by."""
        return self.label == "not_date"


def find_printed_dates(rows: Sequence[ParsedLine], sheet: Sheet) -> tuple[PrintedDate, ...]:
    """Every printed date, top to bottom, left to right."""
    listed = _listed(rows, sheet)
    found = [
        _printed_date(rows, sheet, index, readings, listed=index in listed)
        for index, parsed in enumerate(rows)
        for readings in _grouped(parsed.dates)
    ]
    for at, (first, second) in enumerate(pairwise(found)):
        if _is_period(rows, first, second):
            found[at : at + 2] = (replace(day, cost=day.cost + _OF_PERIOD) for day in (first, second))
    return tuple(found)


def _is_period(rows: Sequence[ParsedLine], first: PrintedDate, second: PrintedDate) -> bool:
    """Whether only a word for "until" stands between two days, the second perhaps in the next row."""
    between = rows[first.row].text[first.end :]
    if second.row == first.row + 1 and not rows[second.row].text[: second.start].strip():
        return _until().fullmatch(lowered(between)) is not None
    between = rows[first.row].text[first.end : second.start]
    return second.row == first.row and _until().fullmatch(lowered(between)) is not None


@cache
def _until() -> re.Pattern[str]:
    until = term_pattern("until")
    return re.compile(rf"\W*{until}\W*|\s*[-–]\s*")


def _listed(rows: Sequence[ParsedLine], sheet: Sheet) -> frozenset[int]:
    """Rows of line items and their taxes that begin with the day of each, as on a hotel's bill; none if they
    are too few for a list."""
    charged = {item.line for item in sheet.items} | {e.line for e in sheet.entries if e.role in _CHARGED}
    found = frozenset(
        line
        for line in charged
        for reading in rows[line].dates[:1]
        if not rows[line].text[: reading.start].strip()
    )
    return found if len(found) >= _MIN_LISTED else frozenset()


def _grouped(dates: Sequence[DateReading]) -> Iterator[tuple[DateReading, ...]]:
    """Readings grouped by printed date: those that overlap belong to one."""
    groups: list[list[DateReading]] = []
    for reading in dates:
        for group in groups:
            if any(reading.start < other.end and other.start < reading.end for other in group):
                group.append(reading)
                break
        else:
            groups.append([reading])
    yield from (tuple(sorted(group, key=lambda reading: reading.cost)) for group in groups)


def _printed_date(
    rows: Sequence[ParsedLine], sheet: Sheet, index: int, readings: tuple[DateReading, ...], *, listed: bool
) -> PrintedDate:
    role, weight = label_of(rows, sheet, index, readings[0].start)
    zone = sheet.zones[index]
    named = role == "date" and weight >= SURE and zone != "items"  # where earlier invoices are listed
    cost = _ZONE_COST[zone] * (_NAMED_ZONE if named else 1) + _LISTED * listed
    by_label = weight * _LABEL_COST[role] if role is not None else 0.0
    cost += by_label
    if role is None and _NAMED.search(rows[index].text, 0, readings[0].start):
        cost += _UNKNOWN_LABEL
    if role == "date" and _is_of_other(rows[index], sheet.roles[index], readings[0].start, weight):
        cost += _OF_OTHER
    if any(reading.has_time for reading in readings):
        cost += _WITH_TIME
    return PrintedDate(index, readings, cost, role, listed, by_label)


def _is_of_other(parsed: ParsedLine, roles: Sequence[RoleMatch], start: int, weight: float) -> bool:
    """Whether a date with a label of that weight is told of another document, named before it: "Original
    invoice INV-44   Invoice date: 30/06/2026", "Order no. A-41 of 11 June 2026"."""
    last = max((day.end for day in parsed.dates if day.end <= start), default=0)
    return any(
        m.role == "not_date"
        or (m.role == "receipt_number" and weight < LIKELY and "order_number" in phrase_terms(m.phrase))
        for m in roles
        if last <= m.start and m.end < start
    )


def label_of(rows: Sequence[ParsedLine], sheet: Sheet, index: int, start: int) -> tuple[Role | None, float]:
    """(role, weight) of the label of what starts at an offset: before it on its row, else above it.

    (None, 0.0) if it has none.
    """
    before = [m for m in sheet.roles[index] if m.role in _NAMING and m.end <= start + 1]
    if before:
        last = max(before, key=lambda m: (m.end, m.weight))  # of several roles of one word the heaviest
        return last.role, last.weight
    if index and not rows[index - 1].dates:
        left, right = rows[index].line.place(start, start + 8)
        above = rows[index - 1]
        over = [
            m
            for m in sheet.roles[index - 1]
            if m.role in ("date", "not_date") and _overlaps(above.line.place(m.start, m.end), left, right)
        ]
        if over and above.line.bottom > rows[index].line.top - 1.5 * rows[index].line.height:
            best = max(over, key=lambda m: m.weight)
            return best.role, best.weight * _ABOVE
    return None, 0.0


def _overlaps(span: tuple[float, float], left: float, right: float) -> bool:
    return span[0] < right and left < span[1]


#: Most digits of day, month and year; those after them are the time's.
_DATE_DIGITS = 8
#: A digit up to this many times less likely than the one read has readings of its own.
_LIKELY = math.exp(ACCEPTED)


def legibility(rows: Sequence[ParsedLine], shown: Sequence[tuple[PrintedDate, DateReading]]) -> float:
    """Probability (0 to 1) that no digit was misread, of the occurrence that was read best.

    shown: occurrences of the same day. The best one counts, as all would have to be misread alike.
    """
    return max((_of(rows[printed.row], reading) for printed, reading in shown), default=1.0)


def _of(parsed: ParsedLine, reading: DateReading) -> float:
    """The doubt that is left after the readings by other likely characters, which are rivals of their own."""
    digits = [char for char in parsed.line.chars(reading.start, reading.end) if char.text.isdigit()]
    probability = 1.0
    for char in digits[:_DATE_DIGITS]:
        rivals = sum(p for text, p in char.alternatives if text.isdigit() and p * _LIKELY > char.score)
        probability *= min(1.0, char.score + rivals)
    return probability

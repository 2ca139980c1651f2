"""Infers in which order the receipt prints day, month and year.

The evidence: a date that only one order allows, a date in words, a weekday beside a date, or a longer number
that contains the date as year-month-day. It shows how ambiguous dates of the same form are meant, and which
of their readings is the same day. All weights and costs are in nats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache

from receipt_engine.document import DateDigits, DateReading, ParsedLine
from receipt_engine.region import KEPT_REGIONS, Region, load_language
from receipt_engine.stages.dating.printed_dates import PrintedDate
from receipt_engine.vocabulary.normalise import squeeze
from receipt_engine.vocabulary.tokens import tokens

#: Cost of an order other than the requested one; more than all evidence of the receipt together.
_ASKED = 15.0
_SAME_FORM = 5.0
_OTHER_FORM = 2.5
_SAME_DAY = 5.5
_IN_NUMBER = 4.5
_WEEKDAY = 4.5
_ON_SLIP = 4.5
#: Cost of an order that is not the country's, on top of a reading's own cost.
_FOREIGN_ORDER = 1.2
#: Cost of the month before the day with points between them, where the country is uncertain.
_POINTS = 3.5
_SURE = 0.9
#: Advantage that the readings' own costs give the order of the region they were read with.
_ASSUMED = 2.3
_TRUSTED = 2.0  # a reading that costs more is no evidence for other dates
_DOUBTED = frozenset((DateDigits.REPAIRED, DateDigits.OTHER))
#: Marks a form with a year of four digits first, which is no evidence for years of two digits.
_YEAR_FIRST = "y"
_DIGITS = re.compile(r"\d{6,}")
_SEPARATORS = re.compile(r"[^0-9]+")


class Reason(StrEnum):
    """What decided the order of a date, as shown in the evidence."""

    REQUESTED = "requested order"
    SAME_DAY = "the same day, printed without doubt"
    IN_NUMBER = "a number that holds the date"
    WEEKDAY = "the weekday"
    SLIP = "the country's card slips"
    OTHER_DATE = "another date of the receipt"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The receipt's evidence for the order of ambiguous dates.

    votes: (order, form, weight), see `_votes`. days: unambiguous days. numbers: long digit runs that may
    contain a date. weekdays: (row, weekday). asked: the requested order, if any. usual: the likeliest order
    in the country; assumed: the one that the readings' own costs prefer; sure: whether the country's order is
    nearly certain. slips: rows with a card slip's label, whose dates are in the order `on_slips`.
    """

    votes: tuple[tuple[str, str, float], ...]
    days: frozenset[date]
    numbers: tuple[str, ...]
    weekdays: tuple[tuple[int, int], ...]
    asked: str | None
    usual: str
    assumed: str
    sure: bool = True
    slips: frozenset[int] = frozenset()
    on_slips: str | None = None

    def readings(self, printed: PrintedDate) -> Iterator[tuple[DateReading, float, Reason | None]]:
        """(reading, cost, reason) by the evidence; costs are shifted so that the lowest one is unchanged."""
        costed = [(reading, *self._cost(printed, reading)) for reading in printed.readings]
        cheapest = min(reading.cost for reading in printed.readings)
        shift = min(reading.cost + cost for reading, cost, _ in costed) - cheapest
        for reading, cost, why in costed:
            yield reading, reading.cost + cost - shift, why

    def _cost(self, printed: PrintedDate, reading: DateReading) -> tuple[float, Reason | None]:
        day, order = _day(reading), reading.layout.order
        ambiguous = order is not None and is_ambiguous(printed)
        if not ambiguous and not has_rivals(printed):
            return 0.0, None
        if ambiguous and self.asked is not None and order in ("dmy", "mdy"):
            return (0.0, Reason.REQUESTED) if order == self.asked else (_ASKED, None)
        cost = _FOREIGN_ORDER if ambiguous and order != self.usual else 0.0
        why: Reason | None = None
        if ambiguous and order == self.assumed != self.usual:
            cost += _ASSUMED
        if day in self.days:
            cost, why = cost - _SAME_DAY, Reason.SAME_DAY
        if any(_holds(number, day, reading.raw) for number in self.numbers):
            cost, why = cost - _IN_NUMBER, Reason.IN_NUMBER
        if (printed.row, day.weekday()) in self.weekdays:
            cost, why = cost - _WEEKDAY, Reason.WEEKDAY
        if not ambiguous:
            return cost, why
        if printed.row in self.slips and order == self.on_slips:
            cost, why = cost - _ON_SLIP, Reason.SLIP
        form = form_of(reading)
        if order == "mdy" and form.startswith(".") and not self.sure:
            cost += _POINTS
        for voted, voted_form, weight in self.votes:
            if voted == order and not (
                order == "ymd" and _YEAR_FIRST in voted_form and _YEAR_FIRST not in form
            ):
                cost -= weight if form == voted_form else weight * _OTHER_FORM / _SAME_FORM
                why = Reason.OTHER_DATE
        return cost, why


def find_evidence(
    rows: Sequence[ParsedLine],
    printed_dates: Sequence[PrintedDate],
    region: Region,
    default_order: str | None,
    likely: Mapping[str, float],
) -> Evidence:
    """Collects the evidence of a receipt.

    default_order: "d/m" or "m/d"; anything else requests no order. likely: order → its probability.
    """
    asked = {"d/m": "dmy", "m/d": "mdy"}.get(default_order or "")
    return Evidence(
        votes=tuple(_votes(printed_dates)),
        days=frozenset(_certain_days(printed_dates)),
        numbers=tuple(_numbers(rows, printed_dates)),
        weekdays=tuple(_weekdays(rows, printed_dates, region)),
        asked=asked,
        usual=max(likely, key=lambda order: (likely[order], order == region.dates.order)),
        assumed=region.dates.order,
        sure=max(likely.values()) >= _SURE,
        slips=frozenset(_slip_rows(rows, printed_dates, region)),
        on_slips=region.dates.slip.order if region.dates.slip else None,
    )


def _slip_rows(
    rows: Sequence[ParsedLine], printed_dates: Sequence[PrintedDate], region: Region
) -> Iterator[int]:
    """Rows where a label of the country's card slips stands right before the date."""
    slip = region.dates.slip
    labels = tuple(squeeze(label) for label in slip.labels) if slip else ()
    for printed in printed_dates:
        if squeeze(rows[printed.row].text[: printed.start]).endswith(labels):
            yield printed.row


def form_of(reading: DateReading) -> str:
    """The form of a date: its separator, "y" if a year of four digits is first, digits of the last part."""
    head = reading.raw.split(" ")[0]
    parts = _SEPARATORS.split(head)[:3]
    mark = _SEPARATORS.search(head)
    first = _YEAR_FIRST if len(parts[0]) == 4 else ""
    return f"{mark.group() if mark else ''}{first}{len(parts[-1]) if parts else 0}"


def is_ambiguous(printed: PrintedDate) -> bool:
    """Whether different orders give different days."""
    as_read = [reading for reading in printed.readings if reading.digits is not DateDigits.OTHER]
    ordered = (reading for reading in as_read or printed.readings if reading.layout.order is not None)
    return len({_day(reading) for reading in ordered}) > 1


def has_rivals(printed: PrintedDate) -> bool:
    """Whether another likely character gives another day."""
    days = {_day(reading) for reading in printed.readings}
    return len(days) > 1 and any(reading.digits is DateDigits.OTHER for reading in printed.readings)


def _day(reading: DateReading) -> date:
    return date(reading.year, reading.month, reading.day)


def _votes(printed_dates: Sequence[PrintedDate]) -> Iterator[tuple[str, str, float]]:
    """(order, form, weight), once for each form and order of an unambiguous date."""
    seen: set[tuple[str, str]] = set()
    for printed in printed_dates:
        best = printed.readings[0]
        order = best.layout.order
        if order is None or best.cost > _TRUSTED or is_ambiguous(printed) or best.digits in _DOUBTED:
            continue
        if best.day == best.month or (order, form_of(best)) in seen:
            continue
        seen.add((order, form_of(best)))
        yield order, form_of(best), _SAME_FORM * (0.8 if printed.is_other else 1.0)


def _certain_days(printed_dates: Sequence[PrintedDate]) -> Iterator[date]:
    """Unambiguous days: in words, or with digits that only one order allows. They help because the slip of a
    card machine often prints the till's day in another order."""
    for printed in printed_dates:
        best = printed.readings[0]
        doubted = best.digits in _DOUBTED or has_rivals(printed)
        if not is_ambiguous(printed) and best.cost <= _TRUSTED and not doubted:
            yield _day(best)


def _holds(number: str, day: date, raw: str) -> bool:
    """Whether a long number contains the day as year-month-day, unless the date is printed so itself."""
    short = f"{day:%y%m%d}"
    if short in _SEPARATORS.sub("", raw):
        return False
    return f"{day:%Y%m%d}" in number or (len(number) >= 10 and short in number)


def _numbers(rows: Sequence[ParsedLine], printed_dates: Sequence[PrintedDate]) -> Iterator[str]:
    """Long runs of digits that are no date themselves."""
    for index, parsed in enumerate(rows):
        own = [(p.start, p.end) for p in printed_dates if p.row == index]
        for match in _DIGITS.finditer(parsed.text):
            if not any(start < match.end() and match.start() < end for start, end in own):
                yield match.group()


def _weekdays(
    rows: Sequence[ParsedLine], printed_dates: Sequence[PrintedDate], region: Region
) -> Iterator[tuple[int, int]]:
    """(row, weekday with Monday as 0) for each row with a date and the name of one weekday."""
    names = _weekday_names(region)
    for row in dict.fromkeys(printed.row for printed in printed_dates):
        named = {names[t.text] for t in tokens(rows[row].text) if t.text in names}
        if len(named) == 1:
            yield row, named.pop()


@lru_cache(maxsize=KEPT_REGIONS)
def _weekday_names(region: Region) -> dict[str, int]:
    """Squeezed name → weekday. A language lists seven names, Monday (0) first, then abbreviations."""
    found: dict[str, int] = {}
    doubtful: set[str] = set()
    for code in dict.fromkeys((*region.languages, "en")):
        names = [squeeze(name) for name in load_language(code).weekdays]
        for index, name in enumerate(names):
            matching = {i for i, whole in enumerate(names[:7]) if name and whole.startswith(name)}
            day = index if index < 7 else matching.pop() if len(matching) == 1 else None
            if day is None or found.setdefault(name, day) != day:
                doubtful.add(name)
    return {name: day for name, day in found.items() if name not in doubtful and len(name) >= 2}

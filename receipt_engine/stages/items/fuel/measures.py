"""Finds the volume and the unit price that multiply to an amount, among the numbers of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from receipt_engine.document import MEASURED, ZERO, AmountRow, Record, decimals_of
from receipt_engine.scoring.certainty import POSSIBLE

#: Largest distance, in rows, between volume and price.
_MAX_APART = 3
#: How far volume × price may be from an amount with cents, and from one in whole units.
_CENT_TOLERANCE = Decimal("0.0101")
_UNIT_TOLERANCE = Decimal("0.51")
#: Amounts from here on may be rounded to units although printed with cents.
_ROUNDED_FROM = 1000
#: Bounds on the search: numbers of the page, and the volume.
_MAX_NUMBERS = 80
_MAX_VOLUME = 2000
_DECIMAL = re.compile(r"(?<![\w.,/-])[$€£]?(\d{1,6})[.,](\d{1,4})(?=\D|$)(?![.,:/]\d)")
#: A number with thousands and decimals ("1.465,02").
_GROUPED = re.compile(r"\d[.,' ]\d{3}[.,]\d")


@dataclass(frozen=True, slots=True)
class Measure:
    """A volume and its unit price. rows: those of the two, upper one first. counted: the volume is a whole
    number without a unit, as of pieces ("2.000 / 39.00")."""

    rows: tuple[int, int]
    volume: Decimal
    price: Decimal
    counted: bool = False


def find_measures(rows: Sequence[AmountRow], wanted: set[Decimal]) -> dict[Decimal, Measure]:
    """Each wanted amount → the volume and price that multiply to it, if found."""
    found: dict[Decimal, Measure] = {}
    numbers = list(measure_numbers(rows))[:_MAX_NUMBERS] if wanted else []
    for first, second in _pairs(numbers):
        product = first.value * second.value
        for value in wanted:
            proved = abs(product - value) <= _tolerance(value, first, second)
            if not proved or value in (first.value, second.value):
                continue
            measure = _as_measure(first, second)
            if measure.volume <= _MAX_VOLUME:
                found.setdefault(value, measure)
    return found


def _pairs(numbers: Sequence[MeasureNumber]) -> Iterator[tuple[MeasureNumber, MeasureNumber]]:
    """Pairs of numbers near each other of which one may be a volume; a factor of one proves nothing."""
    for at, first in enumerate(numbers):
        for second in numbers[at + 1 :]:
            if second.row - first.row > _MAX_APART:
                break
            measured = max(first.decimals, second.decimals) >= MEASURED or first.labelled or second.labelled
            if measured and 1 not in (first.value, second.value):
                yield first, second


def _as_measure(first: MeasureNumber, second: MeasureNumber) -> Measure:
    """The two numbers as volume and price: the volume is the labelled number, else the one that is no price,
    else the first, since prices follow volumes."""
    swap = (second.labelled, first.priced) > (first.labelled, second.priced)
    volume, price = (second, first) if swap else (first, second)
    counted = not volume.labelled and volume.value % 1 == 0
    return Measure((first.row, second.row), volume.value, price.value, counted)


def _tolerance(value: Decimal, first: MeasureNumber, second: MeasureNumber) -> Decimal:
    """How far volume times price may be from an amount: large amounts without cents are rounded to units, and
    the last digit of the volume may have been cut off."""
    no_cents = value % 1 == 0 and abs(value) >= _ROUNDED_FROM
    if not no_cents and decimals_of(value) > 0:
        return _CENT_TOLERANCE
    volume, price = (first, second) if first.decimals >= second.decimals else (second, first)
    cut_off = price.value.scaleb(-volume.decimals) if volume.decimals == MEASURED else ZERO
    return max(_UNIT_TOLERANCE, cut_off)


class MeasureNumber(Record, frozen=True):
    """A number that may be a volume or a price. row: its row on the page. decimals: how many are printed.
    labelled: its unit or a word shows that it is a volume. priced: a currency shows that it is a price."""

    row: int
    value: Decimal
    decimals: int
    labelled: bool
    priced: bool = False


def measure_numbers(rows: Sequence[AmountRow]) -> Iterator[MeasureNumber]:
    """Numbers that may be a volume or a price, each in every way in which it can be read."""
    for index, row in enumerate(rows):
        if row.dates:
            continue
        price = _whole_price(row)
        if price is not None:
            yield MeasureNumber(index, price, 0, False)
        yield from _amounts(index, row)
        yield from _decimals(index, row)


def _amounts(index: int, row: AmountRow) -> Iterator[MeasureNumber]:
    """The row's amounts with thousands or behind the letters of a currency."""
    for amount in row.amounts:
        if not amount.decimals or not amount.is_plausible:
            continue
        grouped = _GROUPED.search(amount.raw) is not None
        if grouped or amount.raw[:1].isalpha():  # "RM2.05/L"
            yield MeasureNumber(index, abs(amount.value), amount.decimals, False, not grouped)


def _decimals(index: int, row: AmountRow) -> Iterator[MeasureNumber]:
    """The row's numbers with decimals; those with three also as whole numbers with thousands."""
    # After a slash the unit is that of a price: "RATE/LTR".
    units = [(m.end, row.text[: m.start].rstrip().endswith("/")) for m in row.roles if m.role == "weight"]
    called = not all(of_price for _, of_price in units)
    volumes = {q.value for q in row.quantities if q.kind != "count" and q.unit}
    for match in _DECIMAL.finditer(row.text):
        head, tail = match.groups()
        value = Decimal(f"{head}.{tail}")
        if not value:
            continue
        before = [of_price for end, of_price in sorted(units) if end <= match.start()]
        labelled = (called and not any(before[-1:])) or value in volumes
        money = [a for a in row.amounts if a.currency is not None and a.start <= match.start() < a.end]
        if all(amount.decimals for amount in money):  # "Rp10.000" is ten thousand, not ten
            yield MeasureNumber(index, value, len(tail), labelled, bool(money))
        if len(tail) == MEASURED:
            yield MeasureNumber(index, Decimal(head + tail), 0, labelled)


def _whole_price(row: AmountRow) -> Decimal | None:
    """The whole number after a column heading ("単価: 177"), or None."""
    if len(row.amounts) != 1:
        return None
    amount = row.amounts[0]
    if any(q.end <= amount.start or amount.end <= q.start for q in row.quantities[1:]):
        return None
    named = any(m.role == "column" and m.weight >= POSSIBLE for m in row.roles)
    return amount.value if named and not amount.decimals and amount.value > 1 else None

"""Finds the volume and the unit price that multiply to an amount."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from receipt_engine.document import MEASURED, ZERO, AmountRow, decimals_of
from receipt_engine.stages.items.fuel.numbers import MeasureNumber, measure_numbers

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

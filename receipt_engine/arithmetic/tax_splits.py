"""Splits the amounts of a row into net, tax and gross, in whatever order they are printed.

Column headings are often lost or abbreviated, so arithmetic identifies the columns: net + tax = gross, and
net × rate = tax or gross × rate / (100 + rate) = tax, within a cent or two of rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import permutations

from msgspec.structs import replace

from receipt_engine.arithmetic.digits import digit_off
from receipt_engine.document import PLAUSIBLE, AmountReading, ParsedLine, PercentReading

#: No row of a tax table has more amounts.
MAX_AMOUNTS = 6
#: Tolerance for a tax rounded per item and then added up: in major units, and as a share of the tax.
_CENTS = Decimal("0.015")
_CENT = Decimal("0.01")
_SHARE = Decimal("0.004")
#: Amounts of a row that prints a tax and the amount that contains it.
_PAIR = 2
#: Amounts of a row that prints net, tax and gross.
_ALL = 3
#: The tolerance where only whole units (of yen, say) are printed, which some tills round down.
_WHOLE = Decimal("0.99")
#: Numbers that are mostly a count or a code.
_TWO_DIGITS = range(10, 100)
#: How much more an amount's reading may cost beside a printed rate.
_BESIDE_RATE = 0.4
_ZERO = Decimal(0)
#: Minimum rate (percent) and tax on a row without words: smaller ones fit almost any three numbers.
_MIN_BARE_RATE = 2
_MIN_BARE_TAX = Decimal("0.10")


@dataclass(frozen=True, slots=True)
class TaxSplit:
    """The indices of net, tax and gross among a row's amounts, and the rate that fits, in percent."""

    rate: Decimal | None
    net: int | None
    tax: int
    gross: int | None


@dataclass(frozen=True, slots=True)
class SplitInHalves:
    """The indices of net, two halves of one tax ("CGST", "SGST") and, often, gross.

    rate: of one half, in percent; None for a row that sums other rows.
    """

    net: int
    halves: tuple[int, int]
    gross: int | None
    rate: Decimal | None


def tax_amounts(parsed: ParsedLine, rates: Sequence[Decimal] = ()) -> tuple[AmountReading, ...]:
    """The row's amounts without small whole numbers such as a code or a count.

    Beside a printed rate, whole numbers of three digits count as amounts, and so do any three numbers of
    which two add up to the third, and two of which the rate makes one from the other. A number with one
    decimal that begins the row's numbers also counts if it is one of `rates`: "A 8.1 9.60 0.72" or
    "1 8.1 9.60 0.72", under the heading "%".
    """
    most = PLAUSIBLE + _BESIDE_RATE if parsed.percents else PLAUSIBLE
    numbers = parsed.amounts[1:] if _begins_with_code(parsed) else parsed.amounts
    first = numbers[0] if numbers and not parsed.percents else None
    headed = first is not None and first.decimals == 1 and first.value in rates
    found = tuple(a for a in parsed.amounts if a.readings[0].cost < most or (headed and a is first))
    values = sorted(a.value for a in parsed.amounts)
    adds_up = len(values) == 3 and values[0] > 0 and values[0] + values[1] == values[2]
    closes = parsed.percents and (adds_up or _is_rated(values, parsed.percents))
    return parsed.amounts if closes else _told(found)


def _is_rated(values: Sequence[Decimal], percents: Sequence[PercentReading]) -> bool:
    """Whether two whole amounts, ascending, are a tax of two digits and its base: "5% 1,165 58"."""
    if len(values) != _PAIR or values[0] not in _TWO_DIGITS or values[1] % 1 or values[1] in _TWO_DIGITS:
        return False
    return any(abs(values[1] * percent.value / 100 - values[0]) < 1 for percent in percents)


def _begins_with_code(parsed: ParsedLine) -> bool:
    """Whether the row begins with a number of one digit, as is the code of a tax."""
    first = parsed.amounts[0] if parsed.amounts else None
    return first is not None and first.start == 0 and len(first.raw) == 1


def _told(amounts: tuple[AmountReading, ...]) -> tuple[AmountReading, ...]:
    """The amounts, where brackets mark no negative value if another amount is not negative:
    "PPN (3.617) DPP 32.883"."""
    if all(a.value < 0 for a in amounts):
        return amounts
    return tuple(_positive(a) if a.raw.startswith("(") else a for a in amounts)


def _positive(amount: AmountReading) -> AmountReading:
    found = [money for money in amount.readings if money.value == abs(amount.value)]
    return replace(amount, readings=(*found, *(m for m in amount.readings if m not in found)))


def split_tax(
    values: Sequence[Decimal],
    percents: Sequence[PercentReading],
    known: Sequence[Decimal],
    *,
    named: bool = False,
    follows: bool = False,
) -> TaxSplit | None:
    """The most complete split of a row's amounts that the arithmetic allows; None if none fits.

    percents: rates printed on the row. known: tax rates of the region, in percent. named: the row's words
    name a tax. follows: the row is right below another row of the table.
    """
    printed = [p.value for p in percents]
    rates = printed or [v for v in values if v in known and v > 0] or list(known)
    size = len(values)
    # A rate that the region has not may be misread: then one of the region's must fit all three amounts.
    whole_rates = rates if set(rates) & set(known) else [*rates, *known]
    for net, tax, gross in permutations(range(size), 3):
        # A discount column of zeros also adds up: without a rate, the tax must not be zero.
        if values[net] + values[tax] != values[gross] or values[tax] * values[net] < 0 or not values[net]:
            continue
        whole = all(str(values[at]).isdigit() for at in (net, tax, gross))
        unit = _WHOLE if whole and printed else _CENTS
        rate = _fitting_rate(values[net], values[tax], whole_rates, inclusive=False, rounding=unit)
        if rate is not None or (named and 0 < abs(values[tax]) < abs(values[net]) / 2):
            return TaxSplit(rate, net, tax, gross)
    bare = [at for at, value in enumerate(values) if value in known and value >= _MIN_BARE_RATE]
    if not printed and not named:
        return _split_bare(values, bare, _ZERO if follows else _MIN_BARE_TAX)
    rates = whole_rates if follows else rates
    for first, tax in permutations(range(size), 2):
        if not values[first] or values[first] * values[tax] < 0:
            continue
        if printed and str(values[first]).isdigit() and str(values[tax]).isdigit():
            rounded = _split_whole(values, first, tax, printed)
            if rounded is not None:
                return rounded
        rate = _fitting_rate(values[first], values[tax], rates, inclusive=False)
        if rate is not None:
            return TaxSplit(rate, first, tax, None)
        rate = _fitting_rate(values[first], values[tax], rates, inclusive=True)
        if rate is not None and (printed or (size == _PAIR and tax < first)):
            return TaxSplit(rate, None, tax, first)  # "TOTAL (INCLUDES GST OF 3.20) 35.20"
    return None


def mend_digit(values: Sequence[Decimal], percents: Sequence[PercentReading]) -> list[Decimal] | None:
    """Three amounts, of which one digit was misread as one like it, so that they are net, tax and gross at a
    printed rate; None unless exactly one mending makes them so."""
    found: set[tuple[Decimal, ...]] = set()
    if len(values) != _ALL or len(percents) != 1:
        return None
    for at, read in enumerate(values):
        first, second = (*values[:at], *values[at + 1 :])
        for wanted in (first + second, abs(first - second)):
            mended = (*values[:at], wanted, *values[at + 1 :])
            if digit_off(read, wanted) == "like" and (split := split_tax(mended, percents, ())):
                found |= {mended} if None not in (split.net, split.gross) else set()
    return list(found.pop()) if len(found) == 1 else None


def split_in_halves(
    values: Sequence[Decimal],
    known: Sequence[Decimal],
    before: Sequence[Decimal] = (),
    printed: Sequence[Decimal] = (),
) -> SplitInHalves | None:
    """Splits a row as net + two halves of a tax = gross, at a rate of the region or as the sum of such rows.

    Where neither gross nor the whole tax is printed, the rate must be: that of one half or of both. before:
    the taxes of the rows above. printed: the percentages printed on the row, with or without a sign.
    """
    for at in range(len(values) - 2):
        net, first, second, *rest = values[at:]
        tax = first + second
        gross = _gross_of(net + tax, rest)
        own = [*values[:at], *printed]
        # Tills that share out a tax of an odd number of cents print the gross amount or the rate as well.
        if first <= 0 or abs(first - second) > (_CENT if gross is not None or set(own) & set(known) else 0):
            continue
        added = bool(rest) and rest[0] == tax  # a column for the whole tax
        indices = at, (at + 1, at + 2), None if gross is None else at + 3 + gross
        if len(before) > 2 and sum(before, _ZERO) == tax and net > tax:
            return SplitInHalves(*indices, None)
        rates = known if gross is not None or added else [r for r in known if r in own or r / 2 in own]
        rate = _fitting_rate(net, tax, rates, inclusive=False)
        if rate is not None:
            return SplitInHalves(*indices, rate / 2)
    return None


def _gross_of(gross: Decimal, values: Sequence[Decimal]) -> int | None:
    """The index of the gross amount among the values behind two halves of a tax: the first, or the second
    behind a further tax of zero, as under the heading "CESS"."""
    at = 1 if len(values) > 1 and not values[0] else 0
    return at if at < len(values) and abs(gross - values[at]) <= _CENTS else None


def _split_whole(
    values: Sequence[Decimal], first: int, tax: int, rates: Sequence[Decimal]
) -> TaxSplit | None:
    """Splits a base and its tax in whole units, which tills round down or to the nearest.

    The tax is included in the base where that fits better ("8% 150 11").
    """
    base, amount = values[first], values[tax]
    fits = [
        (abs(base * rate / (100 + rate if inclusive else 100) - amount), inclusive, rate)
        for rate in rates
        for inclusive in (False, True)
        if (rate == 0) == (amount == 0)
    ]
    error, inclusive, rate = min(fits, default=(_WHOLE, False, _ZERO))
    if error >= _WHOLE:
        return None
    return TaxSplit(rate, None, tax, first) if inclusive else TaxSplit(rate, first, tax, None)


def _split_bare(values: Sequence[Decimal], at: Sequence[int], least: Decimal) -> TaxSplit | None:
    """Splits a row without words or percent sign into a rate of the region (at one of the indices `at`), a
    tax and its base: "B 6,56 13,00 0,85". least: the smallest tax accepted."""
    for place in at:
        others = [i for i in range(len(values)) if i != place]
        for base, tax in permutations(others, 2):
            if values[tax] <= 0 or values[tax] < least or values[tax] * 2 >= values[base]:
                continue
            for inclusive in (False, True):
                if _fitting_rate(values[base], values[tax], values[place : place + 1], inclusive=inclusive):
                    net, gross = (None, base) if inclusive else (base, None)
                    return TaxSplit(values[place], net, tax, gross)
    return None


def _fitting_rate(
    base: Decimal, tax: Decimal, rates: Sequence[Decimal], *, inclusive: bool, rounding: Decimal = _CENTS
) -> Decimal | None:
    """The rate at which `tax` fits the base; None if none does. inclusive: the base is gross, not net.
    rounding: the tolerance, in major units."""
    for rate in rates:
        expected = base * rate / (100 + rate if inclusive else 100)
        if abs(expected - tax) <= rounding + abs(tax) * _SHARE and (rate == 0) == (tax == 0):
            return rate
    return None

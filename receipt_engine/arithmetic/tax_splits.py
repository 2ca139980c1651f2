"""How the amounts of a row split into net, tax and gross, in whatever order they are printed.

Headings are often lost or abbreviated, so arithmetic tells the columns apart: net + tax = gross, and
net × rate = tax or gross × rate / (100 + rate) = tax, to a cent or two of rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import permutations

from msgspec.structs import replace

from receipt_engine.document import PLAUSIBLE, AmountReading, ParsedLine, PercentReading

#: More amounts are on no row of a tax table.
MAX_AMOUNTS = 6
#: Rounding a tax per item, then adding, may move it this far, in major units and as a share.
_CENTS = Decimal("0.015")
_SHARE = Decimal("0.004")
#: The same where nothing is printed but whole units, of yen say, which some tills round down.
_WHOLE = Decimal("0.99")
#: Beside a printed rate an amount may cost so much more.
_BESIDE_RATE = 0.4
_ZERO = Decimal(0)
#: Smaller rates and taxes agree with any row of three numbers.
_MIN_BARE_RATE = 2
_MIN_BARE_TAX = Decimal("0.10")


@dataclass(frozen=True, slots=True)
class TaxSplit:
    """Which of a row's amounts are net, tax and gross (indices), and the rate that fits."""

    rate: Decimal | None
    net: int | None
    tax: int
    gross: int | None


@dataclass(frozen=True, slots=True)
class SplitInHalves:
    """A row of net, two equal halves of one tax ("CGST", "SGST") and, often, gross, as indices. rate: of a
    half, None where the row adds up others."""

    net: int
    halves: tuple[int, int]
    gross: int | None
    rate: Decimal | None


def tax_amounts(parsed: ParsedLine) -> tuple[AmountReading, ...]:
    """The row's amounts without small whole numbers such as a code or a count; beside a printed rate those
    of three digits may be money, and any three of which two add up to the third."""
    most = PLAUSIBLE + _BESIDE_RATE if parsed.percents else PLAUSIBLE
    found = tuple(a for a in parsed.amounts if a.readings[0].cost < most)
    values = sorted(a.value for a in parsed.amounts)
    closes = parsed.percents and len(values) == 3 and values[0] > 0 and values[0] + values[1] == values[2]
    return parsed.amounts if closes else _told(found)


def _told(amounts: tuple[AmountReading, ...]) -> tuple[AmountReading, ...]:
    """The amounts of a row, with one in brackets as told, not taken off, beside others that are not: "PPN
    (3.617) DPP 32.883"."""
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
    """The most complete split of a row's amounts that its arithmetic allows.

    percents: rates printed on the row; known: those of the region, in percent. named: words say that the row
    is about tax. follows: it is right below another row of the table.
    """
    printed = [p.value for p in percents]
    rates = printed or [v for v in values if v in known and v > 0] or list(known)
    size = len(values)
    for net, tax, gross in permutations(range(size), 3):
        # A discount column of zeros also adds up: without a rate, a table needs a tax.
        if values[net] + values[tax] != values[gross] or values[tax] * values[net] < 0 or not values[net]:
            continue
        whole = all(str(values[at]).isdigit() for at in (net, tax, gross))
        unit = _WHOLE if whole and printed else _CENTS
        rate = _fitting_rate(values[net], values[tax], rates, inclusive=False, rounding=unit)
        if rate is not None or (named and 0 < abs(values[tax]) < abs(values[net]) / 2):
            return TaxSplit(rate, net, tax, gross)
    bare = [at for at, value in enumerate(values) if value in known and value >= _MIN_BARE_RATE]
    if not printed and not named:
        return _split_bare(values, bare, _ZERO if follows else _MIN_BARE_TAX)
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
        if rate is not None and printed:
            return TaxSplit(rate, None, tax, first)
    return None


def split_in_halves(
    values: Sequence[Decimal],
    known: Sequence[Decimal],
    before: Sequence[Decimal] = (),
    percents: Sequence[PercentReading] = (),
) -> SplitInHalves | None:
    """The row as net + tax + the same tax = gross, at a rate of the region or as the sum of such rows; where
    no gross is printed, the rate must be, in percent of both or of one.

    before: the taxes of the rows above it. percents: printed on it with their sign.
    """
    for at in range(len(values) - 2):
        net, first, second, *rest = values[at : at + 4]
        if first != second or first <= 0:
            continue
        closes = bool(rest) and abs(net + 2 * first - rest[0]) <= _CENTS
        indices = at, (at + 1, at + 2), at + 3 if closes else None
        if len(before) > 2 and sum(before, _ZERO) == 2 * first and net > 2 * first:
            return SplitInHalves(*indices, None)
        printed = [*values[:at], *(p.value for p in percents)]
        rates = known if closes else [r for r in known if r in printed or r / 2 in printed]
        rate = _fitting_rate(net, 2 * first, rates, inclusive=False)
        if rate is not None:
            return SplitInHalves(*indices, rate / 2)
    return None


def _split_whole(
    values: Sequence[Decimal], first: int, tax: int, rates: Sequence[Decimal]
) -> TaxSplit | None:
    """A base and its tax in whole units, which tills round down or to the nearest: with the tax included in
    the base where that fits better ("8% 150 11")."""
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
    """A row without words and percent sign whose numbers are a rate of the region (at one of `at`), a tax
    and what it is of: "B 6,56 13,00 0,85". least: smallest tax."""
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
    """The rate at which the tax is that of a net amount, or inclusive: of a gross one. rounding: how far it
    may move the tax."""
    for rate in rates:
        expected = base * rate / (100 + rate if inclusive else 100)
        if abs(expected - tax) <= rounding + abs(tax) * _SHARE and (rate == 0) == (tax == 0):
            return rate
    return None

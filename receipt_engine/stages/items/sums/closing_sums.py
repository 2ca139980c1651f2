"""Finds where the products end on a page without known words, by sums alone.

Such a page is in a script that the recogniser cannot read, or too faint for its words to be read. Products,
sums and taxes run on in one column of amounts. But a net amount, its tax at a common rate and their sum,
printed again as the amount paid, are not three products; nor is a sum that discounts and charges turn into
another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.document import THOUSANDS, ZERO, AmountReading, Item, Record, decimals_of
from receipt_engine.region import Role

#: Fewest products before a row that is their sum.
_MIN_PRODUCTS = 2
#: Most discounts and charges between a sum and the amount paid.
_MAX_BETWEEN = 5
#: Tax rates that are tried: whole and half percents from 4 to 27.
_RATES = tuple(Decimal(half) / 2 for half in range(8, 55))

#: Largest rounding error of a tax, as a share of it.
_ROUNDED = Decimal("0.0005")


class ClosingSums(Record, frozen=True):
    """A totals block found by sums. start: index of its first item; roles: (row, role of its amount)."""

    start: int
    roles: tuple[tuple[int, Role], ...]


def find_closing_sums(items: Sequence[Item]) -> ClosingSums | None:
    """The totals block among apparent products; None if nothing adds up."""
    values = [_value(item.total) for item in items]
    taxed = next((at for at in range(len(values) - 2) if _gross(values, at) is not None), None)
    if taxed is not None:
        found = _gross(values, taxed)
        assert found is not None
        gross, exempt = found
        start = _sum_before(values, taxed - exempt)
        roles: list[tuple[int, Role]] = [
            (items[taxed].line, "net"),
            (items[taxed + 1].line, "tax"),
            *((items[at].line, "total") for at in range(gross, len(items)) if values[at] == values[gross]),
        ]
        return ClosingSums(start, tuple(roles))
    for at in range(_MIN_PRODUCTS, len(values) - 2):
        paid = _paid(values, at) if values[at] == sum(values[:at], ZERO) else None
        if paid is not None:
            return ClosingSums(at, ((items[at].line, "subtotal"), (items[paid].line, "total")))
    return None


def _value(amount: AmountReading) -> Decimal:
    """The amount's value; three digits after a point or comma are thousands, as the country is unknown."""
    if decimals_of(amount.value) != THOUSANDS:
        return amount.value
    whole = (m.value for m in amount.readings if m.value == amount.value.scaleb(THOUSANDS))
    return next(whole, amount.value)


def _gross(values: Sequence[Decimal], at: int) -> tuple[int, int] | None:
    """(index of the gross amount, 1 if an untaxed amount precedes the net one, else 0), if the amounts at
    `at` and after it are net and tax, and the gross is printed twice; else None."""
    net, tax = values[at], values[at + 1]
    if not 0 < 2 * tax < net or not _is_taxed(net, tax):
        return None
    for exempt in (0, 1)[: 1 + (at > 0)]:
        wanted = net + tax + (values[at - 1] if exempt else ZERO)
        later = [i for i in range(at + 2, len(values)) if values[i] == wanted]
        if len(later) > 1:
            return later[0], exempt
    return None


def _is_taxed(net: Decimal, tax: Decimal) -> bool:
    """Whether the tax is that of the net amount at one of the rates, within the error of rounding each
    product's tax separately."""
    unit = Decimal(1).scaleb(-max(decimals_of(net), decimals_of(tax)))
    most = max(unit / 2, tax * _ROUNDED)
    return any(abs(net * rate / 100 - tax) <= most for rate in _RATES) and net >= 100 * unit


def _sum_before(values: Sequence[Decimal], end: int) -> int:
    """The index at which the totals block begins: a row that adds up the products above it, else `end`."""
    return next((at for at in range(_MIN_PRODUCTS, end) if values[at] == sum(values[:at], ZERO)), end)


def _paid(values: Sequence[Decimal], at: int) -> int | None:
    """The index of the amount paid: the sum at `at` plus the discounts and charges below it, if that amount
    is printed twice or last; else None."""
    running = values[at]
    for behind in range(at + 1, min(len(values), at + 2 + _MAX_BETWEEN)):
        again = values[behind] in values[behind + 1 :] or behind == len(values) - 1
        if behind > at + 1 and values[behind] == running and again:
            return behind
        running += values[behind]
    return None

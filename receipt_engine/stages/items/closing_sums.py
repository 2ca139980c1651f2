"""Where the products end on a page none of whose words is known: sums alone tell.

Such a page is in a script that no reader knows, or too faint for its words. Its amounts run on in one column,
products, sums and taxes alike; but a net amount, its tax at a common rate and their sum, printed again as
what was paid, are no three products, and neither is a sum that discounts and charges turn into another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.document import THOUSANDS, ZERO, AmountReading, Item, Record
from receipt_engine.region import Role

#: Products before a row that is their sum, at least.
_MIN_PRODUCTS = 2
#: Discounts and charges between a sum and what is paid, at most.
_MAX_BETWEEN = 5
#: Rates of tax are whole or half percents between these.
_RATES = tuple(Decimal(half) / 2 for half in range(8, 55))

#: How far rounding moves a tax, as a share of it.
_ROUNDED = Decimal("0.0005")


class ClosingSums(Record, frozen=True):
    """The totals block that sums show. start: index of its first item; roles: row → what its amount is."""

    start: int
    roles: tuple[tuple[int, Role], ...]


def find_closing_sums(items: Sequence[Item]) -> ClosingSums | None:
    """The totals block among what looks like products; None where nothing adds up."""
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
    """The amount; three digits behind a point or comma are thousands where the page's country is unknown."""
    if -int(amount.value.as_tuple().exponent) != THOUSANDS:
        return amount.value
    whole = (m.value for m in amount.readings if m.value == amount.value.scaleb(THOUSANDS))
    return next(whole, amount.value)


def _gross(values: Sequence[Decimal], at: int) -> tuple[int, int] | None:
    """(index of the gross amount, 1 when an amount without tax stands before the net one, else 0), where the
    amounts at a place and behind it are net and tax, and the gross is printed twice or adds up the products.
    """
    net, tax = values[at], values[at + 1]
    if not 0 < 2 * tax < net or not _is_taxed(net, tax):
        return None
    for exempt in (0, 1)[: 1 + (at > 0)]:
        wanted = net + tax + (values[at - 1] if exempt else ZERO)
        later = [i for i in range(at + 2, len(values)) if values[i] == wanted]
        if later and (len(later) > 1 or sum(values[: at - exempt], ZERO) == wanted):
            return later[0], exempt
    return None


def _is_taxed(net: Decimal, tax: Decimal) -> bool:
    """Whether the tax is of the net amount at a whole or half percent, but for what rounding each product's
    tax may add."""
    unit = Decimal(1).scaleb(min(int(v.as_tuple().exponent) for v in (net, tax)))
    most = max(unit / 2, tax * _ROUNDED)
    return any(abs(net * rate / 100 - tax) <= most for rate in _RATES) and net >= 100 * unit


def _sum_before(values: Sequence[Decimal], end: int) -> int:
    """Where the totals block begins: at a row that adds up the products above it, else at the taxes."""
    return next((at for at in range(_MIN_PRODUCTS, end) if values[at] == sum(values[:at], ZERO)), end)


def _paid(values: Sequence[Decimal], at: int) -> int | None:
    """The amount that discounts and charges below a sum make of it, when it is printed twice or last."""
    running = values[at]
    for behind in range(at + 1, min(len(values), at + 2 + _MAX_BETWEEN)):
        again = values[behind] in values[behind + 1 :] or behind == len(values) - 1
        if behind > at + 1 and values[behind] == running and again:
            return behind
        running += values[behind]
    return None

"""Alternative readings of amounts, and the sums of items under them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from receipt_engine.document import ZERO, AmountRule, Entry, Item, Money, Record, sum_items
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import SURE

#: Costlier readings are not tried: a closing sum would not make up for them.
MAX_READING_COST = 4.0
#: The same limit after words that confidently name the amount, which may then look odd: "TOTAL 104".
_NAMED_READING_COST = 5.0
_MAX_READINGS = 3
#: Cost of a repair on top of its reading, and the cost difference below which two repairs are ambiguous.
_REPAIR = 1.0
_TOO_NEAR = 0.7
#: Cost per further item with the same misreading, which tends to recur on a receipt.
_SAME_MISREADING = 0.3


class Part(Record, frozen=True):
    """An entry with one of its readings, as it enters the sum (discounts negative).

    role: None when its words name none.
    """

    entry: Entry
    role: Role | None
    value: Decimal
    cost: float


class Adjustment(Record, frozen=True):
    """The difference (delta) between a subtotal and a total, its parts, and their cost.

    rounded: the rest that the parts do not explain, because the total was rounded without a line for it.
    """

    delta: Decimal
    parts: tuple[Part, ...]
    cost: float
    rounded: Decimal = ZERO


def readings(entry: Entry) -> list[tuple[Decimal, float]]:
    """(value, cost) of the entry's likeliest readings."""
    limit = _NAMED_READING_COST if entry.certainty >= SURE else MAX_READING_COST
    return [(m.value, m.cost) for m in entry.amount.readings[:_MAX_READINGS] if m.cost <= limit]


class ItemSum(Record, frozen=True):
    """The items' sum under one reading of them. changes: (item index, new value); None removes the item."""

    value: Decimal
    cost: float
    changes: tuple[tuple[int, Decimal | None], ...] = ()


def item_sums(items: Sequence[Item]) -> dict[Decimal, ItemSum]:
    """The possible sums of the items, by value.

    They are added up as read; with exactly one item read another way or left out; with a currency sign, or a
    count, removed from every amount where it may have been read as digits; and with every discount that has
    no minus sold. A sum that two different
    repairs reach at a similar cost is left out: a repair must be unambiguous.
    """
    base = sum_items(items)
    found = {base: ItemSum(base, 0.0)}
    ambiguous: set[Decimal] = set()
    for index, item in enumerate(items):
        others: list[tuple[Decimal | None, float]] = [
            (m.value, m.cost - item.total.readings[0].cost) for m in item.total.readings[1:]
        ]
        others.append((None, 2.5))
        for value, extra in others:
            if extra > MAX_READING_COST:
                continue
            cost = extra + _REPAIR
            total = base - item.total.value + (value or ZERO)
            if total == base:
                continue
            known = found.get(total)
            if (
                known is not None
                and abs(known.cost - cost) < _TOO_NEAR
                and known.changes[0] != (index, value)
            ):
                ambiguous.add(total)
            if known is None or cost < known.cost:
                found[total] = ItemSum(total, cost, ((index, value),))
    for apart in (_is_without_sign, is_without_count, _is_sold):
        together = _all_read_again(items, base, apart)
        if together is not None:
            found.setdefault(together.value, together)
    return {total: items for total, items in found.items() if total not in ambiguous}


def _is_without_sign(money: Money) -> bool:
    return money.rule is AmountRule.SIGN_AS_DIGIT


def _is_sold(money: Money) -> bool:
    """Whether a discount's words name a product: "MEAL DEAL WRAP"."""
    return money.rule is not AmountRule.LOST_MINUS


def is_without_count(money: Money) -> bool:
    """Whether the reading treats digits before a space as a count, not thousands: "2 526.00" is two for
    526.00."""
    return money.start is not None and not _is_without_sign(money)


def _all_read_again(items: Sequence[Item], base: Decimal, apart: Callable[[Money], bool]) -> ItemSum | None:
    """The sum when every item that has a reading accepted by `apart` takes it; None for fewer than two."""
    changes: list[tuple[int, Decimal]] = []
    costs: list[float] = []
    total = base
    for index, item in enumerate(items):
        first, *others = item.total.readings
        money = None if apart(first) else next(filter(apart, others), None)
        if money is not None and money.cost - first.cost <= MAX_READING_COST:
            changes.append((index, money.value))
            costs.append(money.cost - first.cost)
            total += money.value - first.value
    if len(changes) < 2:
        return None
    return ItemSum(total, max(costs) + _REPAIR + _SAME_MISREADING * (len(changes) - 1), tuple(changes))

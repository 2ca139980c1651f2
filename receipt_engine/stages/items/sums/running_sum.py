"""Finds rows among the products that add up the products above: unlabelled running sums and group sums."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import ZERO, AmountRow, Item
from receipt_engine.stages.items.rows.headings import heads

#: Most groups by which a restaurant adds up its dishes (food, beer, wine).
_MAX_GROUPS = 4


def without_carried(items: Sequence[Item], rows: Sequence[AmountRow]) -> tuple[Item, ...]:
    """The products without the sum that ends a page and begins the next one: two amounts in a row that add up
    all products above, with the headings of the columns between them ("Carried forward 42.47")."""
    kept: list[Item] = []
    running = ZERO
    skipped = 0
    for item, following in zip(items, [*items[1:], None], strict=False):
        value = item.total.value
        carried = following is not None and value == running == following.total.value and kept
        if carried and following and any(map(heads, rows[item.line : following.line])):
            skipped = 2
        if skipped:
            skipped -= 1
            continue
        kept.append(item)
        running += value
    return tuple(kept)


def split_running_sum(items: Sequence[Item]) -> tuple[tuple[Item, ...], int | None]:
    """(products, row index of a sum of all products above it, whose label is unknown or lost, or None).

    Rows below such a sum are not products either. A third product may by chance cost as much as the first
    two: if more products follow than precede, nothing is split.
    """
    running = unsigned = ZERO
    for position, item in enumerate(items):
        value = item.total.value
        late = position >= 2 and len(items) - position - 1 <= position
        if late and value > 0 and item.product_code is None:
            if value == running:
                return tuple(items[:position]), item.line
            if value == unsigned:
                return tuple(_unsigned(i) for i in items[:position]), item.line
        running += value
        unsigned += abs(value)
    return tuple(items), None


def without_groups(items: Sequence[Item], sums: Collection[Decimal]) -> tuple[Item, ...]:
    """The products without the rows at their end that add them up by groups ("FOOD 40.50", "DRINK 11.40"):
    these add up to one of the sums below, and so do the products before them. sums: subtotals and totals."""
    values = [item.total.value for item in items]
    for count in range(1, min(_MAX_GROUPS, len(items) // 2) + 1):
        whole = sum(values[-count:], ZERO)
        if whole in sums and whole > 0 and whole == sum(values[:-count], ZERO):
            return tuple(items[:-count])
    return tuple(items)


def without_heading_sums(items: Sequence[Item]) -> tuple[Item, ...]:
    """The products without the sum above each group of them, where the whole list is made of such groups:
    "GROCERY 7.50" above "FLOUR 3.00" and "SUGAR 4.50"."""
    kept: list[Item] = []
    whole = running = ZERO
    for item in items:
        if running == whole:
            whole, running = item.total.value, ZERO
        else:
            kept.append(item)
            running += item.total.value
    return tuple(kept) if running == whole else tuple(items)


def _unsigned(item: Item) -> Item:
    """The product with a positive amount: the stroke before it is dirt, not a minus."""
    positive = [m for m in item.total.readings if m.value == abs(item.total.value)]
    if item.total.value >= 0 or not positive:
        return item
    rest = tuple(m for m in item.total.readings if m is not positive[0])
    return replace(item, total=replace(item.total, readings=(positive[0], *rest)))

"""Finds rows among the products that add up the products above: unlabelled running sums and group sums.

There are products below the sum of a group: "FUEL TOTAL 24.00", "COFFEE 1.89", "DONUT 1.29", "SUBTOTAL
27.18". Such a sum ends a group of the products, not all of them, if amounts without known words follow it and
a further subtotal adds up either these or all products so far, or a total adds up these and another one all
products. Charges are not printed above a second subtotal.

A page without known words is in a script that the recogniser cannot read, or too faint for its words to be
read. Products, sums and taxes run on in one column of amounts. But a net amount, its tax at a common rate and
their sum, printed again as the amount paid, are not three products; nor is a sum that discounts and charges
turn into another one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.arithmetic.products import multiplies_to
from receipt_engine.document import (
    THOUSANDS,
    ZERO,
    AmountReading,
    AmountRow,
    Entry,
    Item,
    Record,
    decimals_of,
)
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.items.rows.headings import heads

#: Most groups by which a restaurant adds up its dishes (food, beer, wine).
_MAX_GROUPS = 4
#: Fewest amounts between two subtotals that are products; a lone one without count and price may be a charge
#: with a misread name.
_MIN_GROUP = 2
_BEFORE_TAX: tuple[Role, ...] = ("subtotal", "net")
_SUMS: tuple[Role, ...] = (*_BEFORE_TAX, "total")
#: Fewest products before a row that is their sum.
_MIN_PRODUCTS = 2
#: Most discounts and charges between a sum and the amount paid.
_MAX_BETWEEN = 5
#: Tax rates that are tried: whole and half percents from 4 to 27.
_RATES = tuple(Decimal(half) / 2 for half in range(8, 55))

#: Largest rounding error of a tax, as a share of it.
_ROUNDED = Decimal("0.0005")


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


def below_groups(
    rows: Sequence[AmountRow],
    entries: Sequence[Entry],
    candidates: Mapping[int, Decimal],
    total: Decimal,
    last: int,
) -> tuple[int, ...]:
    """Indices of the products below the first group's sum; empty without a further group.

    candidates: value of each row that is printed like a product and has no words of the totals block, or a
    count and a price of its own, by its index. total, last: the sum and the last row of the products found.
    """
    sums = {e.line: e for e in entries if e.last and e.role in _SUMS}
    found: list[int] = []
    group: list[int] = []
    first: Entry | None = None
    for index in range(last + 1, len(rows)):
        if rows[index].amount is None:
            continue  # the heading of a group
        if index in candidates and first is not None and candidates[index] > 0 and not rows[index].percents:
            group.append(index)
            continue
        entry = sums.get(index)
        if first is None and (entry is None or entry.amount.value != total):
            continue  # the taxes, where they are printed above the total
        if entry is None or entry.certainty < LIKELY:
            break
        own = sum((candidates[at] for at in group), ZERO)
        if not group and entry.amount.value == total:
            first = first or entry
            continue
        sold = first is not None and (first.role == "total" or any(is_priced(rows[at]) for at in group))
        several = len(group) >= _MIN_GROUP or (bool(group) and sold)
        added = entry.role in _BEFORE_TAX and entry.amount.value in {own, total + own} - {total}
        # Bottles' deposits that are no sales: "Total 70.00", "Deposit 6 x 0.50  3.00", "To pay 73.00".
        added |= sold and entry.role == "total" and entry.amount.value == total + own
        # "Total 0 % goods", then "Total 20 % goods": the grand total adds the two.
        grouped = entry.amount.value == own and any(
            e.amount.value == total + own for line, e in sums.items() if line > index
        )
        if not several or not (added or grouped):
            break
        found, group, total = [*found, *group], [], total + own
    return tuple(found)


def is_priced(row: AmountRow) -> bool:
    """Whether a count and a price of its own make a row's amount."""
    return row.amount is not None and any(multiplies_to(q, row.amount) for q in row.quantities)


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

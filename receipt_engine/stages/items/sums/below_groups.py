"""Finds products below the sum of a group: "FUEL TOTAL 24.00", "COFFEE 1.89", "DONUT 1.29", "SUBTOTAL 27.18".

The sum ends a group of the products, not all of them, if amounts without known words follow it and a further
subtotal adds up either these or all products so far, or a total adds up these and another one all products.
Charges are not printed above a second subtotal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from receipt_engine.arithmetic.products import multiplies_to
from receipt_engine.document import ZERO, AmountRow, Entry
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY

#: Fewest amounts between two subtotals that are products; a lone one without count and price may be a charge
#: with a misread name.
_MIN_GROUP = 2
_BEFORE_TAX: tuple[Role, ...] = ("subtotal", "net")
_SUMS: tuple[Role, ...] = (*_BEFORE_TAX, "total")


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

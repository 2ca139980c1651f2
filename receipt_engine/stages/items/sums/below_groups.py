"""Finds products below the sum of a group: "FUEL TOTAL 24.00", "COFFEE 1.89", "DONUT 1.29", "SUBTOTAL 27.18".

The sum ends a group of the products, not all of them, if amounts without known words follow it and a further
subtotal adds up either these or all products so far, or a total adds up these and another one all products.
Charges are not printed above a second subtotal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from receipt_engine.document import ZERO, AmountRow, Entry
from receipt_engine.scoring.certainty import LIKELY

#: Fewest amounts between two subtotals that are products; a lone one may be a charge with a misread name.
_MIN_GROUP = 2


def below_groups(
    rows: Sequence[AmountRow],
    entries: Sequence[Entry],
    candidates: Mapping[int, Decimal],
    total: Decimal,
    last: int,
) -> tuple[int, ...]:
    """Indices of the products below the first group's sum; empty without a further group.

    candidates: value of each row that is printed like a product and has no words of the totals block, by its
    index. total, last: the sum and the last row of the products found.
    """
    sums = {e.line: e for e in entries if e.last and e.role in ("subtotal", "total")}
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
        if entry is None or entry.certainty < LIKELY:
            break
        own = sum((candidates[at] for at in group), ZERO)
        if not group and entry.amount.value == total:
            first = first or entry
            continue
        several = len(group) >= _MIN_GROUP or (bool(group) and first is not None and first.role == "total")
        added = entry.role == "subtotal" and entry.amount.value in {own, total + own} - {total}
        # "Total 0 % goods", then "Total 20 % goods": the grand total adds the two.
        grouped = entry.amount.value == own and any(
            e.amount.value == total + own for line, e in sums.items() if line > index
        )
        if not several or not (added or grouped):
            break
        found, group, total = [*found, *group], [], total + own
    return tuple(found)

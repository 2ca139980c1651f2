"""Finds the values that the products should add up to: the sums printed below them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import ZERO, Entry, Item, Record, sum_entries
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY, SURE
from receipt_engine.stages.items.sums.candidates import MAX_READING_COST

#: Bound on the search: most values to reach.
MAX_TARGETS = 8


class Target(Record, frozen=True):
    """The value that the products above a row should add up to. subtotal: nothing else is added before it."""

    line: int
    value: Decimal
    subtotal: bool


def targets_below(entries: Sequence[Entry], items: Sequence[Item]) -> list[Target]:
    """Subtotals and totals below the products, topmost first, totals also without tax and rounding; if none,
    the amounts of card tenders, also without tax."""
    first = max((item.line for item in items), default=-1)
    below = [e for e in entries if e.line > first and e.last and e.amount.cost <= MAX_READING_COST]
    taxes = _sum_of(below, "tax") or _sum_of(below, "total_tax")
    rounding = [e for e in below if e.role == "rounding" and abs(e.amount.value) < 1][:2]
    found: list[Target] = []
    for entry in below:
        value = entry.amount.value
        subtotal = entry.role in ("subtotal", "net") and entry.certainty >= LIKELY
        total = entry.is_called("total", LIKELY)
        if value == 0 or not (subtotal or total):
            continue
        found.append(Target(entry.line, value, subtotal))
        if total:
            less = {taxes, *(sign * r.amount.value for r in rounding for sign in (1, -1))} - {ZERO}
            found += [Target(entry.line, value - amount, False) for amount in sorted(less)]
    if not found:
        found = [
            Target(e.line, e.amount.value - less, False)
            for e in below
            if e.is_called("card", LIKELY) and e.amount.value
            for less in {ZERO, taxes}
        ]
    return found


def without_charges(targets: Sequence[Target], entries: Sequence[Entry], last: int) -> list[Target]:
    """The totals without the service charges between them and the last product, and without the discounts
    where no subtotal is printed; none without a product."""
    found = []
    discounted = not any(target.subtotal for target in targets)
    for target in targets[: MAX_TARGETS if last >= 0 else 0]:
        between = [e for e in entries if last < e.line < target.line]
        charges = _sum_of(between, "service")
        taken_off = (e for e in between if discounted and e.is_called("discount", SURE))
        discounts = sum((abs(e.amount.value) for e in taken_off), ZERO)
        added = sorted({charges, -discounts, charges - discounts} - {ZERO})
        found += [replace(target, value=target.value - value) for value in added if not target.subtotal]
    return found


def _sum_of(entries: Sequence[Entry], role: Role) -> Decimal:
    """The sum of the entries that surely have the role."""
    return sum_entries(e for e in entries if e.is_called(role, SURE))

"""The taxes: from the equation that closed, the tax table, or the lines that name a tax."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.document import Chosen, Entry, Sheet
from receipt_engine.region import Role
from receipt_engine.stages.reconcile.search import Proof

_ZERO = Decimal(0)
_LABELLED = 0.5


def choose_taxes(
    sheet: Sheet, proofs: Sequence[Proof], total: Decimal | None
) -> tuple[Decimal | None, tuple[Chosen, ...]]:
    """(total tax, each tax in printed order without zeros); (None, ()) when no tax is printed."""
    added = _added(proofs)
    if added:
        return sum((c.value for c in added), _ZERO), tuple(added)
    lines = [e for e in sheet.entries if _is_tax(e, "tax") and _plausible(e, total)]
    sums = [e for e in sheet.entries if _is_tax(e, "total_tax") and _plausible(e, total)]
    table = _from_table(sheet)
    if table:
        table_sum = sum((c.value for c in table), _ZERO)
        return table_sum, tuple(c for c in table if c.value != 0)
    lines = _without_repeats(lines)
    stated = max(sums, key=lambda e: (e.weight("total_tax"), e.amount.value)) if sums else None
    named = sum((e.amount.value for e in lines), _ZERO)
    if stated is not None and (not lines or named != stated.amount.value):
        return stated.amount.value, _nonzero([stated])
    if lines:
        return named, _nonzero(lines)
    return None, ()


def _added(proofs: Sequence[Proof]) -> list[Chosen]:
    """Taxes that an equation added to a subtotal."""
    for proof in sorted(proofs, key=lambda p: -p.bonus):
        found = [
            Chosen(
                p.value, p.entry, p.cost, p.entry.amount.value if p.entry.amount.value != p.value else None
            )
            for p in proof.parts
            if p.role in ("tax", "total_tax")
        ]
        if found:
            return found
    return []


def _is_tax(entry: Entry, role: Role) -> bool:
    return entry.role == role and entry.weight(role) >= _LABELLED and entry.last


def _plausible(entry: Entry, total: Decimal | None) -> bool:
    """A tax is not negative on a sale and never half of what is paid."""
    value = entry.amount.value
    if entry.amount.readings[0].cost >= 1.5:
        return False
    return total is None or total <= 0 or 0 <= value <= total / 2


def _from_table(sheet: Sheet) -> list[Chosen]:
    by_start = {(e.line, e.amount.value): e for e in sheet.entries}
    rows = [r for r in sheet.tax_rows if not r.is_sum]
    if not rows:
        return []
    return [Chosen(r.tax, by_start.get((r.line, r.tax)), 0.0) for r in rows]


def _without_repeats(lines: Sequence[Entry]) -> list[Entry]:
    """Without a tax printed again further down: the same value under the same words, or beside a net."""
    seen: set[tuple[Decimal, str]] = set()
    kept = []
    for entry in lines:
        key = (entry.amount.value, entry.label.lower())
        if key not in seen:
            kept.append(entry)
            seen.add(key)
    return kept


def _nonzero(entries: Sequence[Entry]) -> tuple[Chosen, ...]:
    return tuple(Chosen(e.amount.value, e, e.amount.readings[0].cost) for e in entries if e.amount.value != 0)

"""Small steps that choosing any kind of amount shares."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.document import Chosen, Entry
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.reconcile.proofs.proof import Proof

#: What may be printed behind another amount on its row, under words of its own.
_NAMED_APART: frozenset[Role] = frozenset(("total", "balance", "card", "cash", "change"))


def chosen(entry: Entry, value: Decimal, cost: float) -> Chosen:
    """A decided value with what was printed, when that differs by more than its sign."""
    printed = entry.amount.value
    return Chosen(value, entry, cost, printed if abs(printed) != abs(value) else None)


def used_parts(proofs: Sequence[Proof], roles: Sequence[Role]) -> list[Chosen]:
    """Amounts that the strongest closing equation with any of these roles used."""
    for proof in sorted(proofs, key=lambda p: -p.bonus):
        found = [chosen(p.entry, p.value, p.cost) for p in proof.parts if p.role in roles]
        if found:
            return found
    return []


def labelled(entries: Sequence[Entry], role: Role, *, least: float = LIKELY) -> list[Entry]:
    """Entries outside the products that are readable and whose words say the role."""
    return [
        e
        for e in entries
        if e.role == role
        and e.weight(role) >= least
        and e.last
        and e.zone != "items"
        and e.amount.is_plausible
    ]


def has_words(entry: Entry) -> bool:
    """Whether anything is printed beside the amount."""
    return any(c.isalpha() for c in entry.label)


def stands_for_itself(entry: Entry, entries: Sequence[Entry]) -> bool:
    """Whether an amount ends its row, or all that follows it there has another name: "TAX .86 BAL 31.57"."""
    if entry.last:
        return True
    after = [e for e in entries if e.line == entry.line and e.amount.start > entry.amount.start]
    return has_words(entry) and all(
        (has_words(e) and e.role in _NAMED_APART) or _is_another_tax(entry, e) for e in after
    )


def _is_another_tax(entry: Entry, other: Entry) -> bool:
    """Whether two amounts of one row are taxes with different names, or at different rates: "IVA 16% 5.12
    IEPS 3.17", "VAT 13%: 0.67 23%: 0.04"."""
    rates = {entry.percent, other.percent} - {None}
    named_apart = has_words(other) and _letters(entry.label) != _letters(other.label)
    return entry.role == other.role == "tax" and (named_apart or len(rates) > 1)


def _letters(label: str) -> str:
    return "".join(c for c in label.lower() if c.isalpha())

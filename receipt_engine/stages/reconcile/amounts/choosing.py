"""Helpers shared by the modules that choose amounts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from receipt_engine.document import ZERO, Chosen, Entry
from receipt_engine.region import TENDERS, Role
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.reconcile.proofs.proof import Proof
from receipt_engine.vocabulary.normalise import letters

#: Roles of amounts that may follow another amount on its row, with their own words.
_NAMED_APART: frozenset[Role] = TENDERS | {"total", "balance"}


def chosen(entry: Entry, value: Decimal, cost: float) -> Chosen:
    """A decided value, with the printed amount where that differs by more than its sign."""
    printed = entry.amount.value
    return Chosen(value, entry, cost, printed if abs(printed) != abs(value) else None)


def as_printed(entry: Entry) -> Chosen:
    """An amount with its likeliest reading."""
    return chosen(entry, entry.amount.value, entry.amount.cost)


def add_up(amounts: Iterable[Chosen]) -> Decimal:
    """The sum of decided values."""
    return sum((amount.value for amount in amounts), ZERO)


def used_parts(proofs: Sequence[Proof], *roles: Role) -> list[Chosen]:
    """Amounts of these roles, from the strongest closing equation that uses any."""
    for proof in sorted(proofs, key=lambda p: -p.bonus):
        found = [chosen(p.entry, p.value, p.cost) for p in proof.parts if p.role in roles]
        if found:
            return found
    return []


def labelled(entries: Sequence[Entry], role: Role, *, least: float = LIKELY) -> list[Entry]:
    """Legible entries outside the items whose words name the role, with a weight of at least `least`."""
    return [
        e
        for e in entries
        if e.is_called(role, least) and e.last and e.zone != "items" and e.amount.is_plausible
    ]


def has_words(entry: Entry) -> bool:
    """Whether words are printed beside the amount."""
    return any(c.isalpha() for c in entry.label)


def is_own_amount(entry: Entry, entries: Sequence[Entry]) -> bool:
    """Whether an amount ends its row, or every amount after it has another name: "TAX .86 BAL 31.57"."""
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
    named_apart = has_words(other) and letters(entry.label) != letters(other.label)
    return entry.role == other.role == "tax" and (named_apart or len(rates) > 1)

"""Defines a proof: an equation around a total, with its bonus."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.document import Entry, EquationKind, Record, Term, TermKind
from receipt_engine.region import Role
from receipt_engine.stages.reconcile.candidates import AmountCandidate
from receipt_engine.stages.reconcile.readings import ItemSum, Part

#: Bonuses: for an equation of printed amounts; for one over terms that can be combined in many ways (items,
#: parts); and for the same amount printed twice.
CLOSES, NEARLY, TWICE = 5.0, 4.5, 1.5
#: Bonus for an equation that follows in part from another one.
BESIDE = 3.0
#: Largest tax, and addition without a role, in a proof, as a share of its base; few taxes or tips are larger.
MOST_ADDED = Decimal("0.35")

#: (entry, amount, role) of a tender.
Tender = tuple[Entry, Decimal, Role]


class Proof(Record, frozen=True):
    """An equation that closes around a total, or a contradicting one that does not.

    bonus: how much it lowers the total's cost; negative for a contradiction. entries: the tenders that it
    used. proves: it rests on enough printed amounts to be a proof, and on no repair.
    """

    kind: EquationKind
    terms: tuple[Term, ...]
    bonus: float
    parts: tuple[Part, ...] = ()
    subtotal: AmountCandidate | None = None
    items: ItemSum | None = None
    entries: tuple[Tender, ...] = ()
    proves: bool = False


def total_term(total: AmountCandidate) -> Term:
    """The total, negated, as the last term of an equation: the terms add up to zero."""
    return Term(TermKind.TOTAL, -total.value)

"""An equation that closes around a total."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.document import Entry, EquationKind, Record, Term, TermKind
from receipt_engine.region import Role
from receipt_engine.stages.reconcile.candidates import AmountCandidate
from receipt_engine.stages.reconcile.readings import ItemSum, Part

#: What an equation of printed amounts earns; of what is found in many ways (products, parts); and what the
#: same amount twice does.
CLOSES, NEARLY, TWICE = 5.0, 4.5, 1.5
#: An equation that follows in part from another one.
BESIDE = 3.0

#: A tender, its amount, and what it was.
Tender = tuple[Entry, Decimal, Role]


class Proof(Record, frozen=True):
    """An equation that closes around a total. bonus: what it earns.

    proves: it rests on enough printed amounts to be a proof, and on no repair. entries: tenders that it
    used, with their values and what they were.
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
    """The total as the last term of an equation, which the others add up to."""
    return Term(TermKind.TOTAL, -total.value)

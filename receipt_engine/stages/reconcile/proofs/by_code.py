"""Compares a total with the fiscal codes of the page.

The code protects its own digits, so its total is exact. But it may belong to another document, or precede the
rounding of cash.
"""

from __future__ import annotations

from receipt_engine.document import ZERO, EquationKind, Term, TermKind
from receipt_engine.stages.reconcile.candidates import AmountCandidate, unprinted
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.proofs.proof import CLOSES, Proof, total_term

#: Bonus where the code states another total: outweighed by two equations of printed amounts, unless the page
#: prints the code's total, too, so that it is this document's.
_DISAGREES, _DISAGREES_IN_PRINT = -2.0, -8.0


def from_code(total: AmountCandidate, inputs: Inputs) -> Proof | None:
    """A code states the total. A total that only the code states earns no bonus for it."""
    if total.value not in inputs.coded or not total.value:
        return None
    terms = (Term(TermKind.CODED, total.value), total_term(total))
    printed = _is_printed(total, inputs)
    return Proof(EquationKind.CODE, terms, CLOSES if printed else 0.0, proves=printed)


def contradicting_code(total: AmountCandidate, inputs: Inputs) -> Proof | None:
    """The only total that the page's codes state differs from this one by more than a rounding step."""
    amounts = frozenset(inputs.coded)
    if len(amounts) != 1 or not _is_printed(total, inputs):
        return None
    (coded,) = amounts
    if abs(coded - total.value) <= max((ZERO, *inputs.rounding_steps)):
        return None
    own = any(entry.amount.value == coded and entry.amount.decimals for entry in inputs.entries)
    bonus = _DISAGREES_IN_PRINT if own else _DISAGREES
    return Proof(EquationKind.CODE, (Term(TermKind.CODED, coded), total_term(total)), bonus)


def coded_totals(inputs: Inputs) -> list[AmountCandidate]:
    """Candidates for the totals that codes state, as if no row printed them legibly."""
    return [unprinted(value, inputs) for value in dict.fromkeys(inputs.coded) if value > 0]


def _is_printed(total: AmountCandidate, inputs: Inputs) -> bool:
    return any(total.entry is entry for entry in inputs.entries) or total.entry.zone == "items"

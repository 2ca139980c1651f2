"""What a fiscal code of the page says of a total. Its digits are checked by the code itself: it is exact, but
may be of another paper, or from before the rounding of cash."""

from __future__ import annotations

from receipt_engine.document import ZERO, EquationKind, Term, TermKind
from receipt_engine.stages.reconcile.candidates import AmountCandidate, unprinted
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.proofs.proof import CLOSES, Proof, total_term

#: What a code of another total costs: less than two equations of the print.
_DISAGREES = -2.0


def from_code(total: AmountCandidate, inputs: Inputs) -> Proof | None:
    """A code says the same as the print; what only the code says earns nothing by it."""
    if total.value not in inputs.coded or not total.value:
        return None
    terms = (Term(TermKind.CODED, total.value), total_term(total))
    printed = _is_printed(total, inputs)
    return Proof(EquationKind.CODE, terms, CLOSES if printed else 0.0, proves=printed)


def against_code(total: AmountCandidate, inputs: Inputs) -> Proof | None:
    """The only code of the page says something else, by more than a rounding."""
    told = frozenset(inputs.coded)
    if len(told) != 1 or not _is_printed(total, inputs):
        return None
    (coded,) = told
    if abs(coded - total.value) <= max((ZERO, *inputs.rounding_steps)):
        return None
    return Proof(EquationKind.CODE, (Term(TermKind.CODED, coded), total_term(total)), _DISAGREES)


def told_totals(inputs: Inputs) -> list[AmountCandidate]:
    """Totals that a code tells and no row prints legibly."""
    return [
        unprinted(value, inputs.entries, inputs.items) for value in dict.fromkeys(inputs.coded) if value > 0
    ]


def _is_printed(total: AmountCandidate, inputs: Inputs) -> bool:
    return any(total.entry is entry for entry in inputs.entries) or total.entry.zone == "items"

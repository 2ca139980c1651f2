"""What a fiscal code of the page says of a total. Its digits are checked by the code itself: it is exact, but
may be of another paper, or from before the rounding of cash."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.document import (
    ZERO,
    AmountReading,
    AmountRule,
    Entry,
    EquationKind,
    Money,
    Term,
    TermKind,
)
from receipt_engine.stages.reconcile.candidates import AmountCandidate
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.proofs.proof import CLOSES, Proof, total_term

#: What a code of another total costs: less than two equations of the print.
_DISAGREES = -2.0
#: Cost of a total that only a code tells: the print must bear it out.
_NOT_PRINTED = 3.0


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
    """Totals that a code tells and no row prints legibly, as if they were printed below everything."""
    last = max((e.line for e in inputs.entries), default=-1)
    last = max(last, max((i.line for i in inputs.items), default=-1))
    return [_told(value, last + 1) for value in dict.fromkeys(inputs.coded) if value > 0]


def _told(value: Decimal, line: int) -> AmountCandidate:
    money = Money(value, 0.0, AmountRule.AS_PRINTED)
    places = max(0, -int(value.as_tuple().exponent))
    reading = AmountReading(str(value), 0, 0, (money,), decimals=places)
    entry = Entry(line, reading, "summary", (("total", 1.0),), "")
    return AmountCandidate(value, entry, _NOT_PRINTED, 0.0)


def _is_printed(total: AmountCandidate, inputs: Inputs) -> bool:
    return any(total.entry is entry for entry in inputs.entries) or total.entry.zone == "items"

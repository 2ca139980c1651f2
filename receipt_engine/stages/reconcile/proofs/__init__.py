"""Finds the equations that close around a total.

In: a candidate for the total and the inputs of the search. Out: proofs, each with a bonus. Finds the cheapest
way to close each kind of equation; `contradictions` are equations that should close and do not. Also compares
the total with the fiscal codes of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import ZERO, EquationKind, Term, TermKind
from receipt_engine.stages.reconcile.candidates import AmountCandidate, unprinted
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.proofs.by_sum import (
    from_items,
    from_parts,
    from_rounding,
    from_subtotal,
    items_are_subtotal,
    repeated,
)
from receipt_engine.stages.reconcile.proofs.by_tax import (
    from_included_tax,
    from_table,
    ignored_additions,
    unclosed_base,
)
from receipt_engine.stages.reconcile.proofs.by_tender import contradictions, from_card, from_cash
from receipt_engine.stages.reconcile.proofs.proof import CLOSES, Proof, total_term

__all__ = [
    "coded_totals",
    "contradicting_code",
    "contradictions",
    "find_proofs",
    "ignored_additions",
    "unclosed_base",
]
#: Bonus where the code states another total: outweighed by two equations of printed amounts, unless the page
#: prints the code's total, too, so that it is this document's.
_DISAGREES, _DISAGREES_IN_PRINT = -2.0, -8.0


def find_proofs(
    total: AmountCandidate, subtotals: Sequence[AmountCandidate], inputs: Inputs
) -> tuple[Proof, ...]:
    """Every proof of a total, at most one of each kind."""
    by_subtotal = from_subtotal(total, subtotals, inputs)
    found = [
        by_subtotal,
        from_items(total, inputs),
        from_cash(total, inputs),
        from_card(total, inputs),
        from_table(total, inputs),
        from_included_tax(total, inputs),
        from_parts(total, inputs),
        from_rounding(total, inputs),
        repeated(total, inputs),
        from_code(total, inputs),
        items_are_subtotal(by_subtotal, total, inputs) if by_subtotal else None,
    ]
    proofs = [p for p in found if p is not None]
    own_row = any(row.line == total.entry.line for row in inputs.tax_rows)
    return tuple(_once(proofs) if own_row else proofs)


def _once(proofs: Sequence[Proof]) -> list[Proof]:
    """The proofs of a total in a row of a tax table, where only one proof over the same amounts keeps its
    bonus.

    The row's net amount and tax give a subtotal with tax, a tax table, and a tax in a total, but all three
    only show that the row was read correctly.
    """
    best: dict[tuple[Decimal, ...], Proof] = {}
    for proof in proofs:
        known = best.get(_amounts(proof))
        if known is None or proof.bonus > known.bonus:
            best[_amounts(proof)] = proof
    return [p if best[_amounts(p)] is p else replace(p, bonus=0.0) for p in proofs]


def _amounts(proof: Proof) -> tuple[Decimal, ...]:
    return tuple(sorted(term.value for term in proof.terms))


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

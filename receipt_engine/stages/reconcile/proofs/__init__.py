"""Which equations close around a total.

In: a candidate for the total and the inputs of the search. Out: proofs, each with what it earns. Decides for
every kind of equation the cheapest way to close it; `contradictions` are those that should close and do not.
"""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.stages.reconcile.candidates import AmountCandidate
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.proofs.by_code import against_code, from_code, told_totals
from receipt_engine.stages.reconcile.proofs.by_sum import (
    from_items,
    from_parts,
    from_rounding,
    from_subtotal,
    items_are_subtotal,
    repeated,
)
from receipt_engine.stages.reconcile.proofs.by_tax import from_included_tax, from_table
from receipt_engine.stages.reconcile.proofs.by_tender import contradictions, from_card, from_cash
from receipt_engine.stages.reconcile.proofs.proof import Proof

__all__ = ["against_code", "contradictions", "find_proofs", "told_totals"]


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
    return tuple(p for p in found if p is not None)

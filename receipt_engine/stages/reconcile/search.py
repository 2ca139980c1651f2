"""The search for the total: every candidate is asked which equations it closes.

A candidate costs what its words and its reading cost; each equation that closes around it earns that
cost back. Bonuses are about how much likelier a right total closes the equation than a wrong one by
chance, as a logarithm.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from receipt_engine.document import Record
from receipt_engine.stages.reconcile.candidates import (
    Candidate,
    subtotal_candidates,
    tells_rounded,
    total_candidates,
)
from receipt_engine.stages.reconcile.facts import Facts, Proof
from receipt_engine.stages.reconcile.slips import repaired_totals
from receipt_engine.stages.reconcile.sum_proofs import (
    from_items,
    from_parts,
    from_rounding,
    from_subtotal,
    items_are_subtotal,
    repeated,
    way_to,
)
from receipt_engine.stages.reconcile.tax_proofs import from_included_tax, from_table
from receipt_engine.stages.reconcile.tender_proofs import contradictions, from_card, from_cash

#: Share of a base's support that the total built on it inherits.
_INHERITED = 0.9
_CALLED_TOTAL = 0.4
#: A way between two totals that costs more than this is not plainly what the till did.
_PLAIN_WAY = 4.5
_BUILT_ON = frozenset(("subtotal", "part", "unrounded"))


class Hypothesis(Record, frozen=True):
    """A total with everything that closes around it. cost: the smaller the better.

    against: equations over surely named tenders that do not close.
    """

    total: Candidate
    cost: float
    proofs: tuple[Proof, ...] = ()
    against: tuple[Proof, ...] = ()


def rank_totals(facts: Facts) -> list[Hypothesis]:
    """Every candidate, cheapest first; equal values are one hypothesis that keeps the best entry."""
    subtotals = subtotal_candidates(facts.entries, facts.table_rows)
    candidates = total_candidates(
        facts.entries, facts.items, facts.table_rows, facts.most_rounded, whole=facts.whole
    )
    best: dict[object, Hypothesis] = {}
    for candidate in (*candidates, *repaired_totals(candidates, facts)):
        known = best.get(candidate.value)
        if known is not None and known.total.cost <= candidate.cost:
            continue
        proofs = _proofs(candidate, subtotals, facts)
        if not proofs and not any(candidate.entry is e for e in facts.entries):
            continue  # a product, not a total
        against = () if _by_tender(proofs) else tuple(contradictions(candidate, facts))
        cost = candidate.cost - sum(p.bonus for p in (*proofs, *against))
        best[candidate.value] = Hypothesis(candidate, cost, proofs, against)
    inherited = [_with_inheritance(h, tuple(best.values()), facts) for h in best.values()]
    return sorted(inherited, key=lambda h: (h.cost, h.total.entry.line))


def _by_tender(proofs: Sequence[Proof]) -> bool:
    return any(p.entries for p in proofs)


def _with_inheritance(hypothesis: Hypothesis, others: Sequence[Hypothesis], facts: Facts) -> Hypothesis:
    """What proves an amount also supports the total that is built on it, further down."""
    total = hypothesis.total
    if total.entry.weight("total") < _CALLED_TOTAL and not tells_rounded(total.entry, facts.most_rounded):
        return hypothesis
    terms = {abs(v) for p in hypothesis.proofs for name, v in p.terms if name in _BUILT_ON}
    bases = [p.subtotal for p in hypothesis.proofs if p.subtotal is not None]
    printed_above = {b.value for b in bases if b.entry.line < total.entry.line}
    support = 0.0
    for other in others:
        proved = sum(p.bonus for p in other.proofs)
        if proved <= support or other.total.value == total.value:
            continue
        above = other.total.entry.line < total.entry.line
        if other.total.value in printed_above or (
            above and (abs(other.total.value) in terms or _leads(other, total, facts))
        ):
            support = proved
    return replace(hypothesis, cost=hypothesis.cost - _INHERITED * support)


def _leads(base: Hypothesis, total: Candidate, facts: Facts) -> bool:
    """Whether what is printed between an earlier amount and a total makes the one of the other."""
    found = way_to(facts.adjustments.below(base.total.entry.line), total, base.total.value, facts)
    if found is None or not found[0].parts or found[0].cost > _PLAIN_WAY:
        return False
    lines = (base.total.entry.line, total.entry.line)
    return all(p.role is not None and lines[0] < p.entry.line < lines[1] for p in found[0].parts)


def _proofs(total: Candidate, subtotals: Sequence[Candidate], facts: Facts) -> tuple[Proof, ...]:
    by_subtotal = from_subtotal(total, subtotals, facts)
    found = [
        by_subtotal,
        from_items(total, facts),
        from_cash(total, facts),
        from_card(total, facts),
        from_table(total, facts),
        from_included_tax(total, facts),
        from_parts(total, facts),
        from_rounding(total, facts),
        repeated(total, facts),
        items_are_subtotal(by_subtotal, total, facts) if by_subtotal else None,
    ]
    return tuple(p for p in found if p is not None)

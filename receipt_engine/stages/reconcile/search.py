"""Searches for the total: ranks the candidates by their cost and by the equations that close around them.

The words and the reading of a candidate set its cost; each equation that closes around it lowers the cost by
a bonus. A bonus is roughly the log of how much more likely a correct total is to close the equation than a
wrong one by chance.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from receipt_engine.document import Record, TermKind
from receipt_engine.region import TAXES, Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.stages.reconcile.candidates import AmountCandidate, subtotal_candidates, total_candidates
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.misreadings import lost_totals, repaired_totals
from receipt_engine.stages.reconcile.proofs import (
    coded_totals,
    contradicting_code,
    contradictions,
    find_proofs,
    ignored_additions,
    unclosed_base,
)
from receipt_engine.stages.reconcile.proofs.by_sum import adjustment_between
from receipt_engine.stages.reconcile.proofs.proof import Proof
from receipt_engine.stages.reconcile.readings import Part

#: Share of the bonuses of a base (a subtotal, say) that the total built on it inherits.
_INHERITED = 0.9
#: Above this cost an adjustment between two totals is not an obvious one.
_PLAIN = 4.5
_BUILT_ON = frozenset((TermKind.SUBTOTAL, TermKind.PART, TermKind.UNROUNDED))
#: What a card pays beside the total above, and what lies between that and a subtotal.
_CHARGES: frozenset[Role | None] = frozenset(("deposit", "tip", "service"))
_CONTAINED: frozenset[Role | None] = frozenset(("discount", *TAXES))


class Hypothesis(Record, frozen=True):
    """A total with the equations that close around it. cost: lower is better.

    against: equations that should close and do not: over confidently named tenders, additions or discounts,
    or with a fiscal code.
    """

    total: AmountCandidate
    cost: float
    proofs: tuple[Proof, ...] = ()
    against: tuple[Proof, ...] = ()


def rank_totals(inputs: Inputs) -> list[Hypothesis]:
    """A hypothesis for every candidate, cheapest first; equal values share one, with the best entry."""
    subtotals = subtotal_candidates(inputs.entries, inputs.table_rows)
    candidates = total_candidates(inputs)
    best: dict[object, Hypothesis] = {}
    unseen = (*coded_totals(inputs), *lost_totals(inputs))
    for candidate in (*candidates, *repaired_totals(candidates, inputs), *unseen):
        known = best.get(candidate.value)
        if known is not None and known.total.cost <= candidate.cost:
            continue
        proofs = find_proofs(candidate, subtotals, inputs)
        if not any(p.bonus for p in proofs) and not any(candidate.entry is e for e in inputs.entries):
            continue  # a product, or a total that no row prints
        against = () if _by_tender(proofs) else tuple(contradictions(candidate, inputs))
        other = contradicting_code(candidate, inputs)
        left = ignored_additions(candidate, proofs, against, inputs)
        left = left or (None if against else unclosed_base(candidate, proofs, inputs))
        against = (*against, *(proof for proof in (left, other) if proof))
        cost = candidate.cost - sum(p.bonus for p in (*proofs, *against))
        best[candidate.value] = Hypothesis(candidate, cost, proofs, against)
    inherited = [_with_inheritance(h, tuple(best.values()), inputs) for h in best.values()]
    return sorted(inherited, key=lambda h: (h.cost, h.total.entry.line))


def _by_tender(proofs: Sequence[Proof]) -> bool:
    return any(p.entries for p in proofs)


def _with_inheritance(hypothesis: Hypothesis, others: Sequence[Hypothesis], inputs: Inputs) -> Hypothesis:
    """The hypothesis, at a lower cost when the proofs of an amount above it also support it as a total built
    on that amount."""
    total = hypothesis.total
    called = total.entry.weight("total") >= POSSIBLE or inputs.is_rounded_total(total.entry)
    if not called and not _is_paid_with_more(hypothesis):
        return hypothesis
    terms = {abs(t.value) for p in hypothesis.proofs for t in p.terms if t.kind in _BUILT_ON}
    bases = [p.subtotal for p in hypothesis.proofs if p.subtotal is not None]
    printed_above = {b.value for b in bases if b.entry.line < total.entry.line}
    support = 0.0
    for other in others:
        proved = sum(p.bonus for p in other.proofs)
        if proved <= support or other.total.value == total.value:
            continue
        above = other.total.entry.line < total.entry.line
        if other.total.value in printed_above or (
            above
            and (
                abs(other.total.value) in terms
                or leads_to(other.total, total, inputs)
                or _is_paid_instead(hypothesis, other)
            )
        ):
            support = proved
    return replace(hypothesis, cost=hypothesis.cost - _INHERITED * support)


def _is_paid_with_more(hypothesis: Hypothesis) -> bool:
    """Whether the card payment equals a total above plus deposits, tips or service charges: "TOTAL 26.97",
    "BOTTLES 1.50", "CARD 28.47"; or a subtotal plus these, less the discounts that the total contains too."""
    entry = hypothesis.total.entry
    return entry.weight("card") >= LIKELY and any(
        p.subtotal is not None and _adds_charges(p.parts) for p in hypothesis.proofs
    )


def _adds_charges(parts: Sequence[Part]) -> bool:
    """Whether the parts of a sum are charges, perhaps with what the total above contains as well. A deposit
    paid before is taken off."""
    added = {part.role for part in parts if part.role in _CHARGES and part.value > 0}
    return bool(added) and {part.role for part in parts} <= added | _CONTAINED


def _is_paid_instead(hypothesis: Hypothesis, other: Hypothesis) -> bool:
    """Whether the tenders pay this total and not another one further up; the amounts between them may be lost
    ("TOTAL 500.00", "AMOUNT DUE 357.14", "CASH 400.00", "CHANGE 42.86")."""
    return (
        hypothesis.total.entry.weight("total") >= LIKELY
        and _by_tender(hypothesis.proofs)
        and not _by_tender(other.proofs)
        and other.total.entry.zone != "items"
    )


def leads_to(base: AmountCandidate, total: AmountCandidate, inputs: Inputs) -> bool:
    """Whether the named amounts printed between an earlier amount and a total make up their difference."""
    found = adjustment_between(inputs.adjustments.below(base.entry.line), total, base.value, inputs)
    if found is None or not found.parts or found.cost > _PLAIN:
        return False
    lines = (base.entry.line, total.entry.line)
    return all(p.role is not None and lines[0] < p.entry.line < lines[1] for p in found.parts)

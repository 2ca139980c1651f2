"""Finds equations over items, subtotals and the amounts added to them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations

from receipt_engine.document import ZERO, Entry, EquationKind, Term, TermKind, sum_items
from receipt_engine.region import TAXES
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE, SURE
from receipt_engine.stages.reconcile.adjustments import AdjustmentSums
from receipt_engine.stages.reconcile.candidates import AmountCandidate
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.proofs.proof import (
    BESIDE,
    CLOSES,
    MOST_ADDED,
    NEARLY,
    TWICE,
    Proof,
    total_term,
)
from receipt_engine.stages.reconcile.readings import Adjustment, ItemSum, Part

_ONE_ITEM = 2.0
_UNIT = Decimal("0.01")
_SUBTOTAL_REWARD = 0.2
_MAX_PARTS = 10
_ROUNDED = 2.0
#: Cost of a sum that closes only after the country's rounding, without a line that says so.
_SILENTLY_ROUNDED = 1.8
_REPEATED = 1.0
_REPEATED_UNNAMED = 0.7


def from_subtotal(
    total: AmountCandidate, subtotals: Sequence[AmountCandidate], inputs: Inputs
) -> Proof | None:
    """subtotal + taxes + tip + service − discounts ± rounding = total."""
    best: tuple[float, AmountCandidate, Adjustment] | None = None
    for subtotal in subtotals:
        if subtotal.entry is total.entry or (subtotal.value == 0 and total.value != 0):
            continue
        if subtotal.entry.role is None and subtotal.entry.line > total.entry.line:
            continue  # an amount without a name below a sum is the next sum
        sums = inputs.adjustments.below(subtotal.entry.line)
        adjustment = adjustment_between(sums, total, subtotal.value, inputs)
        if adjustment is None or any(p.entry is subtotal.entry for p in adjustment.parts):
            continue
        cost = min(subtotal.cost, 3.0) * 0.7 + adjustment.cost
        if not adjustment.parts:
            # A repeated amount proves little.
            cost += CLOSES - TWICE
        if subtotal.value in inputs.item_sums:
            cost -= 0.5
        if best is None or cost < best[0]:
            best = (cost, subtotal, adjustment)
    if best is None or best[0] >= CLOSES:
        return None
    cost, subtotal, adjustment = best
    terms = (Term(TermKind.SUBTOTAL, subtotal.value), *_terms(adjustment), total_term(total))
    return Proof(
        EquationKind.SUBTOTAL,
        terms,
        CLOSES - cost,
        adjustment.parts,
        subtotal,
        proves=_is_sure(adjustment, subtotal.value, inputs)
        and _as_printed(subtotal.entry, subtotal.value)
        and bool(adjustment.parts)
        and total.value != 0,
    )


def from_items(total: AmountCandidate, inputs: Inputs) -> Proof | None:
    """Σ items + taxes + … = total, with the items as read or repaired."""
    if not inputs.items:
        return None
    if total.entry.zone == "items":
        return _from_items_above(total, inputs)
    reward = NEARLY if len(inputs.items) > 1 else _ONE_ITEM
    # Items add up to a subtotal anyway: that is no evidence that it is the total.
    above = _outranks if total.entry.role == "subtotal" else _is_more
    if any(above(entry, total) for entry in inputs.entries):
        reward *= _SUBTOTAL_REWARD
    best: tuple[float, ItemSum, Adjustment] | None = None
    sums = inputs.adjustments.below(inputs.items[-1].line)
    # The items as read, and each repaired sum that an adjustment turns into the total.
    plain = next(iter(inputs.item_sums))
    for base in [plain, *(v for v in sums.bases(total.value, inputs.item_keys, NEARLY) if v != plain)]:
        adjustment = adjustment_between(sums, total, base, inputs)
        if adjustment is None:
            continue
        items = inputs.item_sums[base]
        cost = items.cost + adjustment.cost
        if best is None or cost < best[0]:
            best = (cost, items, adjustment)
    if best is None or best[0] >= reward:
        return None
    cost, items, adjustment = best
    terms = (Term(TermKind.ITEMS, items.value), *_terms(adjustment), total_term(total))
    printed = len(inputs.items) - len(items.changes) + len(adjustment.parts)
    return Proof(
        EquationKind.ITEMS,
        terms,
        reward - cost,
        adjustment.parts,
        items=items,
        proves=_is_sure(adjustment, items.value, inputs)
        and not items.changes
        and printed > 1
        and total.value != 0,
    )


def items_are_subtotal(proof: Proof, total: AmountCandidate, inputs: Inputs) -> Proof | None:
    """Σ items = the subtotal of an equation that closes."""
    if proof.subtotal is None or not inputs.items or proof.subtotal.value == total.value:
        return None
    items = inputs.item_sums.get(proof.subtotal.value)
    if items is None:
        return None
    several = len(inputs.items) > 1
    bonus = max(0.0, (BESIDE if several else _ONE_ITEM / 2) - items.cost)
    terms = (Term(TermKind.ITEMS, items.value), Term(TermKind.SUBTOTAL, -proof.subtotal.value))
    return Proof(
        EquationKind.ITEMS_ARE_SUBTOTAL, terms, bonus, items=items, proves=several and not items.changes
    )


def from_parts(total: AmountCandidate, inputs: Inputs) -> Proof | None:
    """Two or three partial totals above, each for a group of products or a tax rate, add up to the total."""
    parts: dict[Decimal, Entry] = {}
    for entry in inputs.wholes:
        if entry.line < total.entry.line:
            parts.setdefault(entry.amount.value, entry)
    values = list(parts)[:_MAX_PARTS]
    known = frozenset(values)
    few = ((v,) for v in values)
    for chosen in (*few, *combinations(values, 2)):
        rest = total.value - sum(chosen, ZERO)
        if rest in known and rest not in chosen:
            terms = (*(Term(TermKind.PART, v) for v in (*chosen, rest)), total_term(total))
            return Proof(EquationKind.PARTS, terms, NEARLY, proves=total.value != 0)
    return None


def from_rounding(total: AmountCandidate, inputs: Inputs) -> Proof | None:
    """Another total further up, which the country's cash rounding turns into this one."""
    for entry in inputs.entries:
        value = entry.amount.value
        if entry.weight("total") < LIKELY or entry.line >= total.entry.line or value == total.value:
            continue
        if any(money.value == value for money in total.entry.amount.readings):
            continue  # the same amount with a lost point: "53 25" below "53.25"
        for step in inputs.rounding_steps:
            if total.value % step == 0 and abs(value - total.value) < step:
                terms = (
                    Term(TermKind.UNROUNDED, value),
                    Term(TermKind.ROUNDING, total.value - value),
                    total_term(total),
                )
                return Proof(EquationKind.ROUNDED, terms, _ROUNDED)
    return None


def repeated(total: AmountCandidate, inputs: Inputs) -> Proof | None:
    """The same amount is repeated on other rows named total, of which at most two count. For an amount
    without a role, rows without a likely role count."""
    named = bool(total.entry.roles)
    again = {
        e.line
        for e in inputs.entries
        if e.line != total.entry.line
        and e.amount.value == total.value
        and (e.weight("total") >= POSSIBLE if named else all(w < LIKELY for _, w in e.roles))
    }
    if not again or total.value == 0:
        return None
    if named:
        bonus = _REPEATED * min(2, len(again))
    elif len(again) > 1:
        bonus = _REPEATED * 2
    elif total.entry.amount.decimals:
        bonus = _REPEATED_UNNAMED
    else:
        return None
    return Proof(EquationKind.REPEATED, (Term(TermKind.TOTAL_AGAIN, total.value), total_term(total)), bonus)


def _from_items_above(total: AmountCandidate, inputs: Inputs) -> Proof | None:
    """Σ of the items above an amount that stands in their column without a name = that amount."""
    above = [i for i in inputs.items if i.line < total.entry.line]
    if len(above) < 2 or sum_items(above) != total.value:
        return None
    terms = (Term(TermKind.ITEMS, total.value), total_term(total))
    return Proof(EquationKind.ITEMS, terms, NEARLY, proves=total.value != 0)


def adjustment_between(
    sums: AdjustmentSums, total: AmountCandidate, base: Decimal, inputs: Inputs
) -> Adjustment | None:
    """The cheapest adjustment from the base to the total: exact, else after the country's rounding."""
    missing = total.value - base
    adjustment = sums.adjustment(missing)
    if adjustment is not None:
        parts = adjustment.parts
        wrong = any(p.entry is total.entry or _outgrows(p, base) or _is_given_back(p, total) for p in parts)
        return None if wrong or _is_swapped(adjustment, base, inputs) else adjustment
    best: Adjustment | None = None
    for step in inputs.rounding_steps:
        if total.value % step:
            continue
        for delta, cost in sums.differences:
            if best and cost + _SILENTLY_ROUNDED >= best.cost:
                break
            if abs(missing - delta) * 2 > step:
                continue
            near = sums.adjustment(delta)
            if any(money.value == base + delta for money in total.entry.amount.readings):
                continue  # the total as printed needs no rounding
            if near is None or any(p.role == "rounding" or p.entry is total.entry for p in near.parts):
                continue
            best = Adjustment(delta, near.parts, near.cost + _SILENTLY_ROUNDED, missing - delta)
    return best


def _outgrows(part: Part, base: Decimal) -> bool:
    """Whether an amount without a role exceeds its base, which no real addition does."""
    return part.role is None and abs(part.value) > abs(base)


def _is_given_back(part: Part, total: AmountCandidate) -> bool:
    """Whether an amount without a role stands below an amount named cash: it is the change, whose word is not
    known, and the cash no sum of what was sold and the change."""
    return part.role is None and part.entry.line > total.entry.line and total.entry.role == "cash"


def _is_swapped(adjustment: Adjustment, base: Decimal, inputs: Inputs) -> bool:
    """Whether the base is the tax on what counts as tax, at one of the country's rates: "Net 2.00, VAT 10.00"
    under the wrong headings."""
    taxes = [abs(p.value) for p in adjustment.parts if p.role in TAXES]
    return len(taxes) == 1 and any(
        abs(taxes[0] * rate / 100 - abs(base)) < _UNIT for rate in inputs.rates if abs(base) < taxes[0]
    )


def _is_sure(adjustment: Adjustment, base: Decimal, inputs: Inputs) -> bool:
    """Whether a sum is a proof: nothing was rounded silently, by more than the country rounds, or read in
    another way than it looks, no tax is larger than taxes are, and at most one part has no role, which is no
    large addition. Addition alone cannot detect that tax and base were swapped."""
    taxes = (p.value for p in adjustment.parts if p.role in TAXES)
    unnamed = [p.value for p in adjustment.parts if p.role is None]
    steps = () if inputs.whole else inputs.rounding_steps
    most_rounded = max(steps, default=inputs.most_rounded)
    return (
        adjustment.rounded == 0
        and all(_as_printed(p.entry, p.value) for p in adjustment.parts)
        and all(abs(p.value) <= most_rounded for p in adjustment.parts if p.role == "rounding")
        and len(unnamed) <= 1
        and all(value <= MOST_ADDED * abs(base) for value in unnamed)
        and all(abs(tax) <= MOST_ADDED * abs(base) for tax in taxes)
    )


def _as_printed(entry: Entry, value: Decimal) -> bool:
    """Whether a value, apart from its sign, is the likeliest reading of its amount."""
    return abs(value) == abs(entry.amount.value)


def _terms(adjustment: Adjustment) -> tuple[Term, ...]:
    named = (Term(TermKind(p.role or TermKind.UNNAMED), p.value) for p in adjustment.parts)
    rounded = adjustment.rounded
    return (*named, *((Term(TermKind.NOT_PRINTED_ROUNDING, rounded),) if rounded else ()))


def _is_more(entry: Entry, total: AmountCandidate) -> bool:
    """Whether an entry further down is confidently named total with a larger amount: this one may be a
    subtotal whose word was misread."""
    return entry.weight("total") >= SURE and _outranks(entry, total) and entry.amount.value > total.value > 0


def _outranks(entry: Entry, total: AmountCandidate) -> bool:
    """Whether an entry further down is named total with another amount."""
    return (
        entry.weight("total") >= LIKELY
        and entry.line > total.entry.line
        and entry.amount.value != total.value
    )

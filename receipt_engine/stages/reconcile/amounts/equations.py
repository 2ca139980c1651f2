"""Lists the equations that were checked, for the ledger: closed, contradicted and unchecked ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import Chosen, Entry, Equation, EquationKind, Sheet, Term, TermKind, sum_items
from receipt_engine.scoring.certainty import SURE
from receipt_engine.stages.reconcile.candidates import AmountCandidate
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.misreadings import misreading_cost
from receipt_engine.stages.reconcile.proofs.proof import Proof, total_term
from receipt_engine.stages.reconcile.search import Hypothesis, leads_to

#: A total further down that is smaller by this factor is another sum: of taxes, or of a part of the products.
_MUCH_SMALLER = 2


def equations_of(
    sheet: Sheet, inputs: Inputs, proofs: Sequence[Proof], best: Hypothesis | None, subtotal: Chosen | None
) -> tuple[Equation, ...]:
    """Closing equations in the order they were tried, then those that do not close or were not proved."""
    if best is None:
        return ()
    found = [_closed(proof) for proof in proofs]
    found += [Equation(p.kind, p.terms, "contradicted") for p in best.against]
    if any(p.kind is EquationKind.SUBTOTAL for p in best.against):
        # Items also add up to an amount before tax, tip and discount.
        found = [_only_consistent(e) if e.kind.family == "bought" else e for e in found]
    if subtotal is not None and subtotal.entry is not best.total.entry and not _is_checked(subtotal, found):
        found.append(_open_subtotal(inputs, best, subtotal))
    kinds = {e.kind for e in found}
    if not kinds & {EquationKind.ITEMS, EquationKind.ITEMS_ARE_SUBTOTAL}:
        found.append(_open_items(inputs, best, subtotal))
    found = _without_unfinished(found, inputs, best.total)
    return _without_unread_total(found, sheet, best.total.entry)


def _is_checked(subtotal: Chosen, equations: Sequence[Equation]) -> bool:
    """Whether an equation leads from the subtotal to the total; for a net amount, whether any does from
    another amount, such as the total before rounding."""
    starts = [e.terms[0].value for e in equations if e.kind is EquationKind.SUBTOTAL]
    called = subtotal.entry is not None and subtotal.entry.role == "subtotal"
    return subtotal.value in starts if called else bool(starts)


def _without_unread_total(equations: Sequence[Equation], sheet: Sheet, total: Entry) -> tuple[Equation, ...]:
    """Downgrades the proofs from items and subtotals to "consistent" where a later total was not read.

    Items also add up to the total of their group. So a row further down that is named total and whose amount
    is lost ("Balance payable") leaves nothing proved, unless payment, a fiscal code or a tax table proves it
    as well.
    """
    table = any(e.kind is EquationKind.TAX_TABLE and e.verdict == "proved" for e in equations)
    if table or _is_paid(equations) or not _total_unread(sheet, total.line):
        return tuple(equations)
    return tuple(map(_only_consistent, equations))


def _without_unfinished(
    equations: Sequence[Equation], inputs: Inputs, total: AmountCandidate
) -> list[Equation]:
    """The equations; where products follow the total or another row is surely named total, proofs from items,
    subtotals and taxes are only "consistent", and what the total should equal is contradicted.

    The total of a group of products, or of those with one tax rate, closes in the same way, and the row that
    ends the receipt may have a misread digit or be lost.
    """
    if _is_paid(equations):
        return list(equations)
    against: Equation | None = None
    other = _other_total(equations, inputs, total)
    known = {item.line for item in inputs.items}
    below = [e for e in inputs.entries if e.line > total.entry.line and e.line not in known]
    products = [e.amount.value for e in below if e.counted and not e.roles]
    if other is not None:
        terms = (Term(TermKind.TOTAL_AGAIN, other), total_term(total))
        against = Equation(EquationKind.REPEATED, terms, "contradicted")
    elif inputs.items and products:
        items = Term(TermKind.ITEMS, sum_items(inputs.items) + sum(products))
        against = Equation(EquationKind.ITEMS, (items, total_term(total)), "contradicted")
    if against is None:
        return list(equations)
    return [*(_only_consistent(e) for e in equations if e.kind is not against.kind), against]


def _other_total(equations: Sequence[Equation], inputs: Inputs, total: AmountCandidate) -> Decimal | None:
    """The last amount that is surely named total and stands further down, or anywhere if `total` is what a
    deposit left to pay.

    None where an equation contains it, a misread digit or a tip or a deposit between the two makes the
    difference, or it is much smaller, as are the sums of taxes and of a part of the products.
    """
    closed = [t for e in equations if e.verdict != "contradicted" for t in e.terms]
    rest = any(t.kind is TermKind.DEPOSIT for t in closed)
    named = (
        e
        for e in reversed(inputs.entries)
        if (e.line > total.entry.line or rest) and e.last and e.zone == "summary"
        if e.role == "total" and e.certainty >= SURE and e.line not in inputs.table_rows
    )
    last = next(named, None)
    if last is None or not last.amount.value * _MUCH_SMALLER > total.value > 0:
        return None
    known = {abs(t.value) for t in closed}
    misread = misreading_cost(last.amount, total.value, signs=False) is not None
    if misread or any(abs(money.value) in known for money in last.amount.readings):
        return None
    other = AmountCandidate(last.amount.value, last, 0.0, 0.0)
    return None if leads_to(total, other, inputs) else other.value


def _is_paid(equations: Sequence[Equation]) -> bool:
    """Whether a payment or a fiscal code proves the total."""
    return any(e.verdict == "proved" and e.kind.family in ("paid", "coded") for e in equations)


def _only_consistent(equation: Equation) -> Equation:
    return replace(equation, verdict="consistent") if equation.verdict == "proved" else equation


def _total_unread(sheet: Sheet, above: int) -> bool:
    """Whether a row below `above` is named total but has no amount, nor an unnamed one on the next row."""
    named = {e.line for e in sheet.entries} | {e.line - 1 for e in sheet.entries if not e.roles}
    return any(
        line not in named and any(m.role == "total" and m.weight >= SURE for m in roles)
        for line, roles in enumerate(sheet.roles)
        if line > above
    )


def _closed(proof: Proof) -> Equation:
    return Equation(proof.kind, proof.terms, "proved" if proof.proves else "consistent")


def _open_subtotal(inputs: Inputs, best: Hypothesis, subtotal: Chosen) -> Equation:
    """The equation from the subtotal to the total with all confidently named additions, or with none where
    only that closes."""
    base = Term(TermKind.SUBTOTAL, subtotal.value)
    added = _open(EquationKind.SUBTOTAL, (base, *_added(inputs, subtotal)), best)
    alone = _open(EquationKind.SUBTOTAL, (base,), best)
    return alone if added.residual and not alone.residual else added


def _open(kind: EquationKind, terms: Sequence[Term], best: Hypothesis) -> Equation:
    """The equation of some terms and the total: consistent where it closes, else contradicted."""
    equation = Equation(kind, (*terms, total_term(best.total)), "consistent")
    return replace(equation, verdict="contradicted") if equation.residual else equation


def _added(inputs: Inputs, subtotal: Chosen) -> Iterator[Term]:
    """The confidently named additions and discounts below the subtotal."""
    roles = {e.role for e in inputs.entries}
    for entry in inputs.entries:
        if subtotal.entry is None or entry.line <= subtotal.entry.line:
            continue
        if not entry.last or entry.zone == "items":
            continue
        role, value = entry.role, entry.amount.value
        if entry.line in inputs.table_rows or entry.certainty < SURE or value == 0:
            continue
        if role in ("tax", "tip", "service", "rounding") or (role == "total_tax" and "tax" not in roles):
            yield Term(TermKind(role), value)
        elif role in ("discount", "withheld"):
            yield Term(TermKind(role), -abs(value))


def _open_items(inputs: Inputs, best: Hypothesis, subtotal: Chosen | None) -> Equation:
    """The equation over the items where no proof uses them; unchecked without items."""
    if not inputs.items:
        return Equation(EquationKind.ITEMS, (total_term(best.total),), "unchecked")
    items = Term(TermKind.ITEMS, sum_items(inputs.items))
    alone = _open(EquationKind.ITEMS, (items,), best)
    if subtotal is None or subtotal.value != items.value:
        return alone
    added = _open(EquationKind.ITEMS, (items, *_added(inputs, subtotal)), best)
    if added.residual and alone.residual:
        return added
    terms = (items, Term(TermKind.SUBTOTAL, -items.value))
    return Equation(EquationKind.ITEMS_ARE_SUBTOTAL, terms, "consistent")

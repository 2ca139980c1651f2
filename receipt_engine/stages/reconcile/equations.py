"""What was checked, for the ledger: equations that close, those that do not, and those that lack a term."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from receipt_engine.document import Chosen, Entry, Equation, Verdict
from receipt_engine.stages.reconcile.facts import Facts, Proof
from receipt_engine.stages.reconcile.search import Hypothesis

_ZERO = Decimal(0)
_SUBTOTAL = "subtotal + adjustments = total"
_ITEMS = "items + adjustments = total"


def equations_of(
    facts: Facts, proofs: Sequence[Proof], best: Hypothesis | None, subtotal: Chosen | None
) -> tuple[Equation, ...]:
    """Closing equations in the order they were tried, then the open ones."""
    if best is None:
        return ()
    found = [_closed(proof) for proof in proofs]
    found += [_equation(p.name, p.terms, "contradicted") for p in best.against]
    names = {e.name for e in found}
    if _SUBTOTAL not in names and subtotal is not None and subtotal.entry is not best.total.entry:
        found.append(_open_subtotal(facts, best, subtotal))
    if _ITEMS not in names and "items = subtotal" not in names:
        found.append(_open_items(facts, best, subtotal))
    return tuple(found)


def _equation(name: str, terms: tuple[tuple[str, Decimal], ...], verdict: Verdict) -> Equation:
    return Equation(name, terms, sum((v for _, v in terms), _ZERO), verdict)


def _closed(proof: Proof) -> Equation:
    return _equation(proof.name, proof.terms, "proved" if proof.proves else "consistent")


def _open_subtotal(facts: Facts, best: Hypothesis, subtotal: Chosen) -> Equation:
    """The subtotal with everything surely added to it, which is not the total; or is it, alone."""
    total = best.total.value
    added = tuple(_added(facts, subtotal.entry))
    for parts in (added, ()):
        terms = (("subtotal", subtotal.value), *parts, ("total", -total))
        if sum((v for _, v in terms), _ZERO) == 0:
            return _equation(_SUBTOTAL, terms, "consistent")
    return _equation(_SUBTOTAL, (("subtotal", subtotal.value), *added, ("total", -total)), "contradicted")


def _added(facts: Facts, subtotal: Entry | None) -> Iterator[tuple[str, Decimal]]:
    roles = {e.role for e in facts.entries}
    for entry in facts.entries:
        if subtotal is None or entry.line <= subtotal.line or not entry.last or entry.zone == "items":
            continue
        role, value = entry.role, entry.amount.value
        if entry.line in facts.table_rows or not entry.roles or entry.roles[0][1] < 0.8 or value == 0:
            continue
        if role in ("tax", "tip", "service", "rounding") or (role == "total_tax" and "tax" not in roles):
            yield role, value
        elif role == "discount":
            yield role, -abs(value)


def _open_items(facts: Facts, best: Hypothesis, subtotal: Chosen | None) -> Equation:
    """The products, which add up neither to the total nor to the subtotal; unchecked without products."""
    if not facts.items:
        return _equation(_ITEMS, (("total", -best.total.value),), "unchecked")
    items = sum((i.total.value for i in facts.items), _ZERO)
    if subtotal is not None and subtotal.value == items:
        return _equation("items = subtotal", (("items", items), ("subtotal", -items)), "consistent")
    closes = items == best.total.value
    terms = (("items", items), ("total", -best.total.value))
    return _equation(_ITEMS, terms, "consistent" if closes else "contradicted")

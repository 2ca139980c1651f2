"""Turns the best hypothesis about the total into a ledger: every amount with the role it plays; also the
amount finally paid, when cash rounding is printed below the total but its result is not."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import (
    Chosen,
    Entry,
    Equation,
    EquationKind,
    FiscalCode,
    Item,
    Ledger,
    Money,
    Sheet,
    Term,
    TermKind,
    Verdict,
)
from receipt_engine.region import Region
from receipt_engine.stages.reconcile.amounts.charges import (
    Tenders,
    choose_discounts,
    choose_rounding,
    choose_tenders,
    choose_tip_and_services,
    with_mended_digit,
)
from receipt_engine.stages.reconcile.amounts.choosing import chosen, classify_unnamed, used_parts
from receipt_engine.stages.reconcile.amounts.equations import equations_of
from receipt_engine.stages.reconcile.amounts.subtotal import choose_subtotal, without_base
from receipt_engine.stages.reconcile.amounts.taxes import choose_taxes
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.proofs.proof import Proof
from receipt_engine.stages.reconcile.readings import is_without_count
from receipt_engine.stages.reconcile.search import Hypothesis, rank_totals

_RUNNERS_UP = 3
_NO_RIVAL = 10.0


def reconcile(sheet: Sheet, region: Region, codes: Sequence[FiscalCode] = ()) -> Ledger:
    """The ledger of a sheet; its total is None when no amount may be one. codes: the page's fiscal codes."""
    inputs = Inputs.of(sheet, region, codes)
    ranked = rank_totals(inputs)
    best = ranked[0] if ranked else None
    named = classify_unnamed(best.proofs if best else (), inputs)
    proofs = named.proofs
    found = {item.line for item in named.products}
    entries = tuple(e for e in inputs.entries if e.line not in found)
    items = _products(_repaired(sheet.items, proofs), named.products, best)
    total = best.total if best else None
    subtotal = choose_subtotal(inputs, proofs, best, items)
    unsold = dataclasses.replace(inputs, entries=entries)
    tax, taxes = choose_taxes(unsold, proofs, total.value if total else None, subtotal)
    due = chosen(total.entry, total.value, total.cost) if total else None
    # A product of a sum that closes is no payment, whatever it is called: "CASH BOX".
    sold = {item.line for item in items} if any(p.items and p.proves for p in proofs) else set()
    tenders = choose_tenders([e for e in entries if e.line not in sold], proofs, due)
    tenders = with_mended_digit(tenders, due, proofs, inputs)
    rounding = choose_rounding(inputs, proofs)
    tip, services = choose_tip_and_services(entries, proofs, total.value if total else None)
    added = [c.value for c in (*taxes, *services, *((tip,) if tip else ()))]
    subtotal = without_base(subtotal, added, total.value if total else None, inputs.entries)
    equations = equations_of(sheet, inputs, proofs, best, subtotal)
    paid = rounded_total(due, rounding, tenders, inputs, proofs)
    if paid and rounding and due:  # printed without its sign, as many tills do
        rounding = replace(rounding, value=paid[0].value - due.value)
    wholes = {c.value for c in (total, subtotal) if c is not None}
    return Ledger(
        total=_on_paper(paid[0] if paid else due, sheet.entries),
        subtotal=subtotal,
        tax=tax,
        taxes=taxes,
        tip=tip,
        further_tips=tuple(used_parts(proofs, "tip")[1:]) if tip else (),
        services=services,
        discounts=choose_discounts(entries, proofs, items, wholes),
        rounding=rounding,
        cash=tenders.cash,
        change=tenders.change,
        card=tenders.card,
        items=items,
        equations=without_replaced(equations, paid[1]) if paid else equations,
        margin=ranked[1].cost - ranked[0].cost if len(ranked) > 1 else _NO_RIVAL,
        runners_up=tuple(chosen(h.total.entry, h.total.value, h.cost) for h in ranked[1 : 1 + _RUNNERS_UP]),
    )


def _on_paper(total: Chosen | None, entries: Sequence[Entry]) -> Chosen | None:
    """The total, without its entry when no row prints it."""
    if total is None or total.entry is None or total.entry.zone == "items":
        return total
    return total if any(total.entry is entry for entry in entries) else replace(total, entry=None)


def _repaired(items: tuple[Item, ...], proofs: Sequence[Proof]) -> tuple[Item, ...]:
    """The items with the readings that the cheapest closing sum used, without those that it left out."""
    used = [p.items for p in proofs if p.items is not None]
    if not used:
        return items
    changes = dict(min(used, key=lambda s: s.cost).changes)
    kept = []
    for index, item in enumerate(items):
        if index not in changes:
            kept.append(item)
            continue
        value = changes[index]
        if value is not None:
            money = next(m for m in item.total.readings if m.value == value)
            readings = (money, *(m for m in item.total.readings if m is not money))
            kept.append(
                replace(item, total=replace(item.total, readings=readings), qty=_quantity(item, money))
            )
    return tuple(kept)


def _quantity(item: Item, money: Money) -> Decimal | None:
    """The item's quantity; for "2 526.00" read as 526.00, the digits that the reading leaves out."""
    if item.qty is not None or money.start is None or not is_without_count(money):
        return item.qty
    head = item.total.raw[: money.start - item.total.start].strip()
    return Decimal(head) if head.isascii() and head.isdigit() else None


def _products(items: tuple[Item, ...], more: tuple[Item, ...], best: Hypothesis | None) -> tuple[Item, ...]:
    """The items, plus those found by an equation. A total proved among the items ends them: rows from it on
    belong to the totals block. One above all of them, as in an app, does not."""
    if best is not None and best.total.entry.zone == "items" and any(p.proves for p in best.proofs):
        items = tuple(i for i in items if i.line < best.total.entry.line) or items
    known = {i.line for i in items}
    return tuple(sorted((*items, *(i for i in more if i.line not in known)), key=lambda i: i.line))


def rounded_total(
    total: Chosen | None, rounding: Chosen | None, tenders: Tenders, inputs: Inputs, proofs: Sequence[Proof]
) -> tuple[Chosen, tuple[Equation, ...]] | None:
    """(the amount paid, the equations that show it) when a row below the total rounds it; else None.

    The tenders must confirm the amount. Where no tender has an amount, the rounding must turn the total into
    a multiple of a rounding step of the country. A total that is such a multiple is never rounded to a
    non-multiple: then a digit is misread, in the cash as in the rounding.
    """
    if total is None or total.entry is None or rounding is None or rounding.entry is None:
        return None
    inside = any(part.role == "rounding" for proof in proofs for part in proof.parts)
    if inside or not rounding.value or rounding.entry.line <= total.entry.line or total.printed is not None:
        return None
    given = tenders.paid
    for step in (rounding.value, -rounding.value):
        paid = total.value + step
        if _is_rounded(paid, total.value, inputs):
            continue
        if given == paid or (
            given is None and step == rounding.value and _is_rounded(total.value, paid, inputs)
        ):
            terms = (
                Term(TermKind.PRINTED_TOTAL, total.value),
                Term(TermKind.ROUNDING, step),
                Term(TermKind.TOTAL, -paid),
            )
            verdict: Verdict = "proved" if given == paid else "consistent"
            rounded = Equation(EquationKind.ROUNDED_BELOW, terms, verdict)
            found = replace(total, value=paid, unrounded=total.value)
            return found, (rounded, *_settled(paid, tenders))
    return None


def _settled(paid: Decimal, tenders: Tenders) -> Iterator[Equation]:
    """The equation cash − change = the amount paid, where it closes."""
    cash, change = tenders.cash, tenders.change
    if cash is not None and change is not None and cash.value - abs(change.value) == paid:
        given = (Term(TermKind.CASH, cash.value), Term(TermKind.CHANGE, -abs(change.value)))
        yield Equation(EquationKind.CASH_LESS_CHANGE, (*given, Term(TermKind.TOTAL, -paid)), "proved")


def without_replaced(equations: Sequence[Equation], settling: Sequence[Equation]) -> tuple[Equation, ...]:
    """The equations around the printed total plus `settling`, without the contradicted ones of the same kinds
    as `settling`."""
    settled = {e.kind for e in settling}
    return (*(e for e in equations if e.verdict != "contradicted" or e.kind not in settled), *settling)


def _is_rounded(total: Decimal, paid: Decimal, inputs: Inputs) -> bool:
    return any(total % step and not paid % step for step in inputs.rounding_steps)

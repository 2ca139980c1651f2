"""Turns the best hypothesis about the total into a ledger: every amount with the role it plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from receipt_engine.document import Chosen, Entry, Equation, Item, Ledger, Sheet
from receipt_engine.region import Region, Role
from receipt_engine.stages.reconcile.candidates import subtotal_candidates
from receipt_engine.stages.reconcile.search import Facts, Hypothesis, Proof, rank_totals
from receipt_engine.stages.reconcile.sums import Adjustments, item_sums
from receipt_engine.stages.reconcile.taxes import choose_taxes

_ZERO = Decimal(0)
#: A role weaker than this does not make a value without an equation.
_LABELLED = 0.5
_SURELY = 0.8
_RUNNERS_UP = 3
_TENDERS: tuple[Role, ...] = ("cash", "change", "card")


def reconcile(sheet: Sheet, region: Region) -> Ledger:
    """The ledger; its total is None when no amount may be one."""
    facts = Facts(
        entries=sheet.entries,
        items=sheet.items,
        tax_rows=sheet.tax_rows,
        adjustments=Adjustments.of(sheet.entries, region),
        item_sums=item_sums(sheet.items),
        rates=tuple(Decimal(r.rate) for r in region.tax.rates),
        rounding_steps=tuple(Decimal(r.step) for r in region.rounding),
    )
    ranked = rank_totals(facts)
    best = ranked[0] if ranked else None
    proofs = best.proofs if best else ()
    total = _chosen(best.total.entry, best.total.value, best.total.cost) if best else None
    items = _repaired(sheet.items, proofs)
    tax, taxes = choose_taxes(sheet, proofs, best.total.value if best else None)
    services = _all(sheet, proofs, "service")
    tips = _all(sheet, proofs, "tip")
    cash, change, card = _tenders(sheet, proofs, best)
    return Ledger(
        total=total,
        subtotal=_subtotal(sheet, proofs, best, items),
        tax=tax,
        taxes=taxes,
        tip=tips[0] if tips else None,
        services=services,
        discounts=_discounts(sheet, proofs, items),
        rounding=next(iter(_all(sheet, proofs, "rounding", zero=True)), None),
        cash=cash,
        change=change,
        card=card,
        items=items,
        equations=tuple(_equation(p) for p in proofs),
        margin=ranked[1].cost - ranked[0].cost if len(ranked) > 1 else 10.0,
        runners_up=tuple(_chosen(h.total.entry, h.total.value, h.cost) for h in ranked[1 : 1 + _RUNNERS_UP]),
    )


def _chosen(entry: Entry, value: Decimal, cost: float) -> Chosen:
    printed = entry.amount.value
    return Chosen(value, entry, cost, printed if abs(printed) != abs(value) else None)


def _equation(proof: Proof) -> Equation:
    residual = sum((v for _, v in proof.terms), _ZERO)
    independent = len(proof.terms) >= 3 or proof.name in ("items = subtotal", "card = total")
    return Equation(proof.name, proof.terms, residual, "proved" if independent else "consistent")


def _repaired(items: tuple[Item, ...], proofs: Sequence[Proof]) -> tuple[Item, ...]:
    """Items with the readings that the cheapest closing sum took."""
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
            kept.append(replace(item, total=replace(item.total, readings=readings)))
    return tuple(kept)


def _parts(proofs: Sequence[Proof], role: Role) -> list[Chosen]:
    """Amounts that a closing equation used with this role."""
    for proof in sorted(proofs, key=lambda p: -p.bonus):
        found = [_chosen(p.entry, p.value, p.cost) for p in proof.parts if p.role == role]
        if found:
            return found
    return []


def _all(sheet: Sheet, proofs: Sequence[Proof], role: Role, *, zero: bool = False) -> tuple[Chosen, ...]:
    """Amounts of a role: those an equation used, else those whose words say so."""
    found = _parts(proofs, role)
    if found:
        return tuple(found)
    return tuple(
        _chosen(e, e.amount.value, e.amount.readings[0].cost)
        for e in sheet.entries
        if e.role == role
        and e.weight(role) >= _LABELLED
        and e.last
        and (zero or e.amount.value != 0)
        and e.zone != "items"
        and e.amount.readings[0].cost < 1.5
    )


def _subtotal(
    sheet: Sheet, proofs: Sequence[Proof], best: Hypothesis | None, items: Sequence[Item]
) -> Chosen | None:
    """The subtotal of the equation that closes; else the surest amount called so."""
    total = best.total.value if best else None
    for proof in proofs:
        candidate = proof.subtotal
        if candidate is None:
            continue
        # Whatever it is called: taxes and charges are added to it.
        before_tax = any(p.role in ("tax", "total_tax", "service", "tip") for p in proof.parts)
        if candidate.entry.role == "net" and total is not None:
            named = _named_subtotal(sheet, total)
            if named is not None:
                return named
        if candidate.entry.role in ("subtotal", "net") or before_tax:
            return _chosen(candidate.entry, candidate.value, candidate.cost)
    item_total = sum((i.total.value for i in items), _ZERO)
    parts = [r.line for r in sheet.tax_rows if not r.is_sum]
    table = frozenset(parts) if len(parts) > 1 else frozenset()
    found: list[tuple[float, Chosen]] = []
    for candidate in subtotal_candidates(sheet.entries, table):
        entry = candidate.entry
        if entry.role not in ("subtotal", "net"):
            continue
        if max(entry.weight("subtotal"), entry.weight("net")) < _LABELLED:
            continue
        cost = candidate.cost - (1.5 if candidate.value == item_total else 0.0)
        cost += 1.0 if total is not None and abs(candidate.value) > abs(total) * 2 else 0.0
        found.append((cost, _chosen(entry, candidate.value, candidate.cost)))
    return min(found, key=lambda f: f[0])[1] if found else None


def _named_subtotal(sheet: Sheet, total: Decimal) -> Chosen | None:
    """An amount surely called the subtotal, as against a net amount that taxes are added to."""
    for entry in sheet.entries:
        value = entry.amount.value
        plausible = abs(total) / 2 < abs(value) <= abs(total) * 2
        if entry.role == "subtotal" and entry.weight("subtotal") >= _SURELY and entry.last and plausible:
            return _chosen(entry, value, 0.0)
    return None


def _discounts(sheet: Sheet, proofs: Sequence[Proof], items: Sequence[Item]) -> tuple[Chosen, ...]:
    """Discounts as positive amounts: those of the totals block, and negative product lines called so."""
    summary = [replace(c, value=abs(c.value)) for c in _all(sheet, proofs, "discount")]
    item_rows = {i.line for i in items if i.total.value < 0}
    among_items = [
        Chosen(abs(e.amount.value), e, e.amount.readings[0].cost)
        for e in sheet.entries
        if e.zone == "items" and e.line in item_rows and e.last and e.weight("discount") >= _LABELLED
    ]
    return tuple(sorted(among_items + summary, key=lambda c: c.entry.line if c.entry else 0))


def _tenders(
    sheet: Sheet, proofs: Sequence[Proof], best: Hypothesis | None
) -> tuple[Chosen | None, Chosen | None, Chosen | None]:
    """(cash, change, card): from the equation that closes, else from their words."""
    total = best.total.entry if best else None
    by_role: dict[Role, Chosen] = {}
    for proof in proofs:
        for entry, value in proof.entries:
            is_change = value == entry.amount.value and entry.weight("change") >= 0.3
            role = "change" if is_change else entry.role
            if role in _TENDERS:
                by_role.setdefault(role, _chosen(entry, abs(value), 0.0))
    for role in _TENDERS:
        labelled = [
            e
            for e in sheet.entries
            if e.role == role
            and e.weight(role) >= _LABELLED
            and e.last
            and e is not total
            and e.amount.readings[0].cost < 1.5
        ]
        if labelled and role not in by_role:
            entry = max(labelled, key=lambda e: (e.weight(e.role or "cash"), -e.line))
            by_role[role] = _chosen(entry, abs(entry.amount.value), 0.5)
    return by_role.get("cash"), by_role.get("change"), by_role.get("card")

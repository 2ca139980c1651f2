"""Chooses the subtotal: a printed amount before tax, tip and service. It is never computed."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.document import ZERO, Chosen, Entry, Item, sum_entries, sum_items
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY, SURE, WEAK
from receipt_engine.stages.reconcile.amounts.choosing import chosen, has_words
from receipt_engine.stages.reconcile.candidates import AmountCandidate, subtotal_candidates
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.misreadings import lacks_sign, misreading_cost
from receipt_engine.stages.reconcile.proofs.proof import Proof
from receipt_engine.stages.reconcile.search import Hypothesis

#: A total named with at most this weight ("AMOUNT") is a subtotal when the same total stands right below.
_WEAK_TOTAL = LIKELY
_ADDED: tuple[Role, ...] = ("tax", "total_tax", "service", "tip")
#: A total that one of these roles changes is a subtotal: "total 20.00, discount 2.00, to pay 18.00".
_CHANGING: tuple[Role, ...] = (*_ADDED, "discount")
#: Largest share of a total that roundings change.
_ROUNDED = Decimal("0.01")
_CALLED: tuple[Role, ...] = ("subtotal", "net")


def choose_subtotal(
    inputs: Inputs, proofs: Sequence[Proof], best: Hypothesis | None, items: Sequence[Item]
) -> Chosen | None:
    """The subtotal of the equation that closes, else the likeliest amount named so; None without either."""
    found = _choose(inputs, proofs, best, items)
    if found is None or found.entry is None:
        return found
    rated = [e for e in inputs.entries if e.role == "subtotal" and e.last and e.percent is not None]
    # "Subtotal 8 %" and "Subtotal 10 %" are parts of the subtotal, one for each rate.
    if found.entry.percent is not None and len({e.percent for e in rated}) > 1:
        return _whole_of(rated, inputs)
    other = _has_charges(found, found.entry, inputs)
    if best is not None and not other:
        total = best.total.value
        other = _is_part(found, found.entry, inputs, total)
        other = other or (found.value == total and _is_total_named_net(found.entry, total, inputs))
    return None if other else found


def _whole_of(parts: Sequence[Entry], inputs: Inputs) -> Chosen | None:
    """The first amount surely named subtotal, without a rate, that adds up those with one."""
    for entry in inputs.entries:
        whole = entry.is_called("subtotal", SURE) and entry.last and entry.percent is None
        if whole and entry.amount.value == sum_entries(parts):
            return chosen(entry, entry.amount.value, 0.0)
    return None


def without_base(
    subtotal: Chosen | None, added: Sequence[Decimal], total: Decimal | None, entries: Sequence[Entry]
) -> Chosen | None:
    """The subtotal, unless it is named net and makes no printed amount with what is added to it, but less
    than the total: then it is the base of one of several rates, or what was sold without tax. added: taxes,
    tip and charges."""
    if subtotal is None or subtotal.entry is None or total is None or subtotal.entry.role != "net":
        return subtotal
    whole = subtotal.value + sum(added, ZERO)
    others = [e for e in entries if e.zone != "items" and e.line != subtotal.entry.line]
    printed = any(e.amount.value == whole for e in others)
    part = total - whole > total * _ROUNDED and not printed
    return None if any(added) and part else subtotal


def _is_total_named_net(entry: Entry, total: Decimal, inputs: Inputs) -> bool:
    """Whether an amount that equals the total and is named net is the total: a table prints taxes ("NET/PAID
    12.92"), or it stands below the rounding of another total ("TOTAL 18.34", "ROUNDING 0.01", "NETT 18.35").
    """
    if entry.role != "net":
        return False
    above = [e for e in inputs.entries if e.line < entry.line and e.last]
    unrounded = {total - e.amount.value for e in above if e.role == "rounding" and e.amount.value}
    rounded = any(e.role == "total" and e.amount.value in unrounded for e in above)
    return rounded or any(row.tax > 0 for row in inputs.tax_rows)


def _has_charges(found: Chosen, entry: Entry, inputs: Inputs) -> bool:
    """Whether an amount is the sum of the items and of the taxes above it, perhaps with charges ("Sales tax
    2.40", "Current charges 42.40"): it is no amount before tax."""
    above = [e for e in inputs.entries if e.last and e.zone != "items" and e.line < entry.line]
    added = sum_entries(e for e in above if e.is_called("tax", SURE))
    charges = sum_entries(e for e in above if e.is_called("service", SURE))
    rest = found.value - sum_items(inputs.items) - added
    return bool(inputs.items) and added > 0 and rest in (ZERO, charges)


def _is_part(found: Chosen, entry: Entry, inputs: Inputs, total: Decimal) -> bool:
    """Whether an amount is only one of two that add up, with the taxes, to the total: taxed and exempt sales,
    or food and drinks; or two that are labelled with their rates, whatever their signs."""
    last = [e for e in inputs.entries if e.last and e.zone != "items"]
    taxes = sum_entries(e for e in last if e.is_called("tax", LIKELY))
    rest = total - found.value - taxes
    subtotals = [e for e in last if e.is_called("subtotal", SURE)]
    if entry in subtotals and total > 0:  # "Subtotal VAT A", "Subtotal VAT B"
        rests = [e.amount.value for e in subtotals if e is not entry and e.amount.value > 0]
        if found.value > 0 and total - found.value in rests:
            return True
    if entry.percent is not None:
        others = [e for e in last if e.percent not in (None, entry.percent)]
        if rest != 0 and any(e.amount.value == rest for e in others):
            return True
    return taxes > 0 < rest and any(
        e.line != entry.line
        and e.role in _CALLED
        and e.certainty >= LIKELY
        and not any(role in _ADDED for role, _ in e.roles)
        and e.amount.value == rest != found.value
        for e in last
    )


def _choose(
    inputs: Inputs, proofs: Sequence[Proof], best: Hypothesis | None, items: Sequence[Item]
) -> Chosen | None:
    if best is None:
        return _by_words(inputs, best, items)
    for proof in proofs:
        candidate = proof.subtotal
        if candidate is None or candidate.entry is best.total.entry:
            continue
        if not proof.parts and (words := _by_words(inputs, best, items)) and _is_sum(words, items):
            return words
        named = _named(inputs, best.total.value)
        whole = candidate.entry.role == "net" and items and candidate.value == sum_items(items)
        if candidate.entry.role != "subtotal" and named is not None and not whole:
            return named
        if _is_subtotal(candidate, proof, inputs):
            before = _earlier(candidate.entry, inputs, items)
            if before is not None:
                return before
            return chosen(candidate.entry, candidate.value, candidate.cost)
    return (
        _mended(inputs, proofs, best)
        or _by_words(inputs, best, items)
        or _earlier_total(inputs, best)
        or _printed_sum(inputs, proofs, best, items)
    )


def _earlier(entry: Entry, inputs: Inputs, items: Sequence[Item]) -> Chosen | None:
    """An earlier subtotal that equals the sum of the items: the later one has a discount taken off; or one
    that taxes and charges right below it lead to the later one, as "Basic amount 400.00" and "Service 40.00"
    do to "Taxable amount 440.00"."""
    table = _table_lines(inputs)
    above = [e for e in inputs.entries if e.last and e.line < entry.line and e.line not in table]
    for other in (e for e in above if e.role in _CALLED and e.certainty >= LIKELY):
        found = chosen(other, other.amount.value, 0.0)
        added = sum_entries(e for e in above if e.line > other.line and e.role in _ADDED)
        leads = added > 0 and other.amount.value + added == entry.amount.value
        if leads or (other.is_called("subtotal", SURE) and _is_sum(found, items)):
            return found
    return None


def _is_subtotal(candidate: AmountCandidate, proof: Proof, inputs: Inputs) -> bool:
    entry = candidate.entry
    if entry.line in _table_lines(inputs) or _is_taxed(entry, inputs):
        return False
    # Deposits are no sale: a till in Poland prints the fiscal total, the deposits, and the amount to pay.
    deposited = any(p.role == "deposit" and p.entry.line > entry.line for p in proof.parts)
    fiscal = deposited and entry.weight("total") >= LIKELY
    return fiscal or entry.role in _CALLED or any(p.role in _CHANGING for p in proof.parts)


def _is_taxed(entry: Entry, inputs: Inputs) -> bool:
    """Whether an amount is called gross in a row of a tax table: it contains the tax printed beside it."""
    return entry.role == "gross" and any(r.line == entry.line and r.tax > 0 for r in inputs.tax_rows)


def _earlier_total(inputs: Inputs, best: Hypothesis) -> Chosen | None:
    """The first of two equal totals: when it is named subtotal or net, when zero taxes or charges stand
    between them, or when it is named total with less weight ("AMOUNT") than the one right below."""
    total = best.total.value
    same = [e for e in inputs.entries if e.last and e.zone == "summary" and e.amount.value == total]
    if len(same) < 2 or same[0].weight("total") < WEAK:
        return None
    first, second = same[:2]
    between = [e for e in inputs.entries if first.line < e.line < second.line]
    called = first.weight("subtotal", "net") >= LIKELY
    nothing = any(e.role in _ADDED and e.amount.value == 0 for e in between)
    weak = first.weight("total") <= _WEAK_TOTAL < second.weight("total") and not between
    if called or (nothing and second.weight("total") >= LIKELY) or weak:
        return chosen(first, total, 0.0)
    return None


def _printed_sum(
    inputs: Inputs, proofs: Sequence[Proof], best: Hypothesis, items: Sequence[Item]
) -> Chosen | None:
    """The row between items and total that sums the items under the name of their group, or without a name
    ("FOOD 38.00"), where tax, service or a tip are added to them."""
    added = [p for p in proofs if p.items is not None and any(part.role in _ADDED for part in p.parts)]
    if not added or not items or not any(p.proves for p in added):
        return None
    last = max(item.line for item in items)
    for entry in inputs.entries:
        between = last < entry.line < best.total.entry.line and entry.last
        if (
            between
            and not (entry.certainty >= SURE and entry.role not in (*_CALLED, "total"))
            and _is_sum(found := chosen(entry, entry.amount.value, 0.0), items)
        ):
            return found
    return None


def _table_lines(inputs: Inputs) -> frozenset[int]:
    """Rows of a tax table with several rates, including its sum row: their net amounts are tax bases. With a
    single rate, the net amount is the receipt's subtotal, so no rows are returned."""
    rates = {r.line for r in inputs.tax_rows if not r.is_sum and (r.tax != 0 or r.net or r.gross)}
    return frozenset(row.line for row in inputs.tax_rows) if len(rates) > 1 else frozenset()


def _named(inputs: Inputs, total: Decimal) -> Chosen | None:
    """The first amount confidently named subtotal that lies between half and twice the total."""
    for entry in inputs.entries:
        value = entry.amount.value
        plausible = abs(total) / 2 < abs(value) <= abs(total) * 2
        if entry.is_called("subtotal", SURE) and entry.last and plausible and entry.zone != "items":
            return chosen(entry, value, 0.0)
    return None


def _mended(inputs: Inputs, proofs: Sequence[Proof], best: Hypothesis) -> Chosen | None:
    """The only amount confidently named subtotal, repaired where items and total show that it was misread."""
    sums = [p for p in proofs if p.items is not None and not p.items.changes and p.parts]
    named = [e for e in inputs.entries if e.is_called("subtotal", SURE) and e.last]
    if not sums or len(named) != 1 or named[0] is best.total.entry or sums[0].items is None:
        return None
    wanted = sums[0].items.value
    cost = misreading_cost(named[0].amount, wanted, lacks_sign(named[0], inputs.entries))
    return None if cost is None else chosen(named[0], wanted, cost)


def _is_sum(subtotal: Chosen, items: Sequence[Item]) -> bool:
    return bool(items) and subtotal.value == sum_items(items)


def _by_words(inputs: Inputs, best: Hypothesis | None, items: Sequence[Item]) -> Chosen | None:
    """The likeliest amount that its words name subtotal or net."""
    total = best.total if best else None
    item_total = sum_items(items)
    found: list[tuple[float, Chosen]] = []
    for candidate in subtotal_candidates(inputs.entries, _table_lines(inputs)):
        entry = candidate.entry
        if entry.role not in _CALLED or not _is_called(entry, total.entry if total else None):
            continue
        if not entry.amount.is_plausible:
            continue  # a stray number among the headings of a tax table
        if entry.role == "net" and total is not None and abs(candidate.value) * 2 < abs(total.value):
            continue  # the base of one tax rate, or an untaxed amount
        if candidate.value == 0 and (total is None or total.value != 0):
            continue
        if entry.role == "net" and _is_paid(entry, total, inputs):
            continue  # "Discount 2.00", "Net amount 18.40"
        if entry.role == "net" and _contains_tax(entry, inputs):
            continue
        cost = candidate.cost - (1.5 if candidate.value == item_total else 0.0)
        cost += 1.0 if total is not None and abs(candidate.value) > abs(total.value) * 2 else 0.0
        found.append((cost, chosen(entry, candidate.value, candidate.cost)))
    return min(found, key=lambda f: f[0])[1] if found else None


def _is_paid(entry: Entry, total: AmountCandidate | None, inputs: Inputs) -> bool:
    """Whether an amount below a discount was chosen as the total: it is what was paid."""
    discounts = (e.line for e in inputs.entries if e.is_called("discount", SURE) and e.amount.value)
    return total is not None and entry is total.entry and any(line < entry.line for line in discounts)


def _contains_tax(entry: Entry, inputs: Inputs) -> bool:
    """Whether the tax at the rate beside an amount is contained in it, not added to it: "for 8 % 546",
    "tax 8 % 40"."""
    rate = entry.percent
    if not rate:
        return False
    contained, added = entry.amount.value * rate / (100 + rate), entry.amount.value * rate / 100
    taxes = [e.amount for e in inputs.entries if e.percent == rate and e.last and e.is_called("tax", LIKELY)]
    units = [(tax.value, Decimal(1).scaleb(-tax.decimals)) for tax in taxes]
    return any(abs(tax - contained) < unit <= abs(tax - added) for tax, unit in units)


def _is_called(entry: Entry, total: Entry | None) -> bool:
    """Whether an amount is named subtotal or net; the entry chosen as total also needs words beside it."""
    return entry.weight("subtotal", "net") >= LIKELY and (entry is not total or has_words(entry))

"""Finds equations between the total and the tenders that paid it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import chain, combinations, pairwise

from receipt_engine.document import PLAUSIBLE, ZERO, Entry, EquationKind, Term, TermKind, sum_items
from receipt_engine.region import TAXES, Role
from receipt_engine.scoring.certainty import LIKELY, SURE
from receipt_engine.stages.reconcile.candidates import AmountCandidate, pays_charges
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.misreadings import misreading_cost
from receipt_engine.stages.reconcile.proofs.proof import CLOSES, TWICE, Proof, Tender, total_term
from receipt_engine.stages.reconcile.readings import readings

_UNNAMED_CASH = 3.5
_MAX_UNNAMED = 6
_CARD_EQUALS = 2.5
_MAX_TENDERS = 6
#: Cost of a coupon as a tender. A coupon below the total is a payment, one above it a discount.
_COUPON_COST = 0.5
#: A net amount is more than this many times its tax: no rate is above one half.
_NET_OF_TAX = 2


def from_cash(total: AmountCandidate, inputs: Inputs) -> Proof | None:
    """cash − change = total, with the sum of several tenders where needed; or cash = total."""
    tenders = [e for e in inputs.tenders if e is not total.entry][:_MAX_TENDERS]
    changes = [e for e in inputs.changes if e is not total.entry][:_MAX_TENDERS]
    returned = [(e, abs(v), cost) for e in changes for v, cost in readings(e) if v]
    given_for = [(e, _given(v, total), cost) for e in tenders for v, cost in readings(e)]
    for tender, cash, cash_cost in given_for:
        for change, back, back_cost in returned:
            if cash - back != total.value or change is tender or not total.value:
                continue
            cost = cash_cost + back_cost
            found = (Term(TermKind.CASH, cash), Term(TermKind.CHANGE, -back), total_term(total))
            given: Role = "card" if tender.role == "card" else "cash"
            used: tuple[Tender, ...] = ((tender, cash, given),)
            if given == "cash" or change.weight("change") >= LIKELY:
                used = (*used, (change, back, "change"))  # cash taken out with a card is no change
            return Proof(EquationKind.CASH_LESS_CHANGE, found, CLOSES - cost, entries=used, proves=True)
    coupons = [e for e in inputs.coupons if e.percent is None]  # at a rate, it is a discount
    split = _split_tender(total, coupons, tenders, changes) or _unnamed_cash(total, inputs.entries)
    if split is not None:
        return split
    for tender in tenders:
        if tender.role == "cash" and tender.amount.value == total.value and total.value:
            terms = (Term(TermKind.CASH, total.value), total_term(total))
            return Proof(EquationKind.CASH, terms, TWICE, entries=((tender, total.value, "cash"),))
    return None


def from_card(total: AmountCandidate, inputs: Inputs) -> Proof | None:
    """A card payment of the same amount on another row, or a negative payment that leaves nothing to pay."""
    paid = total.entry.amount.value
    settled = _settles(total.entry, inputs) and pays_charges(total.entry, inputs)
    if abs(paid) == total.value and (paid < 0 or settled):
        return _paid_off(total, total.entry)
    for entry in inputs.entries:
        if entry is total.entry or entry.role != "card" or entry.line == total.entry.line:
            continue
        for value, cost in readings(entry):
            if value == total.value and value and cost < PLAUSIBLE:
                sure = entry.certainty >= LIKELY  # else the words have other meanings: "ROOM CHARGE"
                bonus = _CARD_EQUALS * (1.0 if sure else entry.certainty) - cost
                terms = (Term(TermKind.CARD, value), total_term(total))
                return Proof(EquationKind.CARD, terms, bonus, entries=((entry, value, "card"),), proves=sure)
            if value == -total.value < 0 and _settles(entry, inputs):
                return _paid_off(total, entry)
    return None


def _given(cash: Decimal, total: AmountCandidate) -> Decimal:
    """What was given; some tills print it with a minus: "CASH -40.00" below "TOTAL 32.50"."""
    return abs(cash) if total.value > 0 else cash


def _paid_off(total: AmountCandidate, payment: Entry) -> Proof:
    """A payment of the total that leaves nothing to pay."""
    terms = (Term(TermKind.PAID, total.value), total_term(total))
    return Proof(EquationKind.PAID_OFF, terms, _CARD_EQUALS, entries=((payment, total.value, "card"),))


def _settles(payment: Entry, inputs: Inputs) -> bool:
    """Whether a negative payment paid for products, or a zero total is below it: "BALANCE DUE 0.00"."""
    return sum_items(inputs.items) > 0 or any(
        e.line > payment.line and not e.amount.value and e.weight("total") >= LIKELY for e in inputs.entries
    )


def contradictions(total: AmountCandidate, inputs: Inputs) -> Iterator[Proof]:
    """Equations over confidently named tenders that do not close around the total; their bonus is negative.

    A card payment that a single misreading would make equal to the total is no contradiction.
    """
    cash, change, card = (_sure((*inputs.tenders, *inputs.changes), r) for r in ("cash", "change", "card"))
    returned = next((abs(e.amount.value) for e in change if e.amount.value), None)
    if total.entry in cash and returned:  # cash of which some is given back
        terms = (Term(TermKind.CASH, total.value), Term(TermKind.CHANGE, -returned), total_term(total))
        yield Proof(EquationKind.CASH_LESS_CHANGE, terms, -2.0)
    cash, change, card = ([e for e in found if e is not total.entry] for found in (cash, change, card))
    if len(cash) == 1 and len(change) == 1 and not card:
        given, back = _given(cash[0].amount.value, total), abs(change[0].amount.value)
        if given - back != total.value:
            terms = (Term(TermKind.CASH, given), Term(TermKind.CHANGE, -back), total_term(total))
            yield Proof(EquationKind.CASH_LESS_CHANGE, terms, -1.0)
    elif len(card) == 1 and not cash and card[0].amount.decimals:
        paid = card[0].amount.value
        if paid == total.value or misreading_cost(total.entry.amount, paid, signs=False) is not None:
            return
        yield Proof(EquationKind.CARD, (Term(TermKind.CARD, paid), total_term(total)), -2.0)


def _sure(entries: Sequence[Entry], role: Role) -> list[Entry]:
    return [
        e
        for e in entries
        if e.is_called(role, SURE) and e.last and e.zone == "summary" and e.amount.cost < 1.0
    ]


def _unnamed_cash(total: AmountCandidate, entries: Sequence[Entry]) -> Proof | None:
    """Two amounts below the total whose difference is the total. At most the first is named as cash; the
    second may be called a balance ("AMOUNT PAID 40.00", "BALANCE 2.00"). Two equal amounts below a total of
    zero are a total and its payment; two that differ by an amount called tax are a total and its net amount.
    """
    if not total.value:
        return None
    below = [
        e
        for e in entries
        if e.line > total.entry.line
        and e.last
        and (not e.roles or e.role in ("total", "change", "cash", "balance"))
        and not (e.role == "cash" and e.amount.value == total.value)
    ]
    for cash, change in pairwise(below[:_MAX_UNNAMED]):
        given, back = cash.amount.value, abs(change.amount.value)
        if cash.role in ("change", "balance") or change.role == "cash":
            continue
        if total.entry.role in TAXES and back > _NET_OF_TAX * total.value:
            continue
        if back > 0 and given - back == total.value:
            terms = (Term(TermKind.TENDERED, given), Term(TermKind.RETURNED, -back), total_term(total))
            used: tuple[Tender, ...] = ((cash, given, "cash"), (change, back, "change"))
            return Proof(EquationKind.CASH_LESS_CHANGE, terms, _UNNAMED_CASH, entries=used, proves=True)
    return None


def _split_tender(
    total: AmountCandidate, coupons: Sequence[Entry], tenders: Sequence[Entry], changes: Sequence[Entry]
) -> Proof | None:
    """Two or three tenders, including coupons below the total, that add up to it, less change."""
    payments = [(e, e.amount.value, 0.0) for e in tenders if e.amount.value > 0]
    payments += [
        (e, abs(e.amount.value), _COUPON_COST)
        for e in coupons
        if e.line > total.entry.line and e.amount.value
    ]
    given_back = [(None, ZERO), *((e, abs(e.amount.value)) for e in changes[:2] if e.amount.value)]
    sizes = (2, 3) if total.value else ()
    for chosen in chain(*(combinations(payments[:_MAX_TENDERS], size) for size in sizes)):
        rest = sum((value for _, value, _ in chosen), -total.value)
        same_row = len({e.line for e, _, _ in chosen}) < len(chosen)
        if same_row or all(e.role == "discount" for e, _, _ in chosen):
            continue
        less = sum(cost for _, _, cost in chosen)
        for change, back in given_back:
            if rest != back or (change is None and less):
                continue
            terms = [Term(TermKind(e.role or TermKind.CASH), value) for e, value, _ in chosen]
            terms += [Term(TermKind.CHANGE, -back)] if back else []
            used: list[Tender] = [(e, value, e.role or "cash") for e, value, _ in chosen]
            used += [(change, back, "change")] if change else []
            terms.append(total_term(total))
            bonus = CLOSES - 1 - less
            return Proof(EquationKind.TENDERS, tuple(terms), bonus, entries=tuple(used), proves=True)
    return None

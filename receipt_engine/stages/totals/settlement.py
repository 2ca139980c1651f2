"""Tells what was taken off a total, paid before, and left to pay."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from receipt_engine.document import ZERO, Entry
from receipt_engine.region import Role, Term
from receipt_engine.scoring.certainty import LIKELY, SURE
from receipt_engine.vocabulary import has_term

#: What an amount may be called that is paid before the rest.
_PAYMENTS: tuple[Role, ...] = ("card", "cash")
#: Words of payments, whatever total they are printed above: "Payment 12 May -84.00", "Deposit -50.00".
_PAID: tuple[Term, ...] = ("paid", "payment_label", "not_paid")
#: Roles of amounts below a total that are parts of it.
_CONTAINED: tuple[Role, ...] = ("tax", "total_tax", "net", "gross")


def as_taken_off(entries: Sequence[Entry]) -> list[Entry]:
    """The entries of a sale; a negative charge is a discount ("Free shipping -5.99"), and so is a voucher
    above the first total, which already takes it into account ("VOUCHER -5.00")."""
    total = min((e.line for e in entries if e.weight("total") >= SURE and e.amount.value > 0), default=0)
    return [_taken_off(e, total) if e.amount.value < 0 else e for e in entries]


def _taken_off(entry: Entry, total: int) -> Entry:
    """A negative amount, named a discount instead of a charge or a voucher. total: row of the first total."""
    above = entry.zone == "summary" and entry.line < total
    voucher = entry.role == "card" and above and not has_term(entry.label, *_PAID)
    if entry.role != "service" and not voucher:
        return entry
    roles = tuple(("discount" if role == entry.role else role, weight) for role, weight in entry.roles)
    return replace(entry, roles=roles)


def with_rest(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries; an amount named total that is a total above less the payments between the two is a
    balance, and these are no discounts: "TOTAL 960.00", "LESS DEPOSIT -200.00", "BALANCE DUE 760.00"."""
    found = list(entries)
    for at, entry in enumerate(entries):
        paid = _paid_before(entries, at) if entry.last and entry.weight("total") >= LIKELY else []
        for place in paid:
            found[place] = replace(found[place], roles=found[place].roles[:1])
        if paid:
            found[at] = replace(entry, roles=(("balance", SURE),))
    return tuple(found)


def _paid_before(entries: Sequence[Entry], at: int) -> list[int]:
    """The places of the payments that leave the amount at `at` of the total above them; empty if none do."""
    payments: list[int] = []
    for place in range(at - 1, -1, -1):
        other = entries[place]
        if not other.last or other.role in _CONTAINED:
            continue
        if other.role not in _PAYMENTS or other.weight(other.role) < LIKELY:
            paid = sum((abs(entries[p].amount.value) for p in payments), ZERO)
            left = other.amount.value - paid == entries[at].amount.value > 0
            return payments if left and other.weight("total") >= SURE else []
        payments.append(place)
    return []

"""Tells what was taken off a total, paid before, and left to pay. Finds discounts among the products:
negative rows that lower a price, not products that are returned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import ZERO, AmountRow, Entry, Item, says, sum_items
from receipt_engine.region import Region, Role, Term
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE, SURE
from receipt_engine.vocabulary import has_term
from receipt_engine.vocabulary.card_schemes import find_schemes
from receipt_engine.vocabulary.normalise import squeeze
from receipt_engine.vocabulary.terms import term_at_start

#: What an amount may be called that is paid before the rest.
_PAYMENTS: tuple[Role, ...] = ("card", "cash")
#: Words of payments, whatever total they are printed above: "Payment 12 May -84.00", "Deposit -50.00".
_PAID: tuple[Term, ...] = ("paid", "payment_label", "not_paid")
#: Roles of amounts below a total that are parts of it.
_CONTAINED: tuple[Role, ...] = ("tax", "total_tax", "net", "gross")
#: Most by which the other sign of an amount in brackets costs more.
_SIGN = 1.2
#: How many are taken for the price of how many: "3 FOR 2", "3x2".
_OFFER = re.compile(r"\d{1,2} ?[^\W\d_]{1,4} ?\d{1,2}")
#: Weight of "discount" that a negative product row claims.
_REDUCTION = 0.6


def as_taken_off(entries: Sequence[Entry]) -> list[Entry]:
    """The entries of a sale; a negative charge is a discount ("Free shipping -5.99"), and so is a voucher or
    what members get above the first total, which already takes it into account ("VOUCHER -5.00", "MEMBER 10%
    -3.00")."""
    total = min((e.line for e in entries if e.weight("total") >= SURE and e.amount.value > 0), default=0)
    return [_taken_off(e, total) if e.amount.value < 0 else e for e in entries]


def _taken_off(entry: Entry, total: int) -> Entry:
    """A negative amount, named a discount instead of a charge or a voucher; one contained in the total above
    it is positive where its sign is doubtful: "VAT 10% included (4.13)". total: row of the first total."""
    if entry.role in _CONTAINED and 0 < total <= entry.line:
        likely = [m for m in entry.amount.readings if m.cost <= entry.amount.cost + _SIGN]
        readings = tuple(sorted(likely, key=lambda m: m.value < 0))
        return replace(entry, amount=replace(entry.amount, readings=readings))
    above = entry.zone == "summary" and entry.line < total
    paid = has_term(entry.label, *_PAID) or (find_schemes(entry.label) and not entry.weight("discount"))
    voucher = entry.role in ("card", "loyalty") and above and not paid
    if entry.role != "service" and not voucher:
        return entry
    others = tuple(pair for pair in entry.roles[1:] if pair[0] != "discount")
    return replace(entry, roles=(("discount", entry.certainty), *others))


def without_conversion(
    entries: Sequence[Entry], rows: Sequence[AmountRow], region: Region
) -> tuple[Entry, ...]:
    """The entries; where a country has changed its currency, the second of two totals in the new and the
    former one only shows what the first is worth: tills print both for months before and after the change.
    """
    former = region.currency.former
    if former is None:
        return tuple(entries)
    codes = dict.fromkeys(region.currency.symbols, region.currency.code)
    codes |= dict.fromkeys(former.symbols, former.code)
    found = list(entries)
    totals = [at for at, e in enumerate(entries) if e.last and e.is_called("total", SURE)]
    for first, second in pairwise(totals):
        money = [
            next((codes[w] for w in rows[entries[at].line].text.split() if w in codes), None)
            for at in (first, second)
        ]
        if None not in money and money[0] != money[1]:
            found[second] = replace(entries[second], roles=(("suggested", SURE),))
    return tuple(found)


def with_rest(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries; an amount named total or rest that is a total above less the payments between the two is a
    balance, and these are no discounts: "TOTAL 960.00", "LESS DEPOSIT -200.00", "BALANCE DUE 760.00"."""
    found = list(entries)
    for at, entry in enumerate(entries):
        left = entry.weight("total") >= LIKELY or entry.role == "balance"
        paid = _paid_before(entries, at) if entry.last and left else []
        for place in paid:
            found[place] = replace(found[place], roles=_as_payment(found[place]))
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
        if not _is_payment(other):
            paid = sum((abs(entries[p].amount.value) for p in payments), ZERO)
            left = other.amount.value - paid == entries[at].amount.value > 0
            return payments if left and other.weight("total") >= SURE else []
        payments.append(place)
    return []


def _as_payment(entry: Entry) -> tuple[tuple[Role, float], ...]:
    """The one role of an amount that was paid before the rest, whatever its words: a payment, no total."""
    if entry.role == "total":
        return (("card", entry.certainty),)
    return entry.roles[:1]


def _is_payment(entry: Entry) -> bool:
    """Whether words name an amount a payment, or a negative one what was paid: "TOTAL PAID -200.00"."""
    if entry.role in _PAYMENTS:
        return entry.weight(entry.role) >= LIKELY
    named = entry.role == "total" or (entry.role is None and has_term(entry.label, *_PAID))
    return named and entry.amount.value < 0


def with_reductions(
    entries: Sequence[Entry], items: Sequence[Item], rows: Sequence[AmountRow]
) -> tuple[Entry, ...]:
    """The entries; those of negative product rows claim to be discounts if they have a percentage or only
    lower the price of the product above, and are not named like a sold product ("MILK 3,8% -1.29"). The last
    rule does not apply where the header refers to an earlier receipt, whose products are returned."""
    sold = {squeeze(item.desc_clean) for item in items if item.total.value > 0}
    negative = {i.line for i in items if i.total.value < 0 and squeeze(i.desc_clean) not in sold}
    head = rows[: min((item.line for item in items), default=0)]
    returned = any(term_at_start(row.text, "earlier_document") for row in head)
    lowered = frozenset() if returned else _lowered(items)
    return tuple(
        e.claiming("discount", _REDUCTION)
        if e.line in negative
        and e.zone == "items"
        and not any(role in ("deposit", "discount") for role, _ in e.roles)
        and not says(rows[e.line].roles, ["void"], POSSIBLE)
        and (e.line in lowered or rows[e.line].percents)
        else e
        for e in entries
    )


def _lowered(items: Sequence[Item]) -> frozenset[int]:
    """Lines of negative items right below a product that take off less than its amount, or are an offer ("3
    FOR 2  -8.99"). Returned products are left out: they are printed as when sold, with a code or quantity, or
    with the name or amount of a sold item. Empty unless the products add up to more than zero."""
    if sum_items(items) <= 0:
        return frozenset()
    sold = [other for other in items if other.total.value > 0]
    return frozenset(
        item.line
        for above, item in pairwise(items)
        if item.total.value < 0 < above.total.value
        and item.line == max(above.lines) + 1
        and (_OFFER.fullmatch(item.desc) or _lowers(item, above, sold))
    )


def _lowers(item: Item, above: Item, sold: Sequence[Item]) -> bool:
    """Whether a negative item with a name takes off less than the amount above, and is no product."""
    # The number of the product above behind that of the reduction: "0000417722 / 88412".
    number = above.product_code
    named = item.product_code is None or (
        number is not None and number != item.product_code and item.desc.endswith(number)
    )
    plain = named and item.qty is None and item.unit is None
    return plain and -above.total.value < item.total.value and not any(_is_same(item, o) for o in sold)


def _is_same(item: Item, other: Item) -> bool:
    return squeeze(item.desc_clean) == squeeze(other.desc_clean) or item.total.value == -other.total.value

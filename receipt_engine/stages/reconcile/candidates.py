"""Lists the printed amounts that may be the total, and those that may be the subtotal.

In: entries and items. Out: candidates with costs from words and readings alone, before any sum is checked.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from decimal import Decimal

from receipt_engine.document import ZERO, AmountReading, AmountRule, Entry, Money, Record, decimals_of
from receipt_engine.region import TAXES, Role
from receipt_engine.scoring.certainty import POSSIBLE, SURE
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.readings import readings

#: Factors that turn a role's weight into its claim: roughly the chance that such an amount is the total.
_TOTAL_CLAIMS: dict[Role, float] = {
    "total": 1.0,
    "card": 0.25,
    "gross": 0.2,
    "subtotal": 0.12,
    "net": 0.06,
    "cash": 0.08,
}
_SUBTOTAL_CLAIMS: dict[Role, float] = {"subtotal": 1.0, "net": 0.7, "total": 0.35, "gross": 0.3}
#: Roles that are evidence against an amount being the total.
_AGAINST: frozenset[Role] = TAXES | {
    "savings", "loyalty", "balance", "item_count", "suggested", "change", "tip", "withheld", "rounding",
}  # fmt: skip
#: Roles of the parts of a total that are taxed at one of several rates.
_BASES: frozenset[Role] = frozenset(("net", "gross", "subtotal"))
_MAY_TELL_TOTAL: frozenset[Role] = TAXES | {"rounding"}
_UNLABELLED = 0.01
#: Factor for an amount without a role at the end of a row of the totals block: its words may be misread.
_UNNAMED_TOTAL = 3.0
#: Chance that remains for an amount whose words confidently name something else.
_NAMED_OTHERWISE = 0.0006
#: Taken off the reading cost where totals are rounded to whole amounts: "TOTAL 104" is not odd there.
_WHOLE_TOTAL = 2.5
#: The balance of a stored-value card or an account is no total, but "BAL" may be the amount due.
_BALANCE_CLAIM = 0.1
#: "ROUNDING 20.00": the rounded total.
_ROUNDED_CLAIM = 0.8
#: Above this cost an amount counts as unreadable.
_READABLE = 2.0
#: Factor on a claim for each different total printed further down, at most twice.
_LATER_TOTAL = 0.7
_UNNAMED_SUBTOTAL = 0.08
#: Claim of an amount beside a count of items, to be the subtotal, or the total where no words name one: "4
#: items 27.48", "Total Item 1  25,200"; and the largest count.
_COUNTED_SUM = 0.3
_LARGEST_COUNT = 999
_MAX_CANDIDATES = 14
#: Cost of a total that no row prints: other rows must support it.
_NOT_PRINTED = 3.0
#: Cost of taking the payment that settles an account as the total.
_SETTLED = 0.5


class AmountCandidate(Record, frozen=True):
    """An amount that may be the value sought. cost: about -ln of the chance that it is, its reading included.
    reading_cost: the cost of its reading alone."""

    value: Decimal
    entry: Entry
    cost: float
    reading_cost: float


def total_candidates(inputs: Inputs) -> list[AmountCandidate]:
    """Candidates for the total, cheapest first; one per value and entry."""
    entries = inputs.entries
    found = []
    sure = [(e.line, e.amount.value) for e in entries if e.weight("total") >= SURE and e.amount.value != 0]
    named = any(e.weight("total") >= POSSIBLE and e.amount.cost < _READABLE for e in entries)
    pool = entries if named else (*entries, *_unlisted(inputs))
    rated = {e.percent for e in entries if e.role in _BASES and e.percent is not None}
    highest = max((e.amount.value for e in pool), default=ZERO)
    for entry in pool:
        if entry.zone == "items" and not entry.roles and named:
            continue
        claim = _claim_to_total(entry, inputs, named=named)
        of_rate = entry.role in _BASES and len(rated) > 1 and entry.percent in rated
        if of_rate or entry.line in inputs.table_rows:
            claim *= 0.1
        later = {value for line, value in sure if line > entry.line and value != entry.amount.value}
        claim *= _LATER_TOTAL ** min(2, len(later))
        for value, cost in readings(entry):
            least = _UNLABELLED if value == highest else _UNLABELLED / 3
            if entry.role is None and entry.last and entry.zone == "summary":
                least *= _UNNAMED_TOTAL
            chance = max(claim, _NAMED_OTHERWISE if _is_otherwise(entry) else least)
            if value == 0 and entry.zone == "items" and not entry.roles:
                continue  # something free
            if value == 0:
                chance *= 0.1
            elif value < 0 and not inputs.is_refund:
                chance *= 0.2
            if inputs.whole and value == value.to_integral_value() and entry.role == "total":
                cost = max(0.0, cost - _WHOLE_TOTAL)
            found.append(AmountCandidate(value, entry, -math.log(chance) + cost, cost))
    found += _settled(inputs)
    return sorted(found, key=lambda c: (c.cost, c.entry.line))[:_MAX_CANDIDATES]


def _claim_to_total(entry: Entry, inputs: Inputs, *, named: bool) -> float:
    """The claim of an amount's words to be the total. named: other words may name it, so that a balance is
    none."""
    claim = _claim(entry, _TOTAL_CLAIMS)
    if not named:
        claim = max(claim, _BALANCE_CLAIM * entry.weight("balance"))
    if inputs.is_rounded_total(entry):
        claim = max(claim, _ROUNDED_CLAIM * entry.weight("rounding"))
    else:
        claim *= 1 - 0.8 * max((w for r, w in entry.roles if r in _AGAINST), default=0.0)
    counted = entry.role == "item_count" and entry.amount.value > _LARGEST_COUNT
    whole = any(e.weight(role) >= POSSIBLE for e in inputs.entries for role in ("gross", "subtotal"))
    if counted and entry.last and not named and not whole:
        claim = max(claim, _COUNTED_SUM)
    return claim if entry.last else claim * 0.5


def _settled(inputs: Inputs) -> list[AmountCandidate]:
    """Candidates from payments that settle an account, with nothing left to pay: negative ones ("VISA
    -291.22", "BALANCE DUE 0.00"), and in a column of credits those that add up the charges above. One below a
    larger total pays only a part: the rest was paid before."""
    called = [e for e in inputs.entries if e.weight("total") >= POSSIBLE]
    nothing = [e.line for e in called if e.amount.value == 0]
    named = {e.amount.value for e in called}
    return [
        AmountCandidate(abs(e.amount.value), e, _SETTLED, e.amount.cost)
        for e in inputs.entries
        if e.role in ("card", "cash") and e.last and any(e.line < at for at in nothing)
        if (e.amount.value < 0 and not inputs.is_refund and -e.amount.value >= max(named))
        or (e.amount.value not in named and pays_charges(e, inputs))
    ]


def pays_charges(payment: Entry, inputs: Inputs) -> bool:
    """Whether an amount is a payment and the sum of all charges above it, taxes and products alike, as on a
    hotel's account."""
    if payment.role not in ("card", "cash"):
        return False
    charges = {e.line: e.amount.value for e in inputs.entries if e.last and e.zone != "header"}
    charges |= {item.line: item.total.value for item in inputs.items}
    above = [value for line, value in charges.items() if line < payment.line]
    return len(above) > 1 and sum(above, ZERO) == payment.amount.value > 0


def unprinted(value: Decimal, inputs: Inputs) -> AmountCandidate:
    """A candidate for a total that no row prints legibly, as if it were printed below everything else."""
    last = max((*(e.line for e in inputs.entries), *(i.line for i in inputs.items)), default=-1)
    places = max(0, decimals_of(value))
    reading = AmountReading(str(value), 0, 0, (Money(value, 0.0, AmountRule.AS_PRINTED),), decimals=places)
    entry = Entry(last + 1, reading, "summary", (("total", 1.0),), "")
    return AmountCandidate(value, entry, _NOT_PRINTED, 0.0)


def subtotal_candidates(entries: Sequence[Entry], table_rows: Collection[int]) -> list[AmountCandidate]:
    """Candidates for the subtotal, cheapest first: amounts named subtotal, net, gross or total, amounts
    beside an item count, and unnamed amounts of the totals block."""
    found = []
    for entry in entries:
        claim = 0.0 if entry.zone == "items" else _claim(entry, _SUBTOTAL_CLAIMS)
        if entry.role == "item_count" and entry.last and entry.amount.decimals:
            claim = max(claim, _COUNTED_SUM)
        elif entry.role is None and entry.last and entry.zone == "summary":
            claim = max(claim, _UNNAMED_SUBTOTAL)
        if claim <= 0 or entry.line in table_rows:
            continue
        found += [AmountCandidate(v, entry, -math.log(claim) + c, c) for v, c in readings(entry)]
    return sorted(found, key=lambda c: (c.cost, c.entry.line))[:_MAX_CANDIDATES]


def _unlisted(inputs: Inputs) -> list[Entry]:
    """Item amounts that are no entries, as entries: a total whose name was lost may be among them."""
    known = {(e.line, e.amount.start) for e in inputs.entries}
    return [
        Entry(i.line, i.total, "items", (), i.desc)
        for i in inputs.items
        if (i.line, i.total.start) not in known
    ]


def _is_otherwise(entry: Entry) -> bool:
    """Whether the words confidently name something other than the total. Rounding and tax do not count: the
    amount may be the rounded total, or a total said to contain tax."""
    return entry.role in _AGAINST - _MAY_TELL_TOTAL and entry.certainty >= SURE


def _claim(entry: Entry, claims: dict[Role, float]) -> float:
    return max((w * claims.get(r, 0.0) for r, w in entry.roles), default=0.0)

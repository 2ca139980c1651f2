"""Which printed amounts may be the total, and which the subtotal, before any sum is checked."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from decimal import Decimal

from receipt_engine.document import ZERO, AmountReading, AmountRule, Entry, Item, Money, Record
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import POSSIBLE, SURE
from receipt_engine.stages.reconcile.readings import readings

#: A role's claim on being the total, as a share of its weight.
_TOTAL_CLAIMS: dict[Role, float] = {
    "total": 1.0,
    "card": 0.25,
    "gross": 0.2,
    "subtotal": 0.12,
    "net": 0.06,
    "cash": 0.08,
}
_SUBTOTAL_CLAIMS: dict[Role, float] = {"subtotal": 1.0, "net": 0.7, "total": 0.35, "gross": 0.3}
#: Roles that speak against it.
_AGAINST: frozenset[Role] = frozenset(
    (
        "savings",
        "loyalty",
        "balance",
        "item_count",
        "suggested",
        "change",
        "tax",
        "total_tax",
        "tip",
        "rounding",
    )
)
_MAY_TELL_TOTAL: frozenset[Role] = frozenset(("rounding", "tax", "total_tax"))
_UNLABELLED = 0.01
#: Times as likely as others an amount at the end of a row of the totals block is: its words may be misread.
_UNNAMED_TOTAL = 3.0
#: Chance left to an amount whose words surely say that it is something else.
_OTHERWISE = 0.0006
#: Where totals are rounded to whole amounts, "TOTAL 104" is no odd reading.
_WHOLE_TOTAL = 2.5
#: What a store of value or an account still holds is no total, but "BAL" may be what is due.
_BALANCE_CLAIM = 0.1
#: "ROUNDING 20.00": what a total was rounded to.
_ROUNDED_CLAIM = 0.8
#: A reading costlier than this is no readable amount.
_READABLE = 2.0
#: Left of a claim for each other total further down.
_LATER_TOTAL = 0.7
_UNNAMED_SUBTOTAL = 0.08
#: "4 items 27.48"
_COUNTED_SUBTOTAL = 0.3
_MAX_CANDIDATES = 14
#: Cost of a total that no row prints: the other rows must bear it out.
_NOT_PRINTED = 3.0
#: Cost of what settles an account for its total.
_SETTLED = 0.5


class AmountCandidate(Record, frozen=True):
    """An amount that may be the value looked for. cost: about -ln of the chance that it is."""

    value: Decimal
    entry: Entry
    cost: float
    reading_cost: float


def total_candidates(
    entries: Sequence[Entry],
    items: Sequence[Item],
    table_rows: Collection[int],
    most_rounded: Decimal,
    *,
    whole: bool = False,
) -> list[AmountCandidate]:
    """Cheapest first; one per value and entry. table_rows: rows of a tax table with several rates, whose
    amounts are parts of the total. most_rounded: by how much rounding changes a total at most. whole: totals
    are rounded to whole amounts in this country."""
    found = []
    sure = [(e.line, e.amount.value) for e in entries if e.weight("total") >= SURE and e.amount.value != 0]
    named = any(e.weight("total") >= POSSIBLE and e.amount.cost < _READABLE for e in entries)
    pool = entries if named else (*entries, *_unlisted(entries, items))
    highest = max((e.amount.value for e in pool), default=ZERO)
    for entry in pool:
        if entry.zone == "items" and not entry.roles and named:
            continue
        claim = _claim(entry, _TOTAL_CLAIMS)
        if not named:
            claim = max(claim, _BALANCE_CLAIM * entry.weight("balance"))
        against = max((w for r, w in entry.roles if r in _AGAINST), default=0.0)
        if tells_rounded(entry, most_rounded):
            claim = max(claim, _ROUNDED_CLAIM * entry.weight("rounding"))
        else:
            claim *= 1 - 0.8 * against
        if not entry.last:
            claim *= 0.5
        if entry.line in table_rows:
            claim *= 0.1
        claim *= _LATER_TOTAL ** min(
            2, len({v for line, v in sure if line > entry.line and v != entry.amount.value})
        )
        for value, cost in readings(entry):
            least = _UNLABELLED if value == highest else _UNLABELLED / 3
            if entry.role is None and entry.last and entry.zone == "summary":
                least *= _UNNAMED_TOTAL
            chance = max(claim, _OTHERWISE if _is_otherwise(entry) else least)
            if value < 0 and not _is_refund(items):
                chance *= 0.2
            if value == 0:
                chance *= 0.1
            if whole and value == value.to_integral_value() and entry.role == "total":
                cost = max(0.0, cost - _WHOLE_TOTAL)
            found.append(AmountCandidate(value, entry, -math.log(chance) + cost, cost))
    found += [] if _is_refund(items) else _settled(entries)
    return sorted(found, key=lambda c: (c.cost, c.entry.line))[:_MAX_CANDIDATES]


def _settled(entries: Sequence[Entry]) -> list[AmountCandidate]:
    """What a payment with a minus took off an account so that nothing is left to pay: "VISA -291.22",
    "BALANCE DUE 0.00"."""
    nothing = [e.line for e in entries if e.weight("total") >= POSSIBLE and e.amount.value == 0]
    return [
        AmountCandidate(-e.amount.value, e, _SETTLED, e.amount.cost)
        for e in entries
        if e.role in ("card", "cash") and e.last and e.amount.value < 0 and any(e.line < at for at in nothing)
    ]


def unprinted(value: Decimal, entries: Sequence[Entry], items: Sequence[Item]) -> AmountCandidate:
    """A total that no row prints legibly, as if it were printed below everything."""
    last = max((*(e.line for e in entries), *(i.line for i in items)), default=-1)
    places = max(0, -int(value.as_tuple().exponent))
    reading = AmountReading(str(value), 0, 0, (Money(value, 0.0, AmountRule.AS_PRINTED),), decimals=places)
    entry = Entry(last + 1, reading, "summary", (("total", 1.0),), "")
    return AmountCandidate(value, entry, _NOT_PRINTED, 0.0)


def tells_rounded(entry: Entry, most_rounded: Decimal) -> bool:
    """Whether an amount is what a total was rounded to: it is called rounding, but is too large for it."""
    return entry.role == "rounding" and abs(entry.amount.value) > most_rounded


def subtotal_candidates(entries: Sequence[Entry], table_rows: Collection[int]) -> list[AmountCandidate]:
    """Cheapest first; amounts that claim to be a subtotal, a net amount or an earlier total."""
    found = []
    for entry in entries:
        claim = 0.0 if entry.zone == "items" else _claim(entry, _SUBTOTAL_CLAIMS)
        if entry.role == "item_count" and entry.last and entry.amount.decimals:
            claim = max(claim, _COUNTED_SUBTOTAL)
        elif entry.role is None and entry.last and entry.zone == "summary":
            claim = max(claim, _UNNAMED_SUBTOTAL)
        if claim <= 0 or entry.line in table_rows:
            continue
        found += [AmountCandidate(v, entry, -math.log(claim) + c, c) for v, c in readings(entry)]
    return sorted(found, key=lambda c: (c.cost, c.entry.line))[:_MAX_CANDIDATES]


def _unlisted(entries: Sequence[Entry], items: Sequence[Item]) -> list[Entry]:
    """The amounts of products that are no entries, as entries: a total whose name was lost may be there."""
    known = {(e.line, e.amount.start) for e in entries}
    return [
        Entry(i.line, i.total, "items", (), i.desc) for i in items if (i.line, i.total.start) not in known
    ]


def _is_otherwise(entry: Entry) -> bool:
    """Whether the words surely name something that is no total. What a total was rounded to may be one, and
    so may an amount that says that it contains tax."""
    role = entry.role
    return role in _AGAINST - _MAY_TELL_TOTAL and entry.weight(role or "total") >= SURE


def _claim(entry: Entry, claims: dict[Role, float]) -> float:
    return max((w * claims.get(r, 0.0) for r, w in entry.roles), default=0.0)


def _is_refund(items: Sequence[Item]) -> bool:
    return sum((i.total.value for i in items), ZERO) < 0

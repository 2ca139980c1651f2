"""Equations over products, subtotals and what is added to them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations

from receipt_engine.document import Entry
from receipt_engine.stages.reconcile.adjustments import Ways
from receipt_engine.stages.reconcile.candidates import Candidate
from receipt_engine.stages.reconcile.facts import Facts, Proof
from receipt_engine.stages.reconcile.sums import Adjustment, ItemSum, Part

_ZERO = Decimal(0)
_SUM_CLOSES = 5.0
_SAME_AS_SUBTOTAL = 1.5
_ITEMS_CLOSE = 4.5
_ONE_ITEM = 2.0
_SUBTOTAL_REWARD = 0.2
_SUBTOTAL_IS_ITEMS = 3.0
_PARTS_CLOSE = 4.5
_MAX_PARTS = 10
_ROUNDED = 2.0
#: A sum that closes only when it is rounded as the country rounds, without a line that says so.
_SILENTLY_ROUNDED = 1.8
_REPEATED = 1.0
_REPEATED_UNNAMED = 0.7


def from_subtotal(total: Candidate, subtotals: Sequence[Candidate], facts: Facts) -> Proof | None:
    """subtotal + taxes + tip + service − discounts ± rounding = total."""
    best: tuple[float, Candidate, Adjustment, Decimal] | None = None
    for subtotal in subtotals:
        if subtotal.entry is total.entry or (subtotal.value == 0 and total.value != 0):
            continue
        found = way_to(facts.adjustments.below(subtotal.entry.line), total, subtotal.value, facts)
        if found is None or any(p.entry is subtotal.entry for p in found[0].parts):
            continue
        way, rounded = found
        cost = min(subtotal.cost, 3.0) * 0.7 + way.cost
        if not way.parts:
            # The same amount twice proves little.
            cost += _SUM_CLOSES - _SAME_AS_SUBTOTAL
        if subtotal.value in facts.item_sums:
            cost -= 0.5
        if best is None or cost < best[0]:
            best = (cost, subtotal, way, rounded)
    if best is None or best[0] >= _SUM_CLOSES:
        return None
    cost, subtotal, way, rounded = best
    terms = (("subtotal", subtotal.value), *_named(way.parts), *_rounding(rounded), ("total", -total.value))
    return Proof(
        "subtotal + adjustments = total",
        terms,
        _SUM_CLOSES - cost,
        way.parts,
        subtotal,
        proves=_is_sure(way, rounded) and bool(way.parts) and total.value != 0,
    )


def from_items(total: Candidate, facts: Facts) -> Proof | None:
    """Σ items + taxes + … = total, straight or with one repair."""
    if not facts.items:
        return None
    if total.entry.zone == "items":
        return _from_items_above(total, facts)
    reward = _ITEMS_CLOSE if len(facts.items) > 1 else _ONE_ITEM
    # Items add up to a subtotal anyway: that says nothing for its being the total.
    if total.entry.role == "subtotal" and any(_outranks(e, total) for e in facts.entries):
        reward *= _SUBTOTAL_REWARD
    best: tuple[float, ItemSum, Adjustment, Decimal] | None = None
    ways = facts.adjustments.below(facts.items[-1].line)
    for base in _bases(ways, total, facts):
        found = way_to(ways, total, base, facts)
        if found is None:
            continue
        way, rounded = found
        items = facts.item_sums[base]
        cost = items.cost + way.cost
        if best is None or cost < best[0]:
            best = (cost, items, way, rounded)
    if best is None or best[0] >= reward:
        return None
    cost, items, way, rounded = best
    terms = (("items", items.value), *_named(way.parts), *_rounding(rounded), ("total", -total.value))
    printed = len(facts.items) - len(items.changes) + sum(1 for p in way.parts)
    return Proof(
        "items + adjustments = total",
        terms,
        reward - cost,
        way.parts,
        items=items,
        proves=_is_sure(way, rounded) and not items.changes and printed > 1 and total.value != 0,
    )


def items_are_subtotal(proof: Proof, total: Candidate, facts: Facts) -> Proof | None:
    """Σ items = the subtotal of an equation that closes."""
    if proof.subtotal is None or not facts.items or proof.subtotal.value == total.value:
        return None
    items = facts.item_sums.get(proof.subtotal.value)
    if items is None:
        return None
    several = len(facts.items) > 1
    bonus = max(0.0, (_SUBTOTAL_IS_ITEMS if several else _ONE_ITEM / 2) - items.cost)
    terms = (("items", items.value), ("subtotal", -proof.subtotal.value))
    return Proof("items = subtotal", terms, bonus, items=items, proves=several and not items.changes)


def from_parts(total: Candidate, facts: Facts) -> Proof | None:
    """Two or three partial totals above, each of a group of products or a tax rate, that add up to it."""
    parts: dict[Decimal, Entry] = {}
    for entry in facts.wholes:
        if entry.line < total.entry.line:
            parts.setdefault(entry.amount.value, entry)
    values = list(parts)[:_MAX_PARTS]
    known = frozenset(values)
    few = ((v,) for v in values)
    for chosen in (*few, *combinations(values, 2)):
        rest = total.value - sum(chosen, _ZERO)
        if rest in known and rest not in chosen:
            terms = (*(("part", v) for v in (*chosen, rest)), ("total", -total.value))
            return Proof("parts = total", terms, _PARTS_CLOSE, proves=total.value != 0)
    return None


def from_rounding(total: Candidate, facts: Facts) -> Proof | None:
    """Another total right above, which the country's cash rounding turns into this one."""
    for entry in facts.entries:
        value = entry.amount.value
        if entry.weight("total") < 0.5 or entry.line >= total.entry.line or value == total.value:
            continue
        for step in facts.rounding_steps:
            if total.value % step == 0 and abs(value - total.value) < step:
                terms = (("unrounded", value), ("rounding", total.value - value), ("total", -total.value))
                return Proof("rounded total", terms, _ROUNDED)
    return None


def repeated(total: Candidate, facts: Facts) -> Proof | None:
    """The same amount again on other rows that claim the total, at most two counted."""
    named = bool(total.entry.roles)
    again = {
        e.line
        for e in facts.entries
        if e.line != total.entry.line
        and e.amount.value == total.value
        and (e.weight("total") >= 0.4 if named else all(w < 0.5 for _, w in e.roles))
    }
    if not again or total.value == 0:
        return None
    if named:
        bonus = _REPEATED * min(2, len(again))
    elif len(again) > 1:
        bonus = _REPEATED * 2
    elif total.entry.amount.decimals:
        bonus = _REPEATED_UNNAMED
    else:
        return None
    return Proof("total repeated", (("total again", total.value), ("total", -total.value)), bonus)


def _from_items_above(total: Candidate, facts: Facts) -> Proof | None:
    """Σ of the products above an amount that stands in their column without a name."""
    above = [i for i in facts.items if i.line < total.entry.line]
    if len(above) < 2 or sum((i.total.value for i in above), _ZERO) != total.value:
        return None
    terms = (("items", total.value), ("total", -total.value))
    return Proof("items + adjustments = total", terms, _ITEMS_CLOSE, proves=total.value != 0)


def _bases(ways: Ways, total: Candidate, facts: Facts) -> list[Decimal]:
    """What the items may add up to for a way to the total to exist: as read, and with one repair."""
    plain = next(iter(facts.item_sums))
    return [plain, *(v for v in ways.bases(total.value, facts.item_keys, _ITEMS_CLOSE) if v != plain)]


def way_to(ways: Ways, total: Candidate, base: Decimal, facts: Facts) -> tuple[Adjustment, Decimal] | None:
    """How the base becomes the total: exactly, else rounded as the country rounds; with what that rounded."""
    missing = total.value - base
    way = ways.get(missing)
    if way is not None:
        wrong = any(p.entry is total.entry or _outgrows(p, base) for p in way.parts)
        return None if wrong else (way, _ZERO)
    best: tuple[Adjustment, Decimal] | None = None
    for step in facts.rounding_steps:
        if total.value % step:
            continue
        for delta, cost in ways.below:
            if best and cost + _SILENTLY_ROUNDED >= best[0].cost:
                break
            if abs(missing - delta) * 2 > step:
                continue
            near = ways.get(delta)
            if near is None or any(p.role == "rounding" or p.entry is total.entry for p in near.parts):
                continue
            best = (Adjustment(delta, near.parts, near.cost + _SILENTLY_ROUNDED), missing - delta)
    return best


def _outgrows(part: Part, base: Decimal) -> bool:
    """Whether an amount without words is more than what it is added to: nothing that is added is."""
    return part.role is None and abs(part.value) > abs(base)


def _is_sure(way: Adjustment, rounded: Decimal) -> bool:
    """Whether a sum is a proof: nothing in it was rounded silently, and at most one amount has no name."""
    return rounded == 0 and sum(p.role is None for p in way.parts) <= 1


def _named(parts: Sequence[Part]) -> tuple[tuple[str, Decimal], ...]:
    return tuple((p.role or "unnamed", p.value) for p in parts)


def _rounding(rounded: Decimal) -> tuple[tuple[str, Decimal], ...]:
    return (("rounding, not printed", rounded),) if rounded else ()


def _outranks(entry: Entry, total: Candidate) -> bool:
    """Whether another entry further down is called the total with another amount."""
    return (
        entry.weight("total") >= 0.5 and entry.line > total.entry.line and entry.amount.value != total.value
    )

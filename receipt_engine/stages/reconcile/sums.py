"""Exact sums over amounts that each can be read, or left out, in several ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from receipt_engine.document import Entry, Item
from receipt_engine.region import Region, Role

_ZERO = Decimal(0)
#: Bounds on the search: entries that may adjust a total, and sums kept while adding them.
_MAX_ADJUSTMENTS = 10
_MAX_SUMS = 160
#: Readings costlier than this are not worth a closing sum.
MAX_READING_COST = 4.0
#: After words that surely name it, an amount may look odd: "TOTAL 104".
_NAMED_READING_COST = 5.0
_SURELY_NAMED = 0.8
_MAX_READINGS = 3
#: What a repair costs beside its reading, and how near another repair's cost makes it a guess.
_REPAIR = 1.0
_TOO_NEAR = 0.7


@dataclass(frozen=True, slots=True)
class Part:
    """An entry taken with one of its readings, as it enters the sum (discounts negative).

    role: None when its words say nothing.
    """

    entry: Entry
    role: Role | None
    value: Decimal
    cost: float


@dataclass(frozen=True, slots=True)
class Adjustment:
    """One way from a subtotal to a total: delta, what it is made of, and what that costs."""

    delta: Decimal
    parts: tuple[Part, ...]
    cost: float


#: (cost of taking it into the sum, cost of leaving it out)
_COSTS: dict[Role, tuple[float, float]] = {
    "tax": (0.2, 0.6),
    "total_tax": (0.3, 0.4),
    "service": (0.2, 1.2),
    "tip": (0.3, 0.8),
    "discount": (0.2, 0.8),
    "rounding": (0.1, 0.8),
    "deposit": (0.6, 0.5),
    "savings": (2.0, 0.0),
}


def readings(entry: Entry) -> list[tuple[Decimal, float]]:
    """The entry's likeliest values with their costs."""
    limit = _NAMED_READING_COST if entry.roles and entry.roles[0][1] >= _SURELY_NAMED else MAX_READING_COST
    return [(m.value, m.cost) for m in entry.amount.readings[:_MAX_READINGS] if m.cost <= limit]


#: An amount without known words between subtotal and total may be a tax or a charge (or, negative, a
#: discount).
_UNNAMED_TAKE = 1.6
#: What stands above the subtotal is usually in it already.
_ABOVE_TAKE = 1.0


@dataclass(frozen=True, slots=True)
class Adjustments:
    """Every difference that taxes, tip, service, discounts and rounding can make to an amount."""

    entries: tuple[tuple[Entry, Role | None], ...]
    inclusive: bool
    _cache: dict[int, dict[Decimal, Adjustment]] = field(default_factory=dict)

    @staticmethod
    def of(entries: Sequence[Entry], region: Region) -> Adjustments:
        """From the entries of a sheet."""
        usable = tuple((e, _adjusting_role(e)) for e in entries if _may_adjust(e))
        return Adjustments(usable, region.tax.inclusive == "yes")

    def below(self, line: int) -> dict[Decimal, Adjustment]:
        """For an amount printed on a row: difference → the cheapest way to it. Entries above the row
        count as contained in it unless they are needed."""
        above = sum(1 for e, _ in self.entries if e.line < line)
        if above not in self._cache:
            self._cache[above] = self._ways(line)
        return self._cache[above]

    def _ways(self, line: int) -> dict[Decimal, Adjustment]:
        found: dict[Decimal, Adjustment] = {}
        roles = {role for _, role in self.entries}
        # A total tax and its parts must not both be added: try with either alone.
        for dropped in ("tax", "total_tax") if roles >= {"tax", "total_tax"} else ("",):
            pool = [(e, r) for e, r in self.entries if r != dropped][:_MAX_ADJUSTMENTS]
            for delta, way in self._subset_sums(pool, line).items():
                if delta not in found or way.cost < found[delta].cost:
                    found[delta] = way
        return found

    def _subset_sums(self, pool: Sequence[tuple[Entry, Role | None]], line: int) -> dict[Decimal, Adjustment]:
        sums: dict[Decimal, tuple[float, tuple[Part, ...]]] = {_ZERO: (0.0, ())}
        for entry, role in pool:
            take, leave = self._costs(entry, role, line)
            ways = [Part(entry, role, value, cost) for value, cost in _signed(entry, role)]
            extended = {delta: (cost + leave, parts) for delta, (cost, parts) in sums.items()}
            for delta, (cost, parts) in sums.items():
                for part in ways:
                    total, price = delta + part.value, cost + take + part.cost
                    known = extended.get(total)
                    if known is None or price < known[0]:
                        extended[total] = (price, (*parts, part))
            if len(extended) > _MAX_SUMS:
                cheapest = sorted(extended.items(), key=lambda way: way[1][0])
                extended = dict(cheapest[:_MAX_SUMS])
            sums = extended
        return {delta: Adjustment(delta, parts, cost) for delta, (cost, parts) in sums.items()}

    def _costs(self, entry: Entry, role: Role | None, line: int) -> tuple[float, float]:
        """(cost of taking the entry into the sum, cost of leaving it out)."""
        if role is None or not entry.roles:
            return _UNNAMED_TAKE, 0.0
        take, leave = _COSTS[role]
        if role in ("tax", "total_tax") and self.inclusive:
            take, leave = 1.0, 0.1
        weight = entry.weight(role)
        take, leave = take + 1 - weight, leave * weight
        return (take + _ABOVE_TAKE, 0.0) if entry.line < line else (take, leave)


def _may_adjust(entry: Entry) -> bool:
    if entry.zone == "items":
        return False
    unnamed = not entry.roles and entry.zone == "summary" and entry.last
    return unnamed or _adjusting_role(entry) is not None


def _adjusting_role(entry: Entry) -> Role | None:
    """The role in which an entry changes a total; None for a positive amount without known words."""
    role = next((role for role, weight in entry.roles if role in _COSTS and weight >= 0.3), None)
    if role is None and not entry.roles and entry.amount.value < 0:
        return "discount"
    return role


def _signed(entry: Entry, role: Role | None) -> list[tuple[Decimal, float]]:
    result = []
    for value, cost in readings(entry):
        if value == 0:
            continue
        if role in ("discount", "savings"):
            result.append((-abs(value), cost))
        elif role == "rounding":
            # Tills often print how much was rounded without its sign.
            result += [(value, cost), (-value, cost + 0.7)]
        else:
            result.append((value, cost))
    return result


@dataclass(frozen=True, slots=True)
class ItemSum:
    """The items' total under one reading of them. changes: (item index, value); None removes the item."""

    value: Decimal
    cost: float
    changes: tuple[tuple[int, Decimal | None], ...] = ()


def item_sums(items: Sequence[Item]) -> dict[Decimal, ItemSum]:
    """What the items can add up to: as read, and with exactly one of them read another way or left out.

    A sum that two different repairs reach is left out: a repair must be the only one that closes.
    """
    base = sum((i.total.value for i in items), _ZERO)
    found = {base: ItemSum(base, 0.0)}
    ambiguous: set[Decimal] = set()
    for index, item in enumerate(items):
        ways: list[tuple[Decimal | None, float]] = [
            (m.value, m.cost - item.total.readings[0].cost) for m in item.total.readings[1:]
        ]
        ways.append((None, 2.5))
        for value, extra in ways:
            if extra > MAX_READING_COST:
                continue
            cost = extra + _REPAIR
            total = base - item.total.value + (value or _ZERO)
            if total == base:
                continue
            other = found.get(total)
            if (
                other is not None
                and abs(other.cost - cost) < _TOO_NEAR
                and other.changes[0] != (index, value)
            ):
                ambiguous.add(total)
            if other is None or cost < other.cost:
                found[total] = ItemSum(total, cost, ((index, value),))
    return {total: way for total, way in found.items() if total not in ambiguous}

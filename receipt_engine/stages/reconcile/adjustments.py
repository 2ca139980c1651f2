"""Computes every difference that taxes, tip, service, discounts and rounding can make between two amounts.

Amounts are integers, in units of the smallest printed decimal: integers add and compare in a fraction of the
time, and stay exact. The sums of each row are built once, from those of the row below it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from receipt_engine.document import Entry, decimals_of
from receipt_engine.region import TAXES, Region, Role
from receipt_engine.scoring.certainty import POSSIBLE
from receipt_engine.stages.reconcile.readings import Adjustment, Part, readings

#: Bounds on the search: entries that may adjust a total, sums kept of the entries below a row and above it,
#: and decimals.
_MAX_ENTRIES = 10
_MAX_SUMS = 100
_MAX_ABOVE = 24
_MAX_PLACES = 6
#: (cost of including an entry in the sum, cost of leaving it out), by role.
_COSTS: dict[Role, tuple[float, float]] = {
    "tax": (0.2, 0.6),
    "total_tax": (0.3, 0.4),
    "service": (0.2, 1.2),
    "tip": (0.3, 0.8),
    "discount": (0.2, 0.8),
    "withheld": (0.2, 0.8),
    "rounding": (0.1, 0.8),
    "deposit": (0.6, 0.5),
    "savings": (2.0, 0.0),
}
#: Cost of including an amount without known words: between subtotal and total it may be a tax or a charge
#: (or, negative, a discount).
_UNNAMED_TAKE = 1.6
#: Added cost of including an entry above the subtotal, which usually contains it already.
_ABOVE_TAKE = 1.0
#: Cost of reading a rounding with the opposite sign: tills often print it without one.
_OTHER_SIGN = 0.7
#: Factor on the rounding step for currencies without decimals, whose tills round to more than the smallest
#: coin.
_COARSE = 10
#: Lower bounds for the largest accepted rounding, for currencies with decimals and without.
_LEAST_ROUNDED, _LEAST_ROUNDED_WHOLE = Decimal(1), Decimal(100)

#: The parts of a sum, the last one first.
Chain = tuple[Part, "Chain | None"]
#: Sum → (cost, parts).
Sums = dict[int, tuple[float, "Chain | None"]]


@dataclass(frozen=True, slots=True)
class AdjustmentSums:
    """The differences that the entries around one row can make.

    tables: pairs (sums of the entries below, sums of those above); an adjustment takes one sum of each.
    """

    tables: tuple[tuple[Sums, Sums], ...]
    places: int
    _plain: list[tuple[Decimal, float]] = field(default_factory=list)

    @property
    def differences(self) -> Sequence[tuple[Decimal, float]]:
        """(difference, cost) of every adjustment that uses only the entries below, cheapest first."""
        if not self._plain:
            costs: dict[int, float] = {}
            for sums, _ in self.tables:
                for total, (cost, _chain) in sums.items():
                    costs[total] = min(cost, costs.get(total, cost))
            ranked = sorted(costs.items(), key=lambda pair: (pair[1], pair[0]))
            self._plain.extend((Decimal(total).scaleb(-self.places), cost) for total, cost in ranked)
        return self._plain

    def bases(self, total: Decimal, known: Mapping[int, Decimal], most: float) -> list[Decimal]:
        """The amounts of `known` that the entries below turn into the total, at a cost below `most`.

        known: amounts keyed by their value in units of the smallest decimal.
        """
        wanted = whole(total, self.places)
        if wanted is None:
            return []
        found = {
            known[wanted - delta]
            for sums, _ in self.tables
            for delta, (cost, _chain) in sums.items()
            if wanted - delta in known and cost < most
        }
        return sorted(found)

    def adjustment(self, delta: Decimal) -> Adjustment | None:
        """The cheapest adjustment whose sum is `delta`; None if there is none."""
        wanted = whole(delta, self.places)
        if wanted is None:
            return None
        best: tuple[float, Chain | None, Chain | None] | None = None
        for below, above in self.tables:
            for part, (cost, chain) in above.items():
                found = below.get(wanted - part)
                if found is not None and (best is None or found[0] + cost < best[0]):
                    best = (found[0] + cost, found[1], chain)
        if best is None:
            return None
        return Adjustment(delta, (*reversed(_parts(best[2])), *_parts(best[1])), best[0])


@dataclass(frozen=True, slots=True)
class Adjustments:
    """The entries that may adjust a total: at most `_MAX_ENTRIES`, those of most weight, in printed order."""

    entries: tuple[tuple[Entry, Role | None], ...]
    inclusive: bool
    places: int
    _by_row: dict[int, AdjustmentSums] = field(default_factory=dict)
    _sums: dict[tuple[int, str, bool], Sums] = field(default_factory=dict)

    @staticmethod
    def of(entries: Sequence[Entry], region: Region) -> Adjustments:
        """From the entries of a sheet."""
        most = most_rounded(region)
        usable = [
            (entry, role)
            for entry, role in ((e, _role_of(e)) for e in entries if _may_adjust(e))
            if role != "rounding" or abs(entry.amount.value) <= most
        ]
        if any(role == "tax" and entry.percent for entry, role in usable):  # else the rate may be misread
            usable = [(e, role) for e, role in usable if role != "tax" or e.percent != 0]
        surest = sorted(usable, key=lambda pair: -(pair[0].weight(pair[1]) if pair[1] else 0.0))
        kept = {id(e) for e, _ in surest[:_MAX_ENTRIES]}
        pool = tuple((e, role) for e, role in usable if id(e) in kept)
        decimals = [decimals_of(v) for e, _ in pool for v, _ in readings(e)]
        places = min(_MAX_PLACES, max((2, *decimals)))
        return Adjustments(pool, region.tax.inclusive == "yes", places)

    def below(self, line: int) -> AdjustmentSums:
        """The differences that can be added to an amount printed on row `line`. Entries above the row count
        as contained in the amount unless they are needed."""
        above = sum(1 for e, _ in self.entries if e.line < line)
        if above not in self._by_row:
            roles = {role for _, role in self.entries}
            # A total tax and its parts must not both be added: build the sums without either.
            dropped = ("tax", "total_tax") if roles >= TAXES else ("",)
            tables = tuple((self._below(above, role), self._above(above, role)) for role in dropped)
            self._by_row[above] = AdjustmentSums(tables, self.places)
        return self._by_row[above]

    def _below(self, start: int, dropped: str) -> Sums:
        """Sums of entries[start:], built from those of entries[start + 1:]. dropped: a role to leave out."""
        if start == len(self.entries):
            return {0: (0.0, None)}
        key = (start, dropped, False)
        if key not in self._sums:
            entry, role = self.entries[start]
            rest = self._below(start + 1, dropped)
            self._sums[key] = rest if role == dropped else self._with(rest, entry, role, _MAX_SUMS, False)
        return self._sums[key]

    def _above(self, end: int, dropped: str) -> Sums:
        """Sums of entries[:end], built from those of entries[:end - 1]. dropped: a role to leave out."""
        if end == 0:
            return {0: (0.0, None)}
        key = (end, dropped, True)
        if key not in self._sums:
            entry, role = self.entries[end - 1]
            rest = self._above(end - 1, dropped)
            self._sums[key] = rest if role == dropped else self._with(rest, entry, role, _MAX_ABOVE, True)
        return self._sums[key]

    def _with(self, sums: Sums, entry: Entry, role: Role | None, most: int, is_above: bool) -> Sums:
        """The sums with and without one more entry; only the `most` cheapest are kept."""
        take, leave = self._costs(entry, role)
        if is_above:
            take, leave = take + _ABOVE_TAKE * bool(entry.roles), 0.0
        extended: Sums = {total: (cost + leave, chain) for total, (cost, chain) in sums.items()}
        for value, extra in _signed(entry, role):
            step = whole(value, self.places)
            if step is None:
                continue
            part, price = Part(entry, role, value, extra), take + extra
            for total, (cost, chain) in sums.items():
                known = extended.get(total + step)
                if known is None or cost + price < known[0]:
                    extended[total + step] = (cost + price, (part, chain))
        if len(extended) <= most:
            return extended
        cheapest = sorted(extended.items(), key=lambda pair: pair[1][0])
        return dict(cheapest[:most])

    def _costs(self, entry: Entry, role: Role | None) -> tuple[float, float]:
        """(cost of including the entry in the sum, cost of leaving it out)."""
        if role is None or not entry.roles:
            return _UNNAMED_TAKE, 0.0
        take, leave = _COSTS[role]
        if role in TAXES and self.inclusive:
            take, leave = 1.0, 0.1
        weight = entry.weight(role)
        return take + 1 - weight, leave * weight


def whole(value: Decimal, places: int) -> int | None:
    """An amount in units of 10 ** -places; None when it has more decimals than that."""
    scaled = value.scaleb(places)
    units = int(scaled)
    return units if units == scaled else None


def _parts(chain: Chain | None) -> list[Part]:
    """The parts of a chain; the part added last comes first."""
    found = []
    while chain is not None:
        part, chain = chain
        found.append(part)
    return found


def most_rounded(region: Region) -> Decimal:
    """The most that rounding changes a total by. A larger amount ("ROUNDING 20.00") is the rounded total."""
    least = _LEAST_ROUNDED if region.currency.decimals else _LEAST_ROUNDED_WHOLE
    steps = (Decimal(r.step) for r in region.rounding)
    return max((least, *(step * (1 if region.currency.decimals else _COARSE) for step in steps)))


def _may_adjust(entry: Entry) -> bool:
    if entry.zone == "items":
        return False
    unnamed = not entry.roles and entry.zone == "summary" and entry.last
    return unnamed or _role_of(entry) is not None


def _role_of(entry: Entry) -> Role | None:
    """The role in which an entry changes a total; None where its words name no such role. A negative amount
    without known words is a discount."""
    role = next((role for role, weight in entry.roles if role in _COSTS and weight >= POSSIBLE), None)
    if role is None and not entry.roles and entry.amount.value < 0:
        return "discount"
    return role


def _signed(entry: Entry, role: Role | None) -> list[tuple[Decimal, float]]:
    result = []
    for value, cost in readings(entry):
        if value == 0:
            continue
        if role in ("discount", "savings", "withheld"):
            result.append((-abs(value), cost))
        elif role == "rounding":
            result += [(value, cost), (-value, cost + _OTHER_SIGN)]
        else:
            result.append((value, cost))
    return result

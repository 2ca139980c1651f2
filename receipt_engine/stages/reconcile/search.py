"""The search for the total: every candidate is asked which equations it closes.

A candidate costs what its words and its reading cost; each equation that closes around it earns that
cost back. Bonuses are about how much likelier a right total closes the equation than a wrong one by
chance, as a logarithm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import combinations, pairwise

from receipt_engine.document import Entry, Item, TaxRow
from receipt_engine.stages.reconcile.candidates import Candidate, subtotal_candidates, total_candidates
from receipt_engine.stages.reconcile.sums import Adjustment, Adjustments, ItemSum, Part, readings

_ZERO = Decimal(0)

_SUM_CLOSES = 5.0
_SAME_AS_SUBTOTAL = 1.5
_ITEMS_CLOSE = 4.5
_ONE_ITEM = 2.0
_SUBTOTAL_REWARD = 0.2
_SUBTOTAL_IS_ITEMS = 3.0
_CASH_CLOSES = 5.0
_EXACT_CASH = 1.5
_UNNAMED_CASH = 3.5
_MAX_UNNAMED = 6
_CARD_EQUALS = 2.5
_TABLE_CLOSES = 4.0
_TAX_INCLUDED = 3.0
_PARTS_CLOSE = 4.5
_MAX_PARTS = 10
_ROUNDED = 2.0
_REPEATED = 1.0
#: Share of a base's support that the total built on it inherits.
_INHERITED = 0.9
_CALLED_TOTAL = 0.4
_BUILT_ON = frozenset(("subtotal", "part", "unrounded"))
_MAX_CASH_PAIRS = 40


@dataclass(frozen=True, slots=True)
class Proof:
    """An equation that closes around a total. bonus: what it earns; terms: (name, signed amount)."""

    name: str
    terms: tuple[tuple[str, Decimal], ...]
    bonus: float
    parts: tuple[Part, ...] = ()
    subtotal: Candidate | None = None
    items: ItemSum | None = None
    entries: tuple[tuple[Entry, Decimal], ...] = ()


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A total with everything that closes around it. cost: the smaller the better."""

    total: Candidate
    cost: float
    proofs: tuple[Proof, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Facts:
    """What the search looks at, computed once."""

    entries: tuple[Entry, ...]
    items: tuple[Item, ...]
    tax_rows: tuple[TaxRow, ...]
    adjustments: Adjustments
    item_sums: Mapping[Decimal, ItemSum]
    rates: tuple[Decimal, ...]
    rounding_steps: tuple[Decimal, ...] = ()

    @property
    def table_rows(self) -> frozenset[int]:
        """Rows of a tax table with several rates: their amounts are parts, not wholes."""
        parts = [r.line for r in self.tax_rows if not r.is_sum]
        return frozenset(parts) if len(parts) > 1 else frozenset()


def rank_totals(facts: Facts) -> list[Hypothesis]:
    """Every candidate, cheapest first; equal values are one hypothesis that keeps the best entry."""
    subtotals = subtotal_candidates(facts.entries, facts.table_rows)
    best: dict[Decimal, Hypothesis] = {}
    for candidate in total_candidates(facts.entries, facts.items, facts.table_rows):
        known = best.get(candidate.value)
        if known is not None and known.total.cost <= candidate.cost:
            continue
        proofs = _proofs(candidate, subtotals, facts)
        cost = candidate.cost - sum(p.bonus for p in proofs)
        best[candidate.value] = Hypothesis(candidate, cost, proofs)
    inherited = [_with_inheritance(h, best) for h in best.values()]
    return sorted(inherited, key=lambda h: (h.cost, h.total.entry.line))


def _with_inheritance(hypothesis: Hypothesis, others: Mapping[Decimal, Hypothesis]) -> Hypothesis:
    """What proves an amount also supports the total that is built on it, further down."""
    if hypothesis.total.entry.weight("total") < _CALLED_TOTAL:
        return hypothesis
    terms = {abs(v) for p in hypothesis.proofs for name, v in p.terms if name in _BUILT_ON}
    bases = [
        other
        for other in others.values()
        if abs(other.total.value) in terms
        and other.total.value != hypothesis.total.value
        and other.total.entry.line < hypothesis.total.entry.line
    ]
    support = max((sum(p.bonus for p in other.proofs) for other in bases), default=0.0)
    return replace(hypothesis, cost=hypothesis.cost - _INHERITED * support)


def _proofs(total: Candidate, subtotals: Sequence[Candidate], facts: Facts) -> tuple[Proof, ...]:
    found = [
        _from_subtotal(total, subtotals, facts),
        _from_items(total, facts),
        _from_cash(total, facts),
        _from_card(total, facts),
        _from_table(total, facts),
        _from_included_tax(total, facts),
        _from_parts(total, facts),
        _from_rounding(total, facts),
        _repeated(total, facts),
    ]
    kept = [p for p in found if p is not None]
    first = kept[0] if kept and kept[0].subtotal is not None else None
    if first is not None and first.subtotal is not None:
        items = facts.item_sums.get(first.subtotal.value)
        if items is not None and facts.items and first.subtotal.value != total.value:
            bonus = max(0.0, (_SUBTOTAL_IS_ITEMS if len(facts.items) > 1 else _ONE_ITEM / 2) - items.cost)
            terms = (("items", items.value), ("subtotal", -first.subtotal.value))
            kept.append(Proof("items = subtotal", terms, bonus, items=items))
    return tuple(kept)


def _from_subtotal(total: Candidate, subtotals: Sequence[Candidate], facts: Facts) -> Proof | None:
    """subtotal + taxes + tip + service − discounts ± rounding = total."""
    best: tuple[float, Candidate, Adjustment] | None = None
    for subtotal in subtotals:
        if subtotal.entry is total.entry:
            continue
        way = facts.adjustments.below(subtotal.entry.line).get(total.value - subtotal.value)
        if way is None or any(p.entry is subtotal.entry or p.entry is total.entry for p in way.parts):
            continue
        cost = min(subtotal.cost, 3.0) * 0.7 + way.cost
        if not way.parts:
            # The same amount twice proves little.
            cost += _SUM_CLOSES - _SAME_AS_SUBTOTAL
        if subtotal.value in facts.item_sums:
            cost -= 0.5
        if best is None or cost < best[0]:
            best = (cost, subtotal, way)
    if best is None or best[0] >= _SUM_CLOSES:
        return None
    cost, subtotal, way = best
    terms = (("subtotal", subtotal.value), *_named(way.parts), ("total", -total.value))
    return Proof("subtotal + adjustments = total", terms, _SUM_CLOSES - cost, way.parts, subtotal)


def _named(parts: Sequence[Part]) -> tuple[tuple[str, Decimal], ...]:
    return tuple((p.role, p.value) for p in parts)


def _from_items(total: Candidate, facts: Facts) -> Proof | None:
    """Σ items + taxes + … = total, straight or with one repair."""
    if not facts.items:
        return None
    reward = _ITEMS_CLOSE if len(facts.items) > 1 else _ONE_ITEM
    # Items add up to a subtotal anyway: that says nothing for its being the total.
    if total.entry.role == "subtotal" and any(_outranks(e, total) for e in facts.entries):
        reward *= _SUBTOTAL_REWARD
    best: tuple[float, ItemSum, Adjustment] | None = None
    ways = facts.adjustments.below(facts.items[-1].line)
    for value, items in facts.item_sums.items():
        way = ways.get(total.value - value)
        if way is None or any(p.entry is total.entry for p in way.parts):
            continue
        cost = items.cost + way.cost
        if best is None or cost < best[0]:
            best = (cost, items, way)
    if best is None or best[0] >= reward:
        return None
    cost, items, way = best
    terms = (("items", items.value), *_named(way.parts), ("total", -total.value))
    return Proof("items + adjustments = total", terms, reward - cost, way.parts, items=items)


def _outranks(entry: Entry, total: Candidate) -> bool:
    """Whether another entry further down is called the total with another amount."""
    return (
        entry.weight("total") >= 0.5 and entry.line > total.entry.line and entry.amount.value != total.value
    )


def _from_cash(total: Candidate, facts: Facts) -> Proof | None:
    """cash − change = total; with several tenders, their sum."""
    tenders = [e for e in facts.entries if e.role in ("cash", "card") and e is not total.entry]
    changes = [e for e in facts.entries if e.weight("change") >= 0.3 and e is not total.entry]
    pairs = [
        (tender, cash, change, back, cash_cost + back_cost)
        for tender in tenders
        for cash, cash_cost in readings(tender)
        for change in changes
        for back, back_cost in readings(change)
        if change is not tender and back != 0
    ]
    for tender, cash, change, back, cost in pairs[:_MAX_CASH_PAIRS]:
        if cash - abs(back) == total.value:
            found = (("cash", cash), ("change", -abs(back)), ("total", -total.value))
            used = ((tender, cash), (change, back))
            return Proof("cash − change = total", found, _CASH_CLOSES - cost, entries=used)
    split = _split_tender(total, tenders) or _unnamed_cash(total, facts.entries)
    if split is not None:
        return split
    for tender in tenders:
        if tender.role == "cash" and tender.amount.value == total.value:
            terms = (("cash", total.value), ("total", -total.value))
            return Proof("cash = total", terms, _EXACT_CASH, entries=((tender, total.value),))
    return None


def _unnamed_cash(total: Candidate, entries: Sequence[Entry]) -> Proof | None:
    """Two amounts below the total, under unknown words, whose difference is the total."""
    below = [
        e
        for e in entries
        if e.line > total.entry.line and e.last and (not e.roles or e.role in ("total", "change"))
    ]
    for cash, change in pairwise(below[:_MAX_UNNAMED]):
        given, back = cash.amount.value, abs(change.amount.value)
        if back > 0 and cash.role != "change" and given - back == total.value:
            terms = (("tendered", given), ("returned", -back), ("total", -total.value))
            return Proof(
                "cash − change = total", terms, _UNNAMED_CASH, entries=((cash, given), (change, back))
            )
    return None


def _split_tender(total: Candidate, tenders: Sequence[Entry]) -> Proof | None:
    """Two tenders that add up to the total."""
    for i, first in enumerate(tenders):
        for second in tenders[i + 1 :]:
            a, b = first.amount.value, second.amount.value
            if a > 0 and b > 0 and a + b == total.value and first.line != second.line:
                terms = ((first.role or "tender", a), (second.role or "tender", b), ("total", -total.value))
                return Proof("tenders = total", terms, _CASH_CLOSES - 1, entries=((first, a), (second, b)))
    return None


def _from_card(total: Candidate, facts: Facts) -> Proof | None:
    for entry in facts.entries:
        if entry is total.entry or entry.role != "card" or entry.line == total.entry.line:
            continue
        for value, cost in readings(entry):
            if value == total.value and cost < 1.5:
                terms = (("card", value), ("total", -value))
                return Proof("card = total", terms, _CARD_EQUALS - cost, entries=((entry, value),))
    return None


def _from_table(total: Candidate, facts: Facts) -> Proof | None:
    """Σ net + Σ tax = total, or Σ gross = total, over the printed tax table."""
    rows = [r for r in facts.tax_rows if not r.is_sum]
    if not rows:
        return None
    gross = [_gross(r) for r in rows]
    if any(g is None for g in gross):
        return None
    if sum((g for g in gross if g is not None), _ZERO) != total.value:
        return None
    terms = (*((f"gross {r.rate or ''}".strip(), g or _ZERO) for r, g in zip(rows, gross, strict=True)),)
    return Proof("tax table = total", (*terms, ("total", -total.value)), _TABLE_CLOSES)


def _gross(row: TaxRow) -> Decimal | None:
    if row.gross is not None:
        return row.gross
    return None if row.net is None else row.net + row.tax


def _from_included_tax(total: Candidate, facts: Facts) -> Proof | None:
    """total × rate / (100 + rate) = a printed tax, or net + tax = total."""
    taxes = [e for e in facts.entries if e.role in ("tax", "total_tax") and e.amount.value > 0]
    nets = [
        e
        for e in facts.entries
        if e.weight("net") >= 0.5 and e is not total.entry and e.line not in facts.table_rows
    ]
    for tax in taxes:
        for net in nets:
            if net.amount.value + tax.amount.value == total.value and net is not tax:
                found = (("net", net.amount.value), ("tax", tax.amount.value), ("total", -total.value))
                return Proof("net + tax = total", found, _TAX_INCLUDED)
        rates = (tax.percent,) if tax.percent else facts.rates
        for rate in rates:
            expected = total.value * rate / (100 + rate) if rate else _ZERO
            if rate and abs(expected - tax.amount.value) <= Decimal("0.006"):
                terms = ((f"total × {rate} / {100 + rate}", expected), ("tax", -tax.amount.value))
                bonus = _TAX_INCLUDED if tax.percent else _TAX_INCLUDED / 2
                return Proof("tax included in total", terms, bonus)
    return None


def _from_parts(total: Candidate, facts: Facts) -> Proof | None:
    """Two or three partial totals above, each of a group of products or a tax rate, that add up to it."""
    parts: dict[Decimal, Entry] = {}
    for entry in facts.entries:
        claims = max(entry.weight("total"), entry.weight("subtotal"), entry.weight("gross"))
        if claims >= 0.5 and entry.line < total.entry.line and entry.last and entry.amount.value != 0:
            parts.setdefault(entry.amount.value, entry)
    values = list(parts)[:_MAX_PARTS]
    for size in (2, 3):
        for chosen in combinations(values, size):
            if sum(chosen, _ZERO) == total.value:
                terms = (*(("part", v) for v in chosen), ("total", -total.value))
                return Proof("parts = total", terms, _PARTS_CLOSE)
    return None


def _from_rounding(total: Candidate, facts: Facts) -> Proof | None:
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


def _repeated(total: Candidate, facts: Facts) -> Proof | None:
    """The same amount again on other rows that claim the total, at most two counted."""
    named = bool(total.entry.roles)
    again = {
        e.line
        for e in facts.entries
        if e.line != total.entry.line
        and e.amount.value == total.value
        and (e.weight("total") >= 0.4 if named else not e.roles)
    }
    if not again or (not named and len(again) < 2):
        return None
    return Proof("total repeated", (("total", total.value),), _REPEATED * min(2, len(again)))

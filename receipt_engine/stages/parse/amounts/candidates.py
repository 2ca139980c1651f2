"""Defines the amount candidates of a line, gives them their signs, and chooses between overlapping ones: also
between a number that a space may break ("1 234,56") and its last part alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from receipt_engine.document import AmountRule, Money
from receipt_engine.stages.parse.amounts.currency import After, Before, Signs, look_before
from receipt_engine.stages.parse.amounts.segments import NumberSegment
from receipt_engine.stages.parse.amounts.shapes import NumberRules

#: Readings that cost more are dropped as noise.
MAX_COST = 8.0
_MAX_READINGS = 6
#: Cost of a space between thousands from which the country does not print them so.
_FOREIGN = 1.5
#: Rules of segments that contain a space.
_OVER_SPACE = (AmountRule.SPLIT_NUMBER, AmountRule.LOST_POINT, AmountRule.SPLIT_THOUSANDS)

#: End offset of a number that a space may break → cost of reading all of it, and of its last part alone.
TailCosts = dict[int, tuple[float, float]]


class AmountCandidate(NamedTuple):
    """One segment with its context and readings.

    start, end: offsets with sign and currency; first, last: offsets of the digits alone. decimals: of the
    cheapest reading.
    """

    start: int
    end: int
    first: int
    last: int
    moneys: tuple[Money, ...]
    currency: str | None
    symbols: tuple[str, ...]
    decimals: int

    @property
    def cost(self) -> float:
        return self.moneys[0].cost


def signed(moneys: tuple[Money, ...], before: Before, after: After, separated: bool) -> tuple[Money, ...]:
    """The readings with their sign; with both signs where a dash or brackets may not mean minus.

    separated: the number has separators.
    """
    if before.bracket and after.bracket:
        costs = (0.3, 1.4) if separated else (1.5, 0.3)
    elif "tight" in (before.minus, after.minus):
        costs = (0.0, 4.0)
    elif "loose" in (before.minus, after.minus):
        costs = (0.5, 0.9)
    else:
        return moneys
    negative = [Money(-m.value, round(m.cost + costs[0], 2), m.rule) for m in moneys]
    positive = [Money(m.value, round(m.cost + costs[1], 2), m.rule) for m in moneys]
    return tuple(sorted((*negative, *positive), key=lambda money: money.cost)[:_MAX_READINGS])


def distinct(moneys: Iterable[Money]) -> tuple[Money, ...]:
    """The first reading of each value; given the cheapest first, that is its cheapest one."""
    seen: dict[Decimal, Money] = {}
    for money in moneys:
        seen.setdefault(money.value, money)
    return tuple(seen.values())[:_MAX_READINGS]


def without_overlap(candidates: list[AmountCandidate]) -> list[AmountCandidate]:
    """The cheapest of overlapping candidates, with the others' readings merged into its own."""
    if len(candidates) < 2:
        return candidates
    chosen: list[AmountCandidate] = []
    for candidate in sorted(candidates, key=lambda p: (p.cost, p.start - p.end)):
        for index, other in enumerate(chosen):
            if candidate.first < other.last and other.first < candidate.last:
                chosen[index] = _merged(other, candidate)
                break
        else:
            chosen.append(candidate)
    chosen.sort(key=lambda p: p.first)
    return [_apart(chosen[i - 1 : i], candidate, chosen[i + 1 : i + 2]) for i, candidate in enumerate(chosen)]


def _apart(
    before: list[AmountCandidate], candidate: AmountCandidate, behind: list[AmountCandidate]
) -> AmountCandidate:
    """The candidate, trimmed of its neighbour's digits on the left ("10B$0") and of the next one's text."""
    start = max([candidate.start, *(other.last for other in before)])
    end = min([candidate.end, *(max(candidate.last, other.start) for other in behind)])
    return candidate._replace(start=start, end=end)


def _merged(kept: AmountCandidate, other: AmountCandidate) -> AmountCandidate:
    moved = other.first != kept.first
    more = tuple(Money(m.value, m.cost, m.rule, other.first) if moved else m for m in other.moneys)
    ranked = sorted((*kept.moneys, *more), key=lambda money: money.cost)
    return kept._replace(moneys=distinct(ranked))


def tail_costs(line: str, cut: Sequence[NumberSegment], rules: NumberRules, signs: Signs) -> TailCosts:
    """End of "1 234,56" → cost of reading all of it, and of reading its last part alone (see `TailCosts`)."""
    costs: TailCosts = {}
    for segment in cut:
        if segment.rule is AmountRule.SPLIT_THOUSANDS:
            costs[segment.end] = (0.0, 1.5)
        elif segment.rule in _OVER_SPACE:
            if look_before(line, segment.start, signs).currency:
                costs[segment.end] = (-2.0, 2.2)
                costs[segment.start + len(segment.groups[0])] = (0.0, 2.5)  # "$5 27": not $5
        elif " " in segment.separators:
            habit = rules.group[" "]
            if _is_product(segment):
                costs[segment.end] = (2.5, 0.0)
            elif (
                segment.separators.count(" ") > 1 and (habit < _FOREIGN or rules.decimals > 0)
            ) or look_before(line, segment.start, signs).currency:
                costs[segment.end] = (-habit, 3.5)
                costs[segment.start + len(segment.groups[0])] = (0.0, 2.5)  # its head alone is unlikely too
            elif habit < 0.5:
                costs[segment.end] = (0.2, 1.3)
            else:  # after a word, the first part is more likely a quantity
                alone = 1.1 if habit < 1.5 and not line[: segment.start].strip() else 0.2
                costs[segment.end] = (0.2, alone)
    return costs


def tail_cost(segment: NumberSegment, costs: TailCosts) -> float:
    """The cost of a segment as a whole number that a space breaks, or as its last part."""
    if segment.end not in costs:
        return 0.0
    joined, alone = costs[segment.end]
    return joined if " " in segment.separators or segment.rule in _OVER_SPACE else alone


def _is_product(segment: NumberSegment) -> bool:
    """Whether spaces separate a count, a price and their product: "3 248 744.00", "1 285 285.00"."""
    if len(segment.groups) < 3 or segment.separators[:2] != "  ":
        return False
    count, price, amount = map(int, segment.groups[:3])
    return 0 < count < 100 and price > 0 and count * price == amount

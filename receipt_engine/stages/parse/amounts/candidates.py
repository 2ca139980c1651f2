"""Defines the amount candidates of a line, gives them their signs, and chooses between overlapping ones."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from receipt_engine.document import Money
from receipt_engine.stages.parse.amounts.currency import After, Before

#: Readings that cost more are dropped as noise.
MAX_COST = 8.0
_MAX_READINGS = 6


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

"""Scores numbers that a space may break: "1 234,56" as one number against its last part alone."""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import AmountRule
from receipt_engine.stages.parse.amounts.currency import Signs, look_before
from receipt_engine.stages.parse.amounts.segments import NumberSegment
from receipt_engine.stages.parse.amounts.shapes import NumberRules

#: Cost of a space between thousands from which the country does not print them so.
_FOREIGN = 1.5
#: Rules of segments that contain a space.
_OVER_SPACE = (AmountRule.SPLIT_NUMBER, AmountRule.LOST_POINT, AmountRule.SPLIT_THOUSANDS)

#: End offset of a number that a space may break → cost of reading all of it, and of its last part alone.
TailCosts = dict[int, tuple[float, float]]


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

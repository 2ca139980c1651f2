"""Finds what a printed number can mean: the role of each separator under a region's number formats.

Only the *shape* of a number counts: how many digits stand between which separators. "1.234,56" has the
lengths (1, 3, 2) and the separators ".,". Shapes are few, so their readings are computed once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from receipt_engine.document import AmountRule
from receipt_engine.region import KEPT_REGIONS, Region
from receipt_engine.scoring.costs import FORBIDDEN

#: Separators that the country itself uses cost less than this.
_NATIVE = 1.0
#: Cost of a point or comma that is misread, or swapped against the region's format.
_SWAPPED = 1.2
#: Cost of an apostrophe for the point: "12'50".
_APOSTROPHE_POINT = 2.0
#: Costs of thousands separators that the country does not use.
_FOREIGN_GROUP = {".": 1.4, ",": 1.4, "'": 1.0, " ": 1.9, ";": 1.6, ":": 2.0}


@dataclass(frozen=True, slots=True)
class AmountHints:
    """What the caller knows about the amounts.

    decimal_places: digits printed after the point, 0 to 3, None when unknown. cents: numbers printed
    without a decimal separator count thousandths; applies only together with decimal_places=3.
    """

    decimal_places: int | None = None
    cents: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class NumberRules:
    """A region's number formats and a caller's hints as costs.

    decimal: cost of each decimal separator. group: cost of each thousands separator.
    decimals: digits expected after the point. whole: how common amounts without decimals are.
    indian: digits are grouped in lakh and crore. cents: see `AmountHints`.
    """

    decimal: dict[str, float]
    group: dict[str, float]
    decimals: int
    whole: Literal["usual", "optional", "rare"]
    indian: bool
    cents: bool

    def is_point(self, sign: str) -> bool:
        """Whether the country uses a sign as decimal separator."""
        return self.decimal.get(sign, FORBIDDEN) < _NATIVE

    def rather_points(self, sign: str) -> bool:
        """Whether the country uses a sign for decimals rather than thousands."""
        return self.decimal.get(sign, FORBIDDEN) < self.group.get(sign, FORBIDDEN)

    def parts_thousands(self, sign: str) -> bool:
        """Whether the country uses a sign as thousands separator."""
        return self.group.get(sign, FORBIDDEN) < _NATIVE

    def may_part(self, sign: str) -> bool:
        """Whether a sign before three digits parts thousands, as amounts may be whole: "4.250"."""
        return self.parts_thousands(sign) and self.whole != "rare"


class ShapeReading(NamedTuple):
    """One meaning of a shape. decimals: how many of the digits stand after the point."""

    decimals: int
    cost: float
    rule: AmountRule


class Shape(NamedTuple):
    """The form of a number. lengths: of its digit groups; separators: one character each; zero: a leading
    zero stands before other digits; nil: the part before the first separator is 0; marked: a currency sign,
    or a dash for "no cents", stands beside it."""

    lengths: tuple[int, ...]
    separators: str
    zero: bool = False
    nil: bool = False
    marked: bool = False


@lru_cache(maxsize=KEPT_REGIONS)
def number_rules(region: Region, hints: AmountHints) -> NumberRules:
    """The rules for one region and one caller."""
    decimal: dict[str, float] = {}
    group: dict[str, float] = {}
    for rank, habit in enumerate(region.numbers.habits):
        decimal.setdefault(habit.decimal, 0.6 * rank)
        for place, separator in enumerate(habit.groups):
            plain = "'" if separator in "'’" else " " if separator.isspace() else separator
            # a space that is not the usual separator is more often the one after a quantity
            group.setdefault(plain, 0.6 * rank + (0.7 if plain == " " and place else 0.0))
    if "'" in group:  # a small apostrophe is easily misread as a space
        group.setdefault(" ", group["'"] + 0.7)
    for separator in ".,":
        decimal.setdefault(separator, _SWAPPED)
    decimal.setdefault("'", _APOSTROPHE_POINT)
    for separator, cost in _FOREIGN_GROUP.items():
        group.setdefault(separator, cost)
    places = region.currency.decimals if hints.decimal_places is None else hints.decimal_places
    optional = hints.decimal_places is None and region.currency.fraction_optional
    whole: Literal["usual", "optional", "rare"] = (
        "usual" if places == 0 else "optional" if optional else "rare"
    )
    indian = any(habit.indian for habit in region.numbers.habits)
    return NumberRules(decimal, group, places, whole, indian, hints.cents and hints.decimal_places == 3)


@lru_cache(maxsize=8192)
def shape_readings(shape: Shape, rules: NumberRules) -> tuple[ShapeReading, ...]:
    """All readings of a shape, the cheapest first; empty when it can be no amount."""
    found = list(_whole(shape, rules) if len(shape.lengths) == 1 else _separated(shape, rules))
    found.sort(key=lambda reading: reading.cost)
    return tuple(found)


def _whole(shape: Shape, rules: NumberRules) -> list[ShapeReading]:
    """The readings of digits without separators."""
    length, expected = shape.lengths[0], rules.decimals
    if shape.zero or length > 9 or (length > 7 and not shape.marked):
        return []
    if rules.cents:
        cost = 0.2 if shape.marked else 0.8 if length >= 3 else 1.6
        return [ShapeReading(3, cost, AmountRule.MINOR_UNITS), ShapeReading(0, cost + 4.0, AmountRule.WHOLE)]
    if rules.whole == "rare":
        plain = 0.9 if shape.marked else (5.0, 4.6)[length > 1] if length < 3 else 4.4
    else:
        plain = (2.6 if length < 3 else 1.2 + 0.2 * (length > 3)) if not shape.marked else 0.2 * (length < 3)
        plain += (0.8 if length < 3 and not shape.marked else 0.4) * (rules.whole == "optional")
    found = [ShapeReading(0, plain, AmountRule.WHOLE)]
    if expected and length > expected:  # the point may be lost
        lost = 1.8 if shape.marked else 3.4
        found.append(ShapeReading(expected, lost + 1.4 * (rules.whole == "optional"), AmountRule.LOST_POINT))
    return found


def _separated(shape: Shape, rules: NumberRules) -> list[ShapeReading]:
    lengths, separators = shape.lengths, shape.separators
    found: list[ShapeReading] = []
    groups = _group_cost(lengths, separators, shape, rules)
    if groups is not None:
        found.append(ShapeReading(0, _thousands_cost(groups, shape, rules), AmountRule.THOUSANDS))
    last = separators[-1]
    head = 0.0 if len(lengths) == 2 else _group_cost(lengths[:-1], separators[:-1], shape, rules)
    if last in ".,:;'" and head is not None:
        cost = head + _fraction_cost(lengths[-1], shape, rules) + 1.2 * shape.zero
        if len(lengths) > 2 and separators[-2] == last:
            # "1.234.56": one of the two was misread; the lengths leave no other reading.
            cost += 0.7 if lengths[-1] == rules.decimals else 1.4
        native = rules.decimal.get(last, FORBIDDEN) < _SWAPPED
        rule = AmountRule.AS_PRINTED if native else AmountRule.SWAPPED_SEPARATORS
        found.append(ShapeReading(lengths[-1], cost, rule))
    return [reading for reading in found if reading.cost < FORBIDDEN]


def _group_cost(lengths: tuple[int, ...], separators: str, shape: Shape, rules: NumberRules) -> float | None:
    """Cost of reading all separators as thousands separators; None when the group lengths forbid it."""
    if shape.zero or shape.nil or not 1 <= lengths[0] <= 3 or lengths[-1] != 3:
        return None
    middle = lengths[1:-1]
    if all(length == 3 for length in middle):
        cost = 0.0
    elif all(length == 2 for length in middle) and lengths[0] <= 2:
        cost = 0.0 if rules.indian else 2.5  # lakh and crore: 12,34,567
    else:
        return None
    if any(separator not in rules.group for separator in separators):
        return None
    cost += max(rules.group[separator] for separator in separators)
    return cost if len(set(separators)) == 1 else cost + 1.0


def _thousands_cost(groups: float, shape: Shape, rules: NumberRules) -> float:
    """Cost of a whole number with thousands separators. groups: the cost of the separators alone."""
    if rules.whole == "usual":  # point and comma can mean nothing else; a space can
        doubtful = any(separator in " ;:" for separator in shape.separators)
        return (groups if doubtful else min(groups, 0.5)) + 0.1 * (not shape.marked)
    if " " in shape.separators and not shape.marked and rules.whole == "rare":
        groups += 2.5  # more likely a telephone or company number
    if len(shape.lengths) > 2:
        return groups + 0.3
    if rules.decimals == 3:  # in "1,574" the comma is more likely decimal
        return groups + 2.8
    if groups < 1.0 and rules.whole == "rare" and rules.rather_points(shape.separators[-1]):
        groups += 1.0
    return groups + (0.3 if rules.whole == "optional" else 0.5 if shape.marked else 0.9)


def _fraction_cost(length: int, shape: Shape, rules: NumberRules) -> float:
    """Cost of `length` digits after a decimal separator."""
    separator, expected = shape.separators[-1], rules.decimals
    point = rules.decimal.get(separator, 2.4 if separator == ";" else 1.5 if shape.marked else 5.5)
    if length == expected and expected:
        return min(point, 0.4) if expected == 3 else point
    if length > 4 or separator in ":;'":
        return FORBIDDEN
    if expected == 0:
        grouped = len(shape.lengths) > 2 and shape.separators[-2] != separator
        if length == 3 and rules.rather_points(shape.separators[-1]):
            return point + 2.0
        return point + (0.3 if grouped and length == 2 else (FORBIDDEN, 2.2, 2.0, 3.2, 4.0)[length])
    if length == 1:
        return point + (1.0 if shape.marked else 1.6)
    if length == 3:  # fuel prices, weights; or thousands, if the separator groups them
        return point + (1.5 if rules.whole == "rare" and rules.rather_points(shape.separators[-1]) else 2.2)
    return point + (3.5 if length == 4 else 1.0)

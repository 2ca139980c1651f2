"""Assigns the Result's lines to the labelled lines, one-to-one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from rapidfuzz import fuzz

from benchmarks.datasets.sample import ItemLabel, SummaryLabel
from benchmarks.scoring import text

#: Minimum similarity of descriptions, ignoring white space and case.
DESCRIPTION_SIMILARITY = 0.8


@dataclass(frozen=True, slots=True)
class Counts:
    """matched, expected, given: numbers of lines. Precision, recall and F1 are 1 when there are none."""

    matched: int = 0
    expected: int = 0
    given: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.matched + other.matched, self.expected + other.expected, self.given + other.given)

    @property
    def precision(self) -> float:
        return self.matched / self.given if self.given else float(not self.expected)

    @property
    def recall(self) -> float:
        return self.matched / self.expected if self.expected else 1.0

    @property
    def f1(self) -> float:
        both = self.expected + self.given
        return 2 * self.matched / both if both else 1.0


def line_total(line: Mapping[str, Any]) -> Decimal | None:
    value = line.get("lineTotal")
    return None if value is None else Decimal(str(value))


def same_description(label: ItemLabel, line: Mapping[str, Any]) -> bool:
    """Whether any accepted description is similar to ``descClean`` or ``desc``."""
    given = [text.squeezed(line[key]) for key in ("descClean", "desc") if line.get(key)]
    return any(
        fuzz.ratio(text.squeezed(wanted), found) >= 100 * DESCRIPTION_SIMILARITY
        for wanted in label.descs
        for found in given
    )


def match_items(labels: Sequence[ItemLabel], lines: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """Label index → line index: the largest set of pairs with equal amounts and similar descriptions."""
    edges = [
        [
            at
            for at, line in enumerate(lines)
            if line_total(line) == label.line_total and same_description(label, line)
        ]
        for label in labels
    ]
    return _largest_matching(edges)


def _largest_matching(edges: Sequence[Sequence[int]]) -> dict[int, int]:
    """Left → right. Every left node is added by an augmenting path, if there is one (Berge 1957)."""
    pairs: dict[int, int] = {}
    for start in range(len(edges)):
        owner = {right: left for left, right in pairs.items()}
        came_from = _reachable(start, edges, owner)
        free = next((right for right in came_from if right not in owner), None)
        while free is not None:
            left = came_from[free]
            following = pairs.get(left)
            pairs[left] = free
            free = following
    return pairs


def _reachable(start: int, edges: Sequence[Sequence[int]], owner: Mapping[int, int]) -> dict[int, int]:
    """Right nodes on alternating paths from `start`, each with the left node from which it was reached."""
    came_from: dict[int, int] = {}
    frontier = [start]
    for left in frontier:
        for right in edges[left]:
            if right not in came_from:
                came_from[right] = left
                if right in owner:
                    frontier.append(owner[right])
    return came_from


def count_items(labels: Sequence[ItemLabel], lines: Sequence[Mapping[str, Any]]) -> Counts:
    """Counts of lines matched by amount and description."""
    return Counts(len(match_items(labels, lines)), len(labels), len(lines))


def count_amounts(labels: Sequence[ItemLabel], lines: Sequence[Mapping[str, Any]]) -> Counts:
    """Counts of lines matched by the amount alone."""
    wanted: Counter[Decimal | None] = Counter(label.line_total for label in labels)
    found = Counter(line_total(line) for line in lines)
    return Counts((wanted & found).total(), len(labels), len(lines))


def count_summary(
    labels: Sequence[SummaryLabel], lines: Sequence[Mapping[str, Any]], *, typed_only: bool = False
) -> Counts:
    """Counts of totals-block lines matched by lineType and amount. typed_only: omit those without a type."""
    wanted: Counter[tuple[str | None, Decimal | None]] = Counter(
        (label.line_type, label.amount) for label in labels if label.line_type or not typed_only
    )
    found: Counter[tuple[str | None, Decimal | None]] = Counter(
        (line.get("lineType"), line_total(line)) for line in lines if line.get("lineType") or not typed_only
    )
    return Counts((wanted & found).total(), wanted.total(), found.total())

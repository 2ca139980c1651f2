"""Sums many receipts: by month, merchant, expense type, currency or tax rate.

Amounts of different currencies are never added. A receipt marked as a duplicate is not counted again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, get_args

from receipt_engine.batch.doubts import is_doubtful
from receipt_engine.batch.row import Row
from receipt_engine.document import ZERO
from receipt_engine.export.columns import tax_rows
from receipt_engine.result import Result
from receipt_engine.vocabulary.normalise import alphanumerics

Grouping = Literal["month", "merchant", "expense", "currency", "rate"]
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)


@dataclass
class Group:
    """The receipts that share a name and a currency. name: "" where it was not found; total and tax: sums;
    base: sum of the tax bases, by rate only; without_total: receipts or tax rows that the total lacks."""

    name: str
    currency: str
    receipts: int = 0
    total: Decimal = ZERO
    tax: Decimal = ZERO
    base: Decimal | None = None
    to_check: int = 0
    without_total: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        base = None if self.base is None else float(self.base)
        return {**vars(self), "total": float(self.total), "tax": float(self.tax), "base": base}


@dataclass
class Summary:
    """Counts and sums. groups: by grouping and currency, largest first, months and rates in their order."""

    receipts: int = 0
    duplicates: int = 0
    failed: int = 0
    to_check: int = 0
    groups: dict[Grouping, list[Group]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        groups = {name: [group.to_dict() for group in found] for name, found in self.groups.items()}
        return {**vars(self), "groups": groups}


def summarise(rows: Iterable[Row], by: Iterable[Grouping] = GROUPINGS) -> Summary:
    """The sums of `rows`, which are iterated once."""
    summary = Summary()
    collected: dict[Grouping, dict[tuple[str, str], Group]] = {name: {} for name in by}
    spellings: dict[str, Counter[str]] = {}
    for result in _counted(rows, summary):
        if "merchant" in collected:
            name = result.establishment or ""
            spellings.setdefault(alphanumerics(name), Counter())[name] += 1
        for grouping, groups in collected.items():
            _ADD[grouping](groups, result)
    for group in collected.get("merchant", {}).values():
        group.name = spellings[group.name].most_common(1)[0][0]
    summary.groups = {name: _sorted(name, groups.values()) for name, groups in collected.items()}
    return summary


def _counted(rows: Iterable[Row], summary: Summary) -> Iterator[Result]:
    for row in rows:
        result = row.found
        if result is None:
            summary.failed += 1
        elif row.duplicate:
            summary.duplicates += 1
        else:
            summary.receipts += 1
            summary.to_check += is_doubtful(result)
            yield result


def _add(groups: dict[tuple[str, str], Group], name: str, result: Result) -> Group:
    currency = result.currency or ""
    group = groups.setdefault((name, currency), Group(name, currency))
    group.receipts += 1
    group.to_check += is_doubtful(result)
    return group


def _by(name_of: Callable[[Result], str]) -> Callable[[dict[tuple[str, str], Group], Result], None]:
    def add(groups: dict[tuple[str, str], Group], result: Result) -> None:
        group = _add(groups, name_of(result), result)
        if result.total is None:
            group.without_total += 1
            return
        group.total += result.total
        group.tax += result.tax or sum(result.taxes, ZERO)

    return add


def _by_rate(groups: dict[tuple[str, str], Group], result: Result) -> None:
    for row in tax_rows(result):
        name = "" if row.rate is None else f"{row.rate.normalize():f}"
        group = _add(groups, name, result)
        group.tax += row.tax or ZERO
        if row.base is not None:
            group.base = (group.base or ZERO) + row.base
            group.total += row.base + (row.tax or ZERO)
        else:
            group.without_total += 1


_ADD: dict[Grouping, Callable[[dict[tuple[str, str], Group], Result], None]] = {
    "month": _by(lambda result: (result.date or "")[:7]),
    "merchant": _by(lambda result: alphanumerics(result.establishment or "")),
    "expense": _by(lambda result: result.expense_type or ""),
    "currency": _by(lambda result: result.currency or ""),
    "rate": _by_rate,
}


def _sorted(grouping: Grouping, groups: Iterable[Group]) -> list[Group]:
    if grouping == "month":
        return sorted(groups, key=lambda g: (g.name, g.currency))
    if grouping == "rate":
        return sorted(groups, key=lambda g: (g.currency, Decimal(g.name or -1)))
    return sorted(groups, key=lambda g: (g.currency, -abs(g.total), g.name))

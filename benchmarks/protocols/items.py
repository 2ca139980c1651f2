"""Scores product lines: matched one-to-one with the labelled ones, by amount and description together.

Amounts must be equal; descriptions at least 80 % similar, ignoring white space and case. All lines of a data
set count together. The last columns cover matched lines only.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from benchmarks.outcome import Outcome
from benchmarks.scoring import matching
from benchmarks.scoring.rules import same_code
from benchmarks.scoring.statistics import f1_interval
from benchmarks.study import Study
from benchmarks.table import Cell, Kind, Table, interval

_DETAILS = ("qty", "price", "unit", "productCode")


def labelled(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes whose product lines are completely labelled."""
    return [outcome for outcome in outcomes if outcome.sample.items is not None]


def item_counts(outcome: Outcome) -> matching.Counts:
    return matching.count_items(outcome.sample.items or (), outcome.lines("lineItems"))


def measure(study: Study) -> list[Table]:
    columns: dict[str, Kind] = {
        "set": "text",
        "receipts": "count",
        "lines": "count",
        "given": "count",
        "precision": "score",
        "recall": "score",
        "F1": "score",
        "95 % interval": "text",
        "F1 amounts": "score",
        "all right %": "share",
        **{f"{name} %": "share" for name in _DETAILS},
    }
    rows = [
        _row(name, kept)
        for name, outcomes in study.by_dataset(pooled=True).items()
        if (kept := labelled(outcomes))
    ]
    return [Table("Product lines: amount and description", columns, rows)] if rows else []


def _row(name: str, outcomes: list[Outcome]) -> list[Cell]:
    each = [item_counts(outcome) for outcome in outcomes]
    whole = sum(each, matching.Counts())
    by_amount = (matching.count_amounts(o.sample.items or (), o.lines("lineItems")) for o in outcomes)
    return [
        name,
        len(outcomes),
        whole.expected,
        whole.given,
        whole.precision,
        whole.recall,
        whole.f1,
        interval(f1_interval(each), "score"),
        sum(by_amount, matching.Counts()).f1,
        sum(c.matched == c.expected == c.given for c in each) / len(each),
        *_details(outcomes),
    ]


def _details(outcomes: list[Outcome]) -> list[Cell]:
    """Shares of right values among matched lines whose label gives one."""
    right = dict.fromkeys(_DETAILS, 0)
    counted = dict.fromkeys(_DETAILS, 0)
    for outcome in outcomes:
        labels, lines = outcome.sample.items or (), outcome.lines("lineItems")
        for at, found in matching.match_items(labels, lines).items():
            label, line = labels[at], lines[found]
            wanted = {"qty": label.qty, "price": label.price, "unit": label.unit}
            for key, value in wanted.items():
                if value is not None:
                    counted[key] += 1
                    right[key] += line.get(key) is not None and Decimal(str(line[key])) == value
            if label.product_code is not None:
                counted["productCode"] += 1
                right["productCode"] += same_code(label.product_code, line.get("productCode") or "", False)
    return [right[name] / counted[name] if counted[name] else None for name in _DETAILS]

"""ICDAR 2019 SROIE task 3: micro F1 over company, date, address and total, compared letter by letter.

The Result's values are written plainly, whatever form the labels have: the name and the address as they
are, the date as it is printed (from the evidence; ISO without it), the total with two decimals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.outcome import Outcome
from benchmarks.scoring.matching import Counts
from benchmarks.scoring.statistics import f1_interval
from benchmarks.study import Study
from benchmarks.table import Cell, Kind, Table, interval

ENTITIES = ("company", "date", "address", "total")


def plain(result: dict[str, Any], entity: str) -> str | None:
    """A value of the Result as a plain string; None when there is none."""
    if entity == "company":
        return result.get("establishment")
    if entity == "address":
        return result.get("address")
    if entity == "total":
        return None if result.get("total") is None else f"{result['total']:.2f}"
    if result.get("date") is None:
        return None
    return _printed_date(result) or str(result["date"])[:10]


def _printed_date(result: dict[str, Any]) -> str | None:
    field = (result.get("evidence") or {}).get("fields", {}).get("date") or {}
    raw = field.get("raw")
    return raw if isinstance(raw, str) and raw else None


def count(outcome: Outcome, entities: Sequence[str] = ENTITIES) -> Counts:
    """Equal strings, labels and given strings of one receipt."""
    matched = expected = given = 0
    for entity in entities:
        label = outcome.sample.fields.get(f"sroie.{entity}")
        text = plain(outcome.result, entity) if outcome.result is not None else None
        if label is None:
            continue
        expected += 1
        given += text is not None
        matched += text == label.main
    return Counts(matched, expected, given)


def measure(study: Study) -> list[Table]:
    outcomes = [o for o in study.outcomes if any(f"sroie.{entity}" in o.sample.fields for entity in ENTITIES)]
    if not outcomes:
        return []
    columns: dict[str, Kind] = {
        "entity": "text",
        "n": "count",
        "precision": "score",
        "recall": "score",
        "F1": "score",
        "95 % interval": "text",
    }
    rows: list[list[Cell]] = []
    for name, entities in [*((entity, (entity,)) for entity in ENTITIES), ("all", ENTITIES)]:
        each = [count(outcome, entities) for outcome in outcomes]
        whole = sum(each, Counts())
        bounds = interval(f1_interval(each), "score")
        rows.append([name, whole.expected, whole.precision, whole.recall, whole.f1, bounds])
    note = "Nothing is tuned to the form of the labels."
    return [Table("SROIE task 3: exact strings", columns, rows, note)]

"""ICDAR 2019 SROIE task 3: micro F1 over company, date, address and total, compared letter by letter.

The Result's values are written plainly, whatever form the labels have: the name and the address as they
are, the date as it is printed (from the evidence; ISO without it), the total with two decimals.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from benchmarks.failures import date_in
from benchmarks.outcome import Outcome
from benchmarks.scoring.matching import Counts
from benchmarks.scoring.statistics import f1_interval
from benchmarks.study import Study
from benchmarks.table import Cell, Kind, Table, interval

#: Three parts with marks between them, or eight digits; from any place on, so that a number before the
#: date hides nothing.
_MARK = "[-/. ]{1,2}"
_DATE = re.compile(
    rf"(?<!\d)(?=((?:\d{{1,4}}{_MARK}\d{{1,2}}|\d{{1,2}}{_MARK}[^\W\d_]{{3,9}}){_MARK}\d{{2,4}}(?!\d)|\d{{8}}(?!\d)))"
)
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
    evidence = (result.get("evidence") or {}).get("fields", {}).get("date") or {}
    day = str(result["date"])[:10]
    return printed_date(str(evidence.get("text") or ""), day) or day


def printed_date(row: str, day: str) -> str | None:
    """The part of a row that is a given day (ISO), as it is printed."""
    found = (match.group(1) for match in _DATE.finditer(row))
    return next((part for part in found if date_in(day, part)), None)


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

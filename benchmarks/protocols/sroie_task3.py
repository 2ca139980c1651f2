"""Scores ICDAR 2019 SROIE task 3: micro F1 over company, date, address and total, compared as exact strings.

The task normalises nothing, so the spelling of a value matters. There are two tables:

* the Result's values as they are: the name and the address, the date as it is printed (from the evidence;
  ISO without it), the total with two decimals;
* the same values in the alphabet of the task. Its transcripts and labels have no lower-case letters,
  whatever the receipt has, and join the rows of an address as printed, where the Result puts a comma between
  them. So values are upper-cased, and only printed commas are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.failures import date_in
from benchmarks.outcome import Outcome
from benchmarks.scoring.matching import Counts
from benchmarks.scoring.statistics import f1_interval
from benchmarks.study import Study
from benchmarks.table import Cell, Kind, Table, interval

#: A date as three parts with separators, or eight digits. It may start anywhere (lookahead), so that a number
#: before the date does not hide it. A time may follow a four-digit year without a space.
_MARK = "[-/. ]{1,2}"
_YEAR = r"(?:(?:19|20)\d{2}|\d{2}(?!\d))"
_DATE = re.compile(
    rf"(?<!\d)(?=((?:19|20)\d{{2}}{_MARK}\d{{1,2}}{_MARK}\d{{1,2}}"
    rf"|(?:\d{{1,2}}{_MARK}\d{{1,2}}{_MARK}|\d{{1,2}}(?:{_MARK})?[^\W\d_]{{3,9}}{_MARK}){_YEAR}"
    r"|\d{8}(?!\d)))"
)
#: Number of characters that identify the end of an address row.
_ROW_END = 12
ENTITIES = ("company", "date", "address", "total")


def plain(result: dict[str, Any], entity: str) -> str | None:
    """A value of the Result as a plain string, or None."""
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


def transcribed(result: dict[str, Any], entity: str) -> str | None:
    """A value in the alphabet of the task's transcripts: upper case, with only the printed commas."""
    value = plain(result, entity)
    if value is None:
        return None
    if entity == "address":
        evidence = (result.get("evidence") or {}).get("fields", {}).get("address") or {}
        value = printed_commas(value, str(evidence.get("text") or "").split(" / "))
    return value.upper()


def printed_commas(address: str, rows: Sequence[str]) -> str:
    """The address with a space instead of a comma at every end of a row that prints no comma there."""
    for row in rows[:-1]:
        printed = row.rstrip()
        end = printed.rstrip(".;")[-_ROW_END:]
        if end and not printed.endswith(","):
            address = address.replace(f"{end}, ", f"{end} ", 1)
    return address


def printed_date(row: str, day: str) -> str | None:
    """The part of a row that is the given day (ISO), as printed; None when there is none."""
    found = (match.group(1) for match in _DATE.finditer(row))
    return next((part for part in found if date_in(day, part)), None)


Writing = Callable[[dict[str, Any], str], str | None]


def count(outcome: Outcome, entities: Sequence[str] = ENTITIES, writing: Writing = plain) -> Counts:
    """Counts for one receipt. matched: equal strings; expected: labels; given: strings given."""
    matched = expected = given = 0
    for entity in entities:
        label = outcome.sample.fields.get(f"sroie.{entity}")
        text = writing(outcome.result, entity) if outcome.result is not None else None
        if label is None:
            continue
        expected += 1
        given += text is not None
        matched += text == label.main
    return Counts(matched, expected, given)


def measure(study: Study) -> list[Table]:
    """The table of the values as they are, and that of the values as the task transcribes them."""
    outcomes = [o for o in study.outcomes if any(f"sroie.{entity}" in o.sample.fields for entity in ENTITIES)]
    if not outcomes:
        return []
    return [
        _table(outcomes, plain, "SROIE task 3: exact strings", "The Result's own strings."),
        _table(
            outcomes,
            transcribed,
            "SROIE task 3: exact strings, as the task transcribes",
            "In capitals, and without commas at the ends of rows where none is printed.",
        ),
    ]


def _table(outcomes: Sequence[Outcome], writing: Writing, title: str, note: str) -> Table:
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
        each = [count(outcome, entities, writing) for outcome in outcomes]
        whole = sum(each, Counts())
        bounds = interval(f1_interval(each), "score")
        rows.append([name, whole.expected, whole.precision, whole.recall, whole.f1, bounds])
    return Table(title, columns, rows, note)

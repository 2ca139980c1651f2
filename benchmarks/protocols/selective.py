"""Evaluates confidences: coverage and error above thresholds, and calibration.

Coverage: share of labelled receipts with a value at or above the threshold. Error: share of those values
that is wrong. ECE: expected calibration error, ten bins. A value where the receipt has none is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.outcome import Outcome
from benchmarks.scoring.fields import Verdict
from benchmarks.scoring.statistics import Bin, calibration_error, reliability
from benchmarks.study import Study
from benchmarks.table import Cell, Kind, Table

FIELDS = ("total", "date", "establishment", "subTotal")
THRESHOLDS = (0.9, 0.99)
#: Field → the Result's flag that marks the value as proved.
VALIDATED = {"total": "validatedTotal", "subTotal": "validatedSubTotal"}


@dataclass(frozen=True, slots=True)
class Answers:
    """given: (confidence, right) of each value. validated: whether right, for each flagged value."""

    labelled: int
    given: Sequence[tuple[float, bool]]
    validated: Sequence[bool]


def answers(outcomes: Sequence[Outcome], field: str) -> Answers:
    """The values of one field with their confidence."""
    labelled = [outcome for outcome in outcomes if field in outcome.sample.fields]
    given: list[tuple[float, bool]] = []
    validated: list[bool] = []
    for outcome in labelled:
        right = outcome.judge(field) is Verdict.RIGHT
        confidence = outcome.confidence(field)
        if confidence is not None:
            given.append((confidence, right))
        if outcome.result is not None and outcome.result.get(VALIDATED.get(field, "")) is True:
            validated.append(right)
    return Answers(len(labelled), given, validated)


def curves(outcomes: Sequence[Outcome]) -> dict[str, list[Bin]]:
    """Field → stated confidence against share right, for the fields that have values."""
    found = {field: reliability(answers(outcomes, field).given) for field in FIELDS}
    return {field: bins for field, bins in found.items() if bins}


def measure(study: Study) -> list[Table]:
    columns: dict[str, Kind] = {"set": "text", "field": "text", "n": "count", "given": "count"}
    for threshold in THRESHOLDS:
        columns |= {f"≥{threshold} cover %": "share", f"≥{threshold} error %": "share"}
    columns |= {"validated %": "share", "validated right %": "share", "ECE": "score", "Brier": "score"}
    rows: list[list[Cell]] = []
    bins: list[list[Cell]] = []
    for name, outcomes in study.by_dataset(pooled=True).items():
        for field in FIELDS:
            found = answers(outcomes, field)
            if found.labelled:
                rows.append([name, field, *_numbers(found, field)])
                bins += [[name, field, b.n, b.confidence, b.accuracy] for b in reliability(found.given)]
    curve: dict[str, Kind] = {
        "set": "text",
        "field": "text",
        "n": "count",
        "mean confidence": "score",
        "right": "score",
    }
    return [
        Table("Confidence", columns, rows),
        Table("Reliability: stated confidence against share right", curve, bins, detail=True),
    ]


def _numbers(found: Answers, field: str) -> list[Cell]:
    cells: list[Cell] = [found.labelled, len(found.given)]
    for threshold in THRESHOLDS:
        above = [right for confidence, right in found.given if confidence >= threshold]
        cells += [len(above) / found.labelled, 1 - sum(above) / len(above) if above else None]
    if field in VALIDATED:
        cells.append(len(found.validated) / found.labelled)
        cells.append(sum(found.validated) / len(found.validated) if found.validated else None)
    else:
        cells += [None, None]
    if not found.given:
        return [*cells, None, None]
    brier = sum((confidence - right) ** 2 for confidence, right in found.given) / len(found.given)
    return [*cells, calibration_error(found.given), brier]

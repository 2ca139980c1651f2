"""Scores the totals block: lines equal in lineType and amount, F1 over all lines of a data set."""

from __future__ import annotations

from benchmarks.outcome import Outcome
from benchmarks.scoring import matching
from benchmarks.scoring.statistics import f1_interval
from benchmarks.study import Study
from benchmarks.table import Cell, Kind, Table, interval


def summary_counts(outcome: Outcome, *, typed_only: bool = False) -> matching.Counts:
    labels = outcome.sample.summary or ()
    return matching.count_summary(labels, outcome.lines("summaryItems"), typed_only=typed_only)


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
        "F1 typed": "score",
    }
    rows: list[list[Cell]] = []
    for name, outcomes in study.by_dataset(pooled=True).items():
        labelled = [outcome for outcome in outcomes if outcome.sample.summary is not None]
        if labelled:
            rows.append(_row(name, labelled))
    note = "typed: without discount, rounding and card lines, whose lineType is null."
    return [Table("Summary lines: lineType and amount", columns, rows, note)] if rows else []


def _row(name: str, outcomes: list[Outcome]) -> list[Cell]:
    each = [summary_counts(outcome) for outcome in outcomes]
    whole = sum(each, matching.Counts())
    typed = sum((summary_counts(outcome, typed_only=True) for outcome in outcomes), matching.Counts())
    return [
        name,
        len(outcomes),
        whole.expected,
        whole.given,
        whole.precision,
        whole.recall,
        whole.f1,
        interval(f1_interval(each), "score"),
        typed.f1,
    ]

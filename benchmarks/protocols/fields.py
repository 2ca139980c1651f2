"""Scores single fields: how many are right, wrong and missing, by data set and field.

The lenient score accepts any labelled value within the tolerances of the rules; the strict one only the main
value, exactly by its rule. "printed" counts only receipts that have the field.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.outcome import Outcome
from benchmarks.scoring.fields import FIELDS, Verdict, is_scored
from benchmarks.scoring.statistics import wilson
from benchmarks.study import POOLED, Study
from benchmarks.table import Cell, Kind, Table, interval


@dataclass(frozen=True, slots=True)
class Tally:
    """Verdicts on one field. strict: (right, counted)."""

    n: int
    right: int
    wrong: int
    missing: int
    spurious: int
    printed: int
    printed_right: int
    strict: tuple[int, int]

    @property
    def accuracy(self) -> float:
        return self.right / self.n if self.n else 0.0


def tally(outcomes: Iterable[Outcome], field: str) -> Tally:
    """The verdicts on one field over the outcomes that have it labelled."""
    labelled = [outcome for outcome in outcomes if field in outcome.sample.fields]
    verdicts = [outcome.judge(field) for outcome in labelled]
    strict = [verdict for outcome in labelled if (verdict := outcome.judge(field, strict=True)) is not None]
    printed = [v for o, v in zip(labelled, verdicts, strict=True) if o.sample.fields[field].printed]
    return Tally(
        n=len(verdicts),
        right=verdicts.count(Verdict.RIGHT),
        wrong=verdicts.count(Verdict.WRONG),
        missing=verdicts.count(Verdict.MISSING),
        spurious=verdicts.count(Verdict.SPURIOUS),
        printed=len(printed),
        printed_right=printed.count(Verdict.RIGHT),
        strict=(strict.count(Verdict.RIGHT), len(strict)),
    )


def field_names(outcomes: Iterable[Outcome]) -> list[str]:
    """Every scored field that is labelled anywhere, in the order of the report."""
    seen = {name for outcome in outcomes for name in outcome.sample.fields if is_scored(name)}
    return [name for name in FIELDS if name in seen] + sorted(seen - set(FIELDS))


def measure(study: Study) -> list[Table]:
    return [_overview(study), _detail(study)]


def _overview(study: Study) -> Table:
    groups = study.by_dataset(pooled=True)
    columns: dict[str, Kind] = {"field": "text", **dict.fromkeys(groups, "text")}
    rows: list[list[Cell]] = []
    for field in field_names(study.outcomes):
        row: list[Cell] = [field]
        for outcomes in groups.values():
            counts = tally(outcomes, field)
            row.append(f"{100 * counts.accuracy:.1f} /{counts.n}" if counts.n else None)
        rows.append(row)
    return Table("Fields: % right / labelled, any accepted value", columns, rows)


def _detail(study: Study) -> Table:
    columns: dict[str, Kind] = {
        "set": "text",
        "field": "text",
        "n": "count",
        "right": "count",
        "wrong": "count",
        "missing": "count",
        "spurious": "count",
        "lenient %": "share",
        "95 % interval": "text",
        "strict %": "share",
        "printed": "count",
        "printed %": "share",
    }
    rows: list[Sequence[Cell]] = []
    for name, outcomes in study.by_dataset(pooled=True).items():
        for field in field_names(outcomes):
            rows.append([name, field, *_numbers(tally(outcomes, field))])
    note = f"{POOLED}: every labelled receipt counts once, whatever its data set."
    return Table("Fields in detail", columns, rows, note, detail=True)


def _numbers(counts: Tally) -> list[Cell]:
    right, counted = counts.strict
    return [
        counts.n,
        counts.right,
        counts.wrong,
        counts.missing,
        counts.spurious,
        counts.accuracy,
        interval(wilson(counts.right, counts.n)),
        right / counted if counted else None,
        counts.printed,
        counts.printed_right / counts.printed if counts.printed else None,
    ]

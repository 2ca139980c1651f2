"""Scores fully labelled samples by region, one row each; and those in Latin and CJK scripts together."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from benchmarks.datasets import Sample
from benchmarks.outcome import Outcome
from benchmarks.protocols.fields import tally
from benchmarks.protocols.items import item_counts, labelled
from benchmarks.protocols.summary import summary_counts
from benchmarks.scoring.matching import Counts
from benchmarks.study import POOLED, Study
from benchmarks.table import Cell, Kind, Table

FIELDS = (
    "total",
    "date",
    "currency",
    "taxes",
    "tax",
    "subTotal",
    "establishment",
    "address",
    "phoneNumber",
    "paymentMethod",
    "barcodes",
    "addressNorm.city",
    "addressNorm.postcode",
)
LATIN_CJK = "latin+cjk"
_SCRIPTS = ("LATIN", "CJK", "HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA", "FULLWIDTH", "HANGUL")


def measure(study: Study) -> list[Table]:
    """One table for each data set with labelled summary lines, which only full labels have."""
    return [
        _table(name, outcomes)
        for name, outcomes in study.by_dataset().items()
        if any(outcome.sample.summary is not None for outcome in outcomes)
    ]


def _table(name: str, outcomes: list[Outcome]) -> Table:
    columns: dict[str, Kind] = {"region": "text", "n": "count"}
    columns |= {f"{field.removeprefix('addressNorm.')} %": "share" for field in FIELDS}
    columns |= {"items F1": "score", "summary F1": "score"}
    groups: dict[str, list[Outcome]] = {}
    for outcome in sorted(outcomes, key=lambda outcome: outcome.sample.region or ""):
        groups.setdefault(outcome.sample.region or "unknown", []).append(outcome)
    groups[LATIN_CJK] = [outcome for outcome in outcomes if latin_or_cjk(outcome.sample)]
    groups[POOLED] = outcomes
    note = f"{LATIN_CJK}: receipts whose labelled name and address are in those scripts."
    return Table(f"Regions: {name}", columns, [_row(key, group) for key, group in groups.items()], note)


def _row(name: str, outcomes: Sequence[Outcome]) -> list[Cell]:
    row: list[Cell] = [name, len(outcomes)]
    for field in FIELDS:
        counts = tally(outcomes, field)
        row.append(counts.accuracy if counts.n else None)
    row.append(_f1(item_counts, labelled(outcomes)))
    row.append(_f1(summary_counts, [outcome for outcome in outcomes if outcome.sample.summary is not None]))
    return row


def _f1(count: Callable[[Outcome], Counts], outcomes: Sequence[Outcome]) -> float | None:
    return sum((count(outcome) for outcome in outcomes), Counts()).f1 if outcomes else None


def latin_or_cjk(sample: Sample) -> bool:
    """Whether every letter of the labelled name and address is Latin, Chinese, Japanese or Korean."""
    labels = [sample.fields[name].main for name in ("establishment", "address") if name in sample.fields]
    letters = {char for label in labels for char in str(label or "") if char.isalpha()}
    return all(unicodedata.name(char, "").startswith(_SCRIPTS) for char in letters)

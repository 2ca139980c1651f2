"""Measures the cost of a missing region hint, and how often the region is inferred correctly."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.outcome import Outcome
from benchmarks.protocols.fields import tally
from benchmarks.study import POOLED, Study
from benchmarks.table import Cell, Kind, Table

FIELDS = ("total", "date", "currency")
_ALIASES = {"jp": "ja", "uk": "gb"}


def inferred_region(outcome: Outcome) -> str | None:
    """The region that the engine found most probable, from the evidence."""
    evidence = (outcome.result or {}).get("evidence") or {}
    regions = evidence.get("regions") or [{}]
    code = regions[0].get("code")
    return str(code) if code else None


def measure(study: Study) -> list[Table]:
    columns: dict[str, Kind] = {"set": "text", "n": "count"}
    for field in FIELDS:
        columns |= {f"{field} hinted %": "share", f"{field} without %": "share"}
    columns |= {"region known": "count", "region inferred %": "share"}
    without = Study(study.without_region(), study.without_region).by_dataset(pooled=True)
    rows = [
        _row(name, outcomes, without[name])
        for name, outcomes in study.by_dataset(pooled=True).items()
        if name == POOLED or any(outcome.sample.region for outcome in outcomes)
    ]
    note = "without: the same pictures, read without a region hint. Receipts of unknown region are left out."
    return [Table("Without a region hint", columns, rows, note)]


def _row(name: str, hinted: Sequence[Outcome], without: Sequence[Outcome]) -> list[Cell]:
    hinted = [outcome for outcome in hinted if outcome.sample.region]
    without = [outcome for outcome in without if outcome.sample.region]
    row: list[Cell] = [name, len(hinted)]
    for field in FIELDS:
        for outcomes in (hinted, without):
            counts = tally(outcomes, field)
            row.append(counts.accuracy if counts.n else None)
    right = sum(inferred_region(o) == _ALIASES.get(str(o.sample.region), o.sample.region) for o in without)
    return [*row, len(without), right / len(without) if without else None]

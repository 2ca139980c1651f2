"""Implements the regression gate: a fixed sample of each data set must score as well as the baseline.

The committed baseline holds only scores. The sample depends on the images' ids alone, so every machine with
the same data draws the same one.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.datasets import Sample
from benchmarks.outcome import Outcome
from benchmarks.protocols.fields import tally
from benchmarks.protocols.items import item_counts, labelled
from benchmarks.protocols.summary import summary_counts
from benchmarks.scoring.matching import Counts
from benchmarks.study import POOLED

BASELINE = Path(__file__).with_name("gate.toml")
#: Images per data set, about 75 in all; `OTHERS` for data sets not listed.
SIZES = {
    "sroie": 12,
    "wildreceipt": 14,
    "srd": 14,
    "lv": 4,
    "de_softmatic": 7,
    "trainingdata20": 4,
    "misc": 5,
    "regions-photo": 14,
    "regions-clean": 0,
}
OTHERS = 6
FIELDS = (
    "total",
    "date",
    "time",
    "establishment",
    "subTotal",
    "tax",
    "taxes",
    "tip",
    "discount",
    "rounding",
    "cash",
    "change",
    "currency",
    "address",
    "phoneNumber",
    "paymentMethod",
)
#: Permitted fall of a score over all data sets; a fall by one receipt is always permitted.
TOLERANCE_POOLED = 0.015
#: The same within one data set.
TOLERANCE_SET = 0.08
#: Permitted fall of an F1 over all data sets.
TOLERANCE_F1 = 0.03

Scores = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Fall:
    """A score below the permitted minimum."""

    dataset: str
    name: str
    baseline: float
    now: float

    def __str__(self) -> str:
        return f"{self.dataset}.{self.name} fell from {self.baseline:.3f} to {self.now:.3f}"


def draw(samples: Sequence[Sample], sizes: Mapping[str, int] = SIZES) -> list[Sample]:
    """The gate's samples: in each data set those whose ids have the smallest digests."""
    by_dataset: dict[str, list[Sample]] = {}
    for sample in samples:
        by_dataset.setdefault(sample.dataset, []).append(sample)
    return [
        sample
        for dataset, entries in by_dataset.items()
        for sample in sorted(entries, key=_digest)[: sizes.get(dataset, OTHERS)]
    ]


def _digest(sample: Sample) -> str:
    return hashlib.sha256(sample.id.encode()).hexdigest()


def score(outcomes: Sequence[Outcome]) -> tuple[Scores, dict[str, dict[str, int]]]:
    """Scores by data set and name, and the number of receipts behind each."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.sample.dataset, []).append(outcome)
    groups[POOLED] = list(outcomes)
    scores: Scores = {}
    sizes: dict[str, dict[str, int]] = {}
    for dataset, entries in groups.items():
        scores[dataset], sizes[dataset] = _of_group(entries)
    return scores, sizes


def _of_group(outcomes: Sequence[Outcome]) -> tuple[dict[str, float], dict[str, int]]:
    scores: dict[str, float] = {}
    sizes: dict[str, int] = {}
    for field in FIELDS:
        counts = tally(outcomes, field)
        if counts.n:
            scores[field], sizes[field] = counts.accuracy, counts.n
    with_items = labelled(outcomes)
    with_summary = [outcome for outcome in outcomes if outcome.sample.summary is not None]
    if with_items:
        scores["items_f1"] = sum(map(item_counts, with_items), Counts()).f1
        sizes["items_f1"] = len(with_items)
    if with_summary:
        scores["summary_f1"] = sum(map(summary_counts, with_summary), Counts()).f1
        sizes["summary_f1"] = len(with_summary)
    return scores, sizes


def falls(baseline: Scores, now: Scores, sizes: Mapping[str, Mapping[str, int]]) -> list[Fall]:
    """The scores that fell further than permitted, for the data sets that both runs have."""
    found: list[Fall] = []
    for dataset in [name for name in baseline if name in now]:
        for name, before in baseline[dataset].items():
            after = now[dataset].get(name, 0.0)
            if before - after > _allowed(dataset, name, sizes[dataset].get(name, 0)) + 1e-9:
                found.append(Fall(dataset, name, before, after))
    return found


def _allowed(dataset: str, name: str, size: int) -> float:
    tolerance = TOLERANCE_POOLED if dataset == POOLED else TOLERANCE_SET
    if name.endswith("_f1"):
        tolerance = TOLERANCE_F1 if dataset == POOLED else TOLERANCE_SET
    return max(tolerance, 1 / size) if size else tolerance


def read_baseline(path: Path) -> Scores:
    """The committed scores; raises FileNotFoundError when there are none."""
    with path.open("rb") as file:
        document = tomllib.load(file)
    return {str(name): {str(k): float(v) for k, v in table.items()} for name, table in document.items()}


def write_baseline(path: Path, scores: Scores) -> None:
    """Writes the scores as TOML, sorted so that a change gives a small diff."""
    lines = ["# Scores of the regression gate; written by: python -m benchmarks gate --update"]
    for dataset, table in scores.items():
        lines += ["", f"[{dataset}]", *(f"{name} = {value:.4f}" for name, value in sorted(table.items()))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

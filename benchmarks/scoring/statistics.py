"""Computes intervals and calibration, without dependencies beyond numpy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.scoring.matching import Counts

_Z95 = 1.959963984540054
_RESAMPLES = 1000
_SEED = 20240229


def wilson(right: int, n: int) -> tuple[float, float]:
    """95 % Wilson score interval of a share; (0, 1) when n is zero.

    E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209.
    """
    if n == 0:
        return (0.0, 1.0)
    share, z2 = right / n, _Z95 * _Z95
    center = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z95 * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return (max(0.0, center - half), min(1.0, center + half))


def f1_interval(counts: Sequence[Counts]) -> tuple[float, float]:
    """95 % percentile bootstrap, over receipts, of the F1 of all lines together. Deterministic."""
    if not counts:
        return (0.0, 1.0)
    table = np.array([(c.matched, c.expected + c.given) for c in counts], dtype=np.float64)
    picks = np.random.default_rng(_SEED).integers(0, len(counts), size=(_RESAMPLES, len(counts)))
    sums = table[picks].sum(axis=1)
    scores = np.where(sums[:, 1] > 0, 2 * sums[:, 0] / np.maximum(sums[:, 1], 1), 1.0)
    low, high = np.percentile(scores, [2.5, 97.5])
    return (float(low), float(high))


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of similar confidence: their number, mean confidence and the share that is right."""

    n: int
    confidence: float
    accuracy: float


def reliability(answers: Sequence[tuple[float, bool]], bins: int = 10) -> list[Bin]:
    """Answers, as (confidence, right), in bins of equal width from 0 to 1; empty bins are left out."""
    grouped: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in answers:
        grouped.setdefault(min(int(confidence * bins), bins - 1), []).append((confidence, right))
    return [
        Bin(len(group), sum(c for c, _ in group) / len(group), sum(r for _, r in group) / len(group))
        for _, group in sorted(grouped.items())
    ]


def calibration_error(answers: Sequence[tuple[float, bool]]) -> float:
    """Expected calibration error over ten bins of equal width; 0 when there are no answers."""
    return sum(b.n * abs(b.confidence - b.accuracy) for b in reliability(answers)) / max(1, len(answers))

"""Intervals and calibration against values worked out by hand."""

from __future__ import annotations

import pytest

from benchmarks.scoring.matching import Counts
from benchmarks.scoring.statistics import Bin, calibration_error, f1_interval, reliability, wilson


def test_wilson_interval() -> None:
    assert wilson(9, 10) == pytest.approx((0.5958, 0.9821), abs=1e-4)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(20, 20)[1] == 1.0
    assert wilson(0, 0) == (0.0, 1.0)


def test_f1_interval_holds_the_score_and_repeats() -> None:
    counts = [Counts(3, 4, 3), Counts(1, 2, 2), Counts(5, 5, 5), Counts(0, 3, 2)]
    low, high = f1_interval(counts)
    assert low < sum(counts, Counts()).f1 < high
    assert f1_interval(counts) == (low, high)


def test_f1_interval_without_spread() -> None:
    assert f1_interval([Counts(2, 2, 2)] * 5) == (1.0, 1.0)
    assert f1_interval([]) == (0.0, 1.0)


def test_reliability_bins() -> None:
    answers = [(0.95, True), (1.0, True), (0.91, False), (0.2, False)]
    low, high = reliability(answers)
    assert low == Bin(1, 0.2, 0.0)
    assert (high.n, high.confidence, high.accuracy) == pytest.approx((3, 0.9533, 0.6667), abs=1e-4)


def test_calibration_error() -> None:
    assert calibration_error([(0.75, True)] * 3 + [(0.75, False)]) == pytest.approx(0)
    assert calibration_error([(0.9, False)] * 10) == pytest.approx(0.9)
    assert calibration_error([]) == 0

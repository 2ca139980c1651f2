"""Fits the weights of the confidence models and writes `models/confidence.toml`.

    python -m scripts.fit_confidence --data FOLDER [--cache DIR]

Every labelled value is one observation: its features (the key `evidence.features` of a Result) and whether
it was right. Logistic regression with a ridge, by Newton's method. Each model is also fitted without each
data set in turn and tested on it; the calibration errors of those tests are printed and written beside
the weights.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.datasets import load
from benchmarks.outcome import Outcome
from benchmarks.reading_cache import DEFAULT_FOLDER
from benchmarks.runner import Setup, run
from benchmarks.scoring.fields import Verdict
from scripts.model_manifest import MODELS, record

Array = NDArray[np.float64]

#: Model → (field that is labelled, key of its features). "amount" serves every amount but the total.
MODELS_OF = {
    "total": ("total", "total"),
    "amount": ("subTotal", "subTotal"),
    "date": ("date", "date"),
    "establishment": ("establishment", "establishment"),
}
_RIDGE = 1.0
_BINS = 10


@dataclass(frozen=True, slots=True)
class Observation:
    """One value: the data set it is from, its features, and whether it was right."""

    dataset: str
    features: dict[str, float]
    right: bool


def main() -> None:
    """Reads the data, fits, writes and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--cache", type=Path, default=DEFAULT_FOLDER)
    options = parser.parse_args()
    outcomes: list[Outcome] = []
    for use_region in (True, False):
        setup = Setup(cache=options.cache, use_region=use_region)
        outcomes += run(load(options.data), setup)
    text = "# Weights of the confidence models; see receipt_engine/stages/assemble/confidence.py.\n"
    text += (
        "# Written by scripts/fit_confidence.py; calibration errors are of data sets left out of the fit.\n"
    )
    for model, (field, key) in MODELS_OF.items():
        observations = collect(outcomes, field, key)
        names, weights = fit(observations)
        error = leave_one_out(observations)
        print(f"{model}: {len(observations)} values, calibration error {error:.4f}")
        text += f"\n# {len(observations)} values, calibration error {error:.4f}\n[{model}]\n"
        text += "".join(f"{name} = {weight:.4f}\n" for name, weight in zip(names, weights, strict=True))
    path = MODELS / "confidence.toml"
    path.write_text(text, encoding="utf-8")
    record(path, licence="Apache-2.0", source="scripts/fit_confidence.py")


def collect(outcomes: Sequence[Outcome], field: str, key: str) -> list[Observation]:
    """The observations of one field, from the samples where it is labelled and was found."""
    found = []
    for outcome in outcomes:
        if outcome.result is None or field not in outcome.sample.fields:
            continue
        features: dict[str, Any] | None = outcome.result["evidence"]["features"].get(key)
        if features is not None:
            right = outcome.judge(field) is Verdict.RIGHT
            found.append(Observation(outcome.sample.dataset, features, right))
    return found


def fit(observations: Sequence[Observation]) -> tuple[list[str], Array]:
    """(names, weights); the first is the bias, which the ridge leaves alone."""
    names = ["bias", *sorted({name for o in observations for name in o.features})]
    x = _design(observations, names)
    y = np.array([o.right for o in observations], dtype=float)
    weights = np.zeros(len(names))
    ridge = np.diag([0.0] + [_RIDGE] * (len(names) - 1))
    for _ in range(50):
        p = _sigmoid(x @ weights)
        gradient = x.T @ (p - y) + ridge @ weights
        hessian = (x * (p * (1 - p))[:, None]).T @ x + ridge + 1e-9 * np.eye(len(names))
        step = np.linalg.solve(hessian, gradient)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return names, weights


def leave_one_out(observations: Sequence[Observation]) -> float:
    """Calibration error over all observations, each predicted by a fit without its data set."""
    predicted, right = [], []
    for dataset in sorted({o.dataset for o in observations}):
        others = [o for o in observations if o.dataset != dataset]
        held = [o for o in observations if o.dataset == dataset]
        names, weights = fit(others)
        predicted += list(_sigmoid(_design(held, names) @ weights))
        right += [o.right for o in held]
    return calibration_error(np.array(predicted), np.array(right, dtype=float))


def calibration_error(predicted: Array, right: Array) -> float:
    """Mean distance between stated and actual share right, over ten bins weighed by their size."""
    index = np.minimum((predicted * _BINS).astype(int), _BINS - 1)
    error = 0.0
    for b in np.unique(index):
        inside = index == b
        error += inside.mean() * abs(predicted[inside].mean() - right[inside].mean())
    return float(error)


def _design(observations: Sequence[Observation], names: Sequence[str]) -> Array:
    return np.array([[1.0, *(o.features.get(n, 0.0) for n in names[1:])] for o in observations])


def _sigmoid(z: Array) -> Array:
    result: Array = 1 / (1 + np.exp(-np.clip(z, -30, 30)))
    return result


if __name__ == "__main__":
    main()

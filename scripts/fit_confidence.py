"""Fits the weights of the confidence models and writes `models/confidence.toml`.

    python -m scripts.fit_confidence --data FOLDER [--cache DIR]

Every labelled value is one observation: its features (the key `evidence.features` of a Result) and whether
it was right. Logistic regression with a ridge, by Newton's method. Each model is also fitted without each
data set in turn and tested on it; the calibration errors of those tests are printed and written beside
the weights, and what was stated and what was right to `models/confidence-curve.csv`.

Names were themselves chosen by fitted weights, so theirs is the confidence that weights give which were
fitted without the merchant at hand.
"""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.datasets import Sample, load
from benchmarks.outcome import Outcome
from benchmarks.reading_cache import DEFAULT_FOLDER
from benchmarks.runner import Setup, run
from benchmarks.scoring.fields import Verdict
from benchmarks.scoring.statistics import calibration_error, reliability
from benchmarks.scoring.text import letters
from receipt_engine.stages.assemble.confidence import found_features
from receipt_engine.stages.merchant.pairing import find_name_and_address
from scripts import fit_merchant
from scripts.model_manifest import MODELS, record

Array = NDArray[np.float64]

#: Model → (field that is labelled, key of its features). "amount" serves every amount but the total.
MODELS_OF = {
    "total": ("total", "total"),
    "amount": ("subTotal", "subTotal"),
    "date": ("date", "date"),
}
_RIDGE = 1.0
#: Features that speak against a value. All others speak for it; whether by much or not at all is fitted.
_AGAINST = frozenset({"contradicted", "reading_cost", "repaired"})
_FOLDS = 5
#: Invented receipts of each region that names are learned from too.
_DRAWN = 6

Answers = list[tuple[float, bool]]


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
    text = "# Weights of the confidence models; see receipt_engine/stages/assemble/confidence.py.\n"
    text += (
        "# Written by scripts/fit_confidence.py; calibration errors are of data sets left out of the fit.\n"
    )
    curves: dict[str, Answers] = {}
    for model, observations in observed(options.data, options.cache).items():
        names, weights = fit(observations)
        curves[model] = leave_one_out(observations)
        error = calibration_error(curves[model])
        print(f"{model}: {len(observations)} values, calibration error {error:.4f}")
        text += f"\n# {len(observations)} values, calibration error {error:.4f}\n[{model}]\n"
        text += "".join(f"{name} = {weight:.4f}\n" for name, weight in zip(names, weights, strict=True))
    for name, content in (("confidence.toml", text), ("confidence-curve.csv", curve_table(curves))):
        path = MODELS / name
        path.write_text(content, encoding="utf-8")
        record(path, licence="Apache-2.0", source="scripts/fit_confidence.py")


def observed(data: Sequence[Path], cache: Path) -> dict[str, list[Observation]]:
    """Model → its observations, with the region given and without."""
    samples = load(data)
    outcomes: list[Outcome] = []
    for use_region in (True, False):
        outcomes += run(samples, Setup(cache=cache, use_region=use_region))
    found = {model: collect(outcomes, *keys) for model, keys in MODELS_OF.items()}
    return found | {"establishment": list(held_out_names(samples, cache))}


def held_out_names(samples: Sequence[Sample], cache: Path) -> Iterator[Observation]:
    """Names chosen by weights that were fitted on the receipts of other merchants."""
    receipts = [r for r in fit_merchant.collect(samples, cache) if "establishment" in r.sample.fields]
    drawn = list(fit_merchant.draw(_DRAWN))
    merchants = sorted({_merchant(receipt) for receipt in receipts})
    fold = {merchant: int(at) for merchant, at in zip(merchants, _shuffled(len(merchants)), strict=True)}
    for held in range(_FOLDS):
        train = [receipt for receipt in receipts if fold[_merchant(receipt)] != held]
        weights = fit_merchant.fit([*train, *drawn])
        for receipt in receipts:
            if fold[_merchant(receipt)] == held:
                name = find_name_and_address(receipt.segments, receipt.domains, weights).name
                if name is not None:
                    right = fit_merchant.accepts(receipt, name.value)
                    yield Observation(receipt.sample.dataset, found_features(name), right)


def _merchant(receipt: fit_merchant.Receipt) -> str:
    return letters(str(receipt.sample.fields["establishment"].accepted[0]))[:10]


def _shuffled(count: int) -> NDArray[np.int64]:
    return np.random.default_rng(0).permutation(count) % _FOLDS


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
    """(names, weights) of the bias and of the features.

    More support never makes a value less sure: of features that say the same thing several times over, a
    free fit turns some around. Those are left out and the others fitted again.
    """
    names = ["bias", *sorted({name for o in observations for name in o.features})]
    while True:
        weights = _fitted(observations, names)
        turned = [w > 0 if name in _AGAINST else w < 0 for name, w in zip(names, weights, strict=True)]
        if not any(turned[1:]):
            return names, weights
        names = ["bias", *(name for name, wrong in zip(names[1:], turned[1:], strict=True) if not wrong)]


def _fitted(observations: Sequence[Observation], names: Sequence[str]) -> Array:
    """Weights by Newton's method; the ridge leaves the bias, the first, alone."""
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
    return weights


def leave_one_out(observations: Sequence[Observation]) -> Answers:
    """Each value's confidence by a fit without its data set, and whether the value was right."""
    found: Answers = []
    for dataset in sorted({o.dataset for o in observations}):
        names, weights = fit([o for o in observations if o.dataset != dataset])
        held = [o for o in observations if o.dataset == dataset]
        stated = _sigmoid(_design(held, names) @ weights)
        found += [(float(p), o.right) for p, o in zip(stated, held, strict=True)]
    return found


def curve_table(curves: dict[str, Answers]) -> str:
    """Stated confidence against share right as CSV, in bins of a tenth."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(("model", "values", "stated", "right"))
    for model, answers in curves.items():
        writer.writerows(
            (model, b.n, f"{b.confidence:.4f}", f"{b.accuracy:.4f}") for b in reliability(answers)
        )
    return target.getvalue()


def _design(observations: Sequence[Observation], names: Sequence[str]) -> Array:
    return np.array([[1.0, *(o.features.get(n, 0.0) for n in names[1:])] for o in observations])


def _sigmoid(z: Array) -> Array:
    result: Array = 1 / (1 + np.exp(-np.clip(z, -30, 30)))
    return result


if __name__ == "__main__":
    main()

"""Fits the weights of the confidence models and writes `models/confidence.toml` and their cards.

    python -m scripts.fit_confidence --data FOLDER [--cache DIR]

Every labelled value is one observation: its features (`evidence.confidence` of a Result) and whether it was
right; labels that their image contradicts (`benchmarks.datasets.faulty_labels`) are excluded. Amounts, dates
and phone numbers are observed on each image as it is and once more on a degraded version (alternately
compressed or halved in size), which counts half: barely legible values must not get a high confidence.
Logistic regression with a ridge penalty, by Newton's method. Each model is also fitted without each data set
in turn and tested on it (two images of one receipt are in one data set); the calibration errors of those
tests are printed and written beside the weights, and stated confidence against share right to
`models/confidence-curve.csv`.

Names and addresses were themselves chosen by fitted weights, so their observations come from weights that
were fitted without the receipts of the same merchant.
"""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import numpy as np
from msgspec.structs import asdict
from numpy.typing import NDArray
from PIL import Image, ImageOps

from benchmarks.datasets import Sample, faulty_labels, load
from benchmarks.outcome import Outcome
from benchmarks.protocols.states import STATES
from benchmarks.reading_cache import DEFAULT_FOLDER
from benchmarks.runner import Setup, run
from benchmarks.scoring.fields import Verdict, judge
from benchmarks.scoring.statistics import calibration_error, reliability
from receipt_engine.scoring.linear import declared_features
from receipt_engine.stages.assemble.confidence import INPUTS, Model
from receipt_engine.stages.assemble.features import found_features
from receipt_engine.stages.merchant.pairing import find_name_and_address
from scripts import fit_merchant, model_cards
from scripts.data_splits import data_set, folds
from scripts.merchant_examples import Receipt, collect, draw, written
from scripts.model_manifest import MODELS, record

Array = NDArray[np.float64]

#: Model → the fields whose values it is fitted on. "amount" serves every amount except the total.
FIELDS_OF: dict[Model, tuple[str, ...]] = {
    "total": ("total",),
    "amount": (
        "subTotal",
        "taxes",
        "tip",
        "serviceCharges",
        "discounts",
        "rounding",
        "cash",
        "change",
    ),
    "date": ("date",),
    "phone": ("phoneNumber",),
}
_TITLES: dict[Model, str] = {
    "total": "the total",
    "amount": "every other amount",
    "date": "the date",
    "phone": "the telephone number",
    "establishment": "the merchant's name",
    "address": "the address",
}
FILE = "confidence.toml"
_RIDGE = 0.3
#: Features that count against a value. All others count for it; the fit decides how much, possibly zero.
_AGAINST = frozenset({"contradicted", "contradicted_alone", "reading_cost", "repaired"})
#: States of `benchmarks.protocols.states` in which the images are read a second time, alternating.
_WORSE = ("jpeg-18", "half-size")
#: Weight of an observation on a degraded image. With full weight they would mask the effect of a
#: contradiction: on illegible images, sums that do not balance are the rule.
_WORSE_COUNTS = 0.5
_FOLDS = 5
#: Decimals of the weights in the file.
_DECIMALS = 4
#: Confidence from which a value is called sure.
_SURE = 0.9

Answers = list[tuple[float, bool]]


@dataclass(frozen=True, slots=True)
class Observation:
    """One value: its data set, its features, whether it was right, and its weight in the fit."""

    dataset: str
    features: dict[str, float]
    right: bool
    counts: float = 1.0


@dataclass(frozen=True, slots=True)
class Fitted:
    """weights: of the bias and every feature. left_out: data set → its answers from a fit without it."""

    weights: dict[str, float]
    left_out: dict[str, Answers]

    @property
    def answers(self) -> Answers:
        """The answers of all data sets."""
        return [answer for answers in self.left_out.values() for answer in answers]

    @property
    def values(self) -> int:
        """Number of observations."""
        return len(self.answers)

    @property
    def error(self) -> float:
        """The calibration error over data sets left out of the fit."""
        return calibration_error(self.answers)


def main() -> None:
    """Reads the data, fits, writes and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--cache", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument(
        "--drawn", type=int, default=fit_merchant.DRAWN_RECEIPTS, help="invented receipts of each region"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="leave out names and addresses, whose fits take minutes; print the weights and write nothing",
    )
    options = parser.parse_args()
    found = observed(options.data, options.cache, None if options.quick else options.drawn)
    if empty := [model for model, observations in found.items() if not observations]:
        raise SystemExit(f"Nothing was found to fit {', '.join(empty)} on: do the models load?")
    fitted = {model: fit_and_test(model, observations) for model, observations in found.items()}
    for model, one in fitted.items():
        print(f"{model}: {one.values} values, calibration error {one.error:.4f}")
    if options.quick:
        print(as_toml(fitted))
        return
    curve = curve_table({model: one.answers for model, one in fitted.items()})
    for name, content in ((FILE, as_toml(fitted)), ("confidence-curve.csv", curve)):
        path = MODELS / name
        path.write_text(content, encoding="utf-8")
        record(path, licence="Apache-2.0", source="scripts/fit_confidence.py")
    for model, one in fitted.items():
        model_cards.write(card(model, one))


def fit_and_test(model: Model, observations: Sequence[Observation]) -> Fitted:
    """The model's weights, and the answers of fits without each data set."""
    features = declared_features(INPUTS[model])
    names, weights = fit(observations, features)
    known = dict(zip(names, np.round(weights, _DECIMALS).tolist(), strict=True))
    return Fitted(known, each_left_out(observations, features))


def as_toml(fitted: Mapping[Model, Fitted]) -> str:
    """The content of the file with all models."""
    text = "# Weights of the confidence models; see receipt_engine/stages/assemble/confidence.py.\n"
    text += (
        "# Written by scripts/fit_confidence.py; calibration errors are of data sets left out of the fit.\n"
    )
    for model, one in fitted.items():
        text += f"\n# {one.values} values, calibration error {one.error:.4f}\n[{model}]\n"
        text += "".join(f"{name} = {weight:.{_DECIMALS}f}\n" for name, weight in one.weights.items())
    return text


def card(model: Model, one: Fitted) -> model_cards.Card:
    """The model's card."""
    return model_cards.Card(
        name=f"confidence-{model}",
        title=f"Confidence: {_TITLES[model]}",
        file=FILE,
        gives="The probability that the value is right, from features of how it was read and proved.",
        script="scripts.fit_confidence",
        observation="a labelled value that was found, with its features and whether it was right",
        penalties=f"ridge {_RIDGE} towards zero; what supports a value never counts against it",
        measures=("right", "stated", "calibration error", "share at .9 and more", "of these right"),
        data_sets={name: model_cards.LeftOut(len(of), _measures(of)) for name, of in one.left_out.items()},
        weights=one.weights,
    )


def _measures(answers: Answers) -> tuple[str, ...]:
    right = sum(right for _, right in answers) / len(answers)
    stated = sum(stated for stated, _ in answers) / len(answers)
    sure = [right for stated, right in answers if stated >= _SURE]
    return (
        f"{100 * right:.1f} %",
        f"{100 * stated:.1f} %",
        f"{calibration_error(answers):.3f}",
        f"{100 * len(sure) / len(answers):.1f} %",
        f"{100 * sum(sure) / len(sure):.1f} %" if sure else "–",
    )


def observed(data: Sequence[Path], cache: Path, drawn: int | None) -> dict[Model, list[Observation]]:
    """Model → its observations, with and without the region hint. drawn: number of invented receipts per
    region that names and addresses are also fitted on; None omits names and addresses."""
    samples = load(data)
    outcomes: list[Outcome] = []
    for use_region in (True, False):
        outcomes += run(samples, Setup(cache=cache, use_region=use_region))
    spoilt = run(worse(samples, cache / "worse"), Setup(cache=cache))
    found = {
        model: [
            *judged(outcomes, fields),
            *(replace(one, counts=_WORSE_COUNTS) for one in judged(spoilt, fields)),
        ]
        for model, fields in FIELDS_OF.items()
    }
    if drawn is None:
        return found
    names, addresses = held_out([*collect(samples, cache)], [*draw(drawn), *written()])
    return found | {"establishment": names, "address": addresses}


def worse(samples: Sequence[Sample], folder: Path) -> list[Sample]:
    """The samples with degraded images, which are written to the folder; PDF files are left out."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for number, sample in enumerate(one for one in samples if one.image.suffix != ".pdf"):
        state = _WORSE[number % len(_WORSE)]
        path = folder / f"{sample.dataset}-{sample.image.stem}-{state}.png"
        if not path.exists():
            with Image.open(sample.image) as file:
                pixels = np.asarray(ImageOps.exif_transpose(file).convert("RGB"))
            # Written under another name first, so that an interrupted write does not leave a partial image.
            unfinished = path.with_suffix(".part")
            Image.fromarray(STATES[state](pixels, np.random.default_rng(number))).save(unfinished, "PNG")
            unfinished.replace(path)
        found.append(replace(sample, image=path))
    return found


def held_out(
    labelled: Sequence[Receipt], invented: Sequence[Receipt]
) -> tuple[list[Observation], list[Observation]]:
    """Observations of names and addresses chosen by weights fitted on the receipts of other merchants and on
    the invented ones."""
    receipts = [receipt for receipt in labelled if "establishment" in receipt.sample.fields]
    fold = folds([receipt.sample for receipt in receipts], _FOLDS)
    names: list[Observation] = []
    addresses: list[Observation] = []
    for held in range(_FOLDS):
        train = [receipt for receipt, own in zip(receipts, fold, strict=True) if own != held]
        weights = fit_merchant.fit([*train, *invented])
        for receipt, own in zip(receipts, fold, strict=True):
            if own != held:
                continue
            pair = find_name_and_address(receipt.segments, receipt.domains, weights, receipt.country)
            for found, field, into in (
                (pair.name, "establishment", names),
                (pair.address, "address", addresses),
            ):
                if found is not None and _is_labelled(receipt.sample, field):
                    right = judge(receipt.sample.fields[field], field, found.value) is Verdict.RIGHT
                    into.append(Observation(receipt.group, asdict(found_features(found)), right))
    return names, addresses


def judged(outcomes: Sequence[Outcome], fields: Sequence[str]) -> Iterator[Observation]:
    """The observations of some fields, from the samples where they are labelled and were found."""
    for outcome in outcomes:
        for field in fields:
            if outcome.result is None or not _is_labelled(outcome.sample, field):
                continue
            found = outcome.result["evidence"]["confidence"].get(field)
            if found is None:
                continue
            right = outcome.judge(field) is Verdict.RIGHT or _before_rounding(outcome, field)
            if isinstance(found, list) and not right and len(found) > 1:
                continue  # it is unknown which of them is wrong
            for one in found if isinstance(found, list) else [found]:
                yield Observation(data_set(outcome.sample), one["features"], right)


def _is_labelled(sample: Sample, field: str) -> bool:
    """Whether a field has a label that the image does not contradict."""
    return field in sample.fields and (sample.id, field) not in faulty_labels()


def _before_rounding(outcome: Outcome, field: str) -> bool:
    """Whether the label is the total before a printed rounding; the Result's is the one after it."""
    result = outcome.result or {}
    if field != "total" or not result.get("rounding") or result.get("total") is None:
        return False
    before = Decimal(str(result["total"])) - Decimal(str(result["rounding"]))
    return any(before == Decimal(str(value)) for value in outcome.sample.fields[field].accepted)


def fit(observations: Sequence[Observation], features: Sequence[str]) -> tuple[list[str], Array]:
    """(names, weights) of the bias and of every feature.

    More support never lowers a confidence: with several features that say the same, a free fit gives some of
    them the wrong sign. Those get zero weight and the others are fitted again.
    """
    names = ["bias", *features]
    while True:
        weights = _fitted(observations, names)
        turned = [w > 0 if name in _AGAINST else w < 0 for name, w in zip(names, weights, strict=True)]
        if not any(turned[1:]):
            break
        names = ["bias", *(name for name, wrong in zip(names[1:], turned[1:], strict=True) if not wrong)]
    known = dict(zip(names, weights.tolist(), strict=True))
    every = ["bias", *features]
    return every, np.array([known.get(name, 0.0) for name in every])


def _fitted(observations: Sequence[Observation], names: Sequence[str]) -> Array:
    """Weights by Newton's method; the bias, the first weight, has no ridge penalty."""
    x = _design(observations, names)
    y = np.array([o.right for o in observations], dtype=float)
    counts = np.array([o.counts for o in observations])
    weights = np.zeros(len(names))
    ridge = np.diag([0.0] + [_RIDGE] * (len(names) - 1))
    for _ in range(50):
        p = _sigmoid(x @ weights)
        gradient = x.T @ (counts * (p - y)) + ridge @ weights
        hessian = (x * (counts * p * (1 - p))[:, None]).T @ x + ridge + 1e-9 * np.eye(len(names))
        step = np.linalg.solve(hessian, gradient)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def leave_one_out(observations: Sequence[Observation], features: Sequence[str]) -> Answers:
    """Each value's confidence from a fit without its data set, and whether the value was right."""
    return [answer for answers in each_left_out(observations, features).values() for answer in answers]


def each_left_out(observations: Sequence[Observation], features: Sequence[str]) -> dict[str, Answers]:
    """The same by data set."""
    found: dict[str, Answers] = {}
    for dataset in sorted({o.dataset for o in observations}):
        names, weights = fit([o for o in observations if o.dataset != dataset], features)
        held = [o for o in observations if o.dataset == dataset]
        stated = _sigmoid(_design(held, names) @ weights)
        found[dataset] = [(float(p), o.right) for p, o in zip(stated, held, strict=True)]
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
    rows = [[1.0, *(o.features.get(n, 0.0) for n in names[1:])] for o in observations]
    return np.array(rows, dtype=float).reshape(len(rows), len(names))


def _sigmoid(z: Array) -> Array:
    result: Array = 1 / (1 + np.exp(-np.clip(z, -30, 30)))
    return result


if __name__ == "__main__":
    main()

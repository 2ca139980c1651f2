"""Fits the models of addresses and names and writes `models/merchant.toml` and their cards.

    python -m scripts.fit_merchant --data FOLDER [--cache DIR] [--test | --addresses]

Drawn receipts of every region are added as text, with a small weight, and those of `scripts/headers`.

Address: every segment of text is an observation, right when it lies in the labelled address; logistic
regression with a ridge penalty, by Newton's method. Segments that the merchant stage excludes before scoring
(who served, registered offices, the customer's address) are no observations. Name: every receipt is one
choice among its candidates; the weights maximise the probability of those that the label accepts, with a
penalty towards the values in `scripts/name_expectations.py`. Both are also fitted without each data set in
turn and tested on it; --test does only that and writes nothing. The weights of addresses are left as they
are, and names are fitted on the addresses that these find; --addresses fits them, too.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.datasets import load
from benchmarks.reading_cache import DEFAULT_FOLDER
from benchmarks.scoring.rules import same_address
from receipt_engine.scoring.linear import BIAS, LinearModel
from receipt_engine.stages.merchant.address.other_rows import non_address_rows
from receipt_engine.stages.merchant.name.features import absent_features, name_features
from receipt_engine.stages.merchant.pairing import address_context, find_name_and_address
from receipt_engine.stages.merchant.weights import Weights, declared
from receipt_engine.stages.merchant.weights import weights as shipped
from scripts import model_cards
from scripts.data_splits import merchant
from scripts.merchant_examples import (
    DRAWN,
    WRITTEN,
    Features,
    Receipt,
    accepted_candidates,
    accepts,
    collect,
    draw,
    written,
)
from scripts.model_manifest import MODELS, record
from scripts.name_expectations import AGAINST, EXPECTED, FOR

Array = NDArray[np.float64]

FILE = "merchant.toml"
_ADDRESS_RIDGE = 2.0
_NAME_RIDGE = 0.6
_STEPS = 400
#: Decimals of the weights in the file.
_DECIMALS = 3
#: The total weight of a merchant's receipts is this power of their number.
_REPEATS = 0.5
#: Weight of a receipt of a large set or one without an image in the fits of addresses and of names; others
#: have 1.
_COUNTS = {"sroie": (0.5, 0.7), DRAWN: (0.1, 0.1), WRITTEN: (0.3, 0.7)}
_KEPT = (
    "The weights below reproduce the scores of an earlier fit with more features, by weighted least squares, "
    "without the features that change the scores least. They are kept because a fit to these receipts finds "
    "fewer addresses in two data sets; the figures for left-out data sets are from other fits."
)
#: Number of invented receipts per region.
DRAWN_RECEIPTS = 6


@dataclass(frozen=True, slots=True)
class Shares:
    """Of some receipts: the numbers of labelled names and addresses, and of those that come out right."""

    names: int
    right_names: int
    addresses: int
    right_addresses: int

    def __str__(self) -> str:
        names, addresses = _share(self.right_names, self.names), _share(self.right_addresses, self.addresses)
        return f"names {names} of {self.names}, addresses {addresses} of {self.addresses}"


def main() -> None:
    """Reads the data, fits, tests and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--cache", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--drawn", type=int, default=DRAWN_RECEIPTS, help="invented receipts of each region")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--test", action="store_true")
    only.add_argument("--addresses", action="store_true")
    options = parser.parse_args()
    receipts = [*collect(load(options.data), options.cache), *draw(options.drawn), *written()]
    groups = sorted({receipt.group for receipt in receipts})
    kept = None if options.addresses else shipped().address
    models = None if options.test else fit(receipts, kept)
    if models is not None:
        for name in groups:
            print(f"{name}, fitted on it: {shares(models, _of(receipts, name))}", flush=True)
        path = MODELS / FILE
        path.write_text(as_toml(models), encoding="utf-8")
        record(path, licence="Apache-2.0", source="scripts/fit_merchant.py")
    left_out = {}
    for name in groups:
        train = [receipt for receipt in receipts if receipt.group != name]
        left_out[name] = shares(fit(train), _of(receipts, name))
        print(f"{name}, left out: {left_out[name]}", flush=True)
    if models is not None:
        for card in cards(models, receipts, left_out, kept=kept is not None):
            model_cards.write(card)


def _of(receipts: Sequence[Receipt], name: str) -> list[Receipt]:
    """The receipts of one data set."""
    return [receipt for receipt in receipts if receipt.group == name]


def fit(receipts: Sequence[Receipt], address: LinearModel | None = None) -> Weights:
    """Both models. Names are compared on pages whose addresses are found by the new model, or by `address`,
    which is then not fitted."""
    if address is None:
        address = _fit_address([receipt for receipt in receipts if receipt.inside is not None])
    choices = [receipt for receipt in receipts if "establishment" in receipt.sample.fields]
    for receipt in choices:
        _propose(receipt, address)
    return Weights(address, _fit_name([receipt for receipt in choices if receipt.candidates]))


def _propose(receipt: Receipt, address: LinearModel) -> None:
    """Sets the candidates and their features, as the merchant stage sees them with this address model."""
    context = address_context(receipt.segments, receipt.domains, address)
    receipt.candidates = context.candidates
    candidates = [name_features(context, at) for at in range(len(context.candidates))]
    receipt.names = [*candidates, absent_features(context)]


def _fit_address(receipts: Sequence[Receipt]) -> LinearModel:
    """Fits twice: the scores of the first fit identify the customer's segments, which the second omits."""
    apart = [non_address_rows(receipt.segments) for receipt in receipts]
    model = _fitted_address(receipts, apart)
    customers = [address_context(r.segments, r.domains, model).customer for r in receipts]
    return _fitted_address(receipts, [a | b for a, b in zip(apart, customers, strict=True)])


def _fitted_address(receipts: Sequence[Receipt], apart: Sequence[Collection[int]]) -> LinearModel:
    """One fit of the address model. apart: for each receipt, the segments that are no observations."""
    rows: list[Features] = []
    inside: list[bool] = []
    counts: list[float] = []
    for receipt, left_out in zip(receipts, apart, strict=True):
        kept = [at for at in range(len(receipt.rows)) if at not in left_out]
        rows += [receipt.rows[at] for at in kept]
        inside += [(receipt.inside or [])[at] for at in kept]
        counts += [_COUNTS.get(receipt.group, (1.0, 1.0))[0]] * len(kept)
    names = declared()["address"]
    x, right, pull = _design(rows, names), np.array(inside, dtype=float), np.array(counts)
    ridge = np.diag([0.001 if name == BIAS else _ADDRESS_RIDGE for name in names])
    weights = np.zeros(len(names))
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (pull * (p - right)) + ridge @ weights
        step = np.linalg.solve((x * (pull * p * (1 - p))[:, None]).T @ x + ridge, gradient)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return _model("address", names, weights)


def _fit_name(receipts: Sequence[Receipt]) -> LinearModel:
    """Maximises the log probability of the accepted candidates by Adam (Kingma and Ba 2015)."""
    rows = [features for receipt in receipts for features in receipt.names]
    names = declared()["name"]
    x = _design(rows, names)
    accepted = np.array([right for receipt in receipts for right in accepted_candidates(receipt)])
    sizes = np.array([len(receipt.names) for receipt in receipts])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    owner = np.repeat(np.arange(len(sizes)), sizes)
    pull = _merchant_weights(receipts)[owner]
    expected = np.array([EXPECTED.get(name, 0.0) for name in names])
    lowest = np.array([0.0 if name in FOR else -np.inf for name in names])
    highest = np.array([0.0 if name in AGAINST else np.inf for name in names])
    weights, mean, square = expected.copy(), np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, _STEPS + 1):
        z = x @ weights
        p = np.exp(z - np.maximum.reduceat(z, starts)[owner])
        p /= np.add.reduceat(p, starts)[owner]
        right = p * accepted
        right /= np.maximum(np.add.reduceat(right, starts), 1e-12)[owner]
        gradient = _NAME_RIDGE * (weights - expected) + x.T @ (pull * (p - right))
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        rate = 0.05 if step < 0.7 * _STEPS else 0.015
        weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        weights = np.clip(weights, lowest, highest)
    return _model("name", names, weights)


def _model(name: str, features: Sequence[str], weights: Array) -> LinearModel:
    """The model with weights rounded as in its file."""
    known = dict(zip(features, np.round(weights, _DECIMALS).tolist(), strict=True))
    return LinearModel(name, known.pop(BIAS, 0.0), known)


def _merchant_weights(receipts: Sequence[Receipt]) -> Array:
    keys = [(receipt.group, merchant(receipt.sample)) for receipt in receipts]
    counts = Counter(keys)
    return np.array([_COUNTS.get(key[0], (1.0, 1.0))[1] * counts[key] ** (_REPEATS - 1) for key in keys])


def _design(rows: Sequence[Features], names: Sequence[str]) -> Array:
    column = {name: at for at, name in enumerate(names)}
    x = np.zeros((len(rows), len(names)))
    for at, features in enumerate(rows):
        for name, value in features.items():
            x[at, column[name]] = value
    if BIAS in column:
        x[:, column[BIAS]] = 1.0
    return x


def shares(weights: Weights, receipts: Sequence[Receipt]) -> Shares:
    """The numbers of names and addresses, labelled and right."""
    names, addresses = [], []
    for receipt in receipts:
        found = find_name_and_address(receipt.segments, receipt.domains, weights, receipt.country)
        label = receipt.sample.fields.get("address")
        if label is not None and label.main:
            text = found.address.value if found.address else ""
            addresses.append(any(value and same_address(value, text, False) for value in label.accepted))
        if "establishment" in receipt.sample.fields:
            names.append(found.name is not None and accepts(receipt, found.name.value))
    return Shares(len(names), sum(names), len(addresses), sum(addresses))


def _share(right: int, labelled: int) -> str:
    return f"{100 * right / labelled:.1f} %" if labelled else "–"


def cards(
    weights: Weights, receipts: Sequence[Receipt], left_out: dict[str, Shares], *, kept: bool = False
) -> tuple[model_cards.Card, ...]:
    """One card for each of the two models. left_out: data set → result of a fit without it. kept: the weights
    of addresses are of an earlier fit."""
    address = {
        name: model_cards.LeftOut(
            sum(len(r.rows) for r in receipts if r.group == name and r.inside is not None),
            (str(of.addresses), _share(of.right_addresses, of.addresses)),
        )
        for name, of in left_out.items()
    }
    names = {
        name: model_cards.LeftOut(
            sum(r.group == name and bool(r.candidates) for r in receipts),
            (str(of.names), _share(of.right_names, of.names)),
        )
        for name, of in left_out.items()
    }
    counted = ", ".join(f"{name} {a} and {b}" for name, (a, b) in _COUNTS.items())
    note = f"A receipt has weight 1 in the fits of addresses and names; exceptions: {counted}."
    return (
        model_cards.Card(
            name="address",
            title="Model of addresses",
            file=FILE,
            gives="How likely a segment of text is a part of the merchant's address, in log-odds.",
            script="scripts.fit_merchant",
            observation="a segment of text, right when it lies in the labelled address; what the stage sets "
            "aside is counted here but left out of the fit",
            penalties=f"ridge {_ADDRESS_RIDGE} towards zero",
            measures=("labelled", "address right"),
            data_sets=address,
            weights=_with_bias(weights.address),
            notes=(f"{note} {_KEPT}" if kept else note,),
        ),
        model_cards.Card(
            name="name",
            title="Model of names",
            file=FILE,
            gives="Which of the candidates is the merchant's name, or none: a share for each; the shares "
            "add up to one.",
            script="scripts.fit_merchant",
            observation="a receipt with its candidates, of which those that the label accepts are right",
            penalties=f"ridge {_NAME_RIDGE} towards the weights that `scripts/name_expectations.py` expects; "
            f"{len(FOR)} features never count against a name, {len(AGAINST)} never for one",
            measures=("labelled", "name right"),
            data_sets=names,
            weights=_with_bias(weights.name),
            notes=(
                note,
                "Together, the receipts of one merchant have as weight their number to the power "
                f"of {_REPEATS}.",
            ),
        ),
    )


def _with_bias(model: LinearModel) -> dict[str, float]:
    """Feature → weight, as in the file."""
    return model.weights | ({BIAS: model.bias} if BIAS in declared()[model.name] else {})


def as_toml(weights: Weights) -> str:
    """The content of the file with both models."""
    text = "# Weights of the merchant stage; see receipt_engine/stages/merchant/weights.py.\n"
    text += "# Written by scripts/fit_merchant.py.\n"
    for model in (weights.address, weights.name):
        text += f"\n[{model.name}]\n"
        text += "".join(
            f'"{name}" = {value:.{_DECIMALS}f}\n' for name, value in sorted(_with_bias(model).items())
        )
    return text


if __name__ == "__main__":
    main()

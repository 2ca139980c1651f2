"""Fits the weights of addresses and names and writes `models/merchant.toml`.

    python -m scripts.fit_merchant --data FOLDER [--cache DIR] [--test]

Drawn receipts of every region are added as text, with little weight.

Address: every segment of text is an observation, right when it lies in the labelled address; logistic
regression with a ridge, by Newton's method. Name: every receipt is one choice among its candidates; the
weights maximise the share of those that the label accepts, within what `scripts/name_expectations.py`
says. --test fits without each data set in turn,
tests on it and writes nothing.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from benchmarks.datasets import Label, Sample, load, truth_form
from benchmarks.reading_cache import DEFAULT_FOLDER
from benchmarks.runner import Setup, Worker
from benchmarks.scoring.rules import contains_name, same_address, same_name
from benchmarks.scoring.text import letters
from receipt_engine.document import Line
from receipt_engine.errors import ReceiptEngineError
from receipt_engine.pipeline import sort_rows
from receipt_engine.region import load_region, region_codes
from receipt_engine.scoring.linear import BIAS, LinearModel
from receipt_engine.stages.contacts import find_entities
from receipt_engine.stages.group import group
from receipt_engine.stages.localize import localize
from receipt_engine.stages.merchant import prepare
from receipt_engine.stages.merchant.address.block import best_block
from receipt_engine.stages.merchant.address.features import address_features
from receipt_engine.stages.merchant.name.candidates import NameCandidate, NameContext
from receipt_engine.stages.merchant.name.features import absent_features, name_features
from receipt_engine.stages.merchant.pairing import find_name_and_address
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.weights import Weights, declared
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.trace import Trace
from receipt_engine.vocabulary.trades import trade_share
from scripts.composed_lines import composed_lines
from scripts.make_receipts import DrawingError, compose_receipt
from scripts.model_manifest import MODELS, record
from scripts.name_expectations import AGAINST, EXPECTED, FOR

Array = NDArray[np.float64]
Features = Mapping[str, float]

_ADDRESS_RIDGE = 2.0
_NAME_RIDGE = 1.5
_STEPS = 250
#: Of the weights in the file.
_DECIMALS = 3
#: Receipts of one merchant count together as this power of their number.
_REPEATS = 0.5
#: What a receipt of a large, uniform set counts in the fit of addresses and of names; others count 1.
DRAWN = "drawn"
_COUNTS = {"sroie": (0.5, 0.7), DRAWN: (0.3, 0.1)}
_ALIKE = 85
#: A row with this share of words for a kind of business tells the trade.
_TRADE = 0.55
_WIDEST = 9


@dataclass
class Receipt:
    """One labelled receipt. inside: for each segment, whether it lies in the labelled address."""

    sample: Sample
    segments: Sequence[Segment]
    domains: Sequence[str]
    rows: Sequence[Features]
    inside: list[bool] | None
    names: Sequence[Features]  # of every candidate, then of the name's absence
    candidates: Sequence[NameCandidate] = ()

    @property
    def group(self) -> str:
        """The data set, clean and photographed halves together."""
        return self.sample.dataset.split("-")[0]


def main() -> None:
    """Reads the data, fits, and writes or tests."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--cache", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--drawn", type=int, default=6, help="invented receipts of each region")
    parser.add_argument("--test", action="store_true")
    options = parser.parse_args()
    receipts = [*collect(load(options.data), options.cache), *draw(options.drawn)]
    if options.test:
        for name in sorted({receipt.group for receipt in receipts}):
            train = [receipt for receipt in receipts if receipt.group != name]
            report(name, fit(train), [receipt for receipt in receipts if receipt.group == name])
        return
    weights = fit(receipts)
    report("all, fitted on them", weights, receipts)
    path = MODELS / "merchant.toml"
    path.write_text(_toml(weights), encoding="utf-8")
    record(path, licence="Apache-2.0", source="scripts/fit_merchant.py")


def collect(samples: Sequence[Sample], cache: Path) -> list[Receipt]:
    """The receipts with a labelled name or address, read from the cache where it has them."""
    worker = Worker(Setup(cache=cache, workers=1))
    receipts: list[Receipt] = []
    for sample in samples:
        if not {"establishment", "address"} & set(sample.fields):
            continue
        try:
            lines = group(worker.reading(sample).spans)
        except (ReceiptEngineError, ValueError):
            continue  # a picture that cannot be read teaches nothing
        receipts.append(_receipt(sample, lines))
    return receipts


def draw(count: int) -> Iterator[Receipt]:
    """Invented receipts of every region, as text."""
    for code in region_codes():
        for seed in range(count):
            try:
                composed = compose_receipt(code, seed=seed)
            except DrawingError:
                continue  # a country whose data cannot be drawn teaches nothing
            row = {"id": f"{code}-{seed}", "region": code, "truth": composed.truth}
            yield _receipt(truth_form.sample(row, DRAWN, Path()), composed_lines(composed))


def _receipt(sample: Sample, lines: Sequence[Line]) -> Receipt:
    region = load_region(localize(lines, sample.region)[0].code)
    rows = parse(lines, region, AmountHints())
    sheet = sort_rows(rows, region, Trace())
    segments, domains = prepare(rows, sheet, region, find_entities(rows, sheet, region))
    label = sample.fields.get("address")
    inside = _inside(segments, str(label.main)) if label is not None and label.main else None
    return Receipt(sample, segments, domains, address_features(segments), inside, [])


def _inside(segments: Sequence[Segment], address: str) -> list[bool]:
    """Which segments make up the labelled address: the best window of those that lie in it."""
    wanted = letters(address)
    texts = [letters(segment.rest) if segment.letters + segment.digits >= 2 else "" for segment in segments]
    alike = [
        at
        for at, text in enumerate(texts)
        if (len(text) > 4 and len(text) <= len(wanted) + 6 and fuzz.partial_ratio(text, wanted) >= _ALIKE)
        or (3 <= len(text) <= 4 and text in wanted)
    ]
    best: tuple[float, list[int]] = (0.0, [])
    for first in alike:
        for last in alike:
            if not first <= last <= first + _WIDEST:
                continue
            window = [at for at in alike if first <= at <= last]
            holes = last - first + 1 - len(window)
            fit_ = fuzz.ratio("".join(texts[at] for at in window), wanted) - 1.5 * holes
            best = max(best, (fit_, window))
    return [at in best[1] for at in range(len(segments))]


def fit(receipts: Sequence[Receipt]) -> Weights:
    """Both tables. Names are compared on pages whose addresses were found by the table just fitted."""
    address = _fit_address([receipt for receipt in receipts if receipt.inside is not None])
    choices = [receipt for receipt in receipts if "establishment" in receipt.sample.fields]
    for receipt in choices:
        _propose(receipt, address)
    return Weights(address, _fit_name([receipt for receipt in choices if receipt.candidates]))


def _propose(receipt: Receipt, address: LinearModel) -> None:
    scores = [address.score(features) for features in receipt.rows]
    context = NameContext(receipt.segments, best_block(scores), scores, receipt.domains)
    receipt.candidates = context.candidates
    candidates = [name_features(context, at) for at in range(len(context.candidates))]
    receipt.names = [*candidates, absent_features(context)]


def _fit_address(receipts: Sequence[Receipt]) -> LinearModel:
    rows = [features for receipt in receipts for features in receipt.rows]
    right = np.array([inside for receipt in receipts for inside in receipt.inside or ()], dtype=float)
    names = declared()["address"]
    pull = np.array([_COUNTS.get(r.group, (1.0, 1.0))[0] for r in receipts for _ in r.rows])
    x = _design(rows, names)
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
    """Maximises the log of the accepted candidates' share by Adam (Kingma and Ba 2015)."""
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
    """The model with what its file will say."""
    known = dict(zip(features, np.round(weights, _DECIMALS).tolist(), strict=True))
    return LinearModel(name, known.pop(BIAS, 0.0), known)


def accepted_candidates(receipt: Receipt) -> list[float]:
    """Which candidates the label accepts; the name's absence when it accepts none.

    A label may hold what is left out of a name (a greeting, a store's number); the segments as printed count
    too. Of a name in parts with a row that tells the trade ("Harbour" above "Restaurant"), only the whole.
    """
    found = [
        accepts(receipt, candidate.text) or accepts(receipt, _printed(receipt, candidate))
        for candidate in receipt.candidates
    ]
    whole = _whole_names(receipt)
    return [*map(float, whole or found), float(not any(found))]


def _printed(receipt: Receipt, candidate: NameCandidate) -> str:
    segments = receipt.segments[candidate.first : candidate.last + 1]
    return " ".join(segment.run.text for segment in segments)


def _whole_names(receipt: Receipt) -> list[bool]:
    """Which candidates are all parts of a name together; [] when they need not stand together."""
    accepted = [str(value) for value in receipt.sample.fields["establishment"].accepted]
    if len(accepted) < 3 or letters("".join(accepted[1:])) != letters(accepted[0]):
        return []
    whole = [
        any(same_name(accepted[0], text, False) for text in (candidate.text, _printed(receipt, candidate)))
        for candidate in receipt.candidates
    ]
    told = any(
        right and candidate.last > candidate.first and _tells_trade(receipt, candidate)
        for right, candidate in zip(whole, receipt.candidates, strict=True)
    )
    return whole if told else []


def _tells_trade(receipt: Receipt, candidate: NameCandidate) -> bool:
    edges = (receipt.segments[candidate.first], receipt.segments[candidate.last])
    return max(trade_share(segment.rest) for segment in edges) >= _TRADE


def _merchant_weights(receipts: Sequence[Receipt]) -> Array:
    keys = [(r.group, letters(str(r.sample.fields["establishment"].accepted[0]))[:10]) for r in receipts]
    counts = Counter(keys)
    return np.array([_COUNTS.get(key[0], (1.0, 1.0))[1] * counts[key] ** (_REPEATS - 1) for key in keys])


def accepts(receipt: Receipt, text: str) -> bool:
    """Whether the label accepts a name."""
    label: Label = receipt.sample.fields["establishment"]
    if label.contained:
        return contains_name(label.main, text, False)
    return any(value and same_name(value, text, False) for value in label.accepted)


def _design(rows: Sequence[Features], names: Sequence[str]) -> Array:
    column = {name: at for at, name in enumerate(names)}
    x = np.zeros((len(rows), len(names)))
    for at, features in enumerate(rows):
        for name, value in features.items():
            x[at, column[name]] = value
    if BIAS in column:
        x[:, column[BIAS]] = 1.0
    return x


def report(name: str, weights: Weights, receipts: Sequence[Receipt]) -> None:
    """Prints how many names and addresses come out right."""
    names, addresses = [], []
    for receipt in receipts:
        found = find_name_and_address(receipt.segments, receipt.domains, weights)
        label = receipt.sample.fields.get("address")
        if label is not None and label.main:
            text = found.address.value if found.address else ""
            addresses.append(any(value and same_address(value, text, False) for value in label.accepted))
        if "establishment" in receipt.sample.fields:
            names.append(found.name is not None and accepts(receipt, found.name.value))
    print(f"{name}: names {_share(names)}, addresses {_share(addresses)}")


def _share(right: Sequence[bool]) -> str:
    return f"{100 * sum(right) / len(right):.1f} % of {len(right)}" if right else "none"


def _toml(weights: Weights) -> str:
    text = "# Weights of the merchant stage; see receipt_engine/stages/merchant/weights.py.\n"
    text += "# Written by scripts/fit_merchant.py.\n"
    for model in (weights.address, weights.name):
        values = model.weights | ({BIAS: model.bias} if BIAS in declared()[model.name] else {})
        text += f"\n[{model.name}]\n"
        text += "".join(f'"{name}" = {value:.{_DECIMALS}f}\n' for name, value in sorted(values.items()))
    return text


if __name__ == "__main__":
    main()

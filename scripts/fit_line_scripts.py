"""Fits `models/line-scripts.npz`, the classifier of scripts that cannot be read, on drawn lines.

python -m scripts.fit_line_scripts [--lines 220]
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from receipt_engine import assets
from receipt_engine.region import region_codes
from receipt_engine.runtime.onnx import OnnxGraph
from receipt_engine.stages.recognize.crop import tensor
from receipt_engine.stages.recognize.spans import READABLE, pooled
from scripts.foreign_scripts import FOREIGN, draw_line, line
from scripts.make_receipts import compose_receipt
from scripts.make_receipts.dice import Dice
from scripts.model_manifest import MODELS, record

NAME = "line-scripts.npz"
#: Number of readable lines per line of each other script.
_READABLE_SHARE = 6
_DECAY = 3e-4
_STEPS = 600
_RATE = 0.02
_HELD_OUT = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Draws, fits, writes the file and prints the accuracy on held-out lines."""
    parser = argparse.ArgumentParser(prog="fit_line_scripts", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lines", type=int, default=220, help="lines of each script")
    options = parser.parse_args(arguments)
    names = (READABLE, *FOREIGN)
    graph = OnnxGraph(assets.model_file("text-recognizer.onnx"))
    samples = []
    for name, text, language, dice in _lines(options.lines):
        picture, share = tensor(draw_line(text, language, dice))
        samples.append((names.index(name), pooled(graph.run({"x": picture}), share)))
    labels = np.array([label for label, _ in samples])
    features = np.array([feature for _, feature in samples], dtype=np.float32)
    held = np.arange(len(labels)) % _HELD_OUT == 0
    weights, bias = _fit(features[~held], labels[~held], len(names))
    told = (features[held] @ weights + bias).argmax(axis=1)
    for index, name in enumerate(names):
        own = labels[held] == index
        print(f"{name:12} {own.sum():4} lines, {100 * (told[own] == index).mean():.1f} % right")
    print(f"readable taken for others: {(told[labels[held] == 0] != 0).sum()}")
    weights, bias = _fit(features, labels, len(names))
    path = MODELS / NAME
    np.savez_compressed(
        path, names=np.array(names), weights=weights.astype(np.float16), bias=bias.astype(np.float16)
    )
    record(path, licence="Apache-2.0", source="scripts/fit_line_scripts.py")
    return 0


def _lines(count: int) -> Iterator[tuple[str, str, str, Dice]]:
    """Class, text, font language and random generator of every line."""
    for name, foreign in FOREIGN.items():
        for number in range(count):
            dice = Dice("line", name, number)
            yield name, line(name, dice), foreign.language, dice
    regions = region_codes()
    number = 0
    while number < _READABLE_SHARE * count:
        dice = Dice("line", READABLE, number)
        rows = compose_receipt(dice.pick(regions), seed=number).rows
        for row in dice.several([row for row in rows if len(row.text.strip()) > 2], 12):
            text = " ".join(row.text.split())
            if re.search(r"[\u0590-\u0fff]", text):
                continue
            yield READABLE, text, _language(text), Dice("line", READABLE, number, text)
            number += 1


def _language(text: str) -> str:
    """A language whose fonts have the text's letters."""
    if re.search(r"[\u3000-\u9fff\uff00-\uffef]", text):
        return "ja"
    if re.search(r"[\u0370-\u03ff]", text):
        return "el"
    return "vi" if re.search(r"[\u1ea0-\u1ef9ơưđ]", text, re.IGNORECASE) else "fr"


def _fit(
    features: NDArray[np.float32], labels: NDArray[np.int64], classes: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Weights and bias of a softmax regression fitted by Adam, for features that are not scaled."""
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-3
    scaled = (features - mean) / spread
    target = np.eye(classes, dtype=np.float32)[labels]
    weights = np.zeros((features.shape[1] + 1, classes), np.float32)
    scaled = np.hstack([scaled, np.ones((len(scaled), 1), np.float32)])
    momentum, squares = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        logits = scaled @ weights
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        slope = scaled.T @ (chances - target) / len(labels) + _DECAY * weights
        momentum = 0.9 * momentum + 0.1 * slope
        squares = 0.999 * squares + 0.001 * slope**2
        weights = weights - _RATE * (momentum / (1 - 0.9**step)) / (
            np.sqrt(squares / (1 - 0.999**step)) + 1e-8
        )
    inner = weights[:-1] / spread[:, None]
    return inner.astype(np.float32), (weights[-1] - mean @ inner).astype(np.float32)


if __name__ == "__main__":
    raise SystemExit(main())

"""Heads of the recogniser: a line's features in, probabilities of characters out.

The features of one step are the 120 that the official last layer multiplies, followed by the 384 that the
convolutions give; `LinearHead` needs the first alone, a `LearnedHead` all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from receipt_engine.runtime.onnx import Array, Graph
from receipt_engine.stages.recognize.scripts import Script, allowed

#: How many features the official last layer multiplies.
_OFFICIAL = 120


class Head(Protocol):
    """characters[i] is the text of class i; class 0 is CTC's blank ("")."""

    @property
    def characters(self) -> tuple[str, ...]: ...

    def probabilities(self, features: Array) -> Array:
        """(steps, classes), each row summing to 1. features: (1, steps, 504)."""
        ...


@dataclass(frozen=True)
class LinearHead:
    """The official last layer, whole or restricted to one script.

    weight: (120, classes), bias: (classes,), both float32. graph: softmax(x @ weight + bias).
    """

    characters: tuple[str, ...]
    weight: Array
    bias: Array
    graph: Graph

    @staticmethod
    def load(names: Path, weights: Path, graph: Graph) -> LinearHead:
        """From the class list (one character a line) and the layer's weights (npz: weight, bias)."""
        characters = ("", *names.read_text(encoding="utf-8").split("\n"), " ")
        with np.load(weights) as arrays:
            weight = np.ascontiguousarray(arrays["weight"].T.astype(np.float32))
            bias = arrays["bias"].astype(np.float32)
        return LinearHead(characters, weight, bias, graph)

    def restrict(self, script: Script) -> LinearHead:
        """Blank, space and the script's characters alone."""
        chosen = [i for i, c in enumerate(self.characters) if c in ("", " ") or allowed(c, script)]
        weight = np.ascontiguousarray(self.weight[:, chosen])
        return LinearHead(tuple(self.characters[i] for i in chosen), weight, self.bias[chosen], self.graph)

    def probabilities(self, features: Array) -> Array:
        official = np.ascontiguousarray(features[..., :_OFFICIAL])
        return np.asarray(self.graph.run({"x": official, "weight": self.weight, "bias": self.bias})[0])


@dataclass(frozen=True)
class LearnedHead:
    """Further layers for a script whose letters the official classes lack. graph: x → probabilities."""

    characters: tuple[str, ...]
    graph: Graph

    @staticmethod
    def load(names: Path, graph: Graph) -> LearnedHead:
        """From the class list: one character a line, without blank and space."""
        return LearnedHead(("", *names.read_text(encoding="utf-8").split("\n"), " "), graph)

    def probabilities(self, features: Array) -> Array:
        return np.asarray(self.graph.run({"x": features})[0])

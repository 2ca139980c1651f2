"""Heads of the recogniser: what the networks see of a line in, probabilities of characters out.

The backbone's features of one step are the 120 that the official last layer multiplies, followed by the 384
that the convolutions give; `LinearHead` needs the first alone, a `LearnedHead` all of them. A `MeanHead` asks
several, a `ScriptHead` the reader of further scripts, which looks at the picture by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from receipt_engine.runtime.onnx import Array, Graph
from receipt_engine.stages.recognize.scripts import Script, allowed, is_printed

#: How many features the official last layer multiplies.
_OFFICIAL = 120


@dataclass(frozen=True, eq=False)
class Feature:
    """What the networks see of a line.

    values: (1, steps, 504) of the backbone. share: of the line's width that is picture, not padding. again:
    gives the logits (1, steps, classes) of the reader of further scripts, which looks when it is first asked.
    """

    values: Array
    share: float = 1.0
    again: Callable[[], Array] | None = None


def _characters(names: Path) -> tuple[str, ...]:
    """Of every class, from a list without blank and space: one character a line."""
    return ("", *names.read_text(encoding="utf-8").split("\n"), " ")


class Head(Protocol):
    """characters[i] is the text of class i; class 0 is CTC's blank ("")."""

    @property
    def characters(self) -> tuple[str, ...]: ...

    def probabilities(self, feature: Feature) -> Array:
        """(steps, classes), each row summing to 1."""
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
        characters = _characters(names)
        with np.load(weights) as arrays:
            weight = np.ascontiguousarray(arrays["weight"].T.astype(np.float32))
            bias = arrays["bias"].astype(np.float32)
        return LinearHead(characters, weight, bias, graph)

    def restrict(self, script: Script) -> LinearHead:
        """Blank, space and the script's characters alone."""
        chosen = [i for i, c in enumerate(self.characters) if c in ("", " ") or allowed(c, script)]
        weight = np.ascontiguousarray(self.weight[:, chosen])
        return LinearHead(tuple(self.characters[i] for i in chosen), weight, self.bias[chosen], self.graph)

    def probabilities(self, feature: Feature) -> Array:
        official = np.ascontiguousarray(feature.values[..., :_OFFICIAL])
        return np.asarray(self.graph.run({"x": official, "weight": self.weight, "bias": self.bias})[0])


@dataclass(frozen=True)
class LearnedHead:
    """Further layers for a script whose letters the official classes lack. graph: x → probabilities."""

    characters: tuple[str, ...]
    graph: Graph

    @staticmethod
    def load(names: Path, graph: Graph) -> LearnedHead:
        """From the class list: one character a line, without blank and space."""
        return LearnedHead(_characters(names), graph)

    def probabilities(self, feature: Feature) -> Array:
        return np.asarray(self.graph.run({"x": feature.values})[0])


@dataclass(frozen=True)
class MeanHead:
    """Heads with the same characters, whose probabilities are averaged."""

    heads: tuple[Head, ...]

    @property
    def characters(self) -> tuple[str, ...]:
        return self.heads[0].characters

    def probabilities(self, feature: Feature) -> Array:
        return np.asarray(np.mean([head.probabilities(feature) for head in self.heads], axis=0))


@dataclass(frozen=True)
class ScriptHead:
    """The reader of further scripts, held to the characters of one. chosen: their classes."""

    characters: tuple[str, ...]
    chosen: tuple[int, ...]

    @staticmethod
    def load(names: Path, script: Script) -> ScriptHead:
        """From the reader's class list (one character a line): blank, space and what the script prints."""
        known = _characters(names)
        chosen = tuple(i for i, c in enumerate(known) if c in ("", " ") or is_printed(c, script))
        return ScriptHead(tuple(known[i] for i in chosen), chosen)

    def probabilities(self, feature: Feature) -> Array:
        if feature.again is None:
            raise ValueError("The reader of further scripts was not given.")
        logits = feature.again()[0][:, self.chosen]
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

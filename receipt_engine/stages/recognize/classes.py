"""Heads of the recogniser: features of a line in, character probabilities per step out.

Each step has 504 backbone features: the 120 inputs of the official last layer, followed by 384 outputs of the
convolutions. A `LinearHead` uses only the first 120, a `LearnedHead` all of them. A `MeanHead` averages
several heads. A `ScriptHead` uses the reader of further scripts, a separate network run on the line's image.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from receipt_engine.runtime.onnx import Array, Graph
from receipt_engine.stages.recognize.scripts import Script, allowed, is_printed

#: Number of input features of the official last layer.
_OFFICIAL = 120


@dataclass(frozen=True, eq=False)
class Feature:
    """The network outputs for one line.

    values: backbone features (1, steps, 504). share: share of the width that is image, not padding.
    reader_logits: gives the logits (1, steps, classes) of the reader of further scripts, which is run on the
    first call.
    """

    values: Array
    share: float = 1.0
    reader_logits: Callable[[], Array] | None = None


def _characters(names: Path) -> tuple[str, ...]:
    """The text of every class, from a list with one character per line that lacks the CTC blank and space."""
    return ("", *names.read_text(encoding="utf-8").split("\n"), " ")


class Head(Protocol):
    """Turns features into probabilities. characters[i]: text of class i; class 0 is the CTC blank ("")."""

    @property
    def characters(self) -> tuple[str, ...]: ...

    def probabilities(self, feature: Feature) -> Array:
        """Probabilities (steps, classes), each row summing to 1."""
        ...


@dataclass(frozen=True)
class LinearHead:
    """The official last layer, whole or restricted to one script.

    weight: (classes, 120), bias: (classes,), both float32. graph: softmax(x @ weight.T + bias).
    """

    characters: tuple[str, ...]
    weight: Array
    bias: Array
    graph: Graph

    @staticmethod
    def load(names: Path, weights: Path, graph: Graph) -> LinearHead:
        """From the class list (one character per line) and the layer's weights (npz: weight, bias).

        The classes of East Asian lines come first: the head for these, nine tenths of the layer, then shares
        its memory.
        """
        characters = _characters(names)
        order = sorted(range(len(characters)), key=lambda i: not _may_print(characters[i], "cjk"))
        with np.load(weights) as arrays:
            weight, bias = (arrays[name].astype(np.float32, copy=False)[order] for name in ("weight", "bias"))
        return LinearHead(tuple(characters[i] for i in order), weight, bias, graph)

    def restrict(self, script: Script) -> LinearHead:
        """The head with only the CTC blank, space and the script's characters."""
        chosen = [i for i, c in enumerate(self.characters) if _may_print(c, script)]
        first = slice(len(chosen))
        part = first if chosen == list(range(len(chosen))) else chosen
        characters = tuple(self.characters[i] for i in chosen)
        return LinearHead(characters, self.weight[part], self.bias[part], self.graph)

    def probabilities(self, feature: Feature) -> Array:
        official = np.ascontiguousarray(feature.values[..., :_OFFICIAL])
        return np.asarray(self.graph.run({"x": official, "weight": self.weight, "bias": self.bias})[0])


def _may_print(character: str, script: Script) -> bool:
    return character in ("", " ") or allowed(character, script)


@dataclass(frozen=True)
class LearnedHead:
    """Further layers for a script whose letters the official classes lack. graph: x → probabilities."""

    characters: tuple[str, ...]
    graph: Graph

    @staticmethod
    def load(names: Path, graph: Graph) -> LearnedHead:
        """From the class list: one character per line, without the CTC blank and space."""
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
    """The reader of further scripts, restricted to one script. chosen: class indices of its characters."""

    characters: tuple[str, ...]
    chosen: tuple[int, ...]

    @staticmethod
    def load(names: Path, script: Script) -> ScriptHead:
        """From the reader's class list (one character per line): keeps CTC blank, space and the script's."""
        known = _characters(names)
        chosen = tuple(i for i, c in enumerate(known) if c in ("", " ") or is_printed(c, script))
        return ScriptHead(tuple(known[i] for i in chosen), chosen)

    def probabilities(self, feature: Feature) -> Array:
        if feature.reader_logits is None:
            raise ValueError("The reader of further scripts was not given.")
        logits = feature.reader_logits()[0][:, self.chosen]
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

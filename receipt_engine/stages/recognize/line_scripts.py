"""Classifies the script of a line that the heads of the page's script cannot read.

The backbone responds to letters for which the heads have no class. A softmax classifier over its features,
mean- and max-pooled over the line, distinguishes Arabic, Thai and other scripts from readable ones. A line
counts only when it also reads badly.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from receipt_engine.runtime.onnx import Array
from receipt_engine.stages.recognize.classes import Feature
from receipt_engine.stages.recognize.spans import SURE, UNREAD

#: Name of the class of lines that can be read.
READABLE = "readable"


@dataclass(frozen=True)
class LineScripts:
    """A linear script classifier. names: of the classes; weights: (features, classes); bias: (classes,)."""

    names: tuple[str, ...]
    weights: Array
    bias: Array

    @staticmethod
    def load(path: Path) -> LineScripts:
        """Loads the classifier written by `scripts.fit_line_scripts`."""
        with np.load(path) as stored:
            return LineScripts(
                tuple(stored["names"].tolist()),
                stored["weights"].astype(np.float32),
                stored["bias"].astype(np.float32),
            )

    def unreadable(self, feature: Feature, score: float) -> str:
        """The script of a line that could not be read, or "". score: reading score of the line, 0 to 1."""
        if score >= UNREAD:
            return ""
        logits = pooled(feature.values, feature.share) @ self.weights + self.bias
        chances = np.exp(logits - logits.max())
        best = int(chances.argmax())
        sure = chances[best] >= SURE * chances.sum()
        return self.names[best] if sure and self.names[best] != READABLE else ""


def pooled(feature: Array, share: float) -> Array:
    """Mean and maximum of features (1, steps, channels) over the part of the line that is not padding."""
    steps = feature[0, : max(1, round(share * feature.shape[1]))]
    return np.concatenate([steps.mean(axis=0), steps.max(axis=0)])

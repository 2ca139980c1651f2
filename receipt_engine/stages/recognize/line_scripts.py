"""Which script a line is printed in, when it is one that no head was taught to read.

The backbone sees letters that the heads cannot name. A softmax over what it sees on a line, averaged and at
its strongest, tells Arabic from Thai from Latin; a line counts only when it also reads badly.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from receipt_engine.runtime.onnx import Array
from receipt_engine.stages.recognize.classes import Feature
from receipt_engine.stages.recognize.spans import SURE, UNREAD

#: What the classes are called that can be read.
READABLE = "readable"


@dataclass(frozen=True)
class LineScripts:
    """names: of the classes; weights: (features, classes); bias: (classes,)."""

    names: tuple[str, ...]
    weights: Array
    bias: Array

    @staticmethod
    def load(path: Path) -> LineScripts:
        """The classifier that `scripts.fit_line_scripts` wrote."""
        with np.load(path) as stored:
            return LineScripts(
                tuple(stored["names"].tolist()),
                stored["weights"].astype(np.float32),
                stored["bias"].astype(np.float32),
            )

    def unreadable(self, feature: Feature, score: float) -> str:
        """The script of a line that no head reads, "" for any other. score: of what was read, 0 to 1."""
        if score >= UNREAD:
            return ""
        logits = pooled(feature.values, feature.share) @ self.weights + self.bias
        chances = np.exp(logits - logits.max())
        best = int(chances.argmax())
        sure = chances[best] >= SURE * chances.sum()
        return self.names[best] if sure and self.names[best] != READABLE else ""


def pooled(feature: Array, share: float) -> Array:
    """What the backbone (1, steps, channels) gives for the part of a line that is picture."""
    steps = feature[0, : max(1, round(share * feature.shape[1]))]
    return np.concatenate([steps.mean(axis=0), steps.max(axis=0)])

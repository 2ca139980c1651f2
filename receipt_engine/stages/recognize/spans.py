"""Reads the features of one line with one head: greedy CTC decoding that keeps the alternatives of each
character.

Classifies the script of a line that the heads of the page's script cannot read. The backbone responds to
letters for which the heads have no class. A softmax classifier over its features, mean- and max-pooled over
the line, distinguishes Arabic, Thai and other scripts from readable ones. A line counts only when it also
reads badly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from receipt_engine.document import Char, Quad, Span
from receipt_engine.runtime.onnx import Array
from receipt_engine.stages.recognize.classes import Feature, Head

#: Score or probability from which the reading of a line, a letter or a script is accepted as certain.
SURE = 0.9
#: Text that the model cannot read, above all another alphabet, scores less than this.
UNREAD = 0.93
#: Share of digits from which a text is a number, whatever its script.
_MOSTLY = 0.5
#: Alternatives below this probability are dropped. Insertions need a higher one, or every gap would have one.
_MIN_ALTERNATIVE = 0.01
_MIN_INSERTION = 0.08
_MAX_ALTERNATIVES = 5
#: Name of the class of lines that can be read.
READABLE = "readable"


def read_line(quad: Quad, feature: Feature, head: Head) -> Span:
    """The line as read by the head, from left to right; the score is the mean of the characters' scores."""
    chars = decode(head.probabilities(feature), head.characters, feature.share)
    return Span("".join(c.text for c in chars), round(mean_score(chars), 5), quad, chars)


def line_score(feature: Feature, head: Head) -> float:
    """The score of the line as read by the head, 0 to 1."""
    return mean_score(decode(head.probabilities(feature), head.characters, feature.share))


def mean_score(chars: Sequence[Char]) -> float:
    """The mean score of the characters that have a text; 0 for none."""
    scores = [char.score for char in chars if char.text]
    return sum(scores) / len(scores) if scores else 0.0


def is_number(span: Span) -> bool:
    """Whether at least half of the characters are digits, whatever the script."""
    return sum(map(str.isdigit, span.text)) >= _MOSTLY * max(1, len(span.text))


def digits_of(span: Span) -> str:
    """The span's digits, in their order."""
    return "".join(filter(str.isdigit, span.text))


T = TypeVar("T")
R = TypeVar("R")


def each(function: Callable[[T], R], items: list[T], threads: int) -> list[R]:
    """Like map(), but processes `threads` items at once; keeps their order."""
    if threads <= 1 or len(items) <= 1:
        return [function(item) for item in items]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(function, items))


def decode(probabilities: Array, characters: Sequence[str], width: float) -> tuple[Char, ...]:
    """Decodes the characters of one line, from left to right.

    probabilities: (steps, classes), each row summing to 1. characters: the text of each class; class 0 is
    the CTC blank. width: the share (0 to 1] of the steps that the line's image covers; the rest is padding.
    """
    best = probabilities.argmax(axis=1)
    steps = len(best)
    chars: list[Char] = []
    start = 0
    for step in range(1, steps + 1):
        if step < steps and best[step] == best[start]:
            continue
        if best[start] != 0:
            chars.append(_character(probabilities, characters, int(best[start]), start, step, width))
        else:
            chars.extend(_insertions(probabilities, characters, best, start, step, width))
        start = step
    return tuple(chars)


def _character(
    probabilities: Array, characters: Sequence[str], index: int, start: int, end: int, width: float
) -> Char:
    rows = probabilities[start:end]
    score = float(rows[:, index].max())
    others: tuple[tuple[str, float], ...] = ()
    if score < 0.999:
        peak = rows[int(rows[:, index].argmax())] if end - start > 1 else rows[0]
        others = _alternatives(peak, characters, index)
    steps = len(probabilities)
    return Char(characters[index], round(score, 5), *_place(start, end, steps, width), others)


def _insertions(
    probabilities: Array, characters: Sequence[str], best: Array, start: int, end: int, width: float
) -> list[Char]:
    """At most one possible character that the CTC blank narrowly beat: a lost point or a thin digit.

    It has the text "" and the character among its alternatives.
    """
    steps = len(probabilities)
    rows = probabilities[start:end].copy()
    # The tail of a neighbouring character is not another character.
    for neighbour in (start - 1, end):
        if 0 <= neighbour < steps:
            rows[:, best[neighbour]] = 0
    blank = rows[:, 0].copy()
    rows[:, 0] = 0
    rival = rows.max(axis=1)
    if rival.max() < _MIN_INSERTION:
        return []
    step = int(rival.argmax())
    others = (("", round(float(blank[step]), 5)), *_alternatives(rows[step], characters, 0))
    place = _place(start + step, start + step + 1, steps, width)
    return [Char("", round(float(blank[step]), 5), *place, others)]


def _alternatives(row: Array, characters: Sequence[str], index: int) -> tuple[tuple[str, float], ...]:
    candidates = np.flatnonzero(row >= _MIN_ALTERNATIVE)
    ranked = sorted(candidates, key=lambda c: -row[c])[: _MAX_ALTERNATIVES + 1]
    return tuple((characters[int(c)], round(float(row[c]), 5)) for c in ranked if c != index)


def _place(start: int, end: int, steps: int, width: float) -> tuple[float, float]:
    return (round(min(1.0, start / steps / width), 4), round(min(1.0, end / steps / width), 4))


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

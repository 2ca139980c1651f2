"""Separates papers side by side without a straight gap between them: a handwritten note reaches across, or
they lie askew."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

Corners = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: Two boxes are in one column when their vertical gap is at most _BELOW text heights and they overlap
#: horizontally by at least _SHARED of the narrower one's width.
_BELOW = 3.0
_SHARED = 0.2
#: Columns that overlap horizontally by this share of the narrower one's width are one above the other.
_STACKED = 0.5


def columns(
    corners: Corners, height: float, angles: NDArray[np.float64], is_own: Callable[[Mask], bool]
) -> Iterator[Mask]:
    """Columns of boxes that may be a separate receipt, as may all the other boxes together.

    Boxes below each other are in one column: rows as wide as the paper hold the columns of its table
    together. corners: (boxes, 4, 2). height: of text. angles: text angles to the first axis that are tried,
    in radians. is_own: whether some boxes may be a separate receipt.
    """
    tried: set[bytes] = set()
    for angle in angles:
        turned = corners @ np.array(((np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))))
        low, high = turned.min(axis=1), turned.max(axis=1)
        parts = _columns(low, high, height)
        own = [part for part in parts if is_own(part)]
        if len(own) < 2:
            continue
        middles = (low[:, 0] + high[:, 0]) / 2
        for part in parts:  # a note or a number joins the nearest column
            if not is_own(part):
                apart = [_apart(low, high, part, column) for column in own]
                own[int(np.argmin(apart))] |= part
        for part in sorted(own, key=lambda part: float(np.median(middles[part])))[:-1]:
            if part.tobytes() not in tried and is_own(~part):
                tried.add(part.tobytes())
                yield part


def _columns(low: NDArray[np.float64], high: NDArray[np.float64], height: float) -> list[Mask]:
    """Columns: boxes linked vertically, then linked groups merged where one is above the other."""
    wide = high[:, 0] - low[:, 0]
    shared = np.minimum(high[:, None, 0], high[None, :, 0]) - np.maximum(low[:, None, 0], low[None, :, 0])
    down = np.maximum(low[:, None, 1], low[None, :, 1]) - np.minimum(high[:, None, 1], high[None, :, 1])
    over = shared >= _SHARED * np.minimum(wide[:, None], wide[None])
    labels = _connected(over & (down <= _BELOW * height))
    while True:
        kinds = np.unique(labels)
        left = np.array([low[labels == kind, 0].min() for kind in kinds])
        right = np.array([high[labels == kind, 0].max() for kind in kinds])
        over = np.minimum(right[:, None], right) - np.maximum(left[:, None], left)
        stacked = _connected(over >= _STACKED * np.minimum.outer(right - left, right - left))
        if (stacked == np.arange(len(kinds))).all():
            return [labels == kind for kind in kinds]
        labels = stacked[np.searchsorted(kinds, labels)]


def _connected(linked: Mask) -> NDArray[np.int64]:
    """For each index the lowest index that it can reach by (symmetric) links: its connected component."""
    labels = np.arange(len(linked))
    while True:
        lowest = np.where(linked, labels[None], len(linked)).min(axis=1)
        lowest = np.minimum(labels, lowest)
        if (lowest == labels).all():
            return labels
        labels = lowest


def _apart(low: NDArray[np.float64], high: NDArray[np.float64], part: Mask, column: Mask) -> float:
    """The gap between two parts along the first axis."""
    return max(
        float(low[part, 0].min() - high[column, 0].max()), float(low[column, 0].min() - high[part, 0].max())
    )

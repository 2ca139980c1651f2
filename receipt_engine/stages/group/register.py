"""Registers the amount column with the descriptions.

Slopes say little about paper that bends in the empty middle between names and amounts: a whole column
then sits half a row too high. But its rows keep their spacing. So the shift (and stretch) of the column
is sought under which most amounts meet a description, the smallest one that does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Fewer pieces than this in either column register nothing.
_MIN_PIECES = 4
#: Distance, in text heights, at which a pair counts e⁻¹.
_SIGMA = 0.22
#: Largest shift in text heights, and stretch per height of page, that are tried.
_SHIFTS = np.arange(-1.3, 1.31, 0.1)
_STRETCHES = np.arange(-0.06, 0.061, 0.01)
#: What a shift of one text height costs, per amount.
_SHIFT_COST = 0.12
_STRETCH_COST = 20.0
#: The shift must gain this many pairs, or this share of the amounts.
_MIN_GAIN = 1.2
_MIN_GAIN_SHARE = 0.12


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text: edges and middle height in the reading frame; numeric: mostly digits."""

    left: float
    right: float
    middle: float
    height: float
    numeric: bool


def register(blocks: Sequence[Block]) -> NDArray[np.float64]:
    """How far to move each block down; zeros when the columns already meet."""
    still = np.zeros(len(blocks))
    if not blocks:
        return still
    left, right = min(b.left for b in blocks), max(b.right for b in blocks)
    width = max(1.0, right - left)
    amounts = [
        b for b in blocks if b.numeric and b.right > right - 0.3 * width and b.left > left + 0.4 * width
    ]
    names = [b for b in blocks if b.left < left + 0.4 * width and b not in amounts]
    if len(amounts) < _MIN_PIECES or len(names) < _MIN_PIECES:
        return still
    height = float(np.median([b.height for b in amounts + names]))
    top = np.array([b.middle for b in amounts])
    goal = np.array([b.middle for b in names])
    middle = float(np.median(top))
    shift, stretch = _best(top, goal, middle, height)
    if shift == 0 and stretch == 0:
        return still
    inner = float(np.median([b.left for b in names]))
    outer = float(np.median([b.right for b in amounts]))
    along = np.array([np.clip(((b.left + b.right) / 2 - inner) / (outer - inner), 0, 1) for b in blocks])
    moved = np.array([shift + stretch * (b.middle - middle) for b in blocks])
    result: NDArray[np.float64] = moved * along
    return result


def _best(
    top: NDArray[np.float64], goal: NDArray[np.float64], middle: float, height: float
) -> tuple[float, float]:
    """(shift in pixels, stretch) with the best score, or (0, 0) when it gains too little."""
    best, best_score = (0.0, 0.0), -np.inf
    unmoved = _pairs(top, goal, height)
    for stretch in _STRETCHES:
        stretched = top + stretch * (top - middle)
        for shift in _SHIFTS:
            pairs = _pairs(stretched + shift * height, goal, height)
            cost = len(top) * (_SHIFT_COST * shift**2 + _STRETCH_COST * stretch**2)
            if pairs - cost > best_score:
                best, best_score = (float(shift * height), float(stretch)), pairs - cost
    gain = best_score - unmoved
    return best if gain >= max(_MIN_GAIN, _MIN_GAIN_SHARE * len(top)) else (0.0, 0.0)


def _pairs(top: NDArray[np.float64], goal: NDArray[np.float64], height: float) -> float:
    distance = np.abs(top[:, None] - goal[None, :]).min(axis=1) / (height * _SIGMA)
    return float(np.exp(-(distance**2)).sum())

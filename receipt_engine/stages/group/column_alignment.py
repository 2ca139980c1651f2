"""Aligns the amount column with the descriptions.

The slopes of boxes say little about paper that bends in the empty middle between descriptions and amounts:
the whole column then sits half a row too high, but its rows keep their spacing. So this module searches for
the smallest vertical shift (and stretch) of the column at which most amounts are level with a description.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Record

#: Columns with fewer fragments than this are not aligned.
_MIN_FRAGMENTS = 4
#: Vertical distance, in text heights, at which a pair counts e⁻¹.
_SIGMA = 0.22
#: Shifts (in text heights) and stretches (relative) that are tried. A shift of a whole row would lift amounts
#: printed below their descriptions onto the description's row.
_SHIFTS = np.arange(-0.9, 0.91, 0.1)
_STRETCHES = np.arange(-0.06, 0.061, 0.01)
#: Largest shift as a share of the row pitch, which in tight layouts is smaller than the boxes' height.
_MAX_ROW_SHARE = 0.65
#: Cost per amount of a shift of one text height, and of a stretch of 1; both grow with the square.
_SHIFT_COST = 0.12
_STRETCH_COST = 20.0
#: The shift must gain at least this many pairs and at least this share of the amounts.
_MIN_GAIN = 1.2
_MIN_GAIN_SHARE = 0.12


class Block(Record, frozen=True):
    """A fragment of text: edges and middle height in the reading frame; numeric: mostly digits."""

    left: float
    right: float
    middle: float
    height: float
    numeric: bool


def align_columns(blocks: Sequence[Block]) -> NDArray[np.float64]:
    """How far to move each block down, in pixels; zeros when the columns are already aligned."""
    still = np.zeros(len(blocks))
    if not blocks:
        return still
    left, right = min(b.left for b in blocks), max(b.right for b in blocks)
    width = max(1.0, right - left)
    amounts = [
        b for b in blocks if b.numeric and b.right > right - 0.3 * width and b.left > left + 0.4 * width
    ]
    names = [b for b in blocks if b.left < left + 0.4 * width and b not in amounts]
    if len(amounts) < _MIN_FRAGMENTS or len(names) < _MIN_FRAGMENTS:
        return still
    height = statistics.median([b.height for b in amounts + names])
    top = np.array([b.middle for b in amounts])
    goal = np.array([b.middle for b in names])
    middle = statistics.median([b.middle for b in amounts])
    largest = min(_SHIFTS[-1] * height, _MAX_ROW_SHARE * _pitch(top, goal, height))
    shift, stretch = _best(top, goal, middle, height, largest)
    if shift == 0 and stretch == 0:
        return still
    inner = statistics.median([b.left for b in names])
    outer = statistics.median([b.right for b in amounts])
    along = np.clip([((b.left + b.right) / 2 - inner) / (outer - inner) for b in blocks], 0, 1)
    moved = np.array([shift + stretch * (b.middle - middle) for b in blocks])
    result: NDArray[np.float64] = moved * along
    return result


def _pitch(top: NDArray[np.float64], goal: NDArray[np.float64], height: float) -> float:
    """The row pitch in pixels: the 20th percentile of the distances between neighbouring rows."""
    gaps = np.concatenate([np.diff(np.sort(top)), np.diff(np.sort(goal))])
    gaps = gaps[gaps > 0.5 * height]
    return float(np.percentile(gaps, 20)) if len(gaps) else 2 * height


def _best(
    top: NDArray[np.float64], goal: NDArray[np.float64], middle: float, height: float, largest: float
) -> tuple[float, float]:
    """(shift in pixels, stretch) with the best score, or (0, 0) when it gains too little."""
    unmoved = float(_pairs(top[None, :], goal, height)[0])
    gain = max(_MIN_GAIN, _MIN_GAIN_SHARE * len(top))
    if len(top) - unmoved < gain:  # nearly all are already level with a description
        return 0.0, 0.0
    within = _SHIFTS[np.abs(_SHIFTS) * height <= largest]
    shifts, stretches = (g.ravel() for g in np.meshgrid(within, _STRETCHES))
    moved = top[None, :] + stretches[:, None] * (top - middle)[None, :] + (shifts * height)[:, None]
    cost = len(top) * (_SHIFT_COST * shifts**2 + _STRETCH_COST * stretches**2)
    score = _pairs(moved, goal, height) - cost
    best = int(score.argmax())
    if score[best] - unmoved < gain:
        return 0.0, 0.0
    return float(shifts[best] * height), float(stretches[best])


def _pairs(top: NDArray[np.float64], goal: NDArray[np.float64], height: float) -> NDArray[np.float64]:
    """For each candidate in top (candidates, amounts), how many amounts are level with one of goal (names,).

    A pair counts less the further apart it is.
    """
    ordered = np.sort(goal)
    after = np.searchsorted(ordered[1:-1], top) + 1
    distance = np.minimum(np.abs(top - ordered[after - 1]), np.abs(top - ordered[after]))
    result: NDArray[np.float64] = np.exp(-((distance / (height * _SIGMA)) ** 2)).sum(axis=1)
    return result

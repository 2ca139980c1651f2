"""Computes the reading frame: page coordinates warped so that printed rows are level and read from the left.

Paper is tilted, curled and photographed at an angle, so a row's slope changes over the page. The slopes of
the detected boxes are fitted by slope(x, y) = a + b·x + c·y around the middle of the text: a is tilt, b curl
along the rows, c the fan of perspective. Integrating along x gives the vertical shift that levels each point.

Tills in Israel and in many Arab countries print descriptions at the right edge and amounts at the left one.
In a frame that counts from the right edge these rows look like all others. Not every page of Arabic letters
is printed like this: where a till also prints English, amounts are mostly at the right.

The slopes of boxes say little about paper that bends in the empty middle between descriptions and amounts:
the whole column then sits half a row too high, but its rows keep their spacing. So the amounts are aligned
with the descriptions by the smallest vertical shift (and stretch) of their column at which most are level
with one.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from receipt_engine.arithmetic.medians import weighted_median
from receipt_engine.document import Point, Quad, Record, Word

#: Only boxes more than this many times as wide as high are used as slopes.
_MIN_ASPECT = 2.5
#: With fewer of them than this only the tilt is fitted.
_MIN_FOR_BEND = 6
#: Residual of a slope at which a box's weight is halved.
_SCALE = 0.02
#: Strength of the ridge penalty on curl and fan.
_RIDGE = 0.004
_BENDS = np.diag([0.0, 1.0, 1.0]) * _RIDGE
_ITERATIONS = 8
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


@dataclass(frozen=True, slots=True)
class Level:
    """Maps page points to the reading frame. x0, y0: the middle of the text, in page pixels. tilt, curl, fan:
    the coefficients a, b and c of the slope."""

    x0: float = 0.0
    y0: float = 0.0
    tilt: float = 0.0
    curl: float = 0.0
    fan: float = 0.0

    def __call__(self, point: Point) -> Point:
        """(x, y) in the reading frame."""
        x, y = point[0] - self.x0, point[1] - self.y0
        drop = self.tilt * x + self.curl * x * x / 2 + self.fan * x * y
        return (x + self.tilt * y + self.x0, y - drop + self.y0)


def fit_level(quads: Sequence[Quad]) -> Level:
    """Fits the mapping that levels the boxes; the identity when there are no wide ones."""
    corners = np.array([q.points for q in quads]).reshape(-1, 4, 2).transpose(1, 2, 0)
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    width, height = np.hypot(bx - ax, by - ay), np.hypot(dx - ax, dy - ay)
    wide = (width > _MIN_ASPECT * height) & (width > 0)
    if not wide.any():
        return Level()
    centers = ((ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4)
    x0, y0 = (statistics.median(along.tolist()) for along in centers)
    # Mean rise per pixel of the upper and lower edge.
    rise = ((by - ay) / np.maximum(1.0, bx - ax) + (cy - dy) / np.maximum(1.0, cx - dx)) / 2
    slopes, weights = rise[wide], width[wide]
    tilt = weighted_median(slopes, weights)
    if len(slopes) < _MIN_FOR_BEND:
        return Level(x0, y0, tilt)
    x, y = centers[0][wide] - x0, centers[1][wide] - y0
    size = float(max(np.ptp(centers[0]), np.ptp(centers[1]), 1.0))
    design = np.stack([np.ones_like(x), x / size, y / size], axis=1)
    across, most = design.T, weights**2
    solution = np.array([tilt, 0.0, 0.0])
    for _ in range(_ITERATIONS):
        # Boxes far from the fit get smaller weights (Cauchy).
        trust = most / (1 + ((slopes - design @ solution) / _SCALE) ** 2)
        normal = across @ (design * trust[:, None])
        # Ridge on the bends, so that a few boxes cannot bend a flat page.
        normal += _BENDS * trust.sum()
        solution = np.linalg.solve(normal, across @ (trust * slopes))
    return Level(x0, y0, float(solution[0]), float(solution[1]) / size, float(solution[2]) / size)


def amounts_at_left(rows: Iterable[Sequence[tuple[float, bool]]]) -> bool:
    """Whether numbers stand left of the words in their rows more often than right of them.

    rows: for each row its fragments, as left edge and whether it is a number.
    """
    balance = 0
    for row in rows:
        numbers = [left for left, numeric in row if numeric]
        words = [left for left, numeric in row if not numeric]
        balance += sum((number < word) - (number > word) for number in numbers for word in words)
    return balance > 0


def turned(words: Sequence[Word], width: float) -> tuple[Word, ...]:
    """The words with left and right mirrored within `width`; their quads stay unchanged."""
    return tuple(replace(word, left=width - word.right, right=width - word.left) for word in words)


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

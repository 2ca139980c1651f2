"""Computes the reading frame: page coordinates warped so that printed rows are level and read from the left.

Paper is tilted, curled and photographed at an angle, so a row's slope changes over the page. The slopes of
the detected boxes are fitted by slope(x, y) = a + b·x + c·y around the middle of the text: a is tilt, b curl
along the rows, c the fan of perspective. Integrating along x gives the vertical shift that levels each point.

Tills in Israel and in many Arab countries print descriptions at the right edge and amounts at the left one.
In a frame that counts from the right edge these rows look like all others. Not every page of Arabic letters
is printed like this: where a till also prints English, amounts are mostly at the right.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace

from receipt_engine.arithmetic.medians import weighted_median
from receipt_engine.document import Point, Quad, Word

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

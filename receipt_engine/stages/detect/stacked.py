"""Divides a box that holds single characters of two rows, such as two counts one below the other.

The detector joins them where rows are tight, and a closer look often does as well. The other boxes of the two
rows tell where one ends and the other begins.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from receipt_engine.document import Quad, TextBox

#: Height of a box of two rows, in median heights, and its least height in its widths. Higher or wider boxes
#: are detected again from closer.
_HEIGHT = (1.4, 2.5)
_NARROW = 1.6
#: Heights of boxes of single rows, in median heights.
_ONE_ROW = 1.35
#: Distance of the two rows from the middle of the box, in its heights; no third row lies closer to it.
_FROM_MIDDLE = (0.1, 0.37)
#: Rows that show the page's direction are at least this many times as long as high, and there are this many.
_LONG = 3.0
_MIN_LONG = 3


def divide_stacked(boxes: tuple[TextBox, ...]) -> tuple[TextBox, ...]:
    """The boxes, with two in place of each that holds characters of two rows."""
    if not boxes:
        return boxes
    corners = np.array([box.quad.points for box in boxes])
    width = np.hypot(*(corners[:, 1] - corners[:, 0]).T)
    height = np.hypot(*(corners[:, 3] - corners[:, 0]).T)
    long = width > _LONG * height
    if long.sum() < _MIN_LONG:
        return boxes
    edges = corners[long, 1] - corners[long, 0]
    center = corners.mean(axis=1)
    level = center[:, 1] - np.median(edges[:, 1] / edges[:, 0]) * center[:, 0]
    usual = np.median(height)
    high = (height > _HEIGHT[0] * usual) & (height < _HEIGHT[1] * usual) & (height > _NARROW * width)
    single = level[height < _ONE_ROW * usual]
    found: list[TextBox] = []
    for index, box in enumerate(boxes):
        share = _divide((single - level[index]) / height[index]) if high[index] else None
        found += [box] if share is None else _halves(box, share)
    return tuple(found)


def _divide(rows: NDArray[np.float64]) -> float | None:
    """The share of a box's height at which one row ends, or None where it does not hold two. rows: distances
    of the other boxes from its middle, in its heights, positive below."""
    least, most = _FROM_MIDDLE
    above, below = rows[(rows > -most) & (rows < -least)], rows[(rows > least) & (rows < most)]
    if not above.size or not below.size or (np.abs(rows) <= least).any():
        return None
    return float(0.5 + (above.mean() + below.mean()) / 2)


def _halves(box: TextBox, share: float) -> list[TextBox]:
    quad = box.quad
    left, right = (
        _between(quad.top_left, quad.bottom_left, share),
        _between(quad.top_right, quad.bottom_right, share),
    )
    upper = Quad(quad.top_left, quad.top_right, right, left)
    lower = Quad(left, right, quad.bottom_right, quad.bottom_left)
    return [replace(box, quad=upper), replace(box, quad=lower)]


def _between(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    x, y = ((1 - share) * a + share * b for a, b in zip(start, end, strict=True))
    return round(x, 2), round(y, 2)

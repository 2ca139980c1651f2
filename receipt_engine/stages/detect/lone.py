"""Finds single characters beside rows of text: quantities, counts, tax codes.

The detector was trained on words, so a single character is often only a faint spot in its probability map. A
spot that lies on the extension of a row, with others above or below it in a column, becomes a box as high as
the row; and one that is sure without others: a thin "1" may only be too small for a box.

Where rows are tight, the detector joins two such characters, and a closer look often does as well. The other
boxes of the two rows tell where one ends and the other begins.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from receipt_engine.document import Quad, TextBox

#: Least text probability of a spot's pixels; and of its core, where a faint trail joins it to its row.
_FAINT = 0.12
_CORE = 0.5
#: Highest probability from which on a spot needs no other in its column.
_ALONE = 0.9
#: Rows are at least this many times as long as high; shorter boxes show no direction.
_MIN_ASPECT = 1.5
#: Least and largest height of a spot, its largest width, and its largest distance from the middle line of the
#: row, in row heights.
_LOWEST = 0.12
_HIGHEST = 0.9
_WIDEST = 0.5
_OFF_ROW = 0.25
#: Largest distance from the end of the row, largest offset between spots of one column, and width of the box,
#: in row heights.
_FARTHEST = 25.0
_COLUMN = 0.35
_WIDTH = 0.75
#: With more spots than this the map shows a texture, not characters.
_MAX_SPOTS = 400

Corners = NDArray[np.float64]
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


def lone_characters(probability: NDArray[np.float32], rows: Sequence[Corners]) -> list[tuple[Corners, float]]:
    """Boxes of spots outside the rows: corners (4, 2) in map pixels, with the highest probability inside.

    probability: the text map. rows: corner arrays of the boxes already found.
    """
    lines = [line for line in map(_line, rows) if line is not None]
    if not lines:
        return []
    center, along, height, half = (np.array(part) for part in zip(*lines, strict=True))
    direction = np.median(along, axis=0)
    direction /= np.hypot(*direction)
    found: list[tuple[NDArray[np.float64], int, float]] = []
    spots = [(spot, False) for spot in _spots(probability, rows, _FAINT)]
    spots += [(spot, True) for spot in _spots(probability, rows, _CORE)]
    for (spot, size, peak), core in spots:
        away = spot - center
        beside = np.einsum("ij,ij->i", away, along)
        across = np.abs(away[:, 1] * along[:, 0] - away[:, 0] * along[:, 1])
        gap = np.abs(beside) - half
        near = (across < _OFF_ROW * height) & (gap > 0) & (gap < _FARTHEST * height)
        wide, high = abs(size @ direction), abs(size[1] * direction[0]) + abs(size[0] * direction[1])
        near &= (
            (wide < (_WIDTH if core else _WIDEST) * height)
            & (high > _LOWEST * height)
            & (high < _HIGHEST * height)
        )
        known = core and any(np.hypot(*(spot - other)) < _WIDTH * height[row] for other, row, _ in found)
        if near.any() and not known:
            found.append((spot, int(np.flatnonzero(near)[np.argmin(gap[near])]), peak))
    places = np.array([spot @ direction for spot, _, _ in found])
    boxes = []
    for index, (spot, row, peak) in enumerate(found):
        others = np.abs(places - places[index]) < _COLUMN * height[row]
        if others.sum() > 1 or peak >= _ALONE:
            boxes.append((_box(spot, along[row], height[row]), peak))
    return boxes


def _line(row: Corners) -> tuple[NDArray[np.float64], NDArray[np.float64], float, float] | None:
    """Centre, direction (pointing right), height and half length of a row; None for a short box."""
    sides = np.roll(row, -1, axis=0) - row
    lengths = np.hypot(*sides.T)
    longest = int(np.argmax(lengths[:2]))
    length, height = float(lengths[longest]), float(lengths[1 - longest])
    if length < _MIN_ASPECT * height:
        return None
    along = sides[longest] / length
    return row.mean(axis=0), along if along[0] >= 0 else -along, height, length / 2


def _spots(
    probability: NDArray[np.float32], rows: Sequence[Corners], least: float
) -> list[tuple[NDArray[np.float64], NDArray[np.float64], float]]:
    """Centre, size (x, y) and highest probability of every spot outside the rows. least: probability of its
    pixels."""
    mask = (probability > least).astype(np.uint8)
    for row in rows:
        cv2.fillPoly(mask, [row.astype(np.int32)], 0)
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count > _MAX_SPOTS:
        return []
    spots = []
    for left, top, width, height, _ in stats[1:]:
        peak = float(probability[top : top + height, left : left + width].max())
        center = np.array([left + width / 2, top + height / 2])
        spots.append((center, np.array([float(width), float(height)]), peak))
    return spots


def _box(center: NDArray[np.float64], along: NDArray[np.float64], height: float) -> Corners:
    right = along * height * _WIDTH / 2
    down = np.array([-along[1], along[0]]) * height / 2
    return np.array(
        [center - right - down, center + right - down, center + right + down, center - right + down]
    )


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

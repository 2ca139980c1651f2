"""Finds single characters beside rows of text: quantities, counts, tax codes.

The detector was trained on words, so a single character is often only a faint spot in its probability map. A
spot that lies on the extension of a row, with others above or below it in a column, becomes a box as high as
the row; and one that is sure without others: a thin "1" may only be too small for a box.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

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

"""Makes one box of each row where tiles overlap or the page is looked at twice."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Page, Quad, TextBox

#: A box is a duplicate when more than this share of its area lies inside a larger one.
_DUPLICATE = 0.7
#: A box of a closer look is known when it and a box of the page share this much of the smaller one's area.
_KNOWN = 0.5
#: Boxes of neighbouring tiles that overlap by at least this many heights, of which each is longer than the
#: other at one end, are parts of one row where the rectangle around both is at most this many times as high.
_SHARED = 1.0
_AS_HIGH = 1.2


def joined(boxes: list[TextBox], others: list[TextBox], page: Page) -> list[TextBox]:
    """All boxes of two neighbouring tiles; the two parts of a row that crosses from one into the other are a
    single box."""
    if not boxes or not others:
        return [*boxes, *others]
    corners = np.array([box.quad.points for box in boxes])
    low, high = corners.min(axis=1), corners.max(axis=1)
    apart = np.ones(len(boxes), dtype=bool)
    found = []
    for other in others:
        points = _corners(other)
        near = apart & (low < points.max(axis=0)).all(axis=1) & (high > points.min(axis=0)).all(axis=1)
        whole = other
        for index in np.flatnonzero(near):
            row = _one_row(boxes[index], whole, page)
            if row is not None:
                apart[index] = False
                whole = row
        found.append(whole)
    return [*(box for box, alone in zip(boxes, apart, strict=True) if alone), *found]


def _one_row(first: TextBox, second: TextBox, page: Page) -> TextBox | None:
    """The box of a row of which two boxes are parts, or None."""
    corners = [_corners(first), _corners(second)]
    heights = [min(box.quad.width, box.quad.height) for box in (first, second)]
    lengths = [max(box.quad.width, box.quad.height) for box in (first, second)]
    if first.faint or second.faint or _overlap(*corners) < _SHARED * min(heights) ** 2:
        return None
    center, size, angle = cv2.minAreaRect(np.concatenate(corners))
    longer = max(size) - max(lengths) > min(heights)
    if not longer or min(size) > _AS_HIGH * min(heights):
        return None
    points = np.asarray(cv2.boxPoints((center, size, angle)), dtype=np.float64)
    return TextBox(upright_quad(points, page), min(first.score, second.score))


def without_duplicates(boxes: list[TextBox]) -> tuple[TextBox, ...]:
    """Drops boxes that lie mostly inside a larger one: found in two tiles, or the hole in a letter. A bent
    row's quad reaches over its neighbours, so it hides only other bent ones."""
    corners = [_corners(box) for box in boxes]
    low = np.array([c.min(axis=0) for c in corners]).reshape(-1, 2)
    high = np.array([c.max(axis=0) for c in corners]).reshape(-1, 2)
    area = np.array([cv2.contourArea(c) for c in corners])
    kept: list[int] = []
    for i in np.argsort(-area, kind="stable"):
        near = [k for k in kept if (low[i] < high[k]).all() and (low[k] < high[i]).all() and area[i] > 0]
        near = [k for k in near if boxes[k].middle is None or boxes[i].middle is not None]
        if not any(_overlap(corners[i], corners[k]) > _DUPLICATE * area[i] for k in near):
            kept.append(int(i))
    return tuple(boxes[i] for i in sorted(kept))


def is_same(box: TextBox, other: TextBox) -> bool:
    """Whether two boxes share much of the smaller one's area. A bent row's quad reaches over its
    neighbours."""
    if other.middle is not None and box.middle is None:
        return False
    first, second = _corners(box), _corners(other)
    return _overlap(first, second) > _KNOWN * min(cv2.contourArea(first), cv2.contourArea(second))


def upright_quad(corners: NDArray[np.float64], page: Page) -> Quad:
    """The corners of a rectangle, clockwise from the top left, clipped to the page.

    The upper edge is the one nearest to horizontal, so that long and short words of one direction have upper
    edges of one direction, however the page is turned.
    """
    edges = np.roll(corners, -1, axis=0) - corners
    if edges[0, 0] * edges[1, 1] < edges[0, 1] * edges[1, 0]:
        corners = corners[::-1]
        edges = np.roll(corners, -1, axis=0) - corners
    level = edges[:, 0] / np.maximum(np.hypot(edges[:, 0], edges[:, 1]), 1e-9)
    ordered = np.clip(np.roll(corners, -int(np.argmax(level)), axis=0), 0, (page.width, page.height))
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in ordered)
    return Quad(a, b, c, d)


def _corners(box: TextBox) -> NDArray[np.float32]:
    return np.array(box.quad.points, dtype=np.float32)


def _overlap(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    """Area of the intersection of two convex quadrilaterals, in square pixels."""
    return float(cv2.intersectConvexConvex(first, second)[0])

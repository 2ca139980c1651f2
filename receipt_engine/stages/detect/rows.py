"""Makes one box of each row where tiles overlap or the page is looked at twice, and finds rows that bend, as
on curled paper.

The smallest rectangle around a bent row is higher than its text and mostly empty. So a row that the detector
saw with certainty would pass for a doubtful one, and its letters would be small in the crop. Such a row gets
the rectangle on the straight line between its ends instead, and the point where its middle lies.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Page, Quad, TextBox
from receipt_engine.document.record import Record

#: A box is a duplicate when more than this share of its area lies inside a larger one.
_DUPLICATE = 0.7
#: A box of a closer look is known when it and a box of the page share this much of the smaller one's area.
_KNOWN = 0.5
#: Boxes of neighbouring tiles that overlap by at least this many heights, of which each is longer than the
#: other at one end, are parts of one row where the rectangle around both is at most this many times as high.
_SHARED = 1.0
_AS_HIGH = 1.2
#: A bent row is at least this many times as long as thick.
_LONG = 8.0
#: Its middle lies at least this far from the straight line between its ends, in thicknesses.
_BENT = 0.5
#: Most deviation from a parabola of even thickness, which has 1; rows that run into one another have more.
_EVEN = 1.35

Floats = NDArray[np.float64]


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


class Bow(Record, frozen=True):
    """A bent row, in map pixels. middle: of the row, shape (2,); length, thickness: of the row; along: the
    direction of the straight line between its ends, shape (2,); depth: how far the middle lies below that
    line, where `along` points right."""

    middle: Floats
    length: float
    thickness: float
    along: Floats
    depth: float

    def corners(self, margin: float) -> Floats:
        """The rectangle on the straight line, with a margin on all sides, shape (4, 2)."""
        below = np.array((-self.along[1], self.along[0]))
        center = self.middle - below * self.depth * (1 + 2 * margin / self.length) ** 2
        right, down = self.along * (self.length / 2 + margin), below * (self.thickness / 2 + margin)
        return np.array(
            [center - right - down, center + right - down, center + right + down, center - right + down]
        )


def find_bow(contour: NDArray[Any]) -> Bow | None:
    """The bow of a blob; None for straight rows and other shapes. contour: as OpenCV returns it."""
    center, size, angle = cv2.minAreaRect(contour)
    length, area = max(size), cv2.contourArea(contour)
    if length**2 < _LONG * area or min(size) * length < (1 + _BENT) * area:
        return None
    turn = math.radians(angle if size[0] >= size[1] else angle + 90)
    frame = np.array(((math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))))
    pixels = _pixels(contour)
    x, y = ((pixels - center) @ frame.T).T
    first, last = float(x.min()), float(x.max())
    halfway = (first + last) / 2
    bend, slope, offset = (float(part) for part in np.polyfit(x - halfway, y, 2))
    length = last - first + 1
    thickness = len(pixels) / length
    deviation = float(np.std(y - np.polyval((bend, slope, offset), x - halfway))) * math.sqrt(12)
    depth = -bend * (length / 2) ** 2
    if deviation > _EVEN * thickness or abs(depth) < _BENT * thickness:
        return None
    along = np.array((1, slope)) @ frame / math.hypot(1, slope)
    middle = np.array((halfway, offset)) @ frame + center
    return Bow(middle, length, thickness, along, depth)


def _pixels(contour: NDArray[Any]) -> Floats:
    """The pixels inside a contour, as x and y, shape (count, 2)."""
    left, top, width, height = cv2.boundingRect(contour)
    mask = np.zeros((height, width), dtype=np.uint8)
    cv2.drawContours(mask, [contour - (left, top)], -1, 1, cv2.FILLED)
    rows, columns = np.nonzero(mask)
    return np.stack((columns + left, rows + top), axis=1).astype(np.float64)

"""Finds rows of text that bend, as on curled paper.

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

from receipt_engine.document.record import Record

#: A bent row is at least this many times as long as thick.
_LONG = 8.0
#: Its middle lies at least this far from the straight line between its ends, in thicknesses.
_BENT = 0.5
#: Most deviation from a parabola of even thickness, which has 1; rows that run into one another have more.
_EVEN = 1.35

Floats = NDArray[np.float64]


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

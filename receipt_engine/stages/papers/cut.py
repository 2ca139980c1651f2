"""Cuts a paper out of the page, levelled and without its surroundings."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from receipt_engine.arithmetic.medians import weighted_median
from receipt_engine.document import Page, Quad, Span
from receipt_engine.stages.papers.separate import text_heights

#: Margin around the text, in text heights.
_MARGIN = 1.5
#: Share by which the boxes of other papers' text are enlarged before they are painted over.
_AROUND = 0.25
#: Boxes more than this many times as long as high determine the paper's tilt.
_LONG = 2.5


def cut_out(page: Page, spans: Sequence[Span], members: Sequence[int]) -> tuple[Page, Quad]:
    """The paper of the spans `members` as its own page, and its corners, clockwise from the top left.

    The text of all other spans is painted over with the paper's colour.
    """
    corners = np.array([spans[i].quad.points for i in members])
    height = float(np.median(text_heights(corners)))
    turn = _turned_back(_tilt(corners))
    level = corners.reshape(-1, 2) @ turn.T
    low, high = level.min(axis=0) - _MARGIN * height, level.max(axis=0) + _MARGIN * height
    size = tuple(int(side) for side in np.maximum(1, np.ceil(high - low)))
    matrix = np.hstack([turn, -low[:, None]])
    image = cv2.warpAffine(
        page.image,
        matrix,
        size,
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(255,) * 3,
    ).astype(np.uint8)
    own = set(members)
    foreign = [np.array(span.quad.points) for i, span in enumerate(spans) if i not in own]
    color = tuple(float(c) for c in np.percentile(image.reshape(-1, 3)[::7], 75, axis=0))
    for quad in foreign:
        placed = np.hstack([quad, np.ones((4, 1))]) @ matrix.T
        center = placed.mean(axis=0)
        grown = center + (placed - center) * (1 + _AROUND)
        cv2.fillConvexPoly(image, np.round(grown).astype(np.int32), color)
    box = np.array([low, (high[0], low[1]), high, (low[0], high[1])]) @ turn  # the inverse of a rotation
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in box)
    return replace(page, image=np.ascontiguousarray(image), rotation=0, printed=()), Quad(a, b, c, d)


def tilt(spans: Sequence[Span]) -> float:
    """The median angle of text from horizontal or vertical, in radians, between -π/4 and π/4."""
    return _tilt(np.array([span.quad.points for span in spans]))


def _tilt(corners: NDArray[np.float64]) -> float:
    across, down = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
    wide, high = np.hypot(*across.T), np.hypot(*down.T)
    along = np.where((wide >= high)[:, None], across, down)
    angle = (np.arctan2(along[:, 1], along[:, 0]) + np.pi / 4) % (np.pi / 2) - np.pi / 4
    weight = np.where(np.maximum(wide, high) > _LONG * np.minimum(wide, high), np.maximum(wide, high), 1e-3)
    return weighted_median(angle, weight)


def _turned_back(angle: float) -> NDArray[np.float64]:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array(((cos, sin), (-sin, cos)))

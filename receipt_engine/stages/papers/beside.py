"""Finds text boxes beside the paper, which are not part of the receipt: the keys of a keyboard, a wrapper, a
folder's name."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine.stages.papers.surface import Surface

Corners = NDArray[np.float64]

#: Least difference in colour levels between the background of such text and the paper; shadows change less
#: from row to row.
_OTHER = 35.0
#: Least distance from the text on the paper, in text heights.
_APART = 2.0
#: Least share of the paper's boxes that must lie on one even sheet; a page of framed tables has many
#: surfaces.
_ON_SHEET = 0.6


def beside_paper(surface: Surface, corners: Corners, height: float, paper: list[int]) -> list[int]:
    """Indices of the boxes beside a paper: outside its outline, far from its text, on another background.

    corners: of all boxes (boxes, 4, 2). height: of text, in pixels. paper: indices of boxes on the paper.
    """
    colors = surface.beneath(corners)
    outline = surface.outline(corners[paper], colors[paper], _ON_SHEET)
    if outline is None:
        return []
    apart = _distances(corners)
    differs = np.abs(colors[:, None] - colors[None]).max(axis=2)
    inside = [
        cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in corners.mean(axis=1)
    ]
    kept = np.flatnonzero(inside)
    outside = np.flatnonzero(np.logical_not(inside))
    while outside.size and kept.size:
        nearest = kept[apart[np.ix_(outside, kept)].argmin(axis=1)]
        belongs = (apart[outside, nearest] < _APART * height) | (differs[outside, nearest] < _OTHER)
        if not belongs.any():
            break
        kept, outside = np.concatenate([kept, outside[belongs]]), outside[~belongs]
    return [int(i) for i in outside]


def _distances(corners: Corners) -> NDArray[np.float64]:
    """Distances between the axis-aligned bounding boxes of the boxes, shape (boxes, boxes)."""
    low, high = corners.min(axis=1), corners.max(axis=1)
    gaps = np.maximum(0, np.maximum(low[:, None] - high[None], low[None] - high[:, None]))
    return np.asarray(np.hypot(gaps[..., 0], gaps[..., 1]))

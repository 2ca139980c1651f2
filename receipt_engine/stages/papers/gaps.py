"""Papers on one even surface, told apart by the gaps between them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Corners = NDArray[np.float64]

#: Width of a gap between papers side by side, and below each other, in text heights.
_BESIDE = 1.2
_BELOW = 2.6
#: Boxes on either side of a gap.
_MIN_BOXES = 8
#: Parts of one paper are not split further than this.
_DEPTH = 3


def split_at_gaps(
    corners: Corners, members: list[int], is_receipt: Callable[[list[int]], bool], depth: int = _DEPTH
) -> list[list[int]]:
    """The members of each paper: indices of the boxes whose corners (boxes, 4, 2) are given.

    is_receipt: whether some boxes may be a receipt of their own; both sides of a gap must be.
    """
    if depth == 0 or len(members) < 2 * _MIN_BOXES:
        return [members]
    level = _leveled(corners)
    low, high = level.min(axis=1), level.max(axis=1)
    height = float(np.median(np.minimum(*(high - low).T)))
    for axis, least in ((0, _BESIDE), (1, _BELOW)):
        for cut in _cuts(low[:, axis], high[:, axis], least * height):
            before = (low[:, axis] + high[:, axis]) / 2 < cut
            if min(before.sum(), (~before).sum()) < _MIN_BOXES:
                continue
            sides = [
                (corners[side], [m for m, inside in zip(members, side, strict=True) if inside])
                for side in (before, ~before)
            ]
            if all(is_receipt(part) for _, part in sides):
                return [p for side in sides for p in split_at_gaps(*side, is_receipt, depth - 1)]
    return [members]


def _leveled(corners: Corners) -> Corners:
    """The corners turned so that most text stands level."""
    edges = corners[:, 1] - corners[:, 0]
    length = np.hypot(*edges.T)
    angle = np.arctan2(edges[:, 1], edges[:, 0])
    order = np.argsort(angle, kind="stable")
    weight = np.cumsum(length[order])
    tilt = float(angle[order][np.searchsorted(weight, weight[-1] / 2)])
    cos, sin = np.cos(tilt), np.sin(tilt)
    return corners @ np.array(((cos, -sin), (sin, cos)))


def _cuts(low: NDArray[np.float64], high: NDArray[np.float64], least: float) -> list[float]:
    """Middles of the gaps of at least so many pixels that no box crosses, the widest first."""
    order = np.argsort(low, kind="stable")
    reach = np.maximum.accumulate(high[order])
    gaps = low[order][1:] - reach[:-1]
    wide = np.flatnonzero(gaps >= least)
    return [float(reach[i] + gaps[i] / 2) for i in wide[np.argsort(-gaps[wide], kind="stable")]]

"""Papers on one even surface, told apart by the straight gaps between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

Corners = NDArray[np.float64]

#: Width of a gap between papers side by side, and below each other, in text heights.
_BESIDE = 1.2
_BELOW = 2.6
#: The same where both sides have a day of their own, as two receipts have and two columns of one have not.
_BESIDE_DATED = 0.2
_BELOW_DATED = 2.0
#: Papers are laid down by hand: the gap may run at such an angle to the text, in radians. Further off than
#: the last angle, both sides must have a day.
_TURNS = np.radians(np.arange(-36, 37, 3))
_ALONG = np.radians(10)
#: Boxes this many times as long as high show which way text runs.
_LONG = 1.5
#: A width that is not enough without days.
_UNSURE = 0.99
#: Boxes on either side of a gap.
_MIN_BOXES = 8
#: Parts of one paper are not split further than this.
_DEPTH = 4

#: Whether some boxes may be a receipt of their own, and whether they then have a day.
Judge = Callable[[list[int]], tuple[bool, bool]]


def split_at_gaps(corners: Corners, members: list[int], judge: Judge, depth: int = _DEPTH) -> list[list[int]]:
    """The members of each paper: indices of the boxes whose corners (boxes, 4, 2) are given.

    judge: both sides of a gap must be able to be a receipt of their own.
    """
    if depth == 0 or len(members) < 2 * _MIN_BOXES:
        return [members]
    level = _leveled(corners)
    edges = np.hypot(*(np.roll(corners, -1, axis=1) - corners).T)  # (4, boxes)
    height = float(np.median(np.minimum(edges[0], edges[3])))
    tried: set[bytes] = set()
    for width, before in _gaps(level, height):
        if before.tobytes() in tried:
            continue
        tried.add(before.tobytes())
        sides = [
            (corners[side], [m for m, inside in zip(members, side, strict=True) if inside])
            for side in (before, ~before)
        ]
        judged = [judge(part) for _, part in sides]
        if all(receipt for receipt, _ in judged) and (width >= 1 or all(dated for _, dated in judged)):
            return [p for side in sides for p in split_at_gaps(*side, judge, depth - 1)]
    return [members]


def _leveled(corners: Corners) -> Corners:
    """The corners turned so that most text runs along the first axis, that of a paper on its side too."""
    across, down = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
    wide, high = np.hypot(*across.T), np.hypot(*down.T)
    upright = wide[wide > _LONG * high].sum() >= high[high > _LONG * wide].sum()
    edges, length = (across, wide) if upright else (down, high)
    angle = np.arctan2(edges[:, 1], edges[:, 0])
    order = np.argsort(angle, kind="stable")
    weight = np.cumsum(length[order])
    tilt = float(angle[order][np.searchsorted(weight, weight[-1] / 2)])
    cos, sin = np.cos(tilt), np.sin(tilt)
    return corners @ np.array(((cos, -sin), (sin, cos)))


def _gaps(level: Corners, height: float) -> Iterator[tuple[float, NDArray[np.bool_]]]:
    """Gaps that no box crosses, the widest first: their width, as a multiple of what one without days must
    have, and which boxes lie before them."""
    found: list[tuple[float, float, int, NDArray[np.bool_]]] = []
    for axis, sure, least in ((0, _BESIDE, _BESIDE_DATED), (1, _BELOW, _BELOW_DATED)):
        for turn in _TURNS:
            across = level[..., axis] * np.cos(turn) + level[..., 1 - axis] * np.sin(turn)
            low, high = across.min(axis=1), across.max(axis=1)
            most = np.inf if abs(turn) <= _ALONG else _UNSURE
            for cut, gap in _cuts(low, high, least * height):
                before = (low + high) / 2 < cut
                if min(before.sum(), (~before).sum()) >= _MIN_BOXES:
                    found.append((min(most, gap / (sure * height)), -abs(float(turn)), axis, before))
    for width, _, _, before in sorted(found, key=lambda gap: gap[:3], reverse=True):
        yield width, before


def _cuts(low: NDArray[np.float64], high: NDArray[np.float64], least: float) -> list[tuple[float, float]]:
    """Middles and widths of the gaps of at least so many pixels that no box crosses."""
    order = np.argsort(low, kind="stable")
    reach = np.maximum.accumulate(high[order])
    gaps = low[order][1:] - reach[:-1]
    return [(float(reach[i] + gaps[i] / 2), float(gaps[i])) for i in np.flatnonzero(gaps >= least)]

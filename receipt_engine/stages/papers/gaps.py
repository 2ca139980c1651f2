"""Papers on one even surface, told apart by the straight gaps between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from receipt_engine.stages.papers.columns import columns

Corners = NDArray[np.float64]

#: Width of a gap between papers side by side, and below each other, in text heights.
_BESIDE = 1.2
_BELOW = 2.6
#: The same where both sides have a day of their own, as two receipts have and two columns of one have not.
_BESIDE_DATED = 0.2
_BELOW_DATED = 2.0
#: Below each other, where the left margin moves by so many text heights, or letters are so many times as
#: high: a till prints all of a receipt from one margin in one size. Of 790 single receipts one has such a gap
#: between two days.
_BELOW_OTHER_PRINT = 1.0
_SHIFT = 1.2
_LARGER = 1.25
#: Papers are laid down by hand: the gap may run at such an angle to the text, in radians. Further off than
#: the last angle, both sides must have a day.
_TURNS = np.radians(np.arange(-36, 37, 3))
_ALONG = np.radians(10)
#: The same where no straight gap parts two columns of text.
_COLUMN_TURNS = np.radians((0, -5, 5, -10, 10))
#: Boxes this many times as long as high show which way text runs.
_LONG = 1.5
#: A width that is not enough without days.
_UNSURE = 0.99
#: Boxes on either side of a gap.
_MIN_BOXES = 8
#: Parts of one paper are not split further than this.
_DEPTH = 4

#: The same with a seam in the gap. Below each other a fold between two rows looks like one: days must tell.
_BESIDE_SEAMED = 0.1
_BELOW_SEAMED = 1.4
_BELOW_OTHER_SEAMED = 0.4
#: Text heights of a gap's length in which a seam can be told, the farthest text along it that counts, and how
#: far beside the gap is looked at.
_LEAST_SEEN = 6.0
_ADJACENT = 8.0
_STRIP_STEPS = 48
_STRIP_MARGIN = 0.7

#: Whether some boxes may be a receipt of their own, and whether they then have a day.
Judge = Callable[[list[int]], tuple[bool, bool]]
#: Whether a seam of two papers runs through the points (along, across, 2).
Seam = Callable[[NDArray[np.float64]], bool]


class Part(NamedTuple):
    """Boxes on one paper. parted: a seam shows where it ends, or nothing was split off."""

    members: list[int]
    parted: bool


class _Gap(NamedTuple):
    """before: which boxes lie before it; width: as a multiple of what one without days must have; least: of
    what one with days must have; seam: whether two papers meet in it; axis: 0 beside, 1 below each other."""

    before: NDArray[np.bool_]
    width: float
    least: float
    seam: bool
    axis: int


def split_at_gaps(
    corners: Corners, members: list[int], judge: Judge, seam: Seam, depth: int = _DEPTH
) -> list[Part]:
    """The parts of a group: indices of the boxes whose corners (boxes, 4, 2) are given.

    judge: both sides of a gap must be able to be a receipt of their own.
    """
    if depth == 0 or len(members) < 2 * _MIN_BOXES:
        return [Part(members, True)]

    def sides(before: NDArray[np.bool_]) -> list[list[int]]:
        return [[m for m, inside in zip(members, side, strict=True) if inside] for side in (before, ~before)]

    best: tuple[bool, float] = (False, 0.0)
    chosen: _Gap | None = None
    for gap, days in _gaps(corners, lambda before: [judge(side) for side in sides(before)], seam):
        # Below each other a fold between two rows looks like a seam: only days tell.
        parting = gap.seam and gap.axis == 0
        told = gap.width >= 1 or (all(days) and (gap.seam or gap.least >= 1)) or (parting and any(days))
        if told and (gap.seam, gap.width) > best:
            best, chosen = (gap.seam, gap.width), gap
    before = chosen.before if chosen else None
    if before is None and sum(judge([member])[1] for member in members) > 1:  # else no two have days
        angles = _tilt(corners) + _COLUMN_TURNS
        parts_of = columns(corners, _height(corners), angles, lambda part: all(judge(sides(part)[0])))
        before = next(parts_of, None)
    if before is None:
        return [Part(members, True)]
    parts = [
        part
        for side, own in zip((before, ~before), sides(before), strict=True)
        for part in split_at_gaps(corners[side], own, judge, seam, depth - 1)
    ]
    told = chosen is not None and chosen.seam and chosen.axis == 0
    return [Part(part.members, part.parted and told) for part in parts]


def _height(corners: Corners) -> float:
    """The height of most text."""
    edges = np.hypot(*(np.roll(corners, -1, axis=1) - corners).T)  # (4, boxes)
    return float(np.median(np.minimum(edges[0], edges[3])))


def _tilt(corners: Corners) -> float:
    """The angle of most text to the first axis, in radians, that of a paper on its side too."""
    across, down = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
    wide, high = np.hypot(*across.T), np.hypot(*down.T)
    upright = wide[wide > _LONG * high].sum() >= high[high > _LONG * wide].sum()
    edges, length = (across, wide) if upright else (down, high)
    angle = np.arctan2(edges[:, 1], edges[:, 0])
    order = np.argsort(angle, kind="stable")
    weight = np.cumsum(length[order])
    return float(angle[order][np.searchsorted(weight, weight[-1] / 2)])


def _gaps(
    corners: Corners, judge: Callable[[NDArray[np.bool_]], list[tuple[bool, bool]]], seam: Seam
) -> Iterator[tuple[_Gap, list[bool]]]:
    """Gaps that no box crosses, each way to part the boxes once, at its widest; and which sides have days.

    judge: of both sides. Below each other a seam says nothing where not both have a day.
    """
    height = _height(corners)
    tilt = _tilt(corners)
    for axis, sure, dated, seamed, other, other_seamed in (
        (0, _BESIDE, _BESIDE_DATED, _BESIDE_SEAMED, _BESIDE_DATED, _BESIDE_SEAMED),
        (1, _BELOW, _BELOW_DATED, _BELOW_SEAMED, _BELOW_OTHER_PRINT, _BELOW_OTHER_SEAMED),
    ):
        found: dict[bytes, list[tuple[float, _Strip]]] = {}
        for turn in _TURNS:
            angle = tilt + axis * np.pi / 2 + (turn if axis == 0 else -turn)
            turned = corners @ np.array(((np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))))
            low, high = turned[..., 0].min(axis=1), turned[..., 0].max(axis=1)
            most = np.inf if abs(turn) <= _ALONG else _UNSURE
            for cut, gap in _cuts(low, high, min(seamed, other_seamed) * height):
                before = (low + high) / 2 < cut
                if min(before.sum(), (~before).sum()) >= _MIN_BOXES:
                    found.setdefault(before.tobytes(), []).append((most, _Strip(turned, cut, gap, angle)))
        for key, ways in found.items():
            before = np.frombuffer(key, dtype=np.bool_)
            verdicts = judge(before)
            days = [dated_side for _, dated_side in verdicts]
            if all(own for own, _ in verdicts):
                prints = _is_other_print(corners[before], corners[~before], tilt, height)
                dated_gap, seamed_gap = (other, other_seamed) if prints else (dated, seamed)
                telling = axis == 0 or all(days)
                wide = (strip for _, strip in ways if telling and strip.gap >= seamed_gap * height)
                strips = (strip.points(before, height) for strip in wide)
                meets = any(points is not None and seam(points) for points in strips)
                width = max(min(most, strip.gap / (sure * height)) for most, strip in ways)
                least = max(strip.gap / (dated_gap * height) for _, strip in ways)
                yield _Gap(before, width, least, meets, axis), days


def gaps_below(corners: Corners, least: float) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.float64]]]:
    """Gaps of at least so many text heights between rows: which boxes lie above, each way once, and how far
    down the middle of every box is, in text heights."""
    height, tilt = _height(corners), _tilt(corners)
    found: set[bytes] = set()
    for turn in _TURNS[np.abs(_TURNS) <= _ALONG]:
        down = corners @ np.array((-np.sin(tilt + turn), np.cos(tilt + turn)))
        low, high = down.min(axis=1), down.max(axis=1)
        for cut, _ in _cuts(low, high, least * height):
            middles = (low + high) / 2
            before = middles < cut
            if before.tobytes() not in found:
                found.add(before.tobytes())
                yield before, middles / height


def _is_other_print(first: Corners, second: Corners, tilt: float, height: float) -> bool:
    """Whether the left margins of two parts, or the sizes of their letters, are not those of one till."""
    along = np.array((np.cos(tilt), np.sin(tilt)))
    shift = abs(float((first @ along).min() - (second @ along).min()))
    sizes = sorted((_height(first), _height(second)))
    return shift >= _SHIFT * height or sizes[1] >= _LARGER * sizes[0]


class _Strip(NamedTuple):
    """A gap. turned: the boxes' corners with the gap along their second axis; cut: its middle, gap: its
    width, on the first; angle: by which they were turned, in radians."""

    turned: Corners
    cut: float
    gap: float
    angle: float

    def points(self, before: NDArray[np.bool_], height: float) -> NDArray[np.float64] | None:
        """Points (along, across, 2) on the page where both sides have text; None where that is too short."""
        across, along = self.turned[..., 0], self.turned[..., 1]
        apart = np.where(before, self.cut - across.max(axis=1), across.min(axis=1) - self.cut)
        near = apart < self.gap / 2 + _ADJACENT * height
        one, other = along[before & near], along[~before & near]
        if not one.size or not other.size:
            return None
        start, end = max(one.min(), other.min()), min(one.max(), other.max())
        if end - start < _LEAST_SEEN * height:
            return None
        reach = self.gap / 2 + _STRIP_MARGIN * height
        places = np.arange(self.cut - reach, self.cut + reach, height / 8)
        grid = np.stack(np.meshgrid(places, np.linspace(start, end, _STRIP_STEPS)), axis=-1)
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return np.asarray(grid @ np.array(((cos, sin), (-sin, cos))))


def _cuts(low: NDArray[np.float64], high: NDArray[np.float64], least: float) -> list[tuple[float, float]]:
    """Middles and widths of the gaps of at least so many pixels that no box crosses."""
    order = np.argsort(low, kind="stable")
    reach = np.maximum.accumulate(high[order])
    gaps = low[order][1:] - reach[:-1]
    return [(float(reach[i] + gaps[i] / 2), float(gaps[i])) for i in np.flatnonzero(gaps >= least)]

"""Separates papers on one even surface by the straight gaps between them; those side by side also where no
gap is straight, as a handwritten note reaches across or they lie askew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from receipt_engine.arithmetic.medians import weighted_median

Corners = NDArray[np.float64]

#: Least width of a gap between papers side by side, and between papers one below the other, in text heights.
_BESIDE = 1.2
_BELOW = 2.6
#: The same where both sides have their own date, as two receipts do and two columns of one do not.
_BESIDE_DATED = 0.2
_BELOW_DATED = 2.0
#: The same for dated papers one below the other where the left margin shifts by at least _SHIFT text heights
#: or the letters are at least _LARGER times as high: a till prints a whole receipt with one margin and one
#: size. Of 790 single receipts one has such a gap between two dates.
_BELOW_OTHER_PRINT = 1.0
_SHIFT = 1.2
_LARGER = 1.25
#: Angles between gap and text that are tried, in radians: papers are laid down by hand. Beyond _ALONG, both
#: sides must have a date.
_TURNS = np.radians(np.arange(-36, 37, 3))
_ALONG = np.radians(10)
#: Angles that are tried where no straight gap separates two columns of text.
_COLUMN_TURNS = np.radians((0, -5, 5, -10, 10))
#: Boxes more than this many times as long as high show the direction of text.
_LONG = 1.5
#: A relative gap width that is not enough without dates, which needs 1.
_UNSURE = 0.99
#: Least number of boxes on either side of a gap.
_MIN_BOXES = 8
#: Largest recursion depth of the splitting.
_DEPTH = 4

#: Least widths of gaps with a seam. Between papers one below the other, a fold between two rows looks like a
#: seam, so dates are needed as well.
_BESIDE_SEAMED = 0.1
_BELOW_SEAMED = 1.4
_BELOW_OTHER_SEAMED = 0.4
#: Least length of a gap over which a seam can be recognised; farthest text beside the gap that counts for
#: that length; samples along the gap; and margin on either side that is sampled. All but the samples in text
#: heights.
_LEAST_SEEN = 6.0
_ADJACENT = 8.0
_STRIP_STEPS = 48
_STRIP_MARGIN = 0.7

#: Whether some boxes may be a separate receipt, and whether they have a date.
Judge = Callable[[list[int]], tuple[bool, bool]]
#: Whether a seam between two papers runs through the points (along, across, 2).
Seam = Callable[[NDArray[np.float64]], bool]
Mask = NDArray[np.bool_]

#: Two boxes are in one column when their vertical gap is at most _ROWS_BELOW text heights and they overlap
#: horizontally by at least _SHARED of the narrower one's width.
_ROWS_BELOW = 3.0
_SHARED = 0.2
#: Columns that overlap horizontally by this share of the narrower one's width are one above the other.
_STACKED = 0.5


class Part(NamedTuple):
    """The boxes on one paper. has_edge: whether a seam shows where it ends, or nothing was split off."""

    members: list[int]
    has_edge: bool


class _Gap(NamedTuple):
    """A gap between two groups of boxes.

    before: which boxes lie before it. width: relative to the least width of a gap without dates. least: its
    width relative to the least width of a gap with dates. seam: whether two papers meet in it. axis: 0
    between papers side by side, 1 between papers one below the other.
    """

    before: NDArray[np.bool_]
    width: float
    least: float
    seam: bool
    axis: int


def split_at_gaps(
    corners: Corners, members: list[int], judge: Judge, seam: Seam, depth: int = _DEPTH
) -> list[Part]:
    """Splits a group of boxes at gaps into papers.

    corners: (boxes, 4, 2). members: indices of these boxes. judge: both sides of a gap must be possible
    receipts. seam: recognises a seam. depth: how many more times parts may be split.
    """
    if depth == 0 or len(members) < 2 * _MIN_BOXES:
        return [Part(members, True)]

    def sides(before: NDArray[np.bool_]) -> list[list[int]]:
        return [[m for m, inside in zip(members, side, strict=True) if inside] for side in (before, ~before)]

    best: tuple[bool, float] = (False, 0.0)
    chosen: _Gap | None = None
    for gap, days in _gaps(corners, lambda before: [judge(side) for side in sides(before)], seam):
        # Between papers one below the other, a fold between two rows looks like a seam: only dates decide.
        parting = gap.seam and gap.axis == 0
        certain = gap.width >= 1 or (all(days) and (gap.seam or gap.least >= 1)) or (parting and any(days))
        if certain and (gap.seam, gap.width) > best:
            best, chosen = (gap.seam, gap.width), gap
    before = chosen.before if chosen else None
    if before is None and sum(judge([member])[1] for member in members) > 1:  # else no two parts have dates
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
    seamed = chosen is not None and chosen.seam and chosen.axis == 0
    return [Part(part.members, part.has_edge and seamed) for part in parts]


def _height(corners: Corners) -> float:
    """The median height of text."""
    edges = np.hypot(*(np.roll(corners, -1, axis=1) - corners).T)  # (4, boxes)
    return float(np.median(np.minimum(edges[0], edges[3])))


def _tilt(corners: Corners) -> float:
    """The median angle of text to the first axis, in radians; also for a paper on its side."""
    across, down = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
    wide, high = np.hypot(*across.T), np.hypot(*down.T)
    upright = wide[wide > _LONG * high].sum() >= high[high > _LONG * wide].sum()
    edges, length = (across, wide) if upright else (down, high)
    return weighted_median(np.arctan2(edges[:, 1], edges[:, 0]), length)


def _gaps(
    corners: Corners, judge: Callable[[NDArray[np.bool_]], list[tuple[bool, bool]]], seam: Seam
) -> Iterator[tuple[_Gap, list[bool]]]:
    """Gaps that no box crosses, and which sides have dates; each split of the boxes once, at its widest gap.

    judge: judges both sides. Between papers one below the other, a seam counts only if both have a date.
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
    """Gaps between rows of at least `least` text heights: which boxes lie above, and the y of every box's
    middle, in text heights. Each split of the boxes once."""
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
    """Whether the left margins or the letter sizes of two parts differ more than within one receipt."""
    along = np.array((np.cos(tilt), np.sin(tilt)))
    shift = abs(float((first @ along).min() - (second @ along).min()))
    sizes = sorted((_height(first), _height(second)))
    return shift >= _SHIFT * height or sizes[1] >= _LARGER * sizes[0]


class _Strip(NamedTuple):
    """A gap in rotated coordinates. turned: the boxes' corners, rotated so that the gap runs along the second
    axis. cut, gap: its middle and width on the first axis. angle: of the rotation, in radians."""

    turned: Corners
    cut: float
    gap: float
    angle: float

    def points(self, before: NDArray[np.bool_], height: float) -> NDArray[np.float64] | None:
        """Sample points (along, across, 2) on the page where both sides have text; None where that is too
        short."""
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
    """Middles and widths of the gaps of at least `least` pixels that no box crosses."""
    order = np.argsort(low, kind="stable")
    reach = np.maximum.accumulate(high[order])
    gaps = low[order][1:] - reach[:-1]
    return [(float(reach[i] + gaps[i] / 2), float(gaps[i])) for i in np.flatnonzero(gaps >= least)]


def columns(
    corners: Corners, height: float, angles: NDArray[np.float64], is_own: Callable[[Mask], bool]
) -> Iterator[Mask]:
    """Columns of boxes that may be a separate receipt, as may all the other boxes together.

    Boxes below each other are in one column: rows as wide as the paper hold the columns of its table
    together. corners: (boxes, 4, 2). height: of text. angles: text angles to the first axis that are tried,
    in radians. is_own: whether some boxes may be a separate receipt.
    """
    tried: set[bytes] = set()
    for angle in angles:
        turned = corners @ np.array(((np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))))
        low, high = turned.min(axis=1), turned.max(axis=1)
        parts = _columns(low, high, height)
        own = [part for part in parts if is_own(part)]
        if len(own) < 2:
            continue
        middles = (low[:, 0] + high[:, 0]) / 2
        for part in parts:  # a note or a number joins the nearest column
            if not is_own(part):
                apart = [_apart(low, high, part, column) for column in own]
                own[int(np.argmin(apart))] |= part
        for part in sorted(own, key=lambda part: float(np.median(middles[part])))[:-1]:
            if part.tobytes() not in tried and is_own(~part):
                tried.add(part.tobytes())
                yield part


def _columns(low: NDArray[np.float64], high: NDArray[np.float64], height: float) -> list[Mask]:
    """Columns: boxes linked vertically, then linked groups merged where one is above the other."""
    wide = high[:, 0] - low[:, 0]
    shared = np.minimum(high[:, None, 0], high[None, :, 0]) - np.maximum(low[:, None, 0], low[None, :, 0])
    down = np.maximum(low[:, None, 1], low[None, :, 1]) - np.minimum(high[:, None, 1], high[None, :, 1])
    over = shared >= _SHARED * np.minimum(wide[:, None], wide[None])
    labels = _connected(over & (down <= _ROWS_BELOW * height))
    while True:
        kinds = np.unique(labels)
        left = np.array([low[labels == kind, 0].min() for kind in kinds])
        right = np.array([high[labels == kind, 0].max() for kind in kinds])
        over = np.minimum(right[:, None], right) - np.maximum(left[:, None], left)
        stacked = _connected(over >= _STACKED * np.minimum.outer(right - left, right - left))
        if (stacked == np.arange(len(kinds))).all():
            return [labels == kind for kind in kinds]
        labels = stacked[np.searchsorted(kinds, labels)]


def _connected(linked: Mask) -> NDArray[np.int64]:
    """For each index the lowest index that it can reach by (symmetric) links: its connected component."""
    labels = np.arange(len(linked))
    while True:
        lowest = np.where(linked, labels[None], len(linked)).min(axis=1)
        lowest = np.minimum(labels, lowest)
        if (lowest == labels).all():
            return labels
        labels = lowest


def _apart(low: NDArray[np.float64], high: NDArray[np.float64], part: Mask, column: Mask) -> float:
    """The gap between two parts along the first axis."""
    return max(
        float(low[part, 0].min() - high[column, 0].max()), float(low[column, 0].min() - high[part, 0].max())
    )

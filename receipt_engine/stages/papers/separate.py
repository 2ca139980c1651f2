"""Groups text boxes by the paper they lie on, from the surface between them and from their layout; and the
boxes beside a paper, which are not part of the receipt: the keys of a keyboard, a wrapper, a folder's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Image, Record, Span
from receipt_engine.stages.papers.gaps import split_at_gaps
from receipt_engine.stages.papers.surface import Surface, build_surface

#: Nearest neighbours that each box is compared with: first a few, then more if several groups remain.
_NEIGHBORS = (4, 12)
#: Least number of boxes, of amounts and of boxes with words in a separate receipt.
_MIN_BOXES = 6
_MIN_AMOUNTS = 2
_MIN_WORDS = 3
#: Least median score of text that is not upside down; one paper may lie upside down beside others.
_LEGIBLE = 0.8
AMOUNT = re.compile(
    r"^\W{0,3}\d{2,5}$|\d[.,]\d{2}(?!\d)|\d[.,' ]\d{3}(?!\d)|[¥￥$€£₩₹₫₱]\s?\d|\d\s?[円元원€]"
)
DAY = re.compile(
    r"\d{1,4} ?[./-] ?(?:\d{1,2}|[^\W\d_]{3,9}\.?) ?[./-] ?\d{2,4}|\d ?[^\W\d_]{3,9}\.? ?\d{2}|\d年"
)
WORD = re.compile(r"[^\W\d_]{3}|[\u3040-\u30ff\u3400-\u9fff]{2}")
#: A piece that is no receipt belongs to the paper that it lies on, or above or below by less than this many
#: text heights.
_NEAR = 8.0

Corners = NDArray[np.float64]
#: Least difference in colour levels between the background of such text and the paper; shadows change less
#: from row to row.
_OTHER = 35.0
#: Least distance from the text on the paper, in text heights.
_APART = 2.0
#: Least share of the paper's boxes that must lie on one even sheet; a page of framed tables has many
#: surfaces.
_ON_SHEET = 0.6


class Group(Record, frozen=True):
    """The spans on one paper. members: their indices. has_edge: whether another surface surrounds the paper,
    not just a gap."""

    members: tuple[int, ...]
    has_edge: bool


class Separation(Record, frozen=True):
    """The result of `separate`.

    groups: one per paper that may be a separate receipt, at most one when papers cannot be distinguished.
    Spans on other things, such as the edge of a neighbour, belong to no group. beside: indices of spans that
    do not lie on the only paper.
    """

    groups: tuple[Group, ...] = ()
    beside: tuple[int, ...] = ()


def separate(image: Image, spans: Sequence[Span]) -> Separation:
    """Groups spans by the papers they lie on, and finds the spans beside the only paper."""
    if len(spans) < 2 * _MIN_BOXES:
        return Separation()
    corners = np.array([span.quad.points for span in spans])
    heights = text_heights(corners)

    scores = np.array([span.score for span in spans])
    amounts, words, days = (
        np.array([pattern.search(span.text) is not None for span in spans]) for pattern in (AMOUNT, WORD, DAY)
    )

    def is_legible(members: list[int]) -> bool:
        return float(np.median(scores[members])) >= _LEGIBLE

    def is_receipt(members: list[int]) -> bool:
        return len(members) >= _MIN_BOXES and (
            not is_legible(members)
            or (int(amounts[members].sum()) >= _MIN_AMOUNTS and int(words[members].sum()) >= _MIN_WORDS)
        )

    def has_day(members: list[int]) -> bool:
        return bool(days[members].any()) or not is_legible(members)

    def is_slip(members: list[int]) -> bool:
        """Whether the boxes may be a card slip: at least one amount and a date."""
        return len(members) >= _MIN_BOXES and bool(amounts[members].any()) and has_day(members)

    surface = build_surface(image, float(np.median(heights)))
    groups = _by_surface(corners, heights, surface)
    whole = [group for group in groups if is_receipt(group) or is_slip(group)]
    pieces = [group for group in groups if group not in whole]
    beside: list[int] = []
    if pieces and len(whole) == 1:
        beside = beside_paper(surface, corners, float(np.median(heights)), whole[0])
        pieces = [piece for piece in pieces if not set(piece) <= set(beside)]
    for piece in pieces:
        near = _paper_of(corners[piece], [corners[group] for group in whole], float(np.median(heights)))
        if near is not None:
            whole[near] = whole[near] + piece
    found = []
    for group in whole:
        parts = split_at_gaps(
            corners[group], group, lambda part: (is_receipt(part), has_day(part)), surface.has_seam
        )
        for members, has_edge in parts:
            if is_receipt(members) or is_slip(members):
                # A neighbour that the image cuts off must itself show that it is a receipt.
                alone = len(groups) == len(parts) == 1
                whole_paper = alone or not _at_edge(corners[members], image, float(np.median(heights)))
                found.append(Group(tuple(sorted(members)), has_edge and whole_paper))
    return Separation(tuple(found), tuple(sorted(beside)) if len(found) == 1 else ())


def _at_edge(corners: Corners, image: Image, height: float) -> bool:
    """Whether text comes within one text height of an edge of the image."""
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    return bool((low < height).any() or (high > np.subtract(image.shape[1::-1], height)).any())


def text_heights(corners: Corners) -> NDArray[np.float64]:
    """The shorter side of every box, in pixels: the height of its text, however it is turned."""
    across = np.hypot(*(corners[:, 1] - corners[:, 0]).T)
    down = np.hypot(*(corners[:, 3] - corners[:, 0]).T)
    return np.asarray(np.maximum(1.0, np.minimum(across, down)))


def _by_surface(corners: Corners, heights: NDArray[np.float64], surface: Surface) -> list[list[int]]:
    """Groups boxes by joining neighbours with nothing but paper between them."""
    papers = surface.around(corners)
    groups: list[list[int]] = []
    for count in _NEIGHBORS:
        first, second = _neighbors(corners, count)
        starts, ends = _nearest_points(corners, first, second)
        separated = surface.separated(
            starts, ends, (papers[first], papers[second]), np.minimum(heights[first], heights[second])
        )
        groups = _joined(
            len(corners), zip(first[~separated].tolist(), second[~separated].tolist(), strict=True)
        )
        if len(groups) == 1:
            break
    return groups


def _joined(count: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The connected components of 0 to count - 1 under the pairs."""
    parent = list(range(count))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for a, b in pairs:
        parent[root(a)] = root(b)
    groups: dict[int, list[int]] = {}
    for i in range(count):
        groups.setdefault(root(i), []).append(i)
    return list(groups.values())


def _neighbors(corners: Corners, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Index pairs of boxes and their nearest neighbours, by the gap between axis-aligned rectangles."""
    low, high = corners.min(axis=1), corners.max(axis=1)
    gaps = np.maximum(0, np.maximum(low[:, None] - high[None], low[None] - high[:, None]))
    distance = gaps[..., 0] ** 2 + gaps[..., 1] ** 2
    np.fill_diagonal(distance, np.inf)
    count = min(count, len(corners) - 1)
    nearest = np.argpartition(distance, count - 1, axis=1)[:, :count]
    first = np.repeat(np.arange(len(corners)), count)
    pairs = np.unique(np.sort(np.stack([first, nearest.ravel()]), axis=0), axis=1)
    return pairs[0], pairs[1]


def _nearest_points(
    corners: Corners, first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[Corners, Corners]:
    """The points where the shortest line between two boxes' middle lines leaves one and enters the other.

    The inside of a box is excluded: the ink of a large logo is not another surface.
    """
    left = (corners[:, 0] + corners[:, 3]) / 2
    right = (corners[:, 1] + corners[:, 2]) / 2
    along = np.linspace(0, 1, 5)
    points = left[:, None] + along[None, :, None] * (right - left)[:, None]
    a, b = points[first], points[second]
    distance = ((a[:, :, None] - b[:, None, :]) ** 2).sum(axis=3)
    flat = distance.reshape(len(first), -1).argmin(axis=1)
    rows = np.arange(len(first))
    start, end = a[rows, flat // len(along)], b[rows, flat % len(along)]
    return _leaving(start, end, corners[first]), _leaving(end, start, corners[second])


def _leaving(points: Corners, others: Corners, corners: Corners) -> Corners:
    """Where lines from points on the boxes' middle lines to `others` leave the boxes, at most half-way."""
    left, right = (corners[:, 0] + corners[:, 3]) / 2, (corners[:, 1] + corners[:, 2]) / 2
    length = np.hypot(*(right - left).T)
    axis = (right - left) / np.maximum(length, 1e-6)[:, None]
    way = others - points
    forward = (way * axis).sum(axis=1)
    across = np.abs(way[:, 0] * axis[:, 1] - way[:, 1] * axis[:, 0])
    passed = ((points - left) * axis).sum(axis=1)
    to_end = np.where(forward > 0, length - passed, passed) / np.maximum(np.abs(forward), 1e-6)
    to_side = text_heights(corners) / 2 / np.maximum(across, 1e-6)
    return np.asarray(points + np.minimum(0.5, np.minimum(to_end, to_side))[:, None] * way)


def _paper_of(piece: Corners, papers: Sequence[Corners], height: float) -> int | None:
    """Index of the nearest paper that a piece of text lies on, above or below; None when there is none."""
    low, high = piece.min(axis=(0, 1)), piece.max(axis=(0, 1))
    best, found = _NEAR * height, None
    for index, paper in enumerate(papers):
        least, most = paper.min(axis=(0, 1)), paper.max(axis=(0, 1))
        shared = min(high[0], most[0]) - max(low[0], least[0])
        apart = max(least[1] - high[1], low[1] - most[1], 0.0)
        if shared > 0.5 * (high[0] - low[0]) and apart < best:
            best, found = float(apart), index
    return found


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

"""Decides what lies between two pieces of text: the same paper, or another surface.

The image is reduced and its ink removed by morphological closing, so that paper is even and bright and its
surroundings are not. Two boxes lie on one paper when the straight line between them has no stretch of another
colour.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Image

#: Longer side of the reduced image, in pixels.
_LONG_SIDE = 800
#: Size of the closing kernel in text heights, and its least and largest size in pixels.
_INK = 0.7
_KERNEL = (5, 15)
#: Least difference of another surface from both papers, in colour levels, and its least length, in text
#: heights.
_OTHER = 22.0
_LASTING = 0.45
#: A seam between two papers: least mean colour difference, in levels (_SEAM); the share of its length
#: (_ALL_THE_WAY) over which the difference must be at least _DIFFERENT; the least share of the difference
#: that occurs within two samples (_SHARP); and the least similarity of the changes at successive positions
#: along the seam (_STEADY), which noise does not reach.
_SEAM = 5.0
_ALL_THE_WAY = 0.85
_DIFFERENT = 3.0
_SHARP = 0.62
_STEADY = 0.7
#: Samples on either side of a seam whose mean colours are compared.
_SIDE = 3
#: Distance above and below a box, in text heights, at which its background is sampled.
_ABOVE = 0.5
#: Largest difference in colour levels that shadows and light cause on one paper.
_SHADED = 60.0
#: Grid spacing, in pixels of the reduced image, of the points for which the nearest text is found.
_COARSE = 16
#: Samples on the line between two boxes.
_STEPS = 64
#: Percentile of the colours sampled along a box's middle line that is taken as the colour of its paper.
_PAPER_PERCENTILE = 75


@dataclass(frozen=True, slots=True)
class Surface:
    """A reduced image without ink. levels: its RGB values (height, width, 3). scale: its pixels per page
    pixel."""

    levels: NDArray[np.float32]
    scale: float

    def around(self, corners: NDArray[np.float64]) -> NDArray[np.float32]:
        """The colour of the paper under each box: corners (boxes, 4, 2) in page pixels → (boxes, 3)."""
        along = np.linspace(0.05, 0.95, 9)[None, :, None]
        left = (corners[:, 0] + corners[:, 3]) / 2
        right = (corners[:, 1] + corners[:, 2]) / 2
        points = left[:, None] + along * (right - left)[:, None]
        return np.percentile(self._at(points), _PAPER_PERCENTILE, axis=1).astype(np.float32)

    def beneath(self, corners: NDArray[np.float64]) -> NDArray[np.float32]:
        """The background colour of each box, sampled above and below it: for white text on black it is black.

        corners (boxes, 4, 2) in page pixels → (boxes, 3).
        """
        along = np.linspace(0.05, 0.95, 9)[None, :, None]
        left, right = corners[:, 0], corners[:, 1]
        up = _ABOVE * (corners[:, 0] - corners[:, 3])
        above = (left + up)[:, None] + along * (right - left)[:, None]
        below = (corners[:, 3] - up)[:, None] + along * (corners[:, 2] - corners[:, 3])[:, None]
        return np.median(self._at(np.concatenate([above, below], axis=1)), axis=1).astype(np.float32)

    def outline(
        self, corners: NDArray[np.float64], colors: NDArray[np.float32], share: float
    ) -> NDArray[np.float32] | None:
        """The convex outline, in page pixels, of the even surface that most boxes lie on; None when less than
        `share` of them lie on one.

        corners: (boxes, 4, 2) in page pixels. colors: background colour of each box.
        """
        height, width = self.levels.shape[:2]
        even = np.abs(colors - np.median(colors, axis=0)).max(axis=1) <= _SHADED
        corners, colors, least = corners[even], colors[even], share * len(corners)
        centers = corners.mean(axis=1)
        rows, columns = np.mgrid[0:height:_COARSE, 0:width:_COARSE]
        places = np.stack([columns, rows], axis=-1) / self.scale
        nearest = ((places[:, :, None] - centers) ** 2).sum(axis=3).argmin(axis=2)
        lit = cv2.resize(colors[nearest], (width, height))
        alike = np.abs(self.levels - lit).max(axis=2) <= _OTHER
        _, labels = cv2.connectedComponents(alike.astype(np.uint8), connectivity=4)
        x, y = np.clip((centers * self.scale).astype(int), 0, (width - 1, height - 1)).T
        counts = np.bincount(labels[y, x])
        counts[0] = 0
        if counts.max() < least:
            return None
        sheet = (labels == counts.argmax()).astype(np.uint8)
        contours, _ = cv2.findContours(sheet, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        return (cv2.convexHull(np.concatenate(contours)) / self.scale).astype(np.float32)

    def separated(
        self,
        starts: NDArray[np.float64],
        ends: NDArray[np.float64],
        papers: tuple[NDArray[np.float32], NDArray[np.float32]],
        heights: NDArray[np.float64],
    ) -> NDArray[np.bool_]:
        """Whether another surface lies between each pair of points (pairs, 2), in page pixels.

        papers: the paper colours (pairs, 3) at either end. heights: of the text there, in page pixels.
        """
        steps = np.linspace(0, 1, _STEPS)[None, :, None]
        seen = self._at(starts[:, None] + steps * (ends - starts)[:, None])
        low = np.minimum(*papers)[:, None] - _OTHER
        high = np.maximum(*papers)[:, None] + _OTHER
        other = np.any((seen < low) | (seen > high), axis=2)
        length = np.hypot(*(ends - starts).T) / (_STEPS - 1)
        needed = np.maximum(2, np.ceil(_LASTING * heights / np.maximum(length, 1e-6)))
        return np.asarray(_longest_run(np.asarray(other)) >= needed)

    def has_seam(self, points: NDArray[np.float64]) -> bool:
        """Whether a straight seam between two papers runs along a strip.

        points: sample positions (along, across, 2) in page pixels. The paper colours on the two sides of a
        seam differ along nearly its whole length, through lighting, and the change is abrupt, not gradual as
        in a shadow.
        """
        seen = self._at(points)
        if seen.shape[1] < 2 * _SIDE + 1:
            return False
        step, sharp = _steps(seen, _SIDE), _steps(seen, 1)[:, _SIDE - 1 : 1 - _SIDE]
        rows, places = np.arange(len(step))[:, None], np.arange(step.shape[1])
        for slant in range(-int(places[-1]), len(places)):
            at = np.round(places + slant * (rows / (len(step) - 1) - 0.5)).astype(int)
            at = at[:, ((at >= 0) & (at < len(places))).all(axis=0)]
            change = step[rows, at]  # (along, places, 3)
            size = np.linalg.norm(change, axis=2)
            far = (size >= _DIFFERENT).mean(axis=0) >= _ALL_THE_WAY
            at_once = np.linalg.norm(sharp[rows, at], axis=2).sum(axis=0) >= _SHARP * size.sum(axis=0)
            alike = (change[1:] * change[:-1]).sum(axis=(0, 2)) >= _STEADY * (size**2).sum(axis=0)
            if (far & at_once & alike & (size.mean(axis=0) >= _SEAM)).any():
                return True
        return False

    def _at(self, points: NDArray[np.float64]) -> NDArray[np.float32]:
        height, width = self.levels.shape[:2]
        x = np.clip((points[..., 0] * self.scale).astype(int), 0, width - 1)
        y = np.clip((points[..., 1] * self.scale).astype(int), 0, height - 1)
        found: NDArray[np.float32] = self.levels[y, x]
        return found


def build_surface(image: Image, text_height: float) -> Surface:
    """The surface of an RGB image whose text is about text_height pixels high."""
    scale = min(1.0, _LONG_SIDE / max(image.shape[:2]))
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    side = int(np.clip(round(_INK * text_height * scale) | 1, *_KERNEL))
    closed = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    return Surface(cv2.blur(closed, (3, 3)).astype(np.float32), scale)


def _steps(seen: NDArray[np.float32], side: int) -> NDArray[np.float32]:
    """The mean of `side` samples after each sample minus the mean of those before it, along axis 1."""
    total = np.cumsum(np.pad(seen, ((0, 0), (1, 0), (0, 0))), axis=1)
    means = (total[:, side:] - total[:, :-side]) / side
    return np.asarray(means[:, side + 1 :] - means[:, : -side - 1], dtype=np.float32)


def _longest_run(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The length of the longest run of True in each row."""
    longest = np.zeros(len(mask), dtype=np.int64)
    run = np.zeros(len(mask), dtype=np.int64)
    for column in mask.T:
        run = np.where(column, run + 1, 0)
        longest = np.maximum(longest, run)
    return longest

"""What lies between two pieces of text: the same paper, or something else.

The picture is made small and its ink is closed over, so that paper is even and bright and what lies around
it is not. Two boxes stand on one paper when the straight way between them has no stretch of another colour.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Image

#: Longer side of the picture that is looked at.
_LONG_SIDE = 800
#: Ink is closed over with a kernel of so many text heights.
_INK = 0.7
_KERNEL = (5, 15)
#: Levels by which another surface differs from both papers, and how long it lasts, in text heights.
_OTHER = 22.0
_LASTING = 0.45
#: A seam: levels by which the papers differ in the mean, and over which share of its length by how much at
#: least; how much of that happens at once, from one place to the next but one; and how like the next one each
#: change is, for those of noise are not.
_SEAM = 5.0
_ALL_THE_WAY = 0.85
_DIFFERENT = 3.0
_SHARP = 0.62
_STEADY = 0.7
#: Places on either side of a seam whose mean colour is compared.
_SIDE = 3
#: Text heights above and below a box where what it stands on is seen.
_ABOVE = 0.5
#: Levels by which shadows and light change a paper.
_SHADED = 60.0
#: Places on the small picture, in its pixels, for which the nearest text is looked for.
_COARSE = 16
#: Places looked at on the way between two boxes.
_STEPS = 64
#: Points of a box whose surface is looked at: its corners' surroundings would be another paper's.
_PAPER = 75


@dataclass(frozen=True, slots=True)
class Surface:
    """A small picture without ink. scale: its pixels per page pixel."""

    levels: NDArray[np.float32]
    scale: float

    def around(self, corners: NDArray[np.float64]) -> NDArray[np.float32]:
        """The colour of the paper under each box: corners (boxes, 4, 2) in page pixels → (boxes, 3)."""
        along = np.linspace(0.05, 0.95, 9)[None, :, None]
        left = (corners[:, 0] + corners[:, 3]) / 2
        right = (corners[:, 1] + corners[:, 2]) / 2
        points = left[:, None] + along * (right - left)[:, None]
        return np.percentile(self._at(points), _PAPER, axis=1).astype(np.float32)

    def beneath(self, corners: NDArray[np.float64]) -> NDArray[np.float32]:
        """The colour of what each box stands on, seen above and below it: white print on black is on black.

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
        """The convex outline of the one even surface that boxes stand on, in page pixels; None when less than
        a share of them stand on one.

        corners (boxes, 4, 2) in page pixels; colors: of what each stands on.
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

    def parted(
        self,
        starts: NDArray[np.float64],
        ends: NDArray[np.float64],
        papers: tuple[NDArray[np.float32], NDArray[np.float32]],
        heights: NDArray[np.float64],
    ) -> NDArray[np.bool_]:
        """Whether something else lies between pairs of points (pairs, 2), in page pixels.

        papers: the colours (pairs, 3) at either end; heights: of their text, in page pixels.
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
        """Whether a straight seam of two papers runs along a strip: points (along, across, 2) in page pixels.

        On its two sides the paper is of different colours nearly all the way, as it is lit, and one changes
        into the other at once, not little by little as in a shadow.
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


def look_at(image: Image, text_height: float) -> Surface:
    """The surfaces of an RGB picture whose text is about so many pixels high."""
    scale = min(1.0, _LONG_SIDE / max(image.shape[:2]))
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    side = int(np.clip(round(_INK * text_height * scale) | 1, *_KERNEL))
    closed = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    return Surface(cv2.blur(closed, (3, 3)).astype(np.float32), scale)


def _steps(seen: NDArray[np.float32], side: int) -> NDArray[np.float32]:
    """By how much the mean of so many places behind each place differs from that before it, along axis 1."""
    total = np.cumsum(np.pad(seen, ((0, 0), (1, 0), (0, 0))), axis=1)
    means = (total[:, side:] - total[:, :-side]) / side
    return np.asarray(means[:, side + 1 :] - means[:, : -side - 1], dtype=np.float32)


def _longest_run(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The longest run of True in each row."""
    longest = np.zeros(len(mask), dtype=np.int64)
    run = np.zeros(len(mask), dtype=np.int64)
    for column in mask.T:
        run = np.where(column, run + 1, 0)
        longest = np.maximum(longest, run)
    return longest

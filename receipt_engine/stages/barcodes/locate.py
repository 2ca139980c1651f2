"""Locates barcode candidates: patches whose edges all run in one direction, or that are dense with edges.

The structure tensor (Förstner and Gülch 1987) of a patch measures how strong its edges are and how far they
agree in direction. Printed text has edges of all directions; the bars of a linear code have one. Matrix codes
have two, like text, but no space between their rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Image, Point, Quad

#: Longest side of the reduced image that is searched; bars of two pixels are still visible.
LONG_SIDE = 1600
#: Side of a patch, in pixels of that image.
_PATCH = 8
#: Rows of patches that are processed at a time.
_STRIP = 12
#: Least coherence of the edge directions in a patch of bars, 0 to 1. Text stays below, except for a few
#: letters.
_COHERENCE = 0.7
#: Least evenness of the gradient of bars over a neighbourhood of patches. The edge of a sheet stays below.
_SPREAD = 0.2
#: Least gradient, in grey levels per pixel (root mean square), of bars and of a matrix code.
_BAR_GRADIENT = 6.0
_MATRIX_GRADIENT = 25.0
_SECTORS = 6
_MIN_PATCHES = 14
_MIN_ACROSS = 6
#: Least side of a matrix code, in patches, and largest ratio of its sides.
_MIN_SIDE = 8
_SQUARE = 1.45
_MAX_CANDIDATES = 8
_MAX_TILT = math.radians(12)

Map = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BarcodeCandidate:
    """A rectangle that may hold a code, in page pixels.

    angle: direction across the bars, in radians clockwise from the page's x axis. width: extent across the
    bars; height: along them. energy: sum of squared gradients, by which candidates are ranked.
    """

    center: Point
    angle: float
    width: float
    height: float
    energy: float

    def point(self, x: float, y: float) -> Point:
        """The page point at an offset of x (across the bars) and y (along them) from the centre."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        return (self.center[0] + c * x - s * y, self.center[1] + s * x + c * y)

    @property
    def quad(self) -> Quad:
        x, y = self.width / 2, self.height / 2
        return Quad(self.point(-x, -y), self.point(x, -y), self.point(x, y), self.point(-x, y))


@dataclass(frozen=True, slots=True)
class _Tensor:
    """The structure tensor per patch.

    energy: squared gradient. real, imaginary: its coherent part, as a vector at twice the edge angle. spread:
    1 when the gradient is spread evenly over all pixels, near 0 when it comes from a single edge.
    """

    energy: Map
    spread: Map
    real: Map
    imaginary: Map
    page_pixels: float  # along the side of a patch


def find_candidates(grey: Image) -> tuple[tuple[BarcodeCandidate, ...], tuple[BarcodeCandidate, ...]]:
    """Candidates for linear codes and for matrix codes, the strongest first.

    grey: luminance of the page, uint8, shape (height, width).
    """
    small = _reduced(grey)
    if min(small.shape) < 2 * _PATCH:
        return (), ()
    tensor = _structure(small, grey.shape[1] / small.shape[1])
    agreement = np.hypot(tensor.real, tensor.imaginary) / np.maximum(tensor.energy, 1e-6)
    bars = (agreement > _COHERENCE) & (tensor.energy > _BAR_GRADIENT**2) & (tensor.spread > _SPREAD)
    dense = (agreement <= _COHERENCE) & (tensor.energy > _MATRIX_GRADIENT**2)
    return _strongest(_joined(list(_linear(bars, tensor)), tensor)), _strongest(list(_matrix(dense, tensor)))


def _reduced(grey: Image) -> Image:
    """The image reduced to LONG_SIDE: halved by area while possible, which is fast, then interpolated."""
    while max(grey.shape) >= 2 * LONG_SIDE:
        half = (max(1, grey.shape[1] // 2), max(1, grey.shape[0] // 2))
        grey = np.asarray(cv2.resize(grey, half, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    scale = LONG_SIDE / max(grey.shape)
    if scale >= 1:
        return grey
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale), dtype=np.uint8)


def _structure(small: Image, page_pixels: float) -> _Tensor:
    """The structure tensor of the reduced image. page_pixels: page pixels per pixel of that image."""
    columns, rows = small.shape[1] // _PATCH, small.shape[0] // _PATCH
    xx, yy, xy, length = (np.empty((rows, columns), dtype=np.float32) for _ in range(4))
    for first in range(0, rows, _STRIP):  # strips fit the processor's cache
        last = min(first + _STRIP, rows)
        above = min(1, first)
        strip = small[first * _PATCH - above : last * _PATCH + 1, : columns * _PATCH]
        inner = slice(above, above + (last - first) * _PATCH)
        x = cv2.Sobel(strip, cv2.CV_32F, 1, 0, scale=0.25)[inner]
        y = cv2.Sobel(strip, cv2.CV_32F, 0, 1, scale=0.25)[inner]
        size = (columns, last - first)
        for target, values in (
            (xx, cv2.multiply(x, x)),
            (yy, cv2.multiply(y, y)),
            (xy, cv2.multiply(x, y)),
            (length, cv2.magnitude(x, y)),
        ):
            target[first:last] = cv2.resize(values, size, interpolation=cv2.INTER_AREA)
    spread = _around(length, 5) ** 2 / np.maximum(_around(xx + yy, 5), 1e-6)
    return _Tensor(
        energy=_around(xx + yy, 3),
        spread=np.asarray(spread, dtype=np.float32),
        real=_around(xx - yy, 3),
        imaginary=_around(2 * xy, 3),
        page_pixels=page_pixels * _PATCH,
    )


def _around(values: Map, patches: int) -> Map:
    """The mean over a square neighbourhood of that many patches per side."""
    return np.asarray(cv2.blur(values, (patches, patches)), dtype=np.float32)


def _linear(bars: NDArray[np.bool_], tensor: _Tensor) -> Iterator[BarcodeCandidate]:
    """Groups of patches whose edges run in one direction. Sectors of angles overlap by half, so no group is
    cut."""
    double = np.arctan2(tensor.imaginary, tensor.real)
    for sector in range(_SECTORS):
        middle = sector * 2 * math.pi / _SECTORS
        near = np.cos(double - middle) >= math.cos(2 * math.pi / _SECTORS)
        for rows, columns in _groups(bars & near, 3):
            candidate = _measure(rows, columns, tensor)
            # Only the sector nearest to the group's own angle yields it.
            own = math.cos(2 * candidate.angle - middle) >= math.cos(math.pi / _SECTORS)
            if own and candidate.width >= _MIN_ACROSS * tensor.page_pixels:
                yield candidate


def _matrix(dense: NDArray[np.bool_], tensor: _Tensor) -> Iterator[BarcodeCandidate]:
    """Groups of patches that are dense with edges and roughly square."""
    for rows, columns in _groups(dense, _MIN_SIDE - 1):
        left, right, top, bottom = columns.min(), columns.max() + 1, rows.min(), rows.max() + 1
        width, height = int(right - left), int(bottom - top)
        if min(width, height) >= _MIN_SIDE and max(width, height) < _SQUARE * min(width, height):
            unit = tensor.page_pixels
            yield BarcodeCandidate(
                center=(float(left + right) / 2 * unit, float(top + bottom) / 2 * unit),
                angle=0.0,
                width=width * unit,
                height=height * unit,
                energy=float(tensor.energy[rows, columns].sum()),
            )


def _groups(mask: NDArray[np.bool_], core: int) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Rows and columns of connected patches, after removing parts thinner than `core` patches."""
    kernel = np.ones((core, core), dtype=np.uint8)
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
    for label in range(1, count):
        left, top, width, height, area = stats[label]
        if area >= _MIN_PATCHES:
            rows, columns = np.nonzero(labels[top : top + height, left : left + width] == label)
            yield rows + top, columns + left


def _measure(rows: NDArray[np.intp], columns: NDArray[np.intp], tensor: _Tensor) -> BarcodeCandidate:
    real, imaginary = tensor.real[rows, columns].sum(), tensor.imaginary[rows, columns].sum()
    angle = math.atan2(imaginary, real) / 2
    c, s = math.cos(angle), math.sin(angle)
    across, along = c * (columns + 0.5) + s * (rows + 0.5), c * (rows + 0.5) - s * (columns + 0.5)
    x, y = (across.min() + across.max()) / 2, (along.min() + along.max()) / 2
    unit = tensor.page_pixels
    return BarcodeCandidate(
        center=(float(c * x - s * y) * unit, float(s * x + c * y) * unit),
        angle=angle,
        width=float(np.ptp(across) + 1) * unit,
        height=float(np.ptp(along) + 1) * unit,
        energy=float(tensor.energy[rows, columns].sum()),
    )


def _joined(candidates: list[BarcodeCandidate], tensor: _Tensor) -> list[BarcodeCandidate]:
    """Joins the pieces of codes that a faint or wide gap between bars has split."""
    pieces = sorted(candidates, key=_rank)
    whole: list[BarcodeCandidate] = []
    while pieces:
        candidate = pieces.pop(0)
        while (other := next((p for p in pieces if _continues(candidate, p, tensor)), None)) is not None:
            pieces.remove(other)
            candidate = _join(candidate, other)
        whole.append(candidate)
    return whole


def _continues(one: BarcodeCandidate, other: BarcodeCandidate, tensor: _Tensor) -> bool:
    turn = (other.angle - one.angle + math.pi / 2) % math.pi - math.pi / 2
    x, y = _offset(one, other)
    gap = abs(x) - (one.width + other.width) / 2
    return (
        abs(turn) < _MAX_TILT
        and gap < max(3 * tensor.page_pixels, max(one.height, other.height) / 2)
        and abs(y) < (one.height + other.height) / 6
        and other.height > 0.4 * one.height
    )


def _join(one: BarcodeCandidate, other: BarcodeCandidate) -> BarcodeCandidate:
    x, _ = _offset(one, other)
    start = min(-one.width / 2, x - other.width / 2)
    end = max(one.width / 2, x + other.width / 2)
    return replace(
        one, center=one.point((start + end) / 2, 0), width=end - start, energy=one.energy + other.energy
    )


def _offset(one: BarcodeCandidate, other: BarcodeCandidate) -> Point:
    """The centre of `other` in the coordinates of `one`: across and along its bars."""
    c, s = math.cos(one.angle), math.sin(one.angle)
    x, y = other.center[0] - one.center[0], other.center[1] - one.center[1]
    return (c * x + s * y, c * y - s * x)


def _strongest(candidates: list[BarcodeCandidate]) -> tuple[BarcodeCandidate, ...]:
    return tuple(sorted(candidates, key=_rank)[:_MAX_CANDIDATES])


def _rank(candidate: BarcodeCandidate) -> tuple[float, Point]:
    return (-candidate.energy, candidate.center)

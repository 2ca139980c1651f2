"""Fits a candidate to the bars that it touches: to their angle, their height and their full width.

The search sees a code in patches of eight pixels. Where bars are faint, folded or far apart it finds only a
part, and around a code it includes empty paper or the digits below. The extent of the bars can be measured:
all rows that cross them are alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Image
from receipt_engine.stages.barcodes.locate import BarcodeCandidate

Row = NDArray[np.float32]

#: Rows and most columns at which a candidate is sampled.
_ROWS = 48
_MAX_WIDTH = 1600
#: Rows of each of the two bands that are compared to correct the angle.
_BAND = 8
#: Least correlation of two rows, or bands, that cross the same bars.
_SAME = 0.5
#: Least height after trimming, as a share of the candidate's.
_MIN_HEIGHT = 0.25
#: Largest rotation that is corrected, as its tangent.
_MAX_TURN = 0.12
#: How far bars are followed beyond either side of a candidate: in its widths, or in its heights if that is
#: more.
_REACH_WIDTHS, _REACH_HEIGHTS = 2.5, 8.0
#: Window over which the two halves are compared, as a share of the candidate's height; and the least, in
#: columns.
_WINDOW, _MIN_WINDOW = 0.35, 14
#: Least contrast of bars, as a share of the candidate's own.
_CONTRAST = 0.3
#: Least steepness of the outermost edges, as a share of the 90th percentile.
_EDGE = 0.25
#: Width of the quiet zone that ends a code, in median distances between its edges. The widest space inside
#: has three.
_QUIET = 6.0


@dataclass(frozen=True, slots=True)
class Frame:
    """Framed bars. place: all that may belong to them. bars: width, in page pixels, of the bars found with
    high confidence."""

    place: BarcodeCandidate
    bars: float


def fit(grey: Image, candidate: BarcodeCandidate) -> Frame:
    """The bars that a candidate touches; the candidate itself where its extent cannot be refined."""
    upright = _upright(grey, candidate)
    return _drawn_out(grey, _trimmed(grey, upright))


def _upright(grey: Image, candidate: BarcodeCandidate) -> BarcodeCandidate:
    """The candidate with its angle corrected by the shift between a band in its upper and its lower half."""
    strip = _strip(grey, candidate, candidate.width)
    upper, lower = (
        _normal(strip[row : row + _BAND].mean(axis=0)) for row in (_ROWS // 4, 3 * _ROWS // 4 - _BAND)
    )
    apart = candidate.height * (_ROWS // 2 - _BAND) / _ROWS
    scale = strip.shape[1] / candidate.width
    most = max(1, round(_MAX_TURN * apart * scale))
    if strip.shape[1] <= 4 * most:
        return candidate
    likeness = cv2.matchTemplate(lower[None], upper[None, most:-most], cv2.TM_CCOEFF_NORMED)[0]
    best = int(likeness.argmax())
    if likeness[best] < _SAME:
        return candidate
    shift = best - most + _vertex(likeness, best)
    return replace(candidate, angle=candidate.angle - math.atan(shift / scale / apart))


def _vertex(values: Row, at: int) -> float:
    """The vertex of the parabola through a peak and its neighbours, relative to the peak."""
    if not 0 < at < len(values) - 1:
        return 0.0
    before, peak, after = (float(v) for v in values[at - 1 : at + 2])
    bend = before - 2 * peak + after
    return 0.5 * (before - after) / bend if bend < 0 else 0.0


def _trimmed(grey: Image, candidate: BarcodeCandidate) -> BarcodeCandidate:
    """The candidate without the rows above and below that are unlike the middle ones."""
    strip = _strip(grey, candidate, candidate.width)
    middle = _normal(strip[_ROWS // 3 : 2 * _ROWS // 3].mean(axis=0))
    smooth = cv2.blur(strip, (1, 3))
    alike = [float(_normal(row) @ middle) / len(middle) > _SAME for row in smooth]
    first = last = _ROWS // 2
    if not alike[first]:
        return candidate
    while first and alike[first - 1]:
        first -= 1
    while last < _ROWS and alike[last]:
        last += 1
    if last - first < _MIN_HEIGHT * _ROWS:
        return candidate
    offset = ((first + last) / 2 / _ROWS - 0.5) * candidate.height
    return replace(
        candidate, center=candidate.point(0, offset), height=candidate.height * (last - first) / _ROWS
    )


def _drawn_out(grey: Image, candidate: BarcodeCandidate) -> Frame:
    """Extends the candidate to both sides as far as its upper and lower half show the same pattern."""
    reach = max(_REACH_WIDTHS * candidate.width, _REACH_HEIGHTS * candidate.height)
    wide = candidate.width + 2 * reach
    strip = _strip(grey, candidate, wide)
    scale = strip.shape[1] / wide
    window = max(_MIN_WINDOW, round(_WINDOW * candidate.height * scale)) | 1
    upper, lower = (strip[part].mean(axis=0) for part in (slice(4, _ROWS // 2), slice(_ROWS // 2, _ROWS - 4)))
    common = _blurred(upper * lower, window) - _blurred(upper, window) * _blurred(lower, window)
    own = np.maximum(_variance(upper, window), _variance(lower, window))
    core = slice(round(reach * scale), round((reach + candidate.width) * scale))
    faintest = _CONTRAST**2 * float(np.median(common[core]))
    bars = (common > _SAME * own) & (common > max(1.0, faintest))
    middle = (core.start + core.stop) // 2
    start, end = _run(bars, middle, window)
    start = max(0, start - window)
    ends = _ends(np.minimum(_steps(upper), _steps(lower))[start : end + window], middle - start)
    if ends is None:
        return Frame(candidate, candidate.width)
    first, last = start + ends[0], start + ends[1]
    left, right = min(first, core.start), max(last, core.stop)
    offset = ((left + right) / 2 - strip.shape[1] / 2) / scale
    place = replace(candidate, center=candidate.point(offset, 0), width=(right - left) / scale)
    return Frame(place, (last - first) / scale)


def _ends(steps: Row, middle: int) -> tuple[int, int] | None:
    """The outermost edges around the middle, except those beyond a quiet zone, of paper or table; None when
    there are no gaps between edges."""
    strong = np.flatnonzero(steps > _EDGE * float(np.percentile(steps, 90)))
    gaps = np.diff(strong)
    if not np.any(gaps > 1):
        return None
    breaks = np.flatnonzero(gaps > _QUIET * float(np.median(gaps[gaps > 1])))
    at = int(np.searchsorted(strong, middle))
    cut = int(np.searchsorted(breaks, at))
    first = int(breaks[cut - 1]) + 1 if cut else 0
    last = int(breaks[cut]) if cut < len(breaks) else len(strong) - 1
    return int(strong[first]), int(strong[last]) + 1


def _steps(row: NDArray[np.float32]) -> Row:
    """Absolute gradient along a row."""
    return np.abs(np.asarray(np.gradient(row), dtype=np.float32))


def _run(mask: NDArray[np.bool_], at: int, gap: int) -> tuple[int, int]:
    """The run of the mask around a position, bridging gaps shorter than `gap`."""
    kernel = np.ones(gap, dtype=np.uint8)
    closed = cv2.morphologyEx(mask.astype(np.uint8)[None], cv2.MORPH_CLOSE, kernel[None])[0]
    empty = np.flatnonzero(closed == 0)
    cut = int(np.searchsorted(empty, at))
    start = int(empty[cut - 1]) + 1 if cut else 0
    end = int(empty[cut]) if cut < len(empty) else len(mask)
    return min(start, at), max(end, at)


def _strip(grey: Image, candidate: BarcodeCandidate, width: float) -> NDArray[np.float32]:
    """The candidate resampled upright to _ROWS rows, in the given width around its centre."""
    columns = max(8, min(_MAX_WIDTH, round(width)))
    half, rise = width / 2, candidate.height / 2
    corners = [candidate.point(x, y) for x, y in ((-half, -rise), (half, -rise), (-half, rise))]
    target = np.array([(0, 0), (columns, 0), (0, _ROWS)], dtype=np.float32)
    matrix = cv2.getAffineTransform(np.array(corners, dtype=np.float32), target)
    strip = cv2.warpAffine(
        grey, matrix, (columns, _ROWS), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(strip, dtype=np.float32)


def _normal(row: NDArray[np.float32]) -> Row:
    centred = row - row.mean()
    return np.asarray(centred / (float(centred.std()) + 1e-6), dtype=np.float32)


def _blurred(row: NDArray[np.float32], window: int) -> Row:
    return np.asarray(cv2.blur(np.asarray(row, dtype=np.float32)[None], (window, 1))[0], dtype=np.float32)


def _variance(row: NDArray[np.float32], window: int) -> Row:
    return np.asarray(_blurred(row * row, window) - _blurred(row, window) ** 2, dtype=np.float32)

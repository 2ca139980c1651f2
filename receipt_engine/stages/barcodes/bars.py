"""Reads the bars of one candidate, trying the cheapest way first.

A code that cannot be decoded from the plain crop is averaged along its bars, band by band, which removes
noise, then normalised for shading, sharpened, and thresholded at several levels, since thermal printing makes
bars too thick and worn printing too thin. All variants go to the decoder as rows of one image.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Image, Quad
from receipt_engine.stages.barcodes.fit import Frame, fit
from receipt_engine.stages.barcodes.locate import BarcodeCandidate
from receipt_engine.stages.barcodes.zxing import (
    CODE_39,
    EAN_8,
    INTERLEAVED,
    UPC_E,
    Symbol,
    read_linear,
    read_rows,
)

#: Factor by which a candidate is enlarged, and the largest width and height of the result, in pixels.
_ENLARGE = 2.0
_MAX_WIDTH = 2400
_MAX_HEIGHT = 320
#: Margin kept at either end, as a share of the width: codes need a quiet zone.
_MARGIN = 0.1
#: Fewest changes between light and dark that are counted in a code. A UPC-E has 33; blur hides half.
_MIN_CHANGES = 16
#: Least correlation of neighbouring bands. Text and wood differ from band to band.
_LIKENESS = 0.7
_MIN_INTERLEAVED = 6
_MIN_CODE_39 = 3
#: Extra changes that noise or print beside a code may add.
_STRAY_CHANGES = 6
#: Least share of the width of the bars that a code without a strong check must span.
_MIN_SPAN = 0.85
_BANDS = 5
_ROW_HEIGHT = 4
_LEVELS = (0.5, 0.35, 0.65, 0.2, 0.8)
#: Blur (in modules) and amount of the unsharp masks.
_SHARPENERS = ((0.0, 0.0), (1.5, 1.0), (1.0, 2.0))
#: Least local contrast that is stretched to full range, as a share of the 90th percentile.
_FAINTEST = 0.35
#: Modules in the average bar or space.
_MODULES_PER_CHANGE = 1.75

_WEAK = frozenset({INTERLEAVED, CODE_39, EAN_8, UPC_E})

Row = NDArray[np.float32]


def frame_bars(grey: Image, candidate: BarcodeCandidate) -> Frame | None:
    """The frame of the bars that a candidate touches, from end to end; None when it shows no bars."""
    picture, _ = _cut_out(grey, candidate)
    if _changes(_mean(picture, 0.25, 0.75)) < _MIN_CHANGES:
        return None
    frame = fit(grey, candidate)
    picture, _ = _cut_out(grey, frame.place)
    is_code = _changes(_mean(picture, 0.25, 0.75)) >= _MIN_CHANGES and _likeness(_bands(picture)) >= _LIKENESS
    return frame if is_code else None


def read_bars(grey: Image, frame: Frame) -> list[Symbol]:
    """The linear codes of framed bars, with quads in page pixels."""
    picture, scale = _cut_out(grey, frame.place)
    changes = _changes(_mean(picture, 0.25, 0.75))
    width = frame.bars * scale
    found = [s for s in read_linear(picture) if _is_whole(s, changes, width)]
    if not found:
        module = width / changes / _MODULES_PER_CHANGE
        rows = _variants([*_bands(picture), _mean(picture, 0.1, 0.9)], module)
        found = _agreed([s for s in read_rows(rows) if _is_whole(s, changes, width)])
    return [Symbol(s.data, s.kind, _placed(s.quad, frame.place, scale, picture)) for s in found]


def _cut_out(grey: Image, candidate: BarcodeCandidate) -> tuple[Image, float]:
    """The candidate cut out with its bars vertical, and the crop's pixels per page pixel."""
    wide, high = candidate.width * (1 + 2 * _MARGIN) + 16, candidate.height
    scale = min(_ENLARGE, _MAX_WIDTH / wide)
    size = (max(1, round(wide * scale)), max(1, min(_MAX_HEIGHT, round(high * scale))))
    corners = [
        candidate.point(x, y)
        for x, y in ((-wide / 2, -high / 2), (wide / 2, -high / 2), (-wide / 2, high / 2))
    ]
    source = np.array(corners, dtype=np.float32)
    target = np.array([(0, 0), (size[0], 0), (0, size[1])], dtype=np.float32)
    matrix = cv2.getAffineTransform(source, target)
    picture = cv2.warpAffine(grey, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(picture, dtype=np.uint8), scale


def _mean(picture: Image, top: float, bottom: float) -> Row:
    """The mean of the rows between two fractions of the height."""
    first = int(top * len(picture))
    return np.asarray(
        picture[first : max(first + 1, int(bottom * len(picture)))].mean(axis=0), dtype=np.float32
    )


def _bands(picture: Image) -> list[Row]:
    return [_mean(picture, top, top + 0.17) for top in np.linspace(0.05, 0.78, _BANDS)]


def _changes(row: Row) -> int:
    """How often a row swings between light and dark by at least a fifth of its range."""
    smooth = cv2.GaussianBlur(row[None], (0, 0), 1.0)[0]
    low, high = np.percentile(smooth, (5, 95))
    swing = max(4.0, 0.2 * float(high - low))
    count, rising, extreme = 0, True, float(smooth[0])
    for value in smooth.tolist():
        if (value > extreme) == rising:
            extreme = value
        elif abs(value - extreme) > swing:
            count, rising, extreme = count + 1, not rising, value
    return count


def _likeness(bands: Sequence[Row]) -> float:
    """Median correlation of neighbouring bands."""
    centred = [band - band.mean() for band in bands]
    norms = [float(np.linalg.norm(band)) + 1e-6 for band in centred]
    pairs = zip(centred, centred[1:], norms, norms[1:], strict=False)
    return float(np.median([float(a @ b) / (m * n) for a, b, m, n in pairs]))


def _variants(bands: Sequence[Row], module: float) -> Image:
    """Every band with every sharpening and threshold level; neighbouring rows come from different bands.

    module: width of a module, in pixels.
    """
    window = int(max(15, 25 * module)) | 1
    rows = []
    for blur, amount in _SHARPENERS:
        flat = [_unshaded(_sharpened(band, blur * module, amount), window) for band in bands]
        rows += [row + (0.5 - level) for level in _LEVELS for row in flat]
    picture = np.clip(np.repeat(np.stack(rows), _ROW_HEIGHT, axis=0) * 255, 0, 255)
    return np.asarray(picture, dtype=np.uint8)


def _sharpened(row: Row, sigma: float, amount: float) -> Row:
    if not amount:
        return row
    return np.asarray(row + amount * (row - cv2.GaussianBlur(row[None], (0, 0), sigma)[0]), dtype=np.float32)


def _unshaded(row: Row, window: int) -> Row:
    """The row normalised to 1 for nearby paper and 0 for nearby ink, whatever the light and ink density."""
    kernel = np.ones((1, window), dtype=np.uint8)
    paper = cv2.blur(cv2.dilate(row[None], kernel), (window, 1))[0]
    ink = cv2.blur(cv2.erode(row[None], kernel), (window, 1))[0]
    contrast = np.maximum(paper - ink, max(1.0, _FAINTEST * float(np.percentile(paper - ink, 90))))
    return np.asarray(np.clip(1 - (paper - row) / contrast, 0, 1), dtype=np.float32)


def _is_whole(symbol: Symbol, changes: int, width: float) -> bool:
    """Whether the code accounts for all the bars in the crop. changes, width: of these bars, in its pixels.

    A kind without a strict start and end, or with few bars, is easily read from part of another code.
    """
    length = len(symbol.data)
    if symbol.kind not in _WEAK:
        return True
    if symbol.kind == INTERLEAVED and (
        length < _MIN_INTERLEAVED or changes > 5 * length + 8 + _STRAY_CHANGES
    ):
        return False
    if symbol.kind == CODE_39 and (length < _MIN_CODE_39 or changes > 10 * (length + 2) + _STRAY_CHANGES):
        return False
    most = {EAN_8: 44, UPC_E: 34}.get(symbol.kind, changes) + _STRAY_CHANGES
    return changes <= most and symbol.quad.width >= _MIN_SPAN * width


def _agreed(symbols: Sequence[Symbol]) -> list[Symbol]:
    """The readings of the variants when all agree; none when they contradict each other."""
    return list(symbols) if len({(s.data, s.kind) for s in symbols}) == 1 else []


def _placed(quad: Quad, candidate: BarcodeCandidate, scale: float, picture: Image) -> Quad:
    """The quad, in page pixels, between the ends that the decoder found, at the candidate's full height."""
    middle = picture.shape[1] / 2
    left = min((quad.top_left[0] + quad.bottom_left[0]), (quad.top_right[0] + quad.bottom_right[0])) / 2
    right = max((quad.top_left[0] + quad.bottom_left[0]), (quad.top_right[0] + quad.bottom_right[0])) / 2
    start, end, half = (left - middle) / scale, (right - middle) / scale, candidate.height / 2
    corners = ((start, -half), (end, -half), (end, half), (start, half))
    return Quad(*(candidate.point(x, y) for x, y in corners))

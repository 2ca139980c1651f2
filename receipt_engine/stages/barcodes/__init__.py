"""Barcodes: the page in, decoded linear, QR and PDF417 codes out.

A cheap search finds patches of parallel bars and dense squares. Each is cut out of the full-size image,
levelled, enlarged and decoded, which reads codes at any angle, small, faint or blurred. One scan of the whole
page at moderate size adds the codes that the search missed.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from receipt_engine.document import Barcode, Image, Page, Point, Quad
from receipt_engine.stages.barcodes import zxing
from receipt_engine.stages.barcodes.bars import frame_bars, read_bars
from receipt_engine.stages.barcodes.fit import Frame
from receipt_engine.stages.barcodes.locate import BarcodeCandidate, find_candidates
from receipt_engine.stages.barcodes.zxing import Symbol

#: Longest side, in pixels, at which the whole page is scanned.
_SCAN_SIDE = 2000
#: An image more than this many times as long as wide is not searched.
_SLIMMEST = 200
_MATRIX_ENLARGE = 2.0
_MATRIX_SIDE = 1000
_MATRIX_MARGIN = 0.15
_SHARPEN = 4.0
#: Least distance of the ends of an Interleaved 2 of 5 code from the edge of the image, in modules.
_ROOM = 5.0
#: Kinds for which part of another code, scanned at a slant, cannot be mistaken.
_UNMISTAKABLE = frozenset({zxing.EAN_13, zxing.CODE_128, zxing.QR, zxing.PDF_417})
#: Least length of a Code 39 that counts as unmistakable: it has no check digit, but a strict form.
_LONG_CODE_39 = 6


def read_barcodes(page: Page) -> tuple[Barcode, ...]:
    """The codes on a page, from top to bottom, each (data, kind) once; () when there are none.

    Reads linear and QR codes at any angle, PDF417 upright or upside down. Kinds are spelled as in the
    contract. Inverted (light on dark) codes are not read: they do not occur on paper.
    """
    if max(page.image.shape[:2]) > _SLIMMEST * min(page.image.shape[:2]):
        return ()  # its width would vanish when the image is reduced
    grey = np.asarray(cv2.cvtColor(page.image, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
    linear, matrix = find_candidates(grey)
    symbols = [symbol for frame in _framed(grey, linear) for symbol in read_bars(grey, frame)]
    symbols += [s for s in _scan(grey) if _is_unmistakable(s) and not _is_read(s.quad, symbols)]
    symbols += [s for c in matrix if not _is_read(c.quad, symbols) for s in _read_matrix(grey, c)]
    symbols = [s for s in symbols if s.kind != zxing.INTERLEAVED or _has_room(s, grey)]
    unique = {(s.data, s.kind): s for s in reversed(symbols)}
    ordered = sorted(unique.values(), key=lambda s: (s.quad.center[1], s.quad.center[0]))
    return tuple(Barcode(s.data, s.kind, s.quad) for s in ordered)


def _framed(grey: Image, candidates: Sequence[BarcodeCandidate]) -> list[Frame]:
    """One frame per set of bars; further candidates inside a frame are pieces of the same code."""
    frames: list[Frame] = []
    for candidate in candidates:
        if not any(_contains(frame.place.quad, candidate.center) for frame in frames):
            frame = frame_bars(grey, candidate)
            frames += [frame] if frame else []
    return frames


def _scan(grey: Image) -> list[Symbol]:
    scale = min(1.0, _SCAN_SIDE / max(grey.shape))
    if scale == 1:
        return zxing.read_level(grey)
    small = np.asarray(
        cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8
    )
    return [Symbol(s.data, s.kind, _scaled(s.quad, 1 / scale, (0, 0))) for s in zxing.read_level(small)]


def _read_matrix(grey: Image, candidate: BarcodeCandidate) -> list[Symbol]:
    margin_x, margin_y = candidate.width * _MATRIX_MARGIN + 8, candidate.height * _MATRIX_MARGIN + 8
    left = max(0, round(candidate.center[0] - candidate.width / 2 - margin_x))
    top = max(0, round(candidate.center[1] - candidate.height / 2 - margin_y))
    right = round(candidate.center[0] + candidate.width / 2 + margin_x)
    bottom = round(candidate.center[1] + candidate.height / 2 + margin_y)
    part = grey[top:bottom, left:right]
    scale = min(_MATRIX_ENLARGE, _MATRIX_SIDE / max(part.shape))
    enlarged = np.asarray(
        cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), dtype=np.uint8
    )
    found = zxing.read_matrix(enlarged) or zxing.read_matrix(_sharpened(enlarged, scale))
    return [Symbol(s.data, s.kind, _scaled(s.quad, 1 / scale, (left, top))) for s in found]


def _sharpened(picture: Image, scale: float) -> Image:
    """Unsharp mask that separates modules of two pixels that are blurred into each other."""
    soft = cv2.GaussianBlur(picture, (0, 0), scale)
    return np.asarray(cv2.addWeighted(picture, 1 + _SHARPEN, soft, -_SHARPEN, 0), dtype=np.uint8)


def _scaled(quad: Quad, factor: float, origin: Point) -> Quad:
    return Quad(*((x * factor + origin[0], y * factor + origin[1]) for x, y in quad.points))


def _has_room(symbol: Symbol, grey: Image) -> bool:
    """Whether a code ends well inside the image: a cut-off Interleaved 2 of 5 reads as a shorter one."""
    room = _ROOM * symbol.quad.width / (8 * len(symbol.data) + 9)  # eight modules per digit
    ends = [
        ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for a, b in (
            (symbol.quad.top_left, symbol.quad.bottom_left),
            (symbol.quad.top_right, symbol.quad.bottom_right),
        )
    ]
    height, width = grey.shape
    return all(room <= x <= width - room and room <= y <= height - room for x, y in ends)


def _is_unmistakable(symbol: Symbol) -> bool:
    return symbol.kind in _UNMISTAKABLE or (
        symbol.kind == zxing.CODE_39 and len(symbol.data) >= _LONG_CODE_39
    )


def _is_read(quad: Quad, symbols: list[Symbol]) -> bool:
    """Whether a code was already read in that place."""
    return any(_contains(quad, s.quad.center) or _contains(s.quad, quad.center) for s in symbols)


def _contains(quad: Quad, point: Point) -> bool:
    outline = np.array(quad.points, dtype=np.float32)
    return bool(cv2.pointPolygonTest(outline, point, False) >= 0)

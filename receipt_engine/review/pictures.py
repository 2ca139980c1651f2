"""Loads the upright image of a receipt, and crops the part of it where a field is printed."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from receipt_engine.batch.row import Row
from receipt_engine.document import Image
from receipt_engine.stages.preprocess.decode import decode_pages

_KEPT = 4
#: Margin around a field, in heights of its row, and least share of the page's width that is shown.
_AROUND = 1.2
_LEAST_WIDTH = 0.5
_LONGEST_SIDE = 1600
_QUALITY = 85
#: Gap between pages and papers of one receipt, in pixels, as the engine stacks them.
_APART = 40
_FRAME = (194, 24, 122)
#: Share of the page's height, from the top, that is shown for a field without a place.
_HEAD = 0.35


class Pictures:
    """Images by row. folders: where to look for files that have been moved. Thread-safe."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int, int], Image] = OrderedDict()

    def path(self, row: Row) -> Path:
        """The file with a row's bytes; raises FileNotFoundError."""
        named = Path(row.file)
        moved = [folder / name for name in (named, named.name) for folder in self._folders]
        for path in (named, *moved):
            # Another picture may have the name by now: what is seen must be what was read.
            if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == row.sha256:
                return path
        raise FileNotFoundError(f"{row.file} is no longer there, or is another picture now.")

    def whole(self, row: Row) -> bytes:
        """The receipt as a JPEG; raises ImageError and OSError."""
        return _jpeg(_reduced(self._upright(row)))

    def crop(self, row: Row, boxes: Sequence[Sequence[float]]) -> bytes:
        """The part of the receipt around `boxes` as a JPEG, or its head when there are none."""
        image = self._upright(row)
        height, width = image.shape[:2]
        if not boxes:
            return _jpeg(_reduced(image[: max(1, round(height * _HEAD))]))
        left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
        right, bottom = max(b[2] for b in boxes), max(b[3] for b in boxes)
        around = _AROUND * (bottom - top) / len(boxes)
        widen = max(around, (width * _LEAST_WIDTH - (right - left)) / 2)
        rows = slice(max(0, round(top - around)), max(1, min(height, round(bottom + around))))
        columns = slice(max(0, round(left - widen)), max(1, min(width, round(right + widen))))
        part = image[rows, columns].copy()
        if not part.size:
            return _jpeg(_reduced(image))
        for x0, y0, x1, y1 in boxes:
            room = around / 8
            ends = ((x0 - room, y0 - room), (x1 + room, y1 + room))
            first, last = ((round(x - columns.start), round(y - rows.start)) for x, y in ends)
            cv2.rectangle(part, first, last, _FRAME, max(1, round(around / 30)))
        return _jpeg(_reduced(part))

    def _upright(self, row: Row) -> Image:
        key = (row.file, row.page, row.receipt)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = _receipt(self.path(row), row)
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return self._kept[key]


def _receipt(path: Path, row: Row) -> Image:
    """The page or paper as the engine saw it: boxes in evidence are in its pixels."""
    evidence: dict[str, Any] = (row.found.evidence or {}) if row.found else {}
    page = evidence.get("page", {})
    last = row.page + int(page.get("pages", 1)) - 1
    pages = [
        np.ascontiguousarray(np.rot90(p.image, -int(page.get("rotation", 0)) // 90))
        for number, p in enumerate(decode_pages(path), 1)
        if row.page <= number <= last
    ]
    outlines = evidence.get("receipts", {}).get("outlines", [])
    papers = outlines[row.receipt - 1] if row.receipt <= len(outlines) else []
    return _below([_cut(pages[0], corners) for corners in papers] if papers else pages)


def _cut(page: Image, corners: Sequence[Sequence[float]]) -> Image:
    """A paper cropped and rectified. corners: clockwise from its top left one."""
    a, b, _, d = (np.array(corner, np.float32) for corner in corners)
    width, height = (max(1, round(float(np.hypot(*(end - a))))) for end in (b, d))
    level = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(corners, np.float32), level)
    return np.asarray(cv2.warpPerspective(page, matrix, (width, height)), np.uint8)


def _below(images: Iterable[Image]) -> Image:
    parts = list(images)
    if len(parts) == 1:
        return parts[0]
    width = max(part.shape[1] for part in parts)
    laid = [np.pad(p, ((0, _APART), (0, width - p.shape[1]), (0, 0)), constant_values=255) for p in parts]
    return np.concatenate(laid)[:-_APART]


def _reduced(image: Image) -> Image:
    scale = _LONGEST_SIDE / max(image.shape[:2])
    if scale >= 1:
        return image
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _jpeg(image: Image) -> bytes:
    _, data = cv2.imencode(".jpg", image[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return data.tobytes()

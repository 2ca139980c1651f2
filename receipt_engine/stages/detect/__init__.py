"""Text detection: the page in, text quads out.

PP-OCRv6 detection gives a text probability per pixel of a resized image (differentiable binarisation, Liao et
al. 2020). Each blob above a threshold becomes its smallest rotated rectangle, grown by the margin by which
the model was trained to shrink it.

Small images are enlarged first; otherwise rows of tiny letters merge. A small receipt in a large picture is
detected again at its own scale where its rows are tight. Where rows still merge into one tall blob, such as a
column of prices, the part of the page that has text, or only the blob with its surroundings, is detected
again at a larger scale. So are the surroundings of a blob that is surely text but no row, such as a row and
the stamp across it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Image, Page, TextBox
from receipt_engine.runtime.memory import release
from receipt_engine.runtime.protocols import Stoppable
from receipt_engine.runtime.stopping import Stop
from receipt_engine.stages.detect.lone import divide_stacked, lone_characters
from receipt_engine.stages.detect.rows import find_bow, is_same, joined, upright_quad, without_duplicates

#: Longest side of the detector's input in one pass, in pixels.
LONG_SIDE = 1280
#: Largest factor by which small images are enlarged. On data sets in which six of ten images are below 900
#: pixels it raised tax from 94.7 to 96.0 % and address from 77.0 to 80.3 %; a factor of four was no better.
_ENLARGED = 2.0
#: A page longer than this many times its width is processed in tiles, so that its letters stay large enough.
TILE_ASPECT = 2.4
_TILE_WIDTH = 576
_TILE_OVERLAP = 96
_PIXEL_THRESHOLD = 0.3
_BOX_THRESHOLD = 0.5
#: From this mean probability on, a blob that does not fill its rectangle is surely text.
_SURE = 0.75
_GROW = 1.6
_MAX_BOXES = 2000
#: A box holds several rows when its height exceeds both this many times the median height and this many times
#: its width: three or more rows, for which the whole page is detected again, such as letter-spaced labels; or
#: two, for which only the surroundings of the box are, such as a column of counts.
_MERGED = (2.5, 2.5)
_STACKED = (1.8, 1.8)
#: A box may hold rows and what runs through them when its height exceeds this many times the median height
#: and its mean probability is below this; logos are surer.
_SWOLLEN = (2.2, 0.65)
#: The margin around the text that is detected again, in longest sides of the page.
_MARGIN = 0.02
#: The part of the page that has text is detected again if that enlarges it at least so much and its rows are
#: this near to each other, in pixels of the first pass: such rows merge, and thin digits are lost. Of 31
#: pictures of small receipts, 5 gained counts ("1"), 4 a subtotal, tax or telephone; none lost any.
_ENLARGES, _TIGHT = 1.3, 18.0
#: The surroundings of a box, in median heights on each side.
_AROUND = 2.0
#: Most blobs of a page that are detected again because they are no row: drawings can have any number of them.
_MAX_TANGLED = 8
#: With fewer boxes than this the median height says nothing.
_FEW_BOXES = 8
#: Scale of the second pass, relative to the first.
_CLOSER = 2.0


@dataclass(frozen=True, slots=True)
class _Blob:
    """A blob of a text map, in map pixels. corners: of its rectangle, shape (4, 2), grown for a row. score:
    mean probability inside. middle: of a bent row, shape (2,). tangled: surely text, but no row."""

    corners: NDArray[np.float64]
    score: float
    middle: NDArray[np.float64] | None = None
    tangled: bool = False


class TextMap(Protocol):
    """The network that maps an image to text probabilities."""

    def run(self, picture: Image) -> NDArray[np.float32]:
        """The text probability of each pixel, shape (height, width).

        picture: RGB, with sides that are multiples of 32.
        """
        ...


@dataclass(frozen=True)
class NetworkDetector:
    """The shipped `Detector`."""

    graph: TextMap

    def detect(self, page: Page) -> tuple[TextBox, ...]:
        """See `detect`."""
        return detect(page, self.graph)

    def stopped_by(self, stop: Stop) -> Self:
        """A copy for a single extraction, which `stop` can end."""
        graph = self.graph.stopped_by(stop) if isinstance(self.graph, Stoppable) else self.graph
        return replace(self, graph=graph)


def detect(page: Page, model: TextMap) -> tuple[TextBox, ...]:
    """Text boxes in page pixels, in no particular order; empty when there is no text."""
    scale = _scale(page.image)
    boxes, tangled = _look(page, model, scale)
    if boxes and _pitch(boxes) * scale < _TIGHT:
        left, top, right, bottom = region = _text_region(boxes, page)
        nearer = _scale(page.image[top:bottom, left:right])
        if nearer >= _ENLARGES * scale:
            near, tangled = _look(page, model, nearer, region)
            boxes, scale = (*near, *_unlike(boxes, near)), nearer
    merged = _tall(boxes, _MERGED).sum()
    if merged:
        release()
        closer, still = _look(page, model, _CLOSER * scale, _text_region(boxes, page))
        if _tall(closer, _MERGED).sum() < merged:
            boxes, tangled = closer, still
    boxes = divide_stacked(boxes)
    stacked = (_tall(boxes, _STACKED) & ~_tall(boxes, _MERGED)) | _swollen(boxes)
    for index in np.flatnonzero(stacked)[::-1]:
        boxes = (*boxes[:index], *_rows(boxes[index], boxes, page, model, scale), *boxes[index + 1 :])
    for corners in tangled[:_MAX_TANGLED]:
        boxes = (*boxes, *_new_rows(_closer(corners, boxes, page, model, scale), boxes))
    return boxes


def _new_rows(found: tuple[TextBox, ...], boxes: tuple[TextBox, ...]) -> tuple[TextBox, ...]:
    """The boxes of single rows that are not among the boxes of the page."""
    tall = _tall((*boxes, *found), _STACKED)[len(boxes) :]
    return _unlike([box for box, stacked in zip(found, tall, strict=True) if not stacked], boxes)


def _unlike(found: Sequence[TextBox], boxes: tuple[TextBox, ...]) -> tuple[TextBox, ...]:
    """Those of the boxes found that are not among the others."""
    return tuple(box for box in found if not any(is_same(box, other) for other in boxes))


def _rows(
    box: TextBox, boxes: tuple[TextBox, ...], page: Page, model: TextMap, scale: float
) -> tuple[TextBox, ...]:
    """The rows that a closer look finds in a box, or the box alone where it does not part them."""
    height = float(np.median(_sizes(boxes)[1]))
    rows = _closer(np.array(box.quad.points), boxes, page, model, scale)
    parted = len(rows) > 1 and _sizes(rows)[1].max() <= _STACKED[0] * height
    return _new_rows(rows, tuple(other for other in boxes if other is not box)) if parted else (box,)


def _closer(
    corners: NDArray[np.float64], boxes: tuple[TextBox, ...], page: Page, model: TextMap, scale: float
) -> tuple[TextBox, ...]:
    """The boxes that a closer look finds in the upright rectangle around corners. boxes: of the page, found
    at `scale`."""
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    margin = _AROUND * float(np.median(_sizes(boxes)[1])) if boxes else 0.0
    found, _ = _look(page, model, _CLOSER * scale, _region(corners, page, margin))
    centers = [(part, part.quad.center) for part in found if not part.faint]
    return tuple(part for part, (x, y) in centers if left <= x <= right and top <= y <= bottom)


def _look(
    page: Page, model: TextMap, scale: float, region: tuple[int, int, int, int] | None = None
) -> tuple[tuple[TextBox, ...], list[NDArray[np.float64]]]:
    """Runs the detector at a scale on a region (left, top, right, bottom), or on the whole page. The boxes,
    and the corners (4, 2) of tangled blobs, which are surely text but no row."""
    left, top, right, bottom = region or (0, 0, page.width, page.height)
    image = page.image[top:bottom, left:right]
    boxes: list[TextBox] = []
    tangled: list[NDArray[np.float64]] = []
    for tile, scale_x, scale_y, offset_x, offset_y in _tiles(image, scale):
        text_map = model.run(tile)
        factor, offset = np.array((scale_x, scale_y)), np.array((left + offset_x, top + offset_y))
        found = _blobs(text_map)
        rows = [blob for blob in found if not blob.tangled]
        spots = lone_characters(text_map, [row.corners for row in rows])
        own = [_box(row, factor, offset, page) for row in rows]
        own += [
            TextBox(upright_quad(corners * factor + offset, page), score, True) for corners, score in spots
        ]
        tangled += [blob.corners * factor + offset for blob in found if blob.tangled]
        boxes = joined(boxes, own, page)
    return without_duplicates(boxes), tangled


def _box(row: _Blob, factor: NDArray[np.float64], offset: NDArray[np.float64], page: Page) -> TextBox:
    middle = None
    if row.middle is not None:
        x, y = row.middle * factor + offset
        middle = (round(float(x), 2), round(float(y), 2))
    return TextBox(upright_quad(row.corners * factor + offset, page), row.score, middle=middle)


def _tall(boxes: tuple[TextBox, ...], limits: tuple[float, float]) -> NDArray[np.bool_]:
    """Which boxes hold several rows. limits: least height, in median heights and in widths of the box."""
    if len(boxes) < _FEW_BOXES:
        return np.zeros(len(boxes), dtype=bool)
    width, height = _sizes(boxes)
    if np.median(width) < np.median(height):  # a page on its side
        width, height = height, width
    return np.asarray((height > limits[0] * np.median(height)) & (height > limits[1] * width))


def _swollen(boxes: tuple[TextBox, ...]) -> NDArray[np.bool_]:
    """Which boxes are high and mostly empty: rows with handwriting between them, say, rather than a logo."""
    if len(boxes) < _FEW_BOXES:
        return np.zeros(len(boxes), dtype=bool)
    height = np.minimum(*_sizes(boxes))
    score = np.array([box.score for box in boxes])
    return np.asarray((height > _SWOLLEN[0] * np.median(height)) & (score < _SWOLLEN[1]))


def _sizes(boxes: tuple[TextBox, ...]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The widths and heights of boxes."""
    corners = np.array([box.quad.points for box in boxes])
    return np.hypot(*(corners[:, 1] - corners[:, 0]).T), np.hypot(*(corners[:, 3] - corners[:, 0]).T)


def _pitch(boxes: tuple[TextBox, ...]) -> float:
    """The median distance in pixels from a row to the next one below it; infinite without any."""
    width, height = _sizes(boxes)
    corners = np.array([box.quad.points for box in boxes])
    if np.median(width) < np.median(height):  # a page on its side
        corners, height = corners[..., ::-1], width
    low, high = corners[..., 0].min(axis=1), corners[..., 0].max(axis=1)
    shared = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
    middle = corners[..., 1].mean(axis=1)
    down = middle - middle[:, None]
    below = (shared > np.minimum((high - low)[:, None], high - low) / 2) & (down > np.median(height) / 2)
    next_row = np.where(below, down, np.inf).min(axis=1)
    return float(np.median(next_row[np.isfinite(next_row)])) if np.isfinite(next_row).any() else np.inf


def _text_region(boxes: tuple[TextBox, ...], page: Page) -> tuple[int, int, int, int]:
    """The part of the page that holds the boxes, with a margin."""
    corners = np.array([box.quad.points for box in boxes]).reshape(-1, 2)
    return _region(corners, page, _MARGIN * max(page.width, page.height))


def _region(corners: NDArray[np.float64], page: Page, margin: float) -> tuple[int, int, int, int]:
    """The part of the page (left, top, right, bottom) that holds the corners, with a margin in pixels."""
    left, top = np.maximum(corners.min(axis=0) - margin, 0).astype(int)
    right, bottom = np.minimum(corners.max(axis=0) + margin, (page.width, page.height)).astype(int)
    return int(left), int(top), int(right), int(bottom)


def _scale(image: Image) -> float:
    """Tile pixels per page pixel."""
    height, width = image.shape[:2]
    long, short = max(height, width), min(height, width)
    if long <= LONG_SIDE or long < TILE_ASPECT * short:
        return float(min(_ENLARGED, LONG_SIDE / long))
    return float(min(1.0, max(_TILE_WIDTH / short, LONG_SIDE / long)))


def _tiles(image: Image, scale: float) -> list[tuple[Image, float, float, int, int]]:
    """Resized tiles, each with image pixels per tile pixel (x, y) and its offset (x, y) in the image."""
    height, width = image.shape[:2]
    long, short = max(height, width), min(height, width)
    scale = min(scale, LONG_SIDE / short)
    step = LONG_SIDE / scale
    if long <= step + 1:  # 1 allows for rounding
        return [(*_resize(image, scale), 0, 0)]
    overlap = _TILE_OVERLAP / scale
    count = max(1, int(np.ceil((long - overlap) / (step - overlap))))
    starts = [round(i * (long - step) / max(1, count - 1)) if count > 1 else 0 for i in range(count)]
    tiles = []
    for start in starts:
        end = min(long, start + round(step))
        vertical = height >= width
        part = image[start:end] if vertical else image[:, start:end]
        tiles.append((*_resize(part, scale), 0 if vertical else start, start if vertical else 0))
    return tiles


def _resize(image: Image, scale: float) -> tuple[Image, float, float]:
    """The image at about `scale` with sides that are multiples of 32, and the exact factors (x, y) back."""
    height, width = image.shape[:2]
    new_height = max(32, round(height * scale / 32) * 32)
    new_width = max(32, round(width * scale / 32) * 32)
    interpolation = cv2.INTER_AREA if scale < 0.5 else cv2.INTER_LINEAR if scale <= 1 else cv2.INTER_CUBIC
    small = cv2.resize(image, (new_width, new_height), interpolation=interpolation)
    return small.astype(np.uint8, copy=False), width / new_width, height / new_height


def _blobs(probability: NDArray[np.float32]) -> list[_Blob]:
    """The blobs of a text map that are text."""
    mask = cv2.dilate((probability > _PIXEL_THRESHOLD).astype(np.uint8), np.ones((2, 2), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found = (_blob(contour, probability) for contour in contours[:_MAX_BOXES])
    return [blob for blob in found if blob is not None]


def _blob(contour: NDArray[Any], probability: NDArray[np.float32]) -> _Blob | None:
    center, size, angle = cv2.minAreaRect(contour)
    if min(size) < 3:
        return None
    corners = np.asarray(cv2.boxPoints((center, size, angle)), dtype=np.float32)
    score = _mean_inside(probability, corners)
    bow = find_bow(contour)
    if bow is not None or score < _BOX_THRESHOLD:
        own = _mean_inside(probability, contour.reshape(-1, 2).astype(np.float32))
        if bow is not None and own >= _BOX_THRESHOLD:
            return _Blob(bow.corners(_margin(bow.length, bow.thickness)), own, bow.middle)
        return _Blob(corners.astype(np.float64), own, tangled=True) if own >= _SURE else None
    margin = _margin(*size)
    grown = (size[0] + 2 * margin, size[1] + 2 * margin)
    if min(grown) < 5:
        return None
    return _Blob(np.asarray(cv2.boxPoints((center, grown, angle)), dtype=np.float64), score)


def _margin(width: float, height: float) -> float:
    """By how much a blob's rectangle grows on every side."""
    return width * height * _GROW / (2 * (width + height))


def _mean_inside(probability: NDArray[np.float32], corners: NDArray[np.float32]) -> float:
    height, width = probability.shape
    left, top = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, (width - 1, height - 1))
    right, bottom = np.clip(np.ceil(corners.max(axis=0)).astype(int), 0, (width - 1, height - 1))
    mask = np.zeros((bottom - top + 1, right - left + 1), dtype=np.uint8)
    cv2.fillPoly(mask, [(corners - (left, top)).astype(np.int32)], 1)
    return float(cv2.mean(probability[top : bottom + 1, left : right + 1], mask)[0])

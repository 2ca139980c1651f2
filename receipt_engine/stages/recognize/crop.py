"""Cuts a text box out of the page and brings it to the recogniser's height."""

from __future__ import annotations

import cv2
import numpy as np

from receipt_engine.document import Image, Page, Quad
from receipt_engine.runtime.onnx import Array

HEIGHT = 48
#: Narrower pictures are padded: the recogniser was never shown shorter ones.
MIN_WIDTH = 160
#: Wider pictures are squeezed: memory stays bounded.
MAX_WIDTH = 3200
#: Pixels below which print is small: brought to the recogniser's height at once, lines of 10 pixels have a
#: quarter fewer wrong characters, of 13 a fifth fewer, of 15 or 18 as many, as cut out in their size first.
_SMALL = 14.0


def crop(page: Page, quad: Quad) -> Image:
    """The box as an upright RGB picture; a box at least 1.5 times as high as wide is turned to be read.

    Small print comes in the recogniser's height, other print in its own.
    """
    width = max(1.0, quad.width, _length(quad.bottom_left, quad.bottom_right))
    height = max(1.0, quad.height, _length(quad.top_right, quad.bottom_right))
    turned = round(height) >= 1.5 * round(width)
    print_height = width if turned else height
    small = print_height < _SMALL
    scale = HEIGHT / print_height if small else 1.0
    size = (round(width * scale), round(height * scale))
    target = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], dtype=np.float32)
    source = np.array(quad.points, dtype=np.float32)
    # Work on the neighbourhood alone: warping from a 12-megapixel page costs more than reading.
    left, top = np.maximum(np.floor(source.min(axis=0)).astype(int) - 2, 0)
    right, bottom = np.ceil(source.max(axis=0)).astype(int) + 3
    matrix = cv2.getPerspectiveTransform(source - np.array([left, top], dtype=np.float32), target)
    picture = cv2.warpPerspective(
        page.image[top:bottom, left:right],
        matrix,
        size,
        flags=cv2.INTER_LINEAR if small else cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if turned:
        picture = cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE)
    return picture.astype(np.uint8, copy=False)


def _length(a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def tensor(picture: Image) -> tuple[Array, float]:
    """Input (1, 3, 48, width) in -1..1, and the share of its width that is picture, not padding."""
    height, width = picture.shape[:2]
    scaled = int(np.clip(np.ceil(HEIGHT * width / height), 8, MAX_WIDTH))
    resized = cv2.resize(picture, (scaled, HEIGHT), interpolation=cv2.INTER_LINEAR)
    padded = max(MIN_WIDTH, -(-scaled // 8) * 8)
    result = np.zeros((1, 3, HEIGHT, padded), dtype=np.float32)
    # BGR, as the official export was trained.
    result[0, :, :, :scaled] = (resized[:, :, ::-1].transpose(2, 0, 1).astype(np.float32) / 255 - 0.5) / 0.5
    return result, scaled / padded

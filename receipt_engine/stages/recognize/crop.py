"""Cuts a text box out of the page and scales it to the recogniser's input height.

A bent row is divided into pieces that are straight, each where it lies on the page, since rows are put
together from straight spans. One span for a whole bow would lie above or below its own text in the middle,
where its neighbours are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from msgspec.structs import replace

from receipt_engine.document import Char, Image, Page, Point, Quad, Span, TextBox
from receipt_engine.runtime.onnx import Array
from receipt_engine.stages.recognize.spans import mean_score

#: Input height of the recogniser, in pixels.
HEIGHT = 48
#: Narrower crops are padded: the recogniser was not trained on shorter ones.
MIN_WIDTH = 160
#: Wider crops are compressed horizontally, which bounds memory.
MAX_WIDTH = 3200
#: Text height in pixels below which text is warped directly to HEIGHT. Compared with cropping it at its own
#: size first, lines of 10 pixels have a quarter fewer wrong characters, of 13 a fifth fewer, of 15 or 18 as
#: many.
_SMALL = 14.0
#: A row is divided at the blanks nearest to these parts of its width, if they are near enough.
_CUTS = (1 / 3, 2 / 3)
_NEAR = 1 / 6


def crop(page: Page, box: TextBox) -> Image:
    """The box as an upright RGB crop; a box at least 1.5 times as high as wide is turned by 90 degrees.

    Small text is scaled to HEIGHT, other text keeps its own size. A bent row is straightened.
    """
    quad = box.quad
    width = max(1.0, quad.width, _length(quad.bottom_left, quad.bottom_right))
    height = max(1.0, quad.height, _length(quad.top_right, quad.bottom_right))
    turned = round(height) >= 1.5 * round(width)
    print_height = width if turned else height
    small = print_height < _SMALL
    scale = HEIGHT / print_height if small else 1.0
    size = (round(width * scale), round(height * scale))
    interpolation = cv2.INTER_LINEAR if small else cv2.INTER_CUBIC
    if box.middle is None:
        picture = _warped(page, quad, size, interpolation)
    else:
        picture = _straightened(page, quad, box.middle, size, interpolation)
    upright = cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE) if turned else picture
    return upright.astype(np.uint8, copy=False)


def _warped(page: Page, quad: Quad, size: tuple[int, int], interpolation: int) -> Image:
    target = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], dtype=np.float32)
    source = np.array(quad.points, dtype=np.float32)
    # Warp only the neighbourhood: warping from a whole 12-megapixel page costs more than recognition.
    left, top = np.maximum(np.floor(source.min(axis=0)).astype(int) - 2, 0)
    right, bottom = np.ceil(source.max(axis=0)).astype(int) + 3
    matrix = cv2.getPerspectiveTransform(source - np.array([left, top], dtype=np.float32), target)
    nearby = page.image[top:bottom, left:right]
    picture = cv2.warpPerspective(nearby, matrix, size, flags=interpolation, borderMode=cv2.BORDER_REPLICATE)
    return picture.astype(np.uint8, copy=False)


def _straightened(page: Page, quad: Quad, middle: Point, size: tuple[int, int], interpolation: int) -> Image:
    """The crop of a row that follows a parabola through `middle` from one end of the quad to the other."""
    width, height = size
    start, end, _, below = (np.array(point) for point in quad.points)
    across, down = (np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height
    along = across[None, :, None] if width >= height else down[:, None, None]
    bend = (np.array(middle) - quad.center) * (1 - (2 * along - 1) ** 2)
    places = start + across[None, :, None] * (end - start) + down[:, None, None] * (below - start) + bend
    left, top = np.maximum(np.floor(places.min(axis=(0, 1))).astype(int) - 2, 0)
    right, bottom = np.ceil(places.max(axis=(0, 1))).astype(int) + 3
    places = (places - (left + 0.5, top + 0.5)).astype(np.float32)
    nearby = page.image[top:bottom, left:right]
    x, y = np.ascontiguousarray(places[..., 0]), np.ascontiguousarray(places[..., 1])
    picture = cv2.remap(nearby, x, y, interpolation, borderMode=cv2.BORDER_REPLICATE)
    return picture.astype(np.uint8, copy=False)


def _length(a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def tensor(picture: Image) -> tuple[Array, float]:
    """The recogniser's input (1, 3, 48, width) in -1..1, and the share of its width that is not padding."""
    height, width = picture.shape[:2]
    scaled = int(np.clip(np.ceil(HEIGHT * width / height), 8, MAX_WIDTH))
    resized = cv2.resize(picture, (scaled, HEIGHT), interpolation=cv2.INTER_LINEAR)
    padded = max(MIN_WIDTH, -(-scaled // 8) * 8)
    result = np.zeros((1, 3, HEIGHT, padded), dtype=np.float32)
    # The official export was trained on BGR images.
    result[0, :, :, :scaled] = (resized[:, :, ::-1].transpose(2, 0, 1).astype(np.float32) / 255 - 0.5) / 0.5
    return result, scaled / padded


def straight_pieces(span: Span, box: TextBox) -> tuple[Span, ...]:
    """The span as pieces, from left to right; as it is for a straight box or text that runs downwards."""
    if box.middle is None or box.quad.height > box.quad.width:
        return (span,)
    center = box.quad.center
    bend = (box.middle[0] - center[0], box.middle[1] - center[1])
    ends = [0.0, *_cuts(span.chars), 1.0]
    pieces = []
    for start, end in pairwise(ends):
        chars = tuple(_within(char, start, end) for char in span.chars if start <= _middle(char) < end)
        text = "".join(char.text for char in chars).strip()
        if text or len(ends) == 2:
            score = mean_score(chars) if chars else span.score
            quad = _on_bow(box.quad, bend, start, end)
            pieces.append(
                replace(span, text=text or span.text, score=round(score, 5), quad=quad, chars=chars)
            )
    return tuple(pieces)


def _cuts(chars: Sequence[Char]) -> list[float]:
    """Where the row is divided, as parts of its width; nowhere if it does not go from left to right."""
    if any(_middle(before) > _middle(behind) for before, behind in pairwise(chars)):
        return []
    blanks = [_middle(char) for char in chars if char.text.isspace()]
    nearest = (min(blanks, key=lambda blank: abs(blank - cut), default=None) for cut in _CUTS)
    near = (
        blank
        for blank, cut in zip(nearest, _CUTS, strict=True)
        if blank is not None and abs(blank - cut) <= _NEAR
    )
    return sorted(set(near))


def _middle(char: Char) -> float:
    return (char.start + char.end) / 2


def _within(char: Char, start: float, end: float) -> Char:
    """The character with its place in the part of the row from start to end."""
    left, right = ((place - start) / (end - start) for place in (char.start, char.end))
    return replace(char, start=max(0.0, left), end=min(1.0, right))


def _on_bow(quad: Quad, bend: Point, start: float, end: float) -> Quad:
    """The part of a quad from start to end, moved to where the bow lies there on average."""
    sag = 2 / 3 * (end - start) ** 2
    left, right = (1 - (2 * place - 1) ** 2 + sag for place in (start, end))
    a, b, c, d = quad.slice(start, end).points
    shifts = (left, right, right, left)
    moved = [(x + bend[0] * k, y + bend[1] * k) for (x, y), k in zip((a, b, c, d), shifts, strict=True)]
    return Quad(*((round(x, 2), round(y, 2)) for x, y in moved))

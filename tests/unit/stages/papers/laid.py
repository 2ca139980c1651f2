"""Papers with rows of text laid on a surface, as a picture and the spans that reading it would give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from receipt_engine.document import Image, Page, Quad, Span

ROWS = (("CORNER SHOP", ""), ("Milk", "1.20"), ("Bread", "2.30"), ("Apples", "3.10"), ("TOTAL", "6.60"))
#: Size of a paper and of its rows, in pixels.
WIDTH, PITCH, HEIGHT, MARGIN = 240, 26, 16, 20


@dataclass(frozen=True)
class Laid:
    """A paper: rows of a name and an amount, its top left corner, its turn in degrees, its own tone."""

    left: float
    top: float
    turn: float = 0.0
    rows: Sequence[tuple[str, str]] = ROWS
    tone: int | None = None


def picture(
    papers: Sequence[Laid], *, size: tuple[int, int] = (700, 600), surface: int = 90, paper: int = 235
) -> tuple[Page, tuple[Span, ...]]:
    """The page, size (width, height), and its spans, those of one paper after the other."""
    image = np.full((size[1], size[0], 3), surface, np.uint8)
    spans: list[Span] = []
    for laid in papers:
        turn = cv2.getRotationMatrix2D((0, 0), -laid.turn, 1)
        turn[:, 2] = laid.left, laid.top
        high = 2 * MARGIN + PITCH * len(laid.rows)
        _fill(
            image,
            _placed([(0, 0), (WIDTH, 0), (WIDTH, high), (0, high)], turn),
            paper if laid.tone is None else laid.tone,
        )
        for row, texts in enumerate(laid.rows):
            top = MARGIN + row * PITCH
            for text, right in zip(texts, (False, True), strict=True):
                if not text:
                    continue
                wide = 10 * len(text)
                left = WIDTH - MARGIN - wide if right else MARGIN
                box = [(left, top), (left + wide, top), (left + wide, top + HEIGHT), (left, top + HEIGHT)]
                corners = _placed(box, turn)
                for stroke in range(0, wide, 10):  # ink covers a part of the box
                    line = _placed([(left + stroke, top + 3), (left + stroke + 4, top + HEIGHT - 3)], turn)
                    cv2.line(image, *(tuple(map(int, point)) for point in line), (20, 20, 20), 2)
                quad = Quad(*((float(x), float(y)) for x, y in corners))
                spans.append(Span(text, 0.98, quad))
    return Page(image, size), tuple(spans)


def _placed(points: Sequence[tuple[float, float]], matrix: Image) -> Image:
    return np.hstack([np.array(points, float), np.ones((len(points), 1))]) @ matrix.T


def _fill(image: Image, corners: Image, level: int) -> None:
    cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), (level, level, level))

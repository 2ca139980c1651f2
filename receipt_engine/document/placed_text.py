"""Placed text from another OCR engine: checks its boxes and scores, and turns it upright."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeAlias

from receipt_engine.document.picture import Point, Quad
from receipt_engine.document.record import Record
from receipt_engine.errors import ReadingError

#: (left, top, right, bottom), or the four corners, clockwise from the top left as the text is read.
Box: TypeAlias = "tuple[float, float, float, float] | Sequence[Point]"


class PlacedText(Record, frozen=True):
    """A word or a line, as another OCR engine read it.

    text: spaces in it separate words. box: (left, top, right, bottom), or the four corners, clockwise from
    the top left as the text is read; in pixels, y pointing down. Corners show the direction of the text, and
    the page is turned upright by them. score: probability that the text was read correctly, 0 to 1; 1 for
    text that is known and was not recognised. alternatives: other readings of the whole text with their
    probabilities; missed spaces, accents and the confidence of single characters are derived from them. line:
    equal for words that the OCR engine put into one printed line, None when it does not say.
    """

    text: str
    box: Box
    score: float = 1.0
    alternatives: tuple[tuple[str, float], ...] = ()
    line: Hashable = None


class Placed(Record, frozen=True):
    """A `PlacedText` with a valid box."""

    text: str
    quad: Quad
    score: float
    alternatives: tuple[tuple[str, float], ...]
    line: Hashable


def understood(texts: Iterable[PlacedText]) -> list[Placed]:
    """The texts with checked boxes and scores, without blank ones.

    Raises ReadingError for an invalid box or score.
    """
    return [
        Placed(" ".join(text.text.split()), _quad(text), _score(text), text.alternatives, text.line)
        for text in texts
        if text.text.strip()
    ]


def _score(text: PlacedText) -> float:
    if not 0.0 <= text.score <= 1.0:
        raise ReadingError(f"The score of {text.text!r} is {text.score}; it must be from 0 to 1.")
    return float(text.score)


def _quad(text: PlacedText) -> Quad:
    corners = _corners(text.box)
    if corners is None:
        raise ReadingError(
            f"The box of {text.text!r} is {text.box!r}; it must be (left, top, right, bottom) with left < "
            "right and top < bottom, or four corners (x, y), clockwise from the top left."
        )
    return Quad(*corners)


def _corners(box: Box) -> list[Point] | None:
    """Four distinct corners, None for an invalid box."""
    try:
        if len(box) == 4 and all(isinstance(edge, int | float) for edge in box):
            left, top, right, bottom = (float(edge) for edge in box)  # type: ignore[arg-type]
            if not (left < right and top < bottom):
                return None
            corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        else:
            corners = [(float(x), float(y)) for x, y in box]  # type: ignore[misc]
    except (TypeError, ValueError):
        return None
    finite = all(math.isfinite(edge) for corner in corners for edge in corner)
    return corners if len(corners) == 4 and finite and len(set(corners)) == 4 else None


def quarter_turns(texts: Sequence[Placed]) -> int:
    """The clockwise turn, 0, 90, 180 or 270 degrees, that makes most of the text upright."""
    lengths = {0: 0.0, 90: 0.0, 180: 0.0, 270: 0.0}
    for text in texts:
        (ax, ay), (bx, by), _, _ = text.quad.points
        direction = math.degrees(math.atan2(by - ay, bx - ax))
        lengths[-90 * round(direction / 90) % 360] += text.quad.width
    return max(lengths, key=lambda turn: (lengths[turn], -turn))


def turned(quad: Quad, degrees: int, size: tuple[float, float]) -> Quad:
    """Where a quad is after its page (width, height) has been turned clockwise by quarter turns."""
    width, height = size
    for _ in range(degrees // 90):
        quad = Quad(*((height - y, x) for x, y in quad.points))
        width, height = height, width
    return quad

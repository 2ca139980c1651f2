"""Helpers to test programs that use the engine: receipts as text, and models that see them on any image.

Everything after recognition then runs unchanged, in milliseconds and without the networks:

    engine = Engine(models=fake_models('''
        BLUE DOOR CAFE
        Soup of the day      6.50
        TOTAL                6.50
    '''))
    assert engine.extract(any_picture, region="us").total == Decimal("6.50")
"""

from __future__ import annotations

import hashlib
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from receipt_engine.document import Char, Page, Quad, Quality, Reading, Span, TextBox
from receipt_engine.runtime.protocols import Models

#: Width and height of a character and pitch of rows, in page pixels.
WIDTH, HEIGHT, PITCH = 10.0, 20.0, 26.0
_SCORE = 0.99


def spans(text: str) -> tuple[Span, ...]:
    """One span per run of text between two or more spaces, as a detector would box it; every character on a
    grid of `WIDTH` × `PITCH` page pixels."""
    found = []
    for row, line in enumerate(text.strip("\n").split("\n")):
        column = 0
        for piece in _pieces(line):
            column = line.index(piece, column)
            found.append(_span(piece, column * WIDTH, row * PITCH))
            column += len(piece)
    return tuple(found)


def reading(text: str) -> Reading:
    """The reading that an image of the text would give."""
    width, height = _size(text)
    return Reading(width, height, (width, height), 0, Quality(500.0, 0.9, HEIGHT), spans(text))


def fake_models(text: str) -> Models:
    """Models that see the same text on every image, scaled to fit it; common indentation of the rows is
    removed. The image must be upright: it is not turned."""
    shown = _Shown(textwrap.dedent(text))
    return Models(shown, shown, hashlib.sha256(shown.text.encode()).hexdigest()[:16])


@dataclass(frozen=True)
class _Shown:
    """Detector and recogniser in one: both know the text and where it is on a page."""

    text: str

    def detect(self, page: Page) -> tuple[TextBox, ...]:
        return tuple(TextBox(span.quad, _SCORE) for span in self._spans(page))

    def read(self, page: Page, boxes: Sequence[TextBox]) -> tuple[Span, ...]:
        there = {span.quad: span for span in self._spans(page)}
        return tuple(there.get(box.quad, Span("", 0.0, box.quad)) for box in boxes)

    def _spans(self, page: Page) -> list[Span]:
        width, height = _size(self.text)
        scale = min(page.width / width, page.height / height)
        return [replace(span, quad=_scaled(span.quad, scale)) for span in spans(self.text)]


def _size(text: str) -> tuple[int, int]:
    rows = text.strip("\n").split("\n")
    return round(max(1, *(len(row) for row in rows), 1) * WIDTH), round(len(rows) * PITCH)


def _pieces(line: str) -> list[str]:
    return [piece.strip() for piece in line.split("  ") if piece.strip()]


def _span(piece: str, left: float, top: float) -> Span:
    right, bottom = left + len(piece) * WIDTH, top + HEIGHT
    quad = Quad((left, top), (right, top), (right, bottom), (left, bottom))
    step = 1 / len(piece)
    chars = tuple(Char(c, _SCORE, i * step, (i + 1) * step) for i, c in enumerate(piece))
    return Span(piece, _SCORE, quad, chars)


def _scaled(quad: Quad, scale: float) -> Quad:
    return Quad(*((x * scale, y * scale) for x, y in quad.points))

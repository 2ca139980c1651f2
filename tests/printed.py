"""Receipts as text: every character on a grid, so that stages after recognition can be tested alone."""

from __future__ import annotations

from receipt_engine.document import Char, Quad, Quality, Reading, Span

#: Size of a character and distance of rows, in page pixels.
WIDTH, HEIGHT, PITCH = 10.0, 20.0, 26.0


def spans(text: str) -> tuple[Span, ...]:
    """One span for every run of text between two or more spaces, as a detector would box it."""
    found = []
    for row, line in enumerate(text.strip("\n").split("\n")):
        column = 0
        for piece in _pieces(line):
            column = line.index(piece, column)
            found.append(_span(piece, column * WIDTH, row * PITCH))
            column += len(piece)
    return tuple(found)


def reading(text: str) -> Reading:
    """What reading a picture of the text would give."""
    rows = text.strip("\n").split("\n")
    width = round(max(len(row) for row in rows) * WIDTH)
    height = round(len(rows) * PITCH)
    return Reading(width, height, (width, height), 0, Quality(500.0, 0.9, HEIGHT), spans(text))


def _pieces(line: str) -> list[str]:
    return [piece.strip() for piece in line.split("  ") if piece.strip()]


def _span(text: str, left: float, top: float) -> Span:
    right, bottom = left + len(text) * WIDTH, top + HEIGHT
    quad = Quad((left, top), (right, top), (right, bottom), (left, bottom))
    step = 1 / len(text)
    chars = tuple(Char(c, 0.99, i * step, (i + 1) * step) for i, c in enumerate(text))
    return Span(text, 0.99, quad, chars)

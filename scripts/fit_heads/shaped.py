"""Draws a row of text in fonts of a script that Latin faces lack, with its letters joined and positioned.

Tills have such letters built in: Latin letters and digits beside them are often of another design.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from receipt_engine.stages.recognize.writing import printed
from scripts.make_receipts.fonts import Face, Font

Gray = NDArray[np.uint8]
#: Wide letters, each occupying two columns of the grid.
_GRID = re.compile("[\uac00-\ud7a3\u4e00-\u9fff]")
_ROOM = 1.2


@dataclass(frozen=True)
class Shaping:
    """face: for the script's letters; latin: for all others. cell: width of a column in pixels; size: of the
    script's letters; grid: whether wide letters stand on the grid; bold: printed twice, a dot apart."""

    face: Face
    latin: Face
    cell: float
    size: float
    grid: bool
    bold: bool


def shaped_row(text: str, line: int, base: float, own: re.Pattern[str], shaping: Shaping) -> Gray:
    """The row, `line` pixels high, with its baseline at `base`. own: pattern of a letter of the script."""
    shown = printed(text) if _is_from_right(text) else text
    pattern = f"(?P<own>{own.pattern}(?:(?: |{own.pattern})*{own.pattern})?)|."
    runs = [(run.group(), run.group("own") is not None) for run in re.finditer(pattern, shown)]
    joined: list[tuple[str, bool]] = []
    for run, is_own in runs:
        if joined and not is_own and not joined[-1][1]:
            joined[-1] = (joined[-1][0] + run, False)
        else:
            joined.append((run, is_own))
    span = sum(_width(run, is_own, shaping) for run, is_own in joined) + 3 * shaping.cell
    picture = Image.new("L", (round(span * _ROOM) + 4, line), 255)
    draw, at = ImageDraw.Draw(picture), shaping.cell
    for run, is_own in joined:
        _draw(draw, run, is_own, at, base, shaping)
        at += _width(run, is_own, shaping)
    return np.asarray(picture, np.uint8)[:, : round(at + 2 * shaping.cell)]


@cache
def extent(text: str, face: Face) -> tuple[float, float]:
    """How far letters reach above and below the baseline, as shares of the font's size."""
    top, bottom = face.at(100).getbbox(text, anchor="ls")[1::2]
    return -float(top) / 100, float(bottom) / 100


def _width(run: str, is_own: bool, shaping: Shaping) -> float:
    if is_own and shaping.grid:
        return sum(2.0 if _GRID.match(c) else 1.0 for c in run) * shaping.cell
    if not is_own and shaping.latin.mono:
        return len(run) * shaping.cell
    return _font(is_own, shaping).getlength(_as_read(run), direction=_direction(run))


def _draw(
    draw: ImageDraw.ImageDraw, run: str, is_own: bool, at: float, base: float, shaping: Shaping
) -> None:
    font = _font(is_own, shaping)
    pieces = [(run, at)]
    if (is_own and shaping.grid) or (not is_own and shaping.latin.mono):
        pieces, across = [], at
        for c in run:
            step = _width(c, is_own, shaping)
            pieces.append((c, across + (step - font.getlength(c)) / 2))
            across += step
    for piece, start in pieces:
        for shift in (0.0, max(1.0, shaping.cell / 12)) if shaping.bold else (0.0,):
            place = (start + shift, base)
            draw.text(place, _as_read(piece), 0, font, anchor="ls", direction=_direction(piece))


def _font(is_own: bool, shaping: Shaping) -> Font:
    """The font for a run. Sizes are whole pixels, so that few fonts are opened."""
    if is_own or shaping.latin == shaping.face:
        return shaping.face.at(round(shaping.size))
    wide = shaping.latin.at(100).getlength("0")
    return shaping.latin.at(round(shaping.cell * 100 / wide if shaping.latin.mono else shaping.cell * 1.82))


def _as_read(run: str) -> str:
    return printed(run) if _is_from_right(run) else run


def _direction(run: str) -> str | None:
    return "rtl" if _is_from_right(run) else None


def _is_from_right(run: str) -> bool:
    return any(unicodedata.bidirectional(c) in ("R", "AL") for c in run)

"""Where bars begin to be bars: drawn pages that change step by step, and what is found at each step.

edges.txt lists them: `what changes: step | step | … => what is found`. Lengths are told to eight pixels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from receipt_engine.document import Quad
from receipt_engine.stages.barcodes.bars import _bands, _changes, _is_whole, _likeness, frame_bars
from receipt_engine.stages.barcodes.fit import fit
from receipt_engine.stages.barcodes.locate import BarcodeCandidate, find_candidates
from receipt_engine.stages.barcodes.zxing import CODE_39, EAN_8, INTERLEAVED, UPC_E, Symbol
from tests.unit.stages.row_lists import RowList

Grey = NDArray[np.uint8]
SIDE = 800
#: Widths of bars and spaces in turn, in modules, as linear codes have them; 40 bars are 139 modules wide.
WIDTHS = [1, 2, 1, 1, 3, 1, 2, 2, 1, 3, 2, 1, 1, 2, 3, 1, 1, 1, 2, 2] * 4


def bars(count: int, module: float = 3, ink: int = 0, paper: int = 255) -> Grey:
    """One row of so many bars."""
    edges = np.cumsum([0, *WIDTHS[: 2 * count - 1]]) * module
    row = np.full(round(edges[-1]), paper, dtype=np.uint8)
    for left, right in zip(edges[::2], edges[1::2], strict=False):
        row[round(left) : round(right)] = ink
    return row


def page(*parts: tuple[Grey, float, float, float], side: int = SIDE, paper: int = 255) -> Grey:
    """Rows of bars, each with its left and upper edge and its height."""
    picture = np.full((side, side), paper, dtype=np.uint8)
    for row, left, top, height in parts:
        there = picture[round(top) : round(top + height), round(left) : round(left) + len(row)]
        there[:] = row[: there.shape[1]]
    return picture


def turned(picture: Grey, degrees: float) -> Grey:
    middle = (SIDE / 2, SIDE / 2)
    matrix = cv2.getRotationMatrix2D(middle, degrees, 1.0)
    return np.asarray(cv2.warpAffine(picture, matrix, (SIDE, SIDE), borderValue=(255,)), dtype=np.uint8)


def checks(side: int, cell: int = 6, high: float = 1.0, ink: int = 0) -> Grey:
    """A page with a dense pattern of squares."""
    pattern = np.random.default_rng(3).integers(0, 2, (side, side)).astype(np.uint8)
    large = np.kron(np.where(pattern, 255, ink), np.ones((cell, cell))).astype(np.uint8)
    large = large[: round(large.shape[0] * high)]
    picture = np.full((SIDE, SIDE), 255, dtype=np.uint8)
    picture[100 : 100 + large.shape[0], 100 : 100 + large.shape[1]] = large
    return picture


def found(picture: Grey) -> str:
    """Widths and heights of candidates for linear codes, then of those for matrix codes."""
    linear, matrix = find_candidates(picture)
    both = [" ".join(_size(c.width, c.height) for c in part) or "-" for part in (linear, matrix)]
    return " and ".join(both if matrix else both[:1])


def _size(*lengths: float) -> str:
    return "x".join(str(8 * round(length / 8)) for length in lengths)


def framed(
    picture: Grey, left: float = 200, top: float = 300, width: float = 240, height: float = 100
) -> str:
    candidate = BarcodeCandidate((left + width / 2, top + height / 2), 0.0, width, height, 1.0)
    frame = fit(picture, candidate)
    code = "code" if frame_bars(picture, candidate) is not None else "no code"
    angle = round(2 * math.degrees(frame.place.angle)) / 2
    return f"{_size(frame.bars, frame.place.height)} {angle:g}° {code}"


def _noisy(sigma: float) -> Grey:
    noise = np.random.default_rng(5).normal(0, sigma, (SIDE, SIDE))
    return np.clip(page((bars(30), 200, 300, 100)) + noise, 0, 255).astype(np.uint8)


def _two(gap: float = 0, down: float = 0, high: float = 100) -> Grey:
    """Two halves of one code."""
    return page((bars(16), 100, 300, 100), (bars(16), 100 + len(bars(16)) + gap, 300 + down, high))


def _broken(bands: float) -> str:
    """Likeness of bands when so many of every ten rows are noise."""
    picture = np.repeat(bars(30)[None], 100, axis=0)
    noise = np.random.default_rng(6).integers(0, 256, picture.shape)
    picture = np.where((np.arange(100) % 10 < bands)[:, None], noise, picture).astype(np.uint8)
    return f"{_likeness(_bands(picture)):.1f}"


def _whole(kind: str, digits: int, width: float = 100) -> str:
    """The most changes of the page with which a code of so many digits is all of it."""
    quad = Quad((0, 0), (width, 0), (width, 9), (0, 9))
    symbol = Symbol("1" * digits, kind, quad)
    return str(max((n for n in range(200) if _is_whole(symbol, n, 100)), default="-"))


EDGES: dict[str, Callable[[float], str]] = {
    "contrast of bars": lambda c: found(page((bars(30, ink=round(255 - c)), 200, 300, 100))),
    "number of bars": lambda n: found(page((bars(int(n)), 200, 300, 100))),
    "height of bars": lambda h: found(page((bars(30), 200, 300, h))),
    "pixels of a module": lambda m: found(page((bars(30, m), 100, 300, 100))),
    "turn of bars": lambda a: found(turned(page((bars(30), 200, 300, 100)), a)),
    "noise on bars": lambda s: found(_noisy(s)),
    "gap in bars": lambda g: found(_two(gap=g)),
    "step in bars": lambda d: found(_two(gap=12, down=d)),
    "height of the second half": lambda h: found(_two(gap=12, high=h)),
    "number of codes": lambda n: str(
        len(find_candidates(page(*((bars(30), 200, 20 + 70 * k, 40) for k in range(int(n)))))[0])
    ),
    "side of a large page": lambda s: found(page((bars(40, 4), 200, 300, 160), side=int(s))),
    "cells of a square": lambda n: found(checks(int(n))),
    "height of a square": lambda h: found(checks(40, high=h)),
    "contrast of a square": lambda c: found(checks(40, ink=round(255 - c))),
    "pixels of a cell": lambda c: found(checks(30, cell=int(c))),
    "changes of bars": lambda n: str(_changes(bars(int(n)).astype(np.float32))),
    "changes at a contrast": lambda c: str(_changes(bars(20, ink=round(255 - c)).astype(np.float32))),
    "rows of noise in ten": _broken,
    "digits of two of five": lambda n: _whole(INTERLEAVED, int(n)),
    "characters of code 39": lambda n: _whole(CODE_39, int(n)),
    "width of EAN-8": lambda w: _whole(EAN_8, 8, w),
    "width of UPC-E": lambda w: _whole(UPC_E, 8, w),
    "bars framed": lambda n: framed(page((bars(int(n)), 200, 300, 100))),
    "quiet zone framed": lambda g: framed(
        page((bars(20), 200, 300, 100), (bars(8), 200 + len(bars(20)) + g, 300, 100))
    ),
    "faintness of further bars": lambda c: framed(
        page((bars(16), 200, 300, 100), (bars(16, ink=round(255 - c)), 206 + len(bars(16)), 300, 100))
    ),
    "height framed": lambda h: framed(page((bars(30), 200, 350 - h / 2, h))),
    "turn framed": lambda a: framed(turned(page((bars(40), 200, 300, 200)), a), height=160),
    "width of the piece framed": lambda w: framed(page((bars(40), 200, 300, 100)), left=300, width=w),
}


def _describe(name: str, steps: Sequence[str]) -> Iterable[str]:
    return (EDGES[name](float(step)) for step in steps)


LIST = RowList(Path(__file__).parent / "edges.txt", _describe)


@pytest.mark.parametrize("row", LIST.rows)
def test_where_bars_begin_to_be_bars(row: str) -> None:
    assert LIST.result_of(row) == row


if __name__ == "__main__":
    LIST.write()

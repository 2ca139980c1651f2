"""Reads the text layer of a PDF page as spans with a box for every character."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from receipt_engine.document import Char, Quad, Span

#: A page with more characters than this is not a receipt; its text layer is ignored and the image is read.
_MAX_CHARACTERS = 20_000
#: Device units per pixel when coordinates are converted: PDFium rounds them to integers.
_FINE = 16
#: A span ends before a horizontal gap of more than _GAP text heights, or where the next character is shifted
#: up or down by more than _STEP text heights.
_GAP = 0.9
_STEP = 0.4
#: How far a character may overlap the end of the previous one, in text heights.
_BACK = 0.5
#: Characters within this angle of horizontal, in radians, count as level.
_LEVEL = 0.05
#: Text render modes that draw nothing. The invisible OCR layer of a scanner uses them and is not trusted.
_HIDDEN = frozenset({3, 7})
#: Characters returned for a font without a Unicode map.
_UNKNOWN = frozenset("\ufffd\ufffe\uffff\0")


@dataclass(frozen=True, slots=True)
class _Glyph:
    """A character with its edges in page pixels."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top


def read_text_layer(pypdfium2: Any, page: Any, size: tuple[int, int]) -> tuple[Span, ...]:
    """The level spans of the page's text layer, in pixels of the page drawn with size (width, height).

    Empty when there is no layer, or when some of its characters are unknown or not drawn: the layer then
    does not match what a reader sees.
    """
    text = page.get_textpage()
    try:
        count = text.count_chars()
        if not 0 < count <= _MAX_CHARACTERS:
            return ()
        glyphs = _glyphs(pypdfium2.raw, page, text, count, size)
    finally:
        text.close()
    if glyphs is None:
        return ()
    spans = [_span(run) for run in _runs(glyphs)]
    return tuple(dict.fromkeys(span for span in spans if span is not None))


def _glyphs(raw: Any, page: Any, text: Any, count: int, size: tuple[int, int]) -> list[_Glyph | None] | None:
    """The characters in file order, with None entries for line ends and characters that are not level.

    Returns None instead of a list when some characters are unknown or not drawn.
    """
    found: list[_Glyph | None] = []
    turned = math.radians(page.get_rotation())
    box = raw.FS_RECTF()
    for index in range(count):
        character = chr(raw.FPDFText_GetUnicode(text, index))
        if character in "\r\n":
            found.append(None)
            continue
        if character in _UNKNOWN or raw.FPDFText_HasUnicodeMapError(text, index) == 1:
            return None
        generated = raw.FPDFText_IsGenerated(text, index) == 1
        if not generated:
            owner = raw.FPDFText_GetTextObject(text, index)
            if owner and raw.FPDFTextObj_GetTextRenderMode(owner) in _HIDDEN:
                return None
            angle = raw.FPDFText_GetCharAngle(text, index) + turned
            if abs(math.remainder(angle, 2 * math.pi)) > _LEVEL:
                found.append(None)
                continue
        if generated or not raw.FPDFText_GetLooseCharBox(text, index, ctypes.byref(box)):
            last = found[-1] if found else None
            if last is not None and character.isspace():
                found.append(_Glyph(" ", last.right, last.top, last.right, last.bottom))
            continue
        corners = [
            _to_pixels(raw, page, size, x, y) for x in (box.left, box.right) for y in (box.bottom, box.top)
        ]
        xs, ys = zip(*corners, strict=True)
        shown = " " if character.isspace() else character
        found.append(_Glyph(shown, min(xs), min(ys), max(xs), max(ys)))
    return found


def _to_pixels(raw: Any, page: Any, size: tuple[int, int], x: float, y: float) -> tuple[float, float]:
    across, down = ctypes.c_int(), ctypes.c_int()
    width, height = size[0] * _FINE, size[1] * _FINE
    raw.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, ctypes.byref(across), ctypes.byref(down))
    return across.value / _FINE, down.value / _FINE


def _runs(glyphs: list[_Glyph | None]) -> Iterator[list[_Glyph]]:
    """Groups consecutive characters of one row into runs, including the spaces between them."""
    run: list[_Glyph] = []
    for glyph in glyphs:
        printed = next((g for g in reversed(run) if g.text != " "), None)
        if glyph is None or (printed is not None and glyph.text != " " and not _goes_on(printed, glyph)):
            yield run
            run = []
        if glyph is not None:
            run.append(glyph)
    yield run


def _goes_on(last: _Glyph, glyph: _Glyph) -> bool:
    height = max(1e-6, min(last.height, glyph.height))
    step = abs((last.top + last.bottom) - (glyph.top + glyph.bottom)) / 2
    return step <= _STEP * height and -_BACK * height <= glyph.left - last.right <= _GAP * height


def _span(run: list[_Glyph]) -> Span | None:
    """The characters as one span, without surrounding spaces; None when nothing is left."""
    while run and run[-1].text == " ":
        run = run[:-1]
    while run and run[0].text == " ":
        run = run[1:]
    left, right = (run[0].left, max(g.right for g in run)) if run else (0.0, 0.0)
    top, bottom = (min(g.top for g in run), max(g.bottom for g in run)) if run else (0.0, 0.0)
    if right <= left or bottom <= top:
        return None
    width = right - left
    chars = tuple(
        Char(g.text, 1.0, max(0.0, (g.left - left) / width), min(1.0, (g.right - left) / width)) for g in run
    )
    left, top, right, bottom = (round(edge, 2) for edge in (left, top, right, bottom))
    quad = Quad((left, top), (right, top), (right, bottom), (left, bottom))
    return Span("".join(g.text for g in run), 1.0, quad, chars)

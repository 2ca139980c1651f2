"""Writes composed rows to a PDF file with a text layer, as invoicing programs do.

There are two writers, ReportLab and fpdf2, each with its own order of text and fonts: the standard fonts
where they have all letters, else an embedded installed one.
"""

from __future__ import annotations

import importlib
import io
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from PIL import Image

from scripts.make_receipts.dice import Dice
from scripts.make_receipts.errors import DrawingError
from scripts.make_receipts.fonts import Face, covering
from scripts.make_receipts.symbols import symbol
from scripts.make_receipts.tape import Row, columns

WRITERS = ("reportlab", "fpdf2")
#: Fixed creation time, so that the same arguments give the same bytes.
_WRITTEN = datetime(2024, 1, 1, tzinfo=UTC)
#: A4 and its margins, in points.
_WIDTH, _HEIGHT = 595.0, 842.0
_MARGINS = (40.0, 70.0)
#: Height of a row, as a multiple of the font size.
_ROW = (1.3, 1.8)
#: Width of a column, as a multiple of the font size.
_COLUMN = 0.6
#: Maximum font size, in points.
_LARGEST = 11.0
#: Width of a barcode's image, in pixels and in points.
_SYMBOL_PIXELS, _SYMBOL_POINTS = 400, 130.0


class _Sheet(Protocol):
    """A file being written. Positions are in points from the page's top left corner."""

    def text(self, left: float, baseline: float, text: str, size: float, bold: bool) -> None: ...

    def width(self, text: str, size: float, bold: bool) -> float: ...

    def picture(self, left: float, top: float, width: float, picture: Image.Image) -> None: ...

    def turn(self) -> None:
        """Begins another page."""

    def finish(self) -> bytes: ...


def write_pdf(rows: Sequence[Row], width: int, writer: str, dice: Dice) -> bytes:
    """The rows on one or more pages. width: in columns; writer: one of `WRITERS`.

    Raises DrawingError when the writer is not installed or no installed font has a letter.
    """
    mono = dice.chance(0.4)
    face = _face("".join(row.text + row.logo for row in rows), mono, dice)
    sheet: _Sheet = _ReportLab(face, mono) if writer == "reportlab" else _Fpdf(face, mono)
    margin = dice.real(*_MARGINS)
    span = _WIDTH - 2 * margin
    cell = min(span / width, _LARGEST * _COLUMN)
    left = margin if dice.chance(0.7) else (_WIDTH - cell * width) / 2
    pitch = cell / _COLUMN * dice.real(*_ROW)
    whole = mono and dice.chance(0.5)
    top = margin
    for row in rows:
        high = _SYMBOL_POINTS if row.barcode else pitch * (2 if {"big", "tall"} & set(row.style) else 1)
        if top + high > _HEIGHT - margin:
            sheet.turn()
            top = margin
        _set(sheet, row, left, top + 0.75 * high, (width, cell), whole)
        top += high
    return sheet.finish()


def _set(sheet: _Sheet, row: Row, left: float, baseline: float, grid: tuple[int, float], whole: bool) -> None:
    """Writes one row. grid: number of columns and column width; whole: gaps are spaces in one text."""
    width, cell = grid
    if row.barcode:
        picture = Image.fromarray(symbol(*row.barcode, _SYMBOL_PIXELS))
        shown = min(_SYMBOL_POINTS, _SYMBOL_POINTS * 0.9 * picture.width / picture.height)
        sheet.picture(left, baseline - 0.75 * _SYMBOL_POINTS, shown, picture)
        return
    scale = 2.0 if "big" in row.style else 1.0
    text = row.logo or (row.rule * width)[:width] or row.text
    size, bold = cell * scale / _COLUMN, bool({"bold", "tall"} & set(row.style)) or bool(row.logo)
    place = left
    if "center" in row.style or row.logo:
        place += max(0.0, (width * cell - sheet.width(text, size, bold)) / 2)
    elif "right" in row.style:
        place += max(0.0, width * cell - sheet.width(text, size, bold))
    if whole:
        sheet.text(place, baseline, text, size, bold)
        return
    for piece in re.finditer(r"\S+(?: \S+)*", text):
        at = place + columns(text[: piece.start()]) * cell * scale
        if piece.start():  # numbers keep their right edge
            at = place + columns(text[: piece.end()]) * cell * scale - sheet.width(piece[0], size, bold)
        sheet.text(at, baseline, piece[0], size, bold)


def _face(text: str, mono: bool, dice: Dice) -> Face | None:
    """An installed face that has all letters; None where the standard fonts do."""
    if not text.isascii() or dice.chance(0.3):
        fitting = [face for face in covering(text, mono) if face.regular and not face.index]
        if fitting:
            return dice.pick(fitting)
    if not text.isascii():
        raise DrawingError(
            "No installed font that a PDF file can hold has all letters; install fonts-dejavu."
        )
    return None


class _ReportLab:
    def __init__(self, face: Face | None, mono: bool) -> None:
        self._metrics = _imported("reportlab.pdfbase.pdfmetrics")
        self._fonts = ("Courier", "Courier-Bold") if mono else ("Helvetica", "Helvetica-Bold")
        if face is not None:
            loaded = _imported("reportlab.pdfbase.ttfonts")
            self._fonts = (str(face.regular), str(face.bold or face.regular))
            for path in self._fonts:
                self._metrics.registerFont(loaded.TTFont(path, path))
        self._buffer = io.BytesIO()
        canvas = _imported("reportlab.pdfgen.canvas").Canvas
        self._canvas = canvas(self._buffer, pagesize=(_WIDTH, _HEIGHT), invariant=1)

    def text(self, left: float, baseline: float, text: str, size: float, bold: bool) -> None:
        self._canvas.setFont(self._fonts[bold], size)
        self._canvas.drawString(left, _HEIGHT - baseline, text)

    def width(self, text: str, size: float, bold: bool) -> float:
        return float(self._metrics.stringWidth(text, self._fonts[bold], size))

    def picture(self, left: float, top: float, width: float, picture: Image.Image) -> None:
        height = width * picture.height / picture.width
        self._canvas.drawInlineImage(picture, left, _HEIGHT - top - height, width, height)

    def turn(self) -> None:
        self._canvas.showPage()

    def finish(self) -> bytes:
        self._canvas.save()
        return self._buffer.getvalue()


class _Fpdf:
    def __init__(self, face: Face | None, mono: bool) -> None:
        self._file = _imported("fpdf").FPDF(unit="pt", format=(_WIDTH, _HEIGHT))
        self._file.set_auto_page_break(False)
        self._file.set_creation_date(_WRITTEN)
        self._family = "Courier" if mono else "Times"
        if face is not None:
            self._family = "Installed"
            self._file.add_font(self._family, "", str(face.regular))
            self._file.add_font(self._family, "B", str(face.bold or face.regular))
        self._file.add_page()

    def text(self, left: float, baseline: float, text: str, size: float, bold: bool) -> None:
        self._file.set_font(self._family, "B" if bold else "", size)
        self._file.text(left, baseline, text)

    def width(self, text: str, size: float, bold: bool) -> float:
        self._file.set_font(self._family, "B" if bold else "", size)
        return float(self._file.get_string_width(text))

    def picture(self, left: float, top: float, width: float, picture: Image.Image) -> None:
        self._file.image(picture, left, top, width)

    def turn(self) -> None:
        self._file.add_page()

    def finish(self) -> bytes:
        return bytes(self._file.output())


def _imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise DrawingError(
            f"{error.name} is not installed. Get it with: pip install reportlab fpdf2."
        ) from None

"""Renders printed rows as an image of ink on white paper, with one till's fonts, sizes and margins."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from receipt_engine.stages.recognize.writing import printed
from receipt_engine.vocabulary.normalise import letters_from_right
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.fonts import Face, covering, faces, further_face, is_further
from scripts.make_receipts.symbols import symbol
from scripts.make_receipts.tape import Row, columns

Gray = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Typeface:
    """How one till sets type. cell: width of a column in pixels; line: height of a row; mono: on a grid;
    serif: of East Asian letters; heavy: all text is bold; logo: face of logos."""

    face: Face
    cell: float
    line: float
    mono: bool
    serif: bool
    heavy: bool
    logo: Face


def choose_typeface(rows: tuple[Row, ...], width: int, dice: Dice) -> Typeface:
    """A typeface that covers all letters of the rows; DrawingError when none is installed."""
    text = "".join(row.text + row.logo for row in rows)
    mono = bool(faces(True)) and dice.chance(0.88)
    face = dice.pick(covering(text, mono))
    cell = dice.real(640, 980) / (width + 4)
    return Typeface(
        face=face,
        cell=cell,
        line=cell * dice.real(1.85, 2.45),
        mono=face.mono,
        serif=dice.chance(0.3),
        heavy=dice.chance(0.2),
        logo=dice.pick(covering("".join(row.logo for row in rows), False)),
    )


def print_rows(rows: tuple[Row, ...], width: int, typeface: Typeface, dice: Dice) -> Gray:
    """The strip as a greyscale image, 255 for paper."""
    margin = int(typeface.cell * dice.real(1, 3.2))
    span = round(typeface.cell * width)
    parts = [print_row(row, width, span, typeface) for row in rows]
    top, bottom = int(typeface.line * dice.real(1, 3)), int(typeface.line * dice.real(1, 4))
    height = top + bottom + sum(part.shape[0] for part in parts)
    strip = np.full((height, span + 2 * margin), 255, np.uint8)
    at = top
    for part in parts:
        strip[at : at + part.shape[0], margin : margin + span] = part
        at += part.shape[0]
    return strip


def print_row(row: Row, width: int, span: int, typeface: Typeface) -> Gray:
    """One row, without margins. width: in columns; span: in pixels."""
    if row.barcode:
        return _centered(symbol(*row.barcode, span), span, round(typeface.line * 0.4))
    if row.logo:
        return _logo(row.logo, span, typeface)
    if row.rule:
        return _text(_ruled(row.rule, width, typeface), (), width, span, typeface)
    return _text(row.text, row.style, width, span, typeface)


def _ruled(mark: str, width: int, typeface: Typeface) -> str:
    """As many marks as fill the row."""
    cell = typeface.cell
    step = _extent(mark * 8, cell, typeface.heavy, typeface) / 8
    return (mark * width)[:width] if typeface.mono else mark * int(width * cell / step)


def _text(text: str, style: tuple[str, ...], width: int, span: int, typeface: Typeface) -> Gray:
    """A row in its style. Tall and big letters are drawn at twice the size, then scaled down as needed."""
    wide = 2.0 if "big" in style else 0.8 if "small" in style else 1.0
    high = 2.0 if {"big", "tall"} & set(style) else wide
    scale = max(wide, high)
    bold = "bold" in style or typeface.heavy
    line = round(typeface.line * (high if high > 1 else 0.85 if high < 1 else 1.0))
    cell = typeface.cell * scale
    room = max(round(width * cell), 1)
    picture = Image.new("L", (room, round(typeface.line * scale)), 255)
    taken = _extent(text, cell, bold, typeface)
    left = 0.0
    if "center" in style:
        left = (span * scale / wide - taken) / 2
    elif "right" in style:
        left = span * scale / wide - taken
    _set(ImageDraw.Draw(picture), text, max(0.0, left), picture.height, cell, bold, typeface)
    squeezed = picture.resize((max(1, round(room * wide / scale)), line), Image.Resampling.LANCZOS)
    row = np.full((line, span), 255, np.uint8)
    pixels = np.asarray(squeezed)[:, :span]
    row[:, : pixels.shape[1]] = pixels
    if "invert" in style:
        from_, to = max(0, int(left) - 8), min(span, int(left + taken) + 8)
        row[:, from_:to] = 255 - row[:, from_:to]
    return row


def _set(
    draw: ImageDraw.ImageDraw,
    text: str,
    left: float,
    height: int,
    cell: float,
    bold: bool,
    typeface: Typeface,
) -> None:
    """Draws letters on the grid, or whole pieces between wide gaps when the face is proportional."""
    size = _size(typeface, cell)
    base = height * 0.5 + size * 0.33
    pieces = re.finditer(r"\S+(?: \S+)*", text)
    for piece in pieces:
        start = left + columns(text[: piece.start()]) * cell
        stop = left + columns(text[: piece.end()]) * cell
        at = start
        # Numbers keep their right edge, as tills print columns.
        right_edge = piece.start() > 0 and not typeface.mono
        runs = _runs(_as_printed(piece.group()), typeface)
        if right_edge:
            at = stop - sum(_length(run, face, size, cell, bold, typeface) for run, face in runs)
        for run, face in runs:
            at = _run(draw, run, face, at, base, size, cell, bold, typeface)


def _extent(text: str, cell: float, bold: bool, typeface: Typeface) -> float:
    """Width in pixels of a row without wide gaps."""
    if typeface.mono or "  " in text:
        return columns(text) * cell
    size = _size(typeface, cell)
    return sum(_length(run, face, size, cell, bold, typeface) for run, face in _runs(text, typeface))


def _size(typeface: Typeface, cell: float) -> float:
    if not typeface.mono:
        return cell * 1.82
    return cell * 100 / typeface.face.at(100).getlength("0")


def _runs(text: str, typeface: Typeface) -> list[tuple[str, Face]]:
    """Runs of neighbouring characters that share a face."""
    runs: list[tuple[str, Face]] = []
    for char in text:
        face = typeface.face
        if not face.covers(char) or is_further(char):
            face = further_face(char, typeface.serif) or face
        if runs and (char == " " or unicodedata.category(char).startswith("M")):
            # A mark is drawn with its letter: in a face of its own it would lack the letter to stand on.
            face = runs[-1][1]
        if runs and runs[-1][1] == face:
            runs[-1] = (runs[-1][0] + char, face)
        else:
            runs.append((char, face))
    return runs


def _length(run: str, face: Face, size: float, cell: float, bold: bool, typeface: Typeface) -> float:
    if typeface.mono or face != typeface.face:
        return columns(run) * cell
    return face.at(size, bold=bold).getlength(run)


def _run(
    draw: ImageDraw.ImageDraw,
    run: str,
    face: Face,
    at: float,
    base: float,
    size: float,
    cell: float,
    bold: bool,
    typeface: Typeface,
) -> float:
    """Draws a run and returns where the next one starts."""
    if face == typeface.face and not typeface.mono:
        font = face.at(size, bold=bold)
        draw.text((at, base), _as_printed(run), 0, font, anchor="ls")
        return at + font.getlength(run)
    if face == typeface.face or all(is_grid(char) for char in run):
        own = size if face == typeface.face else cell * 1.9
        font = face.at(own, bold=bold)
        for char in run:
            wide = columns(char) * cell
            draw.text((at + wide / 2, base), char, 0, font, anchor="ms")
            if bold and not face.bold:
                draw.text((at + wide / 2 + max(1, cell / 12), base), char, 0, font, anchor="ms")
            at += wide
        return at
    # Joined scripts are set as one piece, at most as wide as their columns.
    room = columns(run) * cell
    font = face.at(cell * 1.7, bold=bold)
    if font.getlength(run) > room:
        font = face.at(max(6.0, cell * 1.7 * room / font.getlength(run)), bold=bold)
    draw.text((at, base), _as_printed(run), 0, font, anchor="ls")
    return at + room


def _as_printed(text: str) -> str:
    """The text in the order of the print, where Arabic and Hebrew run from the right; and such print in the
    order in which it is read."""
    return printed(text) if letters_from_right(text) else text


def is_grid(char: str) -> bool:
    """Whether a character has one or two cells; Arabic, Indic and Thai letters join instead."""
    return not ("\u0590" <= char <= "\u0e7f" or "\ufb50" <= char <= "\ufdff" or "\ufe70" <= char <= "\ufeff")


def _logo(text: str, span: int, typeface: Typeface) -> Gray:
    """A name in another face, as large as fits three quarters of the strip."""
    size = 10.0
    bold = len(text) % 2 == 0
    length = _logo_length(text, 100.0, bold, typeface)
    size = min(typeface.cell * 4.4, 0.75 * span * 100 / length)
    height = round(size * 1.5)
    picture = Image.new("L", (span, height), 255)
    draw = ImageDraw.Draw(picture)
    at = (span - _logo_length(text, size, bold, typeface)) / 2
    for run, face in _logo_runs(text, typeface):
        font = face.at(size, bold=bold)
        draw.text((at, height * 0.5 + size * 0.33), run, 0, font, anchor="ls")
        at += font.getlength(run)
    return np.asarray(picture)


def _logo_runs(text: str, typeface: Typeface) -> list[tuple[str, Face]]:
    proportional = Typeface(typeface.logo, 1, 1, False, typeface.serif, False, typeface.logo)
    return _runs(text, proportional)


def _logo_length(text: str, size: float, bold: bool, typeface: Typeface) -> float:
    return sum(face.at(size, bold=bold).getlength(run) for run, face in _logo_runs(text, typeface))


def _centered(picture: Gray, span: int, gap: int) -> Gray:
    height, width = picture.shape
    row = np.full((height + 2 * gap, span), 255, np.uint8)
    left = max(0, (span - width) // 2)
    row[gap : gap + height, left : left + width] = picture[:, : span - left]
    return row

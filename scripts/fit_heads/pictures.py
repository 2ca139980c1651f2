"""Draws one line of text as the text detector crops it from a photo, with parts of its neighbours."""

from __future__ import annotations

import math
import re
import subprocess
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Image
from scripts.fit_heads.languages import LANGUAGES, Language
from scripts.fit_heads.shaped import Shaping, extent, shaped_row
from scripts.make_receipts import paper
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.fonts import Face, faces
from scripts.make_receipts.ink import Gray, Typeface, print_row
from scripts.make_receipts.photo import lens
from scripts.make_receipts.tape import Row, columns

_FILES = (".ttf", ".otf", ".ttc")
_FAINT = re.compile("Thin|Light|Hairline")
_UNFIT_SHAPED = re.compile(
    r"Italic|Oblique|Black|Yet|Jamo|Pen|Brush|Pilgi|Taza|Vada|Shinmun|Mono CJK|Purisa|"
    r"Nastaliq|Quran|Colored|Symbol|Art|Decorative|Digital|Poster|Letter|Qurn|Screen|Sarai|"
    r"/arabeyes/|Rashi|Stam |Taamey|Trashim|Anka|Gladia"
)
_UNFIT = re.compile(r"Thin|Light|Hairline|Italic|Oblique|It\.|[ -]B?I\.|CJK|Naskh|Smallcaps|Symbol")
#: Number of faces sampled to find one that has all letters of the texts.
_TRIES = 8
#: Em of a proportional face in columns, as `print_row` sets it.
_SIZE = 1.82
#: Grey level below which a till's dot is printed: preserves thin strokes; the second is for thin faces.
_DARK, _DARK_IN_THIN = 195, 225
#: Share of lines of the fit in faces like tills' built-in ones, which fill their two columns.
_AS_TILLS = 0.5
#: Range of a row's horizontal stretch → weight, for tills whose letters stand on a grid: normal, double
#: height, double width.
_STRETCHES = {(0.8, 1.25): 0.75, (0.42, 0.65): 0.15, (1.5, 2.1): 0.1}
_ASCII = frozenset(map(chr, range(33, 127)))
#: Name prefixes of families that no line of the fit is drawn with: they are for testing.
_LEFT_OUT = ("PT", "FreeMono", "JetBrainsMono", "Roboto", "Play", "LiberationSans", "Arimo")
#: Where detected boxes end, beyond the ink and beyond the row's height, as shares of that height.
_BESIDE, _ABOVE, _BELOW = (0.1, 0.38), (-0.06, 0.25), (-0.16, 0.24)


def picture(texts: tuple[str, str, str], language: Language, dice: Dice, left_out: bool = False) -> Image:
    """RGB image of the second text, with the others above and below it. left_out: in a font that the fit does
    not see, where one is installed."""
    noise = np.random.default_rng(dice.whole(0, 2**32 - 1))
    cell = dice.real(9, 19)
    draw = _shaped_rows if language.own else _grid_rows
    rows = draw(texts, language, cell, dice, left_out)
    strip = np.concatenate(rows)
    if dice.chance(0.4):
        strip = paper.head_dots(strip, strip.shape[1] * dice.pick((11, 12, 13, 14)) / cell)
    shape = (strip.shape[0], strip.shape[1])
    ink = paper.worn(strip, dice.real(0.0, 0.8), noise)
    sheet = paper.colored(ink, paper.shaded(shape, dice.real(0.0, 0.8), noise), noise)
    return _seen(sheet, rows, dice, noise)


def _grid_rows(
    texts: tuple[str, ...], language: Language, cell: float, dice: Dice, left_out: bool
) -> list[Gray]:
    """Rows in one face that has all letters."""
    mono = dice.chance(0.8)
    face = _face(language, mono, left_out, dice)
    typeface = Typeface(
        face, cell, cell * dice.real(1.75, 2.5), mono, dice.chance(0.3), dice.chance(0.2), face
    )
    style = ("bold",) if dice.chance(0.2) else ()
    width = max(columns(text) for text in texts)
    if not mono:
        width = math.ceil(max(width, *(face.at(100).getlength(text) * _SIZE / 100 for text in texts)))
    span = round(cell * (width + 1))
    rows = [print_row(Row(text, style), width + 1, span, typeface) for text in texts]
    return [np.pad(row, ((0, 0), (round(cell), 0)), constant_values=255) for row in rows]


def _shaped_rows(
    texts: tuple[str, ...], language: Language, cell: float, dice: Dice, left_out: bool
) -> list[Gray]:
    """Rows whose own letters are set in a face of the script. Left-out lines are drawn as for the first fits,
    so that the fits' errors on them can be compared."""
    as_tills = bool(language.tills) and not left_out and dice.chance(_AS_TILLS)
    thrown = (_face(language, None, left_out, dice, as_tills) for _ in range(_TRIES))
    own = re.findall(language.own, "".join(texts))
    face = next((face for face in thrown if not face.missing(own)), None)
    face = face or _face(language, None, left_out, dice, as_tills)
    latin = _latin(texts, face, language, dice)
    share = 2.0 if language.grid else dice.real(1.5, 2.3)
    grid = language.grid and dice.chance(0.9 if as_tills else 0.7)
    wide = dice.real(0.9, 1.06) if as_tills else dice.real(0.85, 1.0)
    shaping = Shaping(face, latin, cell, cell * share * wide, grid, dice.chance(0.25))
    sample = "".join(language.pieces[:: 1 + len(language.pieces) // 60])
    above, below = (share * shaping.size for share in extent(sample, face))
    line = round(max(cell * dice.real(1.75, 2.5), (above + below) * dice.real(0.95, 1.2)))
    base = line / 2 + (above - below) / 2
    rows = [shaped_row(text, line, base, re.compile(language.own), shaping) for text in texts]
    dots = dice.whole(22, 34) / shaping.size if dice.chance(0.35) else 0.0
    stretch = dice.real(0.82, 1.2)
    if language.tills and not left_out:
        stretch = dice.real(*dice.weighted(_STRETCHES))
    rows = [_in_dots(row, dots, stretch, _DARK_IN_THIN if as_tills else _DARK) for row in rows]
    width = max(row.shape[1] for row in rows)
    return [np.pad(row, ((0, 0), (0, width - row.shape[1])), constant_values=255) for row in rows]


def _in_dots(row: Gray, dots: float, stretch: float, dark: int) -> Gray:
    """A row stretched horizontally and, where `dots` is not 0, reduced to the dots of a till's built-in font.
    dots: a till's dots per pixel of the row. dark: grey level below which a dot is printed."""
    height, width = row.shape
    size = (max(1, round(width * stretch)), height)
    if not dots:
        return np.asarray(cv2.resize(row, size, interpolation=cv2.INTER_AREA), np.uint8)
    coarse = (max(1, round(width * stretch * dots)), max(1, round(height * dots)))
    small = np.where(cv2.resize(row, coarse, interpolation=cv2.INTER_AREA) < dark, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def _latin(texts: tuple[str, ...], face: Face, language: Language, dice: Dice) -> Face:
    """A face for other characters than the script's: its own or a till's, the one with most of them."""
    others = set(re.sub(f"{language.own}| ", "", "".join(texts)))
    tills = dice.several(faces(True), len(faces(True)))
    choices = (face, *tills) if dice.chance(0.5) else (*tills, face)
    return min(choices, key=lambda choice: len(choice.missing(others)))


def _seen(
    sheet: NDArray[np.float32], rows: list[NDArray[np.uint8]], dice: Dice, noise: np.random.Generator
) -> Image:
    height = rows[1].shape[0]
    marked = np.flatnonzero((rows[1] < 160).any(axis=0))
    left, right = (int(marked[0]), int(marked[-1]) + 1) if len(marked) else (0, rows[1].shape[1])
    box = np.array(
        [
            (left - dice.real(*_BESIDE) * height, height - dice.real(*_ABOVE) * height),
            (right + dice.real(*_BESIDE) * height, 2 * height + dice.real(*_BELOW) * height),
        ]
    )
    corners = np.array([box[0], (box[1, 0], box[0, 1]), box[1], (box[0, 0], box[1, 1])])
    corners += noise.normal(0, 0.03 * height, (4, 2))
    corners[1:3, 1] += np.clip(noise.normal(0, 0.012), -0.03, 0.03) * (right - left)
    high = dice.real(16, 52)
    size = (max(8, round((box[1, 0] - box[0, 0]) * high / (box[1, 1] - box[0, 1]))), round(high))
    target = np.array([(0, 0), (size[0], 0), (size[0], size[1]), (0, size[1])], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    smooth = cv2.GaussianBlur(sheet, (0, 0), max(0.1, 0.35 * (box[1, 1] - box[0, 1]) / high))
    seen = cv2.warpPerspective(smooth, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    exposed = (lens(np.asarray(seen, np.float32), noise) * 255).astype(np.uint8)
    _, file = cv2.imencode(".jpg", exposed, [cv2.IMWRITE_JPEG_QUALITY, dice.whole(55, 95)])
    return np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)


def _face(language: Language, mono: bool | None, left_out: bool, dice: Dice, as_tills: bool = False) -> Face:
    """A random face; every family is equally probable, whatever its number of weights. as_tills: one like
    tills' built-in fonts."""
    families = _families(language.code, mono) or _families(language.code, not mono)
    if as_tills:
        known = _families(language.code, mono, faint=True)
        families = {name: faces for name, faces in known.items() if name.startswith(language.tills)}
    unseen = language.left_out or _LEFT_OUT
    chosen = {name: faces for name, faces in families.items() if name.startswith(unseen) == left_out}
    families = chosen or families
    return dice.pick(families[dice.pick(sorted(families))])


@cache
def _families(code: str, mono: bool | None, faint: bool = False) -> dict[str, tuple[Face, ...]]:
    """Installed fonts that have all letters of the language, by family.

    mono: monospaced or not; None: either kind. faint: include thin ones.
    """
    form = "%{file}\t%{index}\t%{family[0]}\n"
    listed = subprocess.run(
        ["fc-list", f":lang={code}", "--format", form], capture_output=True, text=True, check=True
    )
    (language,) = (known for known in LANGUAGES.values() if known.code == code)
    found: dict[str, list[Face]] = {}
    for row in sorted(set(listed.stdout.strip().split("\n"))):
        name, index, family = row.split("\t")
        stem = Path(name).stem
        unfit = _UNFIT_SHAPED if language.own else _UNFIT
        if not name.endswith(_FILES) or unfit.search(f"{name} {family}") or int(index) > 9:
            continue
        if language.own and not faint and _FAINT.search(f"{name} {family}"):
            continue
        if name.endswith(".ttc") and (not language.own or not re.search(" KR|D2Coding$", family)):
            continue
        face = Face(name, None, int(index), bool(mono))
        font = face.at(40)
        if mono is not None and (abs(font.getlength("i") - font.getlength("W")) < 0.01) != mono:
            continue
        needed = set(language.letters[:: 1 + len(language.letters) // 200]) | set(
            "" if language.own else "azAZ09%,.€"
        )
        if not face.missing(needed):
            found.setdefault(family if language.own else re.split("[- ]", stem)[0], []).append(face)
    return {family: tuple(faces) for family, faces in found.items()}

"""One drawn line as the text detector cuts it out of a photo, with a bit of its neighbours."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Image
from scripts.fit_heads.texts import LANGUAGES, Language
from scripts.make_receipts import paper
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.fonts import Face
from scripts.make_receipts.ink import Typeface, print_row
from scripts.make_receipts.photo import lens
from scripts.make_receipts.tape import Row, columns

_UNFIT = re.compile(r"Thin|Light|Hairline|Italic|Oblique|It\.|[ -]B?I\.|CJK|Naskh|Smallcaps|Symbol")
#: Families that no line of the fit is drawn with, by how their names begin: they test it.
_LEFT_OUT = ("PT", "FreeMono", "JetBrainsMono", "Roboto", "Play", "LiberationSans", "Arimo")
#: Where detected boxes end, beyond the ink and beyond the row's height, as shares of that height.
_BESIDE, _ABOVE, _BELOW = (0.1, 0.38), (-0.06, 0.25), (-0.16, 0.24)


def picture(texts: tuple[str, str, str], language: Language, dice: Dice, left_out: bool = False) -> Image:
    """RGB picture of the second text, the others above and below it. left_out: in a font that the fit does
    not see, where one is installed."""
    noise = np.random.default_rng(dice.whole(0, 2**32 - 1))
    mono = dice.chance(0.8)
    face = _face(language, mono, left_out, dice)
    width = max(columns(text) for text in texts) + 2
    cell = dice.real(9, 19)
    typeface = Typeface(
        face, cell, cell * dice.real(1.75, 2.5), mono, dice.chance(0.3), dice.chance(0.2), face
    )
    style = ("bold",) if dice.chance(0.2) else ()
    span = round(cell * width)
    rows = [print_row(Row(" " + text, style), width, span, typeface) for text in texts]
    strip = np.concatenate(rows)
    if dice.chance(0.4):
        strip = paper.head_dots(strip, strip.shape[1] * dice.pick((11, 12, 13, 14)) / cell)
    shape = (strip.shape[0], strip.shape[1])
    ink = paper.worn(strip, dice.real(0.0, 0.8), noise)
    sheet = paper.colored(ink, paper.shaded(shape, dice.real(0.0, 0.8), noise), noise)
    return _seen(sheet, rows, dice, noise)


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


def _face(language: Language, mono: bool, left_out: bool, dice: Dice) -> Face:
    """Every family is as likely, whatever its number of weights."""
    families = _families(language.code, mono) or _families(language.code, not mono)
    seen = {name: faces for name, faces in families.items() if name.startswith(_LEFT_OUT) == left_out}
    families = seen or families
    return Face(dice.pick(families[dice.pick(sorted(families))]), None, 0, mono)


@cache
def _families(code: str, mono: bool) -> dict[str, tuple[str, ...]]:
    """Installed fonts that have all letters of the language, by family."""
    listed = subprocess.run(
        ["fc-list", f":lang={code}", "--format", "%{file}\n"], capture_output=True, text=True, check=True
    )
    (language,) = (known for known in LANGUAGES.values() if known.code == code)
    found: dict[str, list[str]] = {}
    for name in sorted(set(listed.stdout.split("\n"))):
        if not name.endswith((".ttf", ".otf")) or _UNFIT.search(Path(name).name):
            continue
        face = Face(name, None, 0, mono)
        font = face.at(40)
        if (abs(font.getlength("i") - font.getlength("W")) < 0.01) != mono:
            continue
        if not face.missing(set(language.letters) | set("azAZ09%,.€")):
            found.setdefault(re.split("[- ]", Path(name).stem)[0], []).append(name)
    return {family: tuple(names) for family, names in found.items()}

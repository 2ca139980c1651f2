"""Draws receipt rows of random letters in scripts that the recogniser was not trained on."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from receipt_engine.document import Image
from scripts.make_receipts import paper
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.photo import lens


@dataclass(frozen=True, slots=True)
class Foreign:
    """A script: a language whose fonts have it, its letters, marks that may follow a letter, its digits."""

    language: str
    letters: str
    marks: str = ""
    digits: str = ""


def _letters(first: int, last: int) -> str:
    return "".join(map(chr, range(first, last + 1)))


FOREIGN = {
    "arabic": Foreign("ar", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي", digits=_letters(0x660, 0x669)),
    "hebrew": Foreign("he", _letters(0x5D0, 0x5EA)),
    "devanagari": Foreign("hi", _letters(0x915, 0x939), "ािीुूेैोौं", _letters(0x966, 0x96F)),
    "bengali": Foreign("bn", "কখগঘচছজঝটঠডঢণতথদধনপফবভমযরলশষসহ", "ািীুেো", _letters(0x9E6, 0x9EF)),
    "tamil": Foreign("ta", "கஙசஜஞடணதநனபமயரறலளழவஷஸஹ", "ாிீுூெேை"),
    "telugu": Foreign("te", "కఖగఘచఛజటడణతథదధనపఫబభమయరలవశషసహ", "ాిీుూెేో"),
    "thai": Foreign("th", _letters(0x0E01, 0x0E2E), "ะาิีุูั่้", _letters(0x0E50, 0x0E59)),
    "cyrillic": Foreign("ru", "абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ"),
    "hangul": Foreign("ko", "".join(chr(0xAC00 + 28 * n + n % 5 * 4) for n in range(0, 398, 2))),
    "georgian": Foreign("ka", _letters(0x10D0, 0x10F0)),
    "armenian": Foreign("hy", _letters(0x561, 0x585) + _letters(0x531, 0x555)),
}


def word(script: str, dice: Dice) -> str:
    """Random letters of the script, as many as in a word."""
    known = FOREIGN[script]
    text = ""
    for _ in range(dice.whole(2, 7)):
        text += dice.pick(known.letters)
        if known.marks and dice.chance(0.5):
            text += dice.pick(known.marks)
    return text


def line(script: str, dice: Dice) -> str:
    """A row of a receipt without its amount."""
    return " ".join(word(script, dice) for _ in range(dice.whole(1, 4)))


def draw_line(text: str, language: str, dice: Dice, high: int | None = None) -> Image:
    """RGB image of a text as the detector crops it, about `high` pixels high."""
    noise = np.random.default_rng(dice.whole(0, 2**32 - 1))
    font = ImageFont.truetype(dice.pick(_fonts(language)), dice.whole(26, 46))
    left, top, right, bottom = font.getbbox(text)
    pad = dice.whole(2, 8)
    strip = Pillow.new("L", (max(8, int(right - left)) + 2 * pad, max(8, int(bottom - top)) + 2 * pad), 255)
    ImageDraw.Draw(strip).text((pad - left, pad - top), text, font=font, fill=0)
    gray = np.asarray(strip, np.uint8)
    ink = paper.worn(gray, dice.real(0, 0.6), noise)
    seen = paper.colored(ink, np.ones(gray.shape, np.float32), noise)
    share = (high or dice.whole(16, 48)) / gray.shape[0]
    size = (max(8, round(gray.shape[1] * share)), max(8, round(gray.shape[0] * share)))
    small = cv2.resize(seen, size, interpolation=cv2.INTER_AREA)
    return (lens(np.asarray(small, np.float32), noise) * 255).astype(np.uint8)


def draw_receipt(script: str, seed: int) -> Image:
    """RGB image of a receipt in the script, whose amounts add up to the last one."""
    dice = Dice("foreign", script, seed)
    native = dice.chance(0.4)
    language = FOREIGN[script].language
    rows = [(line(script, dice), "") for _ in range(dice.whole(2, 4))]
    cents = [dice.whole(50, 9000) for _ in range(dice.whole(3, 8))]
    figures = [f"{cent / 100:.2f}" for cent in (*cents, sum(cents))]
    digits = FOREIGN[script].digits
    if native and digits:
        figures = [figure.translate(str.maketrans("0123456789", digits)) for figure in figures]
    rows += [(word(script, dice) + " " + word(script, dice), figure) for figure in figures]
    if dice.chance(0.6):
        rows.append((f"{dice.whole(10, 28)}/{dice.whole(10, 12)}/2024", ""))
    font = ImageFont.truetype(dice.pick(_fonts(language)), 26)
    number = font if native and digits else ImageFont.truetype(dice.pick(_fonts("en")), 26)
    sheet = Pillow.new("RGB", (620, 60 + 52 * len(rows)), "white")
    pen = ImageDraw.Draw(sheet)
    left, right = (580, 40) if script in ("arabic", "hebrew") else (40, 580)
    for row, (text, figure) in enumerate(rows):
        for at, shown, face in ((left, text, font), (right, figure, number)):
            plain = number if shown[:1].isdigit() else face
            anchor = "la" if at == 40 else "ra"
            pen.text((at, 30 + 52 * row), shown, font=plain, fill=(25, 25, 25), anchor=anchor)
    return np.asarray(sheet, np.uint8)


@cache
def _fonts(language: str) -> tuple[str, ...]:
    """Installed fonts that have the language's letters and digits."""
    listed = subprocess.run(
        ["fc-list", f":lang={language}", "--format", "%{file}\n"], capture_output=True, text=True, check=True
    )
    names = sorted(n for n in set(listed.stdout.split("\n")) if n.endswith((".ttf", ".otf", ".ttc")))
    return tuple(name for name in names if "Rashi" not in name and "Kufi" not in name)

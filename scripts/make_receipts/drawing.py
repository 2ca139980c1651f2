"""Draws composed rows to a file: a clean image as from a scanner, a photo, or a PDF file with text."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from scripts.make_receipts.compose import Composed, compose_receipt
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.errors import DrawingError
from scripts.make_receipts.ink import choose_typeface, print_rows
from scripts.make_receipts.paper import colored, head_dots, outline, shaded, worn
from scripts.make_receipts.pdf import WRITERS, write_pdf
from scripts.make_receipts.photo import photograph

Pixels = NDArray[np.uint8]
LOOKS = ("clean", "photo", "pdf")
_SUFFIXES = {"clean": ".png", "photo": ".jpg", "pdf": ".pdf"}
#: Range of columns of a PDF page.
_PAGE_COLUMNS = (64, 96)
_ORIENTATION = 0x0112


@dataclass(frozen=True, slots=True)
class DrawnReceipt:
    """A receipt's file and truth.

    file: bytes of a PNG (clean), JPEG (photo) or PDF file; truth: the contract object with ``X_any`` keys;
    printed: the rows as labels.jsonl has them; composed: the receipt as text.
    """

    region: str
    kind: str
    look: str
    file: bytes = field(repr=False)
    truth: dict[str, Any]
    printed: list[dict[str, Any]]
    composed: Composed = field(repr=False)

    @property
    def suffix(self) -> str:
        """The file name's ending."""
        return _SUFFIXES[self.look]

    @property
    def image(self) -> Pixels:
        """RGB, shape (height, width, 3), with EXIF orientation applied; not for a PDF file."""
        with Image.open(io.BytesIO(self.file)) as picture:
            return np.asarray(ImageOps.exif_transpose(picture).convert("RGB"))


def draw_receipt(region: str, *, kind: str = "any", look: str = "clean", seed: int) -> DrawnReceipt:
    """Draws one receipt; the same arguments give the same bytes on one machine.

    region: a code of `regions/`. kind: one of `sale.KINDS` or "any". look: "clean" or "photo", which share
    text and truth, or "pdf", whose page is wider. Raises RegionDataError for an unknown region and
    DrawingError for other invalid arguments, incomplete data, letters missing from all installed fonts, or a
    PDF writer that is not installed.
    """
    if look not in LOOKS:
        raise DrawingError(f"There is no look {look!r}. Known: {', '.join(LOOKS)}.")
    if look == "pdf":
        return _pdf(region, kind, seed)
    composed = compose_receipt(region, kind=kind, seed=seed)
    key = (composed.region, kind, seed)
    dice = Dice("look", look, *key)
    noise = np.random.default_rng([dice.whole(0, 2**32 - 1) for _ in range(4)])
    typeface = choose_typeface(composed.rows, composed.width, Dice("type", *key))
    strip = print_rows(composed.rows, composed.width, typeface, Dice("strip", *key))
    if dice.chance(0.4):
        # 8 dots per millimetre: about 12 dots per letter at 48 columns on 80 mm paper.
        strip = head_dots(strip, strip.shape[1] * dice.pick((12, 13, 14)) / typeface.cell)
    file = _clean(strip, dice, noise) if look == "clean" else _photo(strip, dice, noise)
    return DrawnReceipt(
        composed.region, composed.kind, look, file, composed.truth, composed.printed, composed
    )


def _pdf(region: str, kind: str, seed: int) -> DrawnReceipt:
    dice = Dice("pdf", region, kind, seed)
    composed = compose_receipt(region, kind=kind, seed=seed, width=dice.whole(*_PAGE_COLUMNS))
    file = write_pdf(composed.rows, composed.width, dice.pick(WRITERS), dice)
    return DrawnReceipt(
        composed.region, composed.kind, "pdf", file, composed.truth, composed.printed, composed
    )


def _clean(strip: Pixels, dice: Dice, noise: np.random.Generator) -> bytes:
    """The file as a good scanner gives it: white paper, at most a little wear."""
    ink = worn(strip, dice.pick((0.0, 0.0, 0.2, 0.4)), noise)
    gray = (255 * (1 - ink * dice.real(0.85, 1))).astype(np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(gray).convert("RGB").save(buffer, "PNG")
    return buffer.getvalue()


def _photo(strip: Pixels, dice: Dice, noise: np.random.Generator) -> bytes:
    """The file as a phone gives it; some are stored rotated, with or without an EXIF orientation."""
    shape = (strip.shape[0], strip.shape[1])
    ink = worn(strip, dice.real(0.1, 0.75), noise)
    paper = colored(ink, shaded(shape, dice.real(0.3, 1), noise), noise)
    pixels = photograph(paper, outline(shape, noise), noise)
    pixels = _limited(pixels, dice.whole(1500, 2600))
    exif = Image.Exif()
    turn = dice.weighted({"": 20, "exif": 3, "quarter": 1, "half": 1})
    if turn == "exif":
        orientation, quarters = dice.pick(((6, 1), (8, 3), (3, 2)))
        exif[_ORIENTATION] = orientation
        pixels = np.rot90(pixels, quarters)
    elif turn:
        pixels = np.rot90(pixels, 2 if turn == "half" else dice.pick((1, 3)))
    buffer = io.BytesIO()
    picture = Image.fromarray(np.ascontiguousarray(pixels))
    picture.save(buffer, "JPEG", quality=dice.whole(62, 93), exif=exif)
    return buffer.getvalue()


def _limited(pixels: Pixels, longest: int) -> Pixels:
    height, width = pixels.shape[:2]
    # Phones keep the letters of a long receipt readable.
    share = max(longest / max(height, width), 660 / width)
    if share >= 1:
        return pixels
    size = (round(width * share), round(height * share))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)

"""Draws images of receipts with one known barcode, of any kind, at any angle and with mild damage."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import zxingcpp
from numpy.random import Generator
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

_FORMATS = {
    "EAN-13/UPC-A": zxingcpp.BarcodeFormat.EAN13,
    "EAN-8": zxingcpp.BarcodeFormat.EAN8,
    "UPC-E": zxingcpp.BarcodeFormat.UPCE,
    "Code 128": zxingcpp.BarcodeFormat.Code128,
    "Code 39": zxingcpp.BarcodeFormat.Code39,
    "Interleaved 2 of 5": zxingcpp.BarcodeFormat.ITF,
    "QR Code": zxingcpp.BarcodeFormat.QRCode,
}
KINDS = tuple(_FORMATS)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = "0123456789"


@dataclass(frozen=True)
class Damage:
    """Degradations of an image, applied in this order.

    grow: ink spread (negative: wear), in pixels before the symbol is scaled down. contrast: 1 is black on
    white. perspective: corner shift as a share of the side. shade: how much darker one end of the page is.
    blur: sigma in pixels. noise: standard deviation in grey levels.
    """

    name: str
    grow: int = 0
    contrast: float = 1.0
    perspective: float = 0.0
    shade: float = 0.0
    blur: float = 0.0
    noise: float = 0.0


DAMAGES = (
    Damage("none"),
    Damage("blur", blur=1.2),
    Damage("noise", noise=18),
    Damage("perspective", perspective=0.06),
    Damage("low contrast", contrast=0.25, noise=4),
    Damage("thick ink", grow=2, blur=0.8),
    Damage("phone photo", contrast=0.6, perspective=0.03, shade=0.5, blur=1.1, noise=6),
)


def random_data(kind: str, rng: Generator) -> str:
    """Random content that is valid for a kind of barcode, check digit included."""

    def pick(letters: str, count: int) -> str:
        return "".join(rng.choice(list(letters), count))

    if kind == "EAN-13/UPC-A":
        return _with_check_digit(pick(_DIGITS, 12))
    if kind == "EAN-8":
        return _with_check_digit(pick(_DIGITS, 7))
    if kind == "UPC-E":
        # zxing-cpp computes the check digit; reading the drawn symbol returns it. Not every six digits form
        # a UPC-E, but these patterns all do.
        (read,) = zxingcpp.read_barcodes(
            _symbol("0" + pick(_DIGITS, 2) + pick("3456789", 3) + pick(_DIGITS, 1), kind, 4)
        )
        return str(read.extra["UPCE"])  # type: ignore[index]
    if kind == "Code 128":
        return (
            pick(_DIGITS, 2 * int(rng.integers(5, 12)))
            if rng.random() < 0.6
            else pick(_LETTERS + _DIGITS, 10)
        )
    if kind == "Code 39":
        return pick(_LETTERS + _DIGITS, int(rng.integers(6, 12)))
    if kind == "Interleaved 2 of 5":
        return pick(_DIGITS, 2 * int(rng.integers(5, 10)))
    return f"https://example.com/{pick(_LETTERS + _DIGITS, 20)}"


def draw(
    data: str, kind: str, rng: Generator, *, angle: float = 0.0, module: int = 3, damage: Damage = DAMAGES[0]
) -> Picture:
    """A grey RGB image, about 1000 × 1400, of a page with text and one barcode.

    angle: clockwise rotation of the whole page in degrees. module: width of the narrowest bar in pixels.
    """
    page = _page(_symbol(data, kind, module, damage.grow), rng)
    ink = 255 - (255 - page.astype(np.float32)) * damage.contrast
    turned = _turn(ink, angle, damage.perspective, rng)
    if damage.shade:
        ramp = np.linspace(1 - damage.shade, 1, turned.shape[1], dtype=np.float32)
        turned = turned * (ramp if rng.random() < 0.5 else ramp[::-1])
    if damage.blur:
        turned = np.asarray(cv2.GaussianBlur(turned, (0, 0), damage.blur))
    if damage.noise:
        turned = turned + rng.normal(0, damage.noise, turned.shape).astype(np.float32)
    grey = np.clip(turned, 0, 255).astype(np.uint8)
    return np.repeat(grey[:, :, None], 3, axis=2)


def _symbol(data: str, kind: str, module: int, grow: int = 0) -> Picture:
    """The bare symbol, ink 0 on paper 255. grow: ink spread in sixths of a module."""
    code = zxingcpp.create_barcode(data, _FORMATS[kind])
    large = np.array(code.to_image(scale=6 * module, add_quiet_zones=True))
    if grow:
        kernel = np.ones((1, 2 * abs(grow) * module + 1), np.uint8)
        large = (cv2.erode if grow > 0 else cv2.dilate)(large, kernel)
    size = (large.shape[1] // 6, large.shape[0] // 6)
    return np.asarray(cv2.resize(large, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _page(symbol: Picture, rng: Generator) -> Picture:
    height, width = max(1100, symbol.shape[0] + 760), max(800, symbol.shape[1] + 80)
    page = np.full((height, width), 255, dtype=np.uint8)
    top = height - symbol.shape[0] - 160
    left = (width - symbol.shape[1]) // 2
    page[top : top + symbol.shape[0], left : left + symbol.shape[1]] = symbol
    for y in [*range(40, top - 10, 34), *range(top + symbol.shape[0] + 50, height, 34)]:
        words = " ".join("".join(rng.choice(list(_LETTERS), int(n))) for n in rng.integers(2, 8, 3))
        cv2.putText(page, words, (50, y), cv2.FONT_HERSHEY_SIMPLEX, 0.8, 30, 2)
        cv2.putText(
            page, f"{rng.integers(1, 9999) / 100:.2f}", (width - 150, y), cv2.FONT_HERSHEY_SIMPLEX, 0.8, 30, 2
        )
    return page


def _turn(page: NDArray[np.float32], angle: float, perspective: float, rng: Generator) -> NDArray[np.float32]:
    """The page rotated about its centre and seen slightly from the side, on a grey background."""
    height, width = page.shape
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    shift = rng.uniform(-1, 1, (4, 2)) * perspective * min(width, height)
    centred = corners + shift - corners.mean(axis=0)
    seen = np.stack([c * centred[:, 0] - s * centred[:, 1], s * centred[:, 0] + c * centred[:, 1]], axis=1)
    seen -= seen.min(axis=0) - 20
    size = tuple(int(v) + 20 for v in seen.max(axis=0))
    matrix = cv2.getPerspectiveTransform(corners, seen.astype(np.float32))
    turned = cv2.warpPerspective(page, matrix, size, flags=cv2.INTER_LINEAR, borderValue=(120,))
    return np.asarray(turned, dtype=np.float32)


def _with_check_digit(digits: str) -> str:
    total = sum(int(d) * (3 if i % 2 == 0 else 1) for i, d in enumerate(reversed(digits)))
    return digits + str(-total % 10)

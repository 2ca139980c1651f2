"""Wraps zxing-cpp, its formats, names and peculiarities. The only module that imports it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import zxingcpp

from receipt_engine.document import Image, Quad

#: Names as spelled in the contract. UPC-A is EAN-13 with a leading 0, and is read as such.
EAN_13, UPC_E, EAN_8 = "EAN-13/UPC-A", "UPC-E", "EAN-8"
CODE_128, CODE_39, INTERLEAVED, QR = "Code 128", "Code 39", "Interleaved 2 of 5", "QR Code"
#: A stacked code that the contract does not list. Fiscal stamps of some countries use it.
PDF_417 = "PDF417"

#: Linear formats that are searched for. Code39Std instead of Code39, which includes dialects whose data
#: differ from what the bars encode.
_LINEAR = (
    zxingcpp.BarcodeFormat.EAN13,
    zxingcpp.BarcodeFormat.UPCA,
    zxingcpp.BarcodeFormat.UPCE,
    zxingcpp.BarcodeFormat.EAN8,
    zxingcpp.BarcodeFormat.Code128,
    zxingcpp.BarcodeFormat.Code39Std,
    zxingcpp.BarcodeFormat.ITF,
)
_MATRIX = (zxingcpp.BarcodeFormat.QRCode,)
_STACKED = (zxingcpp.BarcodeFormat.PDF417,)
#: Formats that zxing-cpp returns → kinds.
_KINDS = {
    zxingcpp.BarcodeFormat.EAN13: EAN_13,
    zxingcpp.BarcodeFormat.UPCA: EAN_13,
    zxingcpp.BarcodeFormat.UPCE: UPC_E,
    zxingcpp.BarcodeFormat.EAN8: EAN_8,
    zxingcpp.BarcodeFormat.Code128: CODE_128,
    zxingcpp.BarcodeFormat.Code39: CODE_39,
    zxingcpp.BarcodeFormat.Code39Std: CODE_39,
    zxingcpp.BarcodeFormat.ITF: INTERLEAVED,
    zxingcpp.BarcodeFormat.QRCode: QR,
    zxingcpp.BarcodeFormat.QRCodeModel2: QR,
    zxingcpp.BarcodeFormat.PDF417: PDF_417,
}


@dataclass(frozen=True, slots=True)
class Symbol:
    """A decoded code. quad: in pixels of the image passed in."""

    data: str
    kind: str
    quad: Quad


def read_level(grey: Image) -> list[Symbol]:
    """Codes of a whole page: those with bars within about 30° of vertical (PDF417: nearly vertical), and QR
    codes at any angle."""
    return _read(grey, (*_LINEAR, *_STACKED, *_MATRIX), downscale=True)


def read_matrix(grey: Image) -> list[Symbol]:
    """QR codes of a part of a page."""
    return _read(grey, _MATRIX, downscale=True)


def read_linear(grey: Image) -> list[Symbol]:
    """Linear codes of a part of a page that has been rotated so that the bars are vertical."""
    return _read(grey, _LINEAR)


def read_rows(grey: Image) -> list[Symbol]:
    """Linear codes of an image of rows that needs no adaptive thresholding: dark is below 128."""
    return _read(grey, _LINEAR, binarizer=zxingcpp.Binarizer.FixedThreshold)


def _read(
    grey: Image,
    formats: Sequence[zxingcpp.BarcodeFormat],
    *,
    downscale: bool = False,
    binarizer: zxingcpp.Binarizer = zxingcpp.Binarizer.LocalAverage,
) -> list[Symbol]:
    found = zxingcpp.read_barcodes(
        grey,
        formats=zxingcpp.BarcodeFormats(formats),
        try_rotate=False,
        try_downscale=downscale,
        try_invert=False,
        binarizer=binarizer,
    )
    kinds = [(code, _KINDS.get(code.format)) for code in found if code.text]
    return [Symbol(_data(code, kind), kind, _quad(code.position)) for code, kind in kinds if kind]


def _data(code: zxingcpp.Barcode, kind: str) -> str:
    """The text printed below the bars. zxing-cpp expands UPC-E; the eight printed digits are in `extra`."""
    extra = code.extra
    if kind == UPC_E and isinstance(extra, dict):
        return str(extra.get("UPCE", code.text))
    return code.text


def _quad(position: zxingcpp.Position) -> Quad:
    corners = (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
    return Quad(*((float(p.x), float(p.y)) for p in corners))

"""Draws barcodes and QR codes."""

from __future__ import annotations

import numpy as np
import zxingcpp
from numpy.typing import NDArray

Gray = NDArray[np.uint8]

_FORMATS = {
    "EAN-13/UPC-A": zxingcpp.EAN13,
    "EAN-8": zxingcpp.EAN8,
    "UPC-E": zxingcpp.UPCE,
    "Code 128": zxingcpp.Code128,
    "Code 39": zxingcpp.Code39,
    "Interleaved 2 of 5": zxingcpp.ITF,
    "QR Code": zxingcpp.QRCode,
}


def symbol(data: str, kind: str, width: int) -> Gray:
    """Black on white, at most `width` pixels wide with whole pixels per module. kind: as the contract spells
    it. One-dimensional codes are about a fifth as high as wide."""
    code = zxingcpp.create_barcode(data, _FORMATS[kind])
    modules = np.asarray(zxingcpp.write_barcode_to_image(code, scale=1, add_quiet_zones=False))
    if kind != "QR Code":
        modules = modules[:1]
    share = 0.42 if kind == "QR Code" else 0.86
    scale = max(2, min(int(width * share) // modules.shape[1], 5 if kind != "QR Code" else 8))
    rows = scale if kind == "QR Code" else max(48, modules.shape[1] * scale // 5)
    picture = np.repeat(np.repeat(modules, scale, axis=1), rows, axis=0)
    return picture.astype(np.uint8)

"""Names and data of codes, as the contract has them."""

from __future__ import annotations

import numpy as np
import pytest
import zxingcpp
from numpy.typing import NDArray

from receipt_engine.stages.barcodes import zxing


def drawn(data: str, form: zxingcpp.BarcodeFormat) -> NDArray[np.uint8]:
    return np.array(zxingcpp.create_barcode(data, form).to_image(scale=3, add_quiet_zones=True))


@pytest.mark.parametrize(
    ("data", "form", "read", "kind"),
    [
        ("4006381333931", zxingcpp.BarcodeFormat.EAN13, "4006381333931", "EAN-13/UPC-A"),
        ("036000291452", zxingcpp.BarcodeFormat.UPCA, "0036000291452", "EAN-13/UPC-A"),
        ("96385074", zxingcpp.BarcodeFormat.EAN8, "96385074", "EAN-8"),
        ("01234565", zxingcpp.BarcodeFormat.UPCE, "01234565", "UPC-E"),
        ("R-2024/17", zxingcpp.BarcodeFormat.Code128, "R-2024/17", "Code 128"),
        ("SHOP 17", zxingcpp.BarcodeFormat.Code39, "SHOP 17", "Code 39"),
        ("1234567890", zxingcpp.BarcodeFormat.ITF, "1234567890", "Interleaved 2 of 5"),
    ],
)
def test_linear_kinds(data: str, form: zxingcpp.BarcodeFormat, read: str, kind: str) -> None:
    (symbol,) = zxing.read_linear(drawn(data, form))
    assert (symbol.data, symbol.kind) == (read, kind)


def test_matrix_codes_are_not_linear_ones() -> None:
    picture = drawn("Grüße, 東京", zxingcpp.BarcodeFormat.QRCode)
    (symbol,) = zxing.read_matrix(picture)
    assert (symbol.data, symbol.kind) == ("Grüße, 東京", "QR Code")
    assert zxing.read_linear(picture) == []


def test_rows_are_cut_at_the_middle_of_the_scale() -> None:
    faint = 200 + drawn("ABC123", zxingcpp.BarcodeFormat.Code128) // 16
    assert zxing.read_rows(faint) == []
    assert [s.data for s in zxing.read_rows(np.where(faint > 207, 255, 0).astype(np.uint8))] == ["ABC123"]

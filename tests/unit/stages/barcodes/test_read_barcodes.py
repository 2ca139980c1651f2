"""Codes on drawn pages: every kind, any angle; order, repeats, and what is no code."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
import zxingcpp

from benchmarks.protocols.barcode_pictures import DAMAGES, KINDS, Picture, draw, random_data
from receipt_engine.document import Page
from receipt_engine.stages.barcodes import read_barcodes

DAMAGE = {damage.name: damage for damage in DAMAGES}


def codes(picture: Picture) -> list[tuple[str, str]]:
    """What is read, from top to bottom."""
    page = Page(picture, (picture.shape[1], picture.shape[0]))
    return [(code.data, code.kind) for code in read_barcodes(page)]


def symbol(data: str, form: zxingcpp.BarcodeFormat, scale: int = 3) -> Picture:
    """The symbol with its quiet zone, ink 0."""
    return np.array(zxingcpp.create_barcode(data, form).to_image(scale=scale, add_quiet_zones=True))


def sheet(parts: Sequence[Picture], width: int = 900) -> Picture:
    """The symbols one below the other on white paper."""
    page = np.full((sum(part.shape[0] + 120 for part in parts) + 120, width), 255, dtype=np.uint8)
    top = 120
    for part in parts:
        page[top : top + part.shape[0], 100 : 100 + part.shape[1]] = part
        top += part.shape[0] + 120
    return np.repeat(page[:, :, None], 3, axis=2)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("angle", [0, 20, 90, 135, 180])
def test_every_kind_is_read_at_any_angle(kind: str, angle: float) -> None:
    rng = np.random.default_rng(int(angle) + len(kind))
    data = random_data(kind, rng)
    assert codes(draw(data, kind, rng, angle=angle)) == [(data, kind)]


@pytest.mark.parametrize("kind", ["EAN-13/UPC-A", "EAN-8", "UPC-E", "Code 128", "Code 39"])
@pytest.mark.parametrize("damage", ["blur", "noise", "perspective", "low contrast", "phone photo"])
def test_linear_codes_survive_mild_damage(kind: str, damage: str) -> None:
    rng = np.random.default_rng(len(kind) + len(damage))
    data = random_data(kind, rng)
    assert codes(draw(data, kind, rng, angle=30, damage=DAMAGE[damage])) == [(data, kind)]


def test_a_small_blurred_qr_code_is_sharpened() -> None:
    rng = np.random.default_rng(4)
    data = random_data("QR Code", rng)
    assert codes(draw(data, "QR Code", rng, module=3, damage=DAMAGE["blur"])) == [(data, "QR Code")]


def test_codes_come_from_top_to_bottom_each_once() -> None:
    qr = symbol("https://example.com/a", zxingcpp.BarcodeFormat.QRCode, 5)
    linear = symbol("ABC1234567", zxingcpp.BarcodeFormat.Code128)
    product = symbol("4006381333931", zxingcpp.BarcodeFormat.EAN13)
    expected = [
        ("4006381333931", "EAN-13/UPC-A"),
        ("https://example.com/a", "QR Code"),
        ("ABC1234567", "Code 128"),
    ]
    assert codes(sheet([product, qr, linear, product])) == expected


def test_the_quad_frames_the_code_on_the_page() -> None:
    picture = sheet([symbol("ABC1234567", zxingcpp.BarcodeFormat.Code128)])
    (code,) = read_barcodes(Page(picture, (picture.shape[1], picture.shape[0])))
    rows, columns = np.nonzero(picture[:, :, 0] == 0)
    x, y = code.quad.center
    assert abs(x - (columns.min() + columns.max()) / 2) < 6
    assert abs(y - (rows.min() + rows.max()) / 2) < 20
    assert abs(code.quad.width - np.ptp(columns)) < 12


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(
    "kind", ["Code 39", "Interleaved 2 of 5", "EAN-8", "UPC-E", "Code 128", "EAN-13/UPC-A"]
)
def test_a_code_that_is_cut_off_is_not_read_as_another(kind: str, side: str) -> None:
    rng = np.random.default_rng(11)
    for _ in range(3):
        picture = draw(random_data(kind, rng), kind, rng)
        middle = picture.shape[1] // 2  # the code stands there
        torn = picture[:, :middle] if side == "left" else picture[:, middle:]
        assert codes(np.ascontiguousarray(torn)) == []


def test_stripes_and_rules_are_no_codes() -> None:
    rng = np.random.default_rng(2)
    stripes = np.repeat(rng.integers(60, 250, 300).astype(np.uint8), 3)
    wood = np.repeat(cv2.GaussianBlur(stripes[None], (0, 0), 2), 700, axis=0)
    ruled = np.full((700, 900), 250, dtype=np.uint8)
    ruled[:, ::20] = 30
    for picture in (wood, ruled, ruled.T):
        assert codes(np.ascontiguousarray(np.repeat(picture[:, :, None], 3, axis=2))) == []


@pytest.mark.parametrize("size", [(1, 1), (3, 900), (900, 3), (15, 15), (40, 40)])
def test_tiny_pictures_have_no_codes(size: tuple[int, int]) -> None:
    assert codes(np.full((*size, 3), 255, dtype=np.uint8)) == []


def test_the_number_of_threads_does_not_change_the_reading() -> None:
    rng = np.random.default_rng(8)
    picture = draw("4006381333931", "EAN-13/UPC-A", rng, angle=33, damage=DAMAGE["phone photo"])
    page = Page(picture, (picture.shape[1], picture.shape[0]))
    before = cv2.getNumThreads()
    try:
        readings = []
        for threads in (1, 2, 4):
            cv2.setNumThreads(threads)
            readings.append(read_barcodes(page))
    finally:
        cv2.setNumThreads(before)
    assert readings[0] == readings[1] == readings[2] != ()


@pytest.mark.parametrize("turns", [0, 2])
def test_a_stacked_code_is_read_whole(turns: int) -> None:
    data = "F-2031-000417 76.543.210-3 12990"
    picture = np.rot90(sheet([symbol(data, zxingcpp.BarcodeFormat.PDF417, 4)]), turns)
    assert codes(np.ascontiguousarray(picture)) == [(data, "PDF417")]


@pytest.mark.parametrize("shape", [(1, 9000), (9000, 1), (20_000, 8), (3, 650)])
def test_a_picture_like_a_thread_has_no_codes(shape: tuple[int, int]) -> None:
    assert codes(np.full((*shape, 3), 200, dtype=np.uint8)) == []

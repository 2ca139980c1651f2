"""A drawn receipt whose total is blurred, with the fiscal code that proves it."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
import zxingcpp
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from receipt_engine.engine import Engine

CODE = (
    "V0;kasse-07;Kassenbeleg-V1;Beleg^17.10_0.00_0.00_0.00_0.00^17.10:Bar;4711;9422;"
    "2024-03-15T15:05:00.000Z;2024-03-15T15:05:09.000Z;ecdsa-plain-SHA256;unixTime;c2ln;a2V5"
)
ROWS = (
    ("BÄCKEREI BEISPIEL", ""),
    ("Hauptstraße 12", ""),
    ("50667 Köln", ""),
    ("", ""),
    ("Roggenbrot", "4,80"),
    ("Kaffee", "3,20"),
    ("Kuchen", "9,10"),
    ("SUMME EUR", "17,10"),
    ("", ""),
    ("15.03.2024 16:05", ""),
)
LEFT, RIGHT, PITCH = 30, 450, 38
BLURRED = ROWS.index(("SUMME EUR", "17,10"))


def draw(*, code: bool, blurred: bool) -> Image.Image:
    """The receipt, its total illegible where it is blurred, the code below it."""
    font = ImageFont.truetype("DejaVuSansMono.ttf", 24)
    page = Image.new("RGB", (480, 900), (250, 250, 248))
    pen = ImageDraw.Draw(page)
    for index, (name, amount) in enumerate(ROWS):
        top = 30 + index * PITCH
        pen.text((LEFT, top), name, font=font, fill=(20, 20, 20))
        pen.text((RIGHT, top), amount, font=font, fill=(20, 20, 20), anchor="ra")
    if blurred:
        box = (320, 22 + BLURRED * PITCH, 470, 24 + (BLURRED + 1) * PITCH)
        page.paste(page.crop(box).filter(ImageFilter.GaussianBlur(14)), box)
    if code:
        symbol = zxingcpp.create_barcode(CODE, zxingcpp.QRCode)
        modules = np.asarray(zxingcpp.write_barcode_to_image(symbol, scale=6, add_quiet_zones=False))
        page.paste(Image.fromarray(modules).convert("RGB"), (40, 470))
    return page


@pytest.mark.parametrize("blurred", [False, True])
def test_a_code_proves_the_total(engine: Engine, blurred: bool) -> None:
    result = engine.extract(draw(code=True, blurred=blurred), region="de", evidence=True)
    assert result.total == Decimal("17.10")
    assert result.validated_total
    assert (result.currency, result.date[:10] if result.date else None) == ("EUR", "2024-03-15")
    assert any(e["name"] == "fiscal code = total" for e in result.evidence["equations"])


def test_without_the_code_the_blurred_total_is_not_sure(engine: Engine) -> None:
    result = engine.extract(draw(code=False, blurred=True), region="de")
    assert result.total != Decimal("17.10") or not result.validated_total

"""End to end with the real engine: a drawn receipt through HTTPS, queue and worker processes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from benchmarks.service.process import ServiceProcess
from receipt_engine.result import Result
from tests.service.rules import rule
from tests.service.running import outcome

LINES = (
    "CORNER TEA SHOP",
    "12 High Street",
    "",
    "03/14/2025 10:25",
    "",
    "Green tea           4.50",
    "Scone               2.75",
    "",
    "SUBTOTAL            7.25",
    "TAX                 0.58",
    "TOTAL               7.83",
    "",
    "THANK YOU",
)


def drawn_receipt() -> bytes:
    """A PNG of 800 x 1400 pixels."""
    image = Image.new("L", (800, 1400), 255)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=40)
    for number, line in enumerate(LINES):
        left, _, right = line.partition("   ")
        pen.text((60, 120 + 80 * number), left, fill=0, font=font)
        pen.text((560, 120 + 80 * number), right.strip(), fill=0, font=font)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@rule("async-upload", "result-object", "state-failed")
def test_a_drawn_receipt_through_the_whole_service(tmp_path: Path) -> None:
    service = ServiceProcess(tmp_path, {"workers": "1"})
    key = service.account("clients", 3)
    service.start()
    client = service.client(key)
    try:
        service.wait_until_ready(180)
        receipt = client.upload(drawn_receipt())
        blank = io.BytesIO()
        Image.new("L", (800, 1400), 255).save(blank, "PNG")
        empty = client.upload(blank.getvalue())
        torn = client.upload(drawn_receipt()[:6000])
        assert receipt["code"] == empty["code"] == torn["code"] == 200
        answer = outcome(client, receipt["token"], 180)
        assert answer["code"] == 202
        assert set(answer["result"]) >= set(Result().to_dict())
        assert answer["result"]["total"] == pytest.approx(7.83)
        assert outcome(client, empty["token"], 180)["code"] == 500
        assert outcome(client, torn["token"], 180)["code"] == 500
        assert client.credits() == 0
    finally:
        client.close()
        service.kill()

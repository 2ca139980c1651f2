"""Pictures of drawn receipts: sizes, looks, determinism, fonts, the command line."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import zxingcpp
from PIL import Image

from scripts.make_receipts import DrawingError, compose_receipt, draw_receipt
from scripts.make_receipts.__main__ import main
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.fonts import Face, covering, faces, further_face
from scripts.make_receipts.ink import _runs, choose_typeface, print_row, print_rows
from scripts.make_receipts.symbols import symbol
from scripts.make_receipts.tape import Row


@pytest.mark.parametrize("look", ["clean", "photo"])
def test_the_same_arguments_give_the_same_bytes(look: str) -> None:
    first = draw_receipt("my", kind="transport", look=look, seed=11)
    again = draw_receipt("my", kind="transport", look=look, seed=11)
    assert first.file == again.file
    assert first.image.dtype == np.uint8 and first.image.shape[2] == 3


def test_both_looks_share_text_and_truth() -> None:
    clean = draw_receipt("us", kind="transport", look="clean", seed=2)
    photo = draw_receipt("us", kind="transport", look="photo", seed=2)
    assert clean.truth == photo.truth and clean.printed == photo.printed
    assert (clean.suffix, photo.suffix) == (".png", ".jpg")
    with Image.open(io.BytesIO(clean.file)) as png, Image.open(io.BytesIO(photo.file)) as jpeg:
        assert (png.format, jpeg.format) == ("PNG", "JPEG")


def test_a_clean_strip_is_dark_on_white() -> None:
    image = draw_receipt("my", kind="transport", seed=3).image
    assert np.median(image) > 250
    assert 0.01 < float((image < 128).mean()) < 0.4


def test_every_printed_row_leaves_ink() -> None:
    receipt = compose_receipt("us", kind="restaurant", seed=4)
    typeface = choose_typeface(receipt.rows, receipt.width, Dice(1))
    for row in receipt.rows:
        if row.text or row.rule or row.logo or row.barcode:
            strip = print_rows((row,), receipt.width, typeface, Dice(1))
            assert (strip < 128).any(), row


@pytest.mark.parametrize("face", faces(False))
def test_bold_print_of_a_proportional_face_ends_at_the_margin(face: Face) -> None:
    text = "TOTAL" + " " * 24 + "VND 1,888,000"
    typeface = choose_typeface((Row(text),), len(text), Dice(1))
    typeface = replace(typeface, face=face, mono=False, heavy=True)
    strip = print_row(Row(text), len(text), round(typeface.cell * len(text)), typeface)
    assert strip[:, -1].min() > 200 and (strip[:, -round(2 * typeface.cell) :] < 128).any()


def test_no_font_no_picture() -> None:
    with pytest.raises(DrawingError, match="No installed font"):
        covering("\U00012000", mono=True)


def test_english_letters_need_no_installed_font() -> None:
    """Pillow's own font comes last, so that English receipts can be drawn anywhere."""
    own = faces(False)[-1]
    assert own.regular is None
    assert not own.missing("TOTAL DUE $12.50 (8.25%) x2 @ #1 *A-B/C:,.")


@pytest.mark.parametrize(
    ("data", "kind", "format_"),
    [
        ("2001234567893", "EAN-13/UPC-A", zxingcpp.EAN13),
        ("AB-123456", "Code 128", zxingcpp.Code128),
        ("ABC12345", "Code 39", zxingcpp.Code39),
        ("12345678", "Interleaved 2 of 5", zxingcpp.ITF),
        ("https://example.com/r/1", "QR Code", zxingcpp.QRCode),
    ],
)
def test_symbols_can_be_read(data: str, kind: str, format_: zxingcpp.BarcodeFormat) -> None:
    picture = np.pad(symbol(data, kind, 700), 40, constant_values=255)
    found = zxingcpp.read_barcodes(picture, formats=format_)
    assert [code.text for code in found] == [data]


def test_tall_and_big_rows_are_twice_as_high() -> None:
    rows = (Row("TOTAL 5.00"),)
    typeface = choose_typeface(rows, 32, Dice(2))
    plain, tall, big = (
        print_rows((Row("TOTAL 5.00", style),), 32, typeface, Dice(3)).shape[0]
        for style in ((), ("tall",), ("big",))
    )
    assert tall == big > plain


def test_command_line_writes_pictures_and_labels(tmp_path: Path) -> None:
    arguments = ["--region", "my", "--count", "1", "--seed", "7", "--look", "both", "--kind", "transport"]
    assert main([str(tmp_path), *arguments]) == 0
    rows = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text("utf-8").splitlines()]
    assert [row["look"] for row in rows] == ["clean", "photo"]
    for row in rows:
        assert (tmp_path / row["image"]).is_file()
        assert set(row) == {"id", "image", "region", "kind", "look", "truth", "printed"}
    assert rows[0]["truth"] == rows[1]["truth"]


def test_command_line_reports_unknown_regions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--region", "zz", "--count", "1"]) == 1
    assert "no region" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["ผู้ซื้อใบกำกับภาษี", "मुद्रा प्रिन्ट", "মূল্য প্রিন্ট"])
def test_marks_are_drawn_in_the_face_of_their_letter(text: str) -> None:
    if further_face(text[0], serif=False) is None:
        pytest.skip("No installed font has the script.")
    typeface = choose_typeface((Row("Total"),), 40, Dice(1))
    assert [run for run, _ in _runs(text, typeface)] == [text]

"""PDF pages are drawn, their own text is found in its place, and files that cannot be trusted are refused."""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Callable
from typing import Any

import drawn
import numpy as np
import pytest
from drawn_pdf import ROWS, fpdf_pdf, reportlab_pdf, scanned_pdf
from PIL import Image

from receipt_engine import Engine
from receipt_engine.errors import ImageError, ImageTooLargeError, NotAnImageError, UnreadableImageError
from receipt_engine.stages.preprocess import pdf
from receipt_engine.stages.preprocess.decode import decode, decode_pages

pytest.importorskip("pypdfium2")

TEXTS = [part for row in ROWS for part in row if part]


@pytest.mark.parametrize("write", [reportlab_pdf, fpdf_pdf])
def test_text_layer(write: Callable[[], bytes]) -> None:
    page = decode(write())
    assert [span.text for span in page.printed] == TEXTS
    for span in page.printed:
        left, top = (round(edge) for edge in span.quad.top_left)
        right, bottom = (round(edge) for edge in span.quad.bottom_right)
        assert page.image[top:bottom, left:right].min() < 100, "the text is drawn where its box is"
        assert page.image[top:bottom, max(0, left - 30) : left - 3].min() > 200
        assert "".join(char.text for char in span.chars) == span.text
        assert all(0 <= char.start <= char.end <= 1 for char in span.chars)


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_pages_that_are_turned_when_shown(degrees: int) -> None:
    turn = f"/Rotate {degrees}".encode()
    page = decode(reportlab_pdf(pageCompression=0).replace(b"/Rotate 0", turn))
    assert (page.width > page.height) == (degrees != 180)
    assert page.printed == (), "its text does not stand level"

    def upright(sheet: Any) -> None:
        sheet.rotate(degrees)
        sheet.translate(0, {90: -595, 180: -842, 270: 0}[degrees])
        if degrees != 90:
            sheet.translate({180: -595, 270: -842}[degrees], 0)

    page = decode(reportlab_pdf(draw=upright).replace(b"/Rotate 0", turn))
    assert [span.text for span in page.printed if span.text in TEXTS[:4]] == TEXTS[:4]


def test_hidden_and_slanted_text_is_no_layer() -> None:
    def hidden(sheet: Any) -> None:
        text = sheet.beginText(60, 400)
        text.setTextRenderMode(3)
        text.textLine("TOTAL 999.00")
        sheet.drawText(text)

    def slanted(sheet: Any) -> None:
        sheet.saveState()
        sheet.rotate(30)
        sheet.drawString(300, 300, "DRAFT")
        sheet.restoreState()

    assert decode(reportlab_pdf(draw=hidden)).printed == ()
    assert [span.text for span in decode(reportlab_pdf(draw=slanted)).printed] == TEXTS


def test_scans_are_drawn_at_their_own_resolution() -> None:
    page = decode(scanned_pdf(drawn.page(1600, 2400)))
    assert (page.width, page.height) == (1600, 2400)
    assert page.printed == ()


def test_pages() -> None:
    pages = list(decode_pages(reportlab_pdf([ROWS, ROWS[:3]])))
    assert [len(page.printed) for page in pages] == [len(TEXTS), 3]


def test_too_many_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "MAX_PAGES", 1)
    with pytest.raises(ImageTooLargeError, match="2 pages"):
        decode(reportlab_pdf([ROWS, ROWS]))


def test_huge_pages_are_drawn_smaller() -> None:
    page = decode(reportlab_pdf(draw=lambda sheet: sheet.setPageSize((14_000, 14_000))))
    assert page.width * page.height <= 25_500_000


@pytest.mark.parametrize("size", [(3e7, 240), (0.01, 320), (240, 1e9)])
def test_pages_too_slim_to_show_anything(size: tuple[float, float]) -> None:
    with pytest.raises(UnreadableImageError, match="too narrow"):
        decode(reportlab_pdf(draw=lambda sheet: sheet.setPageSize(size)))


def test_encrypted() -> None:
    with pytest.raises(UnreadableImageError, match="password"):
        decode(reportlab_pdf(encrypt="secret"))


def test_no_pages_after_an_encrypted_file() -> None:
    """PDFium's last error is of the file before when opening this one is none."""
    test_encrypted()
    from reportlab.pdfgen.canvas import Canvas

    pageless = io.BytesIO()
    Canvas(pageless).save()
    with pytest.raises(UnreadableImageError, match="damaged"):
        decode(pageless.getvalue())


def test_script() -> None:
    def script(sheet: Any) -> None:
        from reportlab.pdfbase import pdfdoc

        action = {"S": pdfdoc.PDFName("JavaScript"), "JS": pdfdoc.PDFString("app.alert(1)")}
        named = pdfdoc.PDFArray([pdfdoc.PDFString("a"), pdfdoc.PDFDictionary(action)])
        tree = pdfdoc.PDFDictionary({"Names": named})
        sheet._doc.Catalog.Names = pdfdoc.PDFDictionary({"JavaScript": tree})
        sheet._doc.Catalog.__NoDefault__ = [*sheet._doc.Catalog.__NoDefault__, "Names"]

    with pytest.raises(UnreadableImageError, match="active"):
        decode(reportlab_pdf(draw=script))


def test_page_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "_TIME_LIMIT", -1.0)
    with pytest.raises(UnreadableImageError, match="too long"):
        decode(scanned_pdf(drawn.page(1600, 2400)))


@pytest.mark.parametrize("share", [0.01, 0.2, 0.6])
def test_cut_off_files(share: float) -> None:
    file = scanned_pdf(drawn.page())
    with pytest.raises(UnreadableImageError):
        decode(file[: int(share * len(file))])


@pytest.mark.parametrize("file", [reportlab_pdf, lambda: scanned_pdf(drawn.page(48, 64))])
def test_edited_files_give_pages_or_an_error(file: Callable[[], bytes]) -> None:
    whole, dice = file(), random.Random(3)
    for _ in range(120):
        edited = bytearray(whole)
        for _ in range(dice.randrange(1, 8)):
            edited[dice.randrange(len(edited))] = dice.randrange(256)
        try:
            for page in decode_pages(bytes(edited)):
                assert page.image.dtype == np.uint8
        except ImageError as error:
            assert len(str(error)) > 20


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(NotAnImageError, match=r"receipt-engine\[pdf\]"):
        decode(b"%PDF-1.4")


def test_invoice(engine: Engine) -> None:
    reading = engine.read(reportlab_pdf())
    assert [span.text for span in reading.spans] == TEXTS
    assert all(char.score == 1.0 for span in reading.spans for char in span.chars)
    result = engine.interpret(reading)
    assert (str(result.total), str(result.tax), result.date_iso) == ("46.43", "7.74", "2024-03-14T00:00:00")


def test_layer_that_is_not_what_is_drawn(engine: Engine) -> None:
    """A picture of other amounts lies over the text."""

    other = [(left, right.replace("4", "9")) for left, right in ROWS]
    shown = Image.fromarray(decode(reportlab_pdf([other])).image)

    def lay_over(sheet: Any) -> None:
        from reportlab.lib.utils import ImageReader

        sheet.setFont("Helvetica", 11)
        for row, (left, right) in enumerate(ROWS):
            sheet.drawString(60, 780 - 16 * row, left[::-1])
            sheet.drawRightString(500, 780 - 16 * row, right)
        sheet.drawImage(ImageReader(shown), 0, 0, 595, 842)

    reading = engine.read(reportlab_pdf([()], draw=lay_over))
    texts = {span.text for span in reading.spans}
    assert "96.93" in texts
    assert "46.43" not in texts

"""PDF files of drawn invoices: their text layer says what was composed, whoever wrote them."""

from __future__ import annotations

import io

import pytest

from receipt_engine.stages.preprocess.decode import decode
from scripts.make_receipts import DrawingError, compose_receipt, draw_receipt
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.pdf import WRITERS, write_pdf
from scripts.make_receipts.tape import Row

pytest.importorskip("reportlab")
pytest.importorskip("fpdf")
pdfium = pytest.importorskip("pypdfium2")


def pages(file: bytes) -> int:
    return len(pdfium.PdfDocument(io.BytesIO(file)))


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("seed", range(3))
def test_the_text_layer_has_the_rows(writer: str, seed: int) -> None:
    rows = (Row("Baker & Sons", ("center", "bold")), Row("Bread         2.50"), Row("Total   2.50", ("big",)))
    file = write_pdf(rows, 40, writer, Dice(seed))
    printed = " ".join(span.text for span in decode(file).printed)
    assert printed.replace(" ", "") == "Baker&SonsBread2.50Total2.50"


@pytest.mark.parametrize("writer", WRITERS)
def test_long_invoices_have_several_pages(writer: str) -> None:
    rows = tuple(Row(f"Article {i}      {i}.00") for i in range(120))
    assert pages(write_pdf(rows, 80, writer, Dice(1))) > 1


def test_the_same_arguments_give_the_same_bytes() -> None:
    for seed in range(4):
        drawn = draw_receipt("gb", kind="invoice", look="pdf", seed=seed)
        assert drawn.suffix == ".pdf"
        assert drawn.file == draw_receipt("gb", kind="invoice", look="pdf", seed=seed).file


def test_a_page_is_wider_than_a_strip() -> None:
    assert compose_receipt("gb", kind="invoice", seed=1, width=80).width == 80
    with pytest.raises(DrawingError, match="no look"):
        draw_receipt("gb", look="fax", seed=1)

"""Every adapter gives the engine the same receipt, whatever form it comes in."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from receipt_engine import ExtractOptions, NoTextError, Reading, ReadingError, Result, adapters
from receipt_engine.adapters import (
    azure,
    doctr,
    google_vision,
    hocr,
    paddleocr,
    pdf_words,
    tesseract_tsv,
    textract,
)
from receipt_engine.documents import interpret_all, main_receipt
from tests.unit.adapters import ocr_outputs

RECORDED = Path(__file__).parent / "recorded"
SIZE = (ocr_outputs.WIDTH, ocr_outputs.HEIGHT)


class _RapidOcr:
    """A result of rapidocr 3.x."""

    def __init__(self) -> None:
        (page,) = ocr_outputs.paddleocr_2()
        self.boxes = np.array([corners for corners, _ in page], dtype=np.float32)
        self.txts = tuple(text for _, (text, _) in page)
        self.scores = tuple(score for _, (_, score) in page)


FORMS: dict[str, Callable[[], Reading]] = {
    "tesseract tsv": lambda: tesseract_tsv.to_reading((RECORDED / "tesseract.tsv").read_text("utf-8")),
    "tesseract hocr": lambda: hocr.to_reading((RECORDED / "tesseract.hocr").read_text("utf-8")),
    "paddleocr 2": lambda: paddleocr.to_reading(ocr_outputs.paddleocr_2(), SIZE),
    "paddleocr 2, one page": lambda: paddleocr.to_reading(ocr_outputs.paddleocr_2()[0], SIZE),
    "paddleocr 3": lambda: paddleocr.to_reading(ocr_outputs.paddleocr_3(), SIZE),
    "paddleocr 3, one result": lambda: paddleocr.to_reading(ocr_outputs.paddleocr_3()[0]["res"], SIZE),
    "rapidocr": lambda: paddleocr.to_reading(_RapidOcr(), SIZE),
    "doctr": lambda: doctr.to_reading(ocr_outputs.doctr()),
    "azure document intelligence": lambda: azure.to_reading(ocr_outputs.document_intelligence()),
    "azure, in inches": lambda: azure.to_reading(ocr_outputs.document_intelligence(inches=True)),
    "azure read 3.2": lambda: azure.to_reading(ocr_outputs.read_3_2()),
    "textract": lambda: textract.to_reading(ocr_outputs.textract(), SIZE),
    "google vision": lambda: google_vision.to_reading(ocr_outputs.google_vision()),
    "google vision, sideways": lambda: google_vision.to_reading(ocr_outputs.google_vision(sideways=True)),
    "pymupdf": lambda: pdf_words.to_reading(ocr_outputs.pymupdf(), (SIZE[0] / 3, SIZE[1] / 3)),
    "pdfplumber": lambda: pdf_words.to_reading(ocr_outputs.pdfplumber(), (SIZE[0] / 3, SIZE[1] / 3)),
}


def _result(reading: Reading) -> Result:
    return main_receipt(interpret_all(reading, ExtractOptions(region="gb"), None))


@pytest.mark.parametrize("form", FORMS)
def test_a_receipt_is_understood_in_every_form(form: str) -> None:
    result = _result(FORMS[form]())
    assert result.total == Decimal("34.35") and result.validated_total
    assert result.date == "2025-09-23 14:37:00"
    assert result.establishment == "HARBOUR LANTERN BOOKS"
    assert [item.line_total for item in result.line_items] == [
        Decimal("24.50"),
        Decimal("6.25"),
        Decimal("3.60"),
    ]
    assert result.payment_method == "VISA"


@pytest.mark.parametrize("form", FORMS)
def test_the_page_has_the_pictures_size(form: str) -> None:
    reading = FORMS[form]()
    if form != "azure, in inches":
        assert (reading.width, reading.height) == SIZE
    assert reading.rotation == (270 if form == "google vision, sideways" else 0)
    for span in reading.spans:
        assert all(-1 <= x <= reading.width + 1 for x, _ in span.quad.points)


@pytest.mark.parametrize(
    ("to_reading", "output", "said"),
    [
        (tesseract_tsv.to_reading, "name\tamount\nTea\t2.50\n", "column 'level'"),
        (
            tesseract_tsv.to_reading,
            (RECORDED / "tesseract.tsv").read_text("utf-8") + "5\t1\tone\n",
            "is not a row from Tesseract",
        ),
        (hocr.to_reading, "<html><body><p>Tea</p></body></html>", "ocr_page"),
        (
            hocr.to_reading,
            "<div class='ocr_page' title='bbox 0 0 9 9'><span class='ocrx_word'>Tea</span></div>",
            "no bbox",
        ),
        (paddleocr.to_reading, {"res": {"texts": []}}, "no rec_texts. Found instead: texts."),
        (
            paddleocr.to_reading,
            [{"rec_texts": ["Tea"], "rec_scores": [], "rec_polys": []}],
            "1 texts, 0 scores",
        ),
        (paddleocr.to_reading, [[["Tea", 0.9]]], "not a line of PaddleOCR 2.x"),
        (doctr.to_reading, {"blocks": []}, "no pages. Found instead: blocks."),
        (azure.to_reading, {"status": "running"}, "no pages. Found instead: status."),
        (lambda output: textract.to_reading(output, SIZE), {"JobStatus": "FAILED"}, "no Blocks"),
        (google_vision.to_reading, {"error": {"code": 7, "message": "denied"}}, "denied"),
        (
            tesseract_tsv.to_reading,
            {"text": ["Tea"]},
            "not the text of a TSV file from Tesseract. Found instead: text.",
        ),
        (hocr.to_reading, None, "not the text of an hOCR file. Found instead: NoneType."),
        (azure.to_reading, b"{}", "as a dict. Found instead: bytes."),
        (google_vision.to_reading, object(), "as a dict. Found instead: object."),
        (google_vision.to_reading, {"responses": [None]}, "as a dict. Found instead: NoneType."),
        (google_vision.to_reading, {"labelAnnotations": []}, "no fullTextAnnotation"),
        (lambda output: pdf_words.to_reading(output, SIZE), [["Tea"]], "not a word from PyMuPDF"),
    ],
)
def test_other_output_is_refused_with_what_was_expected(
    to_reading: Callable[[Any], Reading], output: Any, said: str
) -> None:
    with pytest.raises(ReadingError, match=said.replace(".", r"\.")):
        to_reading(output)


@pytest.mark.parametrize(
    ("to_reading", "output"),
    [
        (tesseract_tsv.to_reading, (RECORDED / "tesseract.tsv").read_text("utf-8").split("\n")[0]),
        (hocr.to_reading, "<div class='ocr_page' title='bbox 0 0 90 90'></div>"),
        (paddleocr.to_reading, [None]),
        (doctr.to_reading, {"pages": []}),
        (azure.to_reading, {"analyzeResult": {"pages": []}}),
        (lambda output: textract.to_reading(output, SIZE), {"Blocks": []}),
        (google_vision.to_reading, {"responses": [{}]}),
        (lambda output: pdf_words.to_reading(output, SIZE), [[]]),
    ],
)
def test_output_without_text_is_a_picture_without_text(
    to_reading: Callable[[Any], Reading], output: Any
) -> None:
    with pytest.raises(NoTextError):
        to_reading(output)


def test_pages_behind_the_first_are_further_ones() -> None:
    export = ocr_outputs.doctr()
    blank = {"dimensions": (10, 10), "blocks": []}
    reading = doctr.to_reading({"pages": [blank, export["pages"][0], export["pages"][0]]})
    assert len(reading.further_pages) == 1
    assert reading.further_pages[0].spans == reading.spans


def test_tesseracts_choices_are_alternatives() -> None:
    choices = "".join(
        f"<span class='ocrx_cinfo' id='lstm_choices_1_1_{at}'>"
        + "".join(f"<span class='ocrx_cinfo' title='x_confs {conf}'>{letter}</span>" for letter, conf in ways)
        + "</span>"
        for at, ways in enumerate([[("5", 96)], [(".", 95)], [("8", 60), ("3", 20), ("B", 0)], [("0", 90)]])
    )
    reading = hocr.to_reading(
        "<div class='ocr_page' title='bbox 0 0 200 90'><span class='ocr_line' title='bbox 10 10 90 40'>"
        f"<span class='ocrx_word' title='bbox 10 10 90 40; x_wconf 80'>5.80{choices}</span></span></div>"
    )
    (span,) = reading.spans
    assert [(char.text, char.alternatives) for char in span.chars] == [
        ("5", ()),
        (".", ()),
        ("8", (("3", 0.25),)),
        ("0", ()),
    ]


def test_ruled_lines_and_logos_are_left_out() -> None:
    head, page, *rows = (RECORDED / "tesseract.tsv").read_text("utf-8").splitlines()
    noise = "5\t1\t9\t1\t1\t1\t0\t0\t20\t500\t2.5\t|"
    reading = tesseract_tsv.to_reading("\n".join([head, page, noise, *rows]))
    assert "|" not in [span.text for span in reading.spans]


def test_the_page_names_every_adapter() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "adapters.md").read_text(encoding="utf-8")
    modules = {path.stem for path in Path(adapters.__file__).parent.glob("*.py")} - {"__init__", "pages"}
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) >= modules


def test_hocr_may_be_bytes() -> None:
    text = next(RECORDED.glob("*.hocr")).read_bytes()
    assert hocr.to_reading(text) == hocr.to_reading(text.decode("utf-8"))

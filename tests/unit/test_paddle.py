"""PaddleOCR in the place of the shipped networks: on stand-ins everywhere, for real where it is installed."""

from __future__ import annotations

import importlib.util
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from receipt_engine import Engine, ModelError, Models
from receipt_engine.document import Page, Quad, TextBox
from receipt_engine.paddle import PaddleDetector, PaddleRecognizer, load_paddle
from receipt_engine.testing import HEIGHT, reading

TEXT = """\
NORTH PIER FISHMONGERS
Smoked mackerel      5.80
Brown shrimps        7.15
TOTAL               12.95
"""
SHOWN = reading(TEXT)
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


class _Finds:
    """TextDetection as PaddleOCR has it, for a page that is shown twice as large."""

    def predict(self, picture: Any, **_: Any) -> list[dict[str, Any]]:
        scale = picture.shape[1] / SHOWN.width
        polys = [np.array(span.quad.points) * scale for span in SHOWN.spans]
        return [{"dt_polys": polys, "dt_scores": [0.9] * len(polys)}]


class _Reads:
    """TextRecognition as PaddleOCR has it; which text it is, the crop's colour says."""

    def predict(self, crops: list[Any], **_: Any) -> list[dict[str, Any]]:
        widths = [crop.shape[1] / crop.shape[0] for crop in crops]
        assert widths == sorted(widths)
        spans = [SHOWN.spans[int(np.median(crop[:, :, 0]))] for crop in crops]
        return [{"rec_text": span.text, "rec_score": 0.97} for span in spans]


def _page() -> np.ndarray:
    """Every text's number as its colour, in blue, which PaddleOCR has first."""
    image = np.full((SHOWN.height, SHOWN.width, 3), 200, np.uint8)
    for number, span in enumerate(SHOWN.spans):
        (left, top), _, (right, bottom), _ = span.quad.points
        image[int(top) : int(bottom), int(left) : int(right)] = (255, 255, number)
    return image


def test_a_receipt_is_read_through_paddleocr() -> None:
    engine = Engine(models=Models(PaddleDetector(_Finds()), PaddleRecognizer(_Reads()), "paddle"))
    result = engine.extract(_page(), region="gb")
    assert (result.total, result.validated_total) == (Decimal("12.95"), True)
    assert [item.line_total for item in result.line_items] == [Decimal("5.80"), Decimal("7.15")]


def test_boxes_are_in_pixels_of_the_page() -> None:
    boxes = PaddleDetector(_Finds()).detect(Page(_page(), (SHOWN.width, SHOWN.height)))
    assert [box.quad for box in boxes] == [span.quad for span in SHOWN.spans]


def test_a_box_without_text_gives_an_empty_span() -> None:
    class Nothing:
        def predict(self, crops: list[Any], **_: Any) -> list[dict[str, Any]]:
            return [{"rec_text": " ", "rec_score": 0.2} for _ in crops]

    page = Page(_page(), (SHOWN.width, SHOWN.height))
    box = TextBox(Quad((0, 0), (60, 0), (60, HEIGHT), (0, HEIGHT)), 0.9)
    (span,) = PaddleRecognizer(Nothing()).read(page, [box])
    assert (span.text, span.score) == ("", 0.0)
    assert PaddleRecognizer(Nothing()).read(page, []) == ()


def test_a_folder_that_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"contains no inference\.yml"):
        load_paddle(tmp_path, tmp_path)
    (tmp_path / "inference.yml").write_text("Global:\n  model_name: PP-OCRv6_small_det\n")
    with pytest.raises(ModelError, match=r"neither inference\.pdiparams nor inference\.onnx"):
        load_paddle(tmp_path, tmp_path)


@pytest.mark.skipif(importlib.util.find_spec("paddleocr") is not None, reason="it is installed")
def test_without_paddleocr_it_is_said_how_to_install_it(tmp_path: Path) -> None:
    for name in ("inference.yml", "inference.onnx"):
        (tmp_path / name).write_text("")
    with pytest.raises(ModelError, match=r"receipt-engine\[paddle\]"):
        load_paddle(tmp_path, tmp_path)


@pytest.mark.needs("PaddleOCR and rapidocr")
def test_paddleocr_reads_the_example(tmp_path: Path) -> None:
    from scripts.paddle_folders import write_folders

    result = Engine(models=load_paddle(*write_folders(tmp_path))).extract(
        EXAMPLES / "receipt.jpg", region="us"
    )
    assert (result.total, result.sub_total, result.tax) == (
        Decimal("72.09"),
        Decimal("67.37"),
        Decimal("4.72"),
    )

"""Which way up a page is, whatever its rows are made of and however far it leans."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from receipt_engine.document import Image, Page, Quad, Span, TextBox
from receipt_engine.stages.detect import detect
from receipt_engine.stages.recognize import make_upright

WIDTH, HEIGHT = 400, 600
RULE, WORDS = 360.0, 200.0


class _WhiteIsText:
    """A detector that finds text wherever the page is white."""

    def run(self, picture: Image) -> NDArray[np.float32]:
        return (picture[:, :, 0] > 128).astype(np.float32)


def _page(image: NDArray[np.uint8]) -> Page:
    return Page(image, (image.shape[1], image.shape[0]))


def _row(y: float, width: float) -> TextBox:
    return TextBox(Quad((20, y), (20 + width, y), (20 + width, y + 15), (20, y + 15)), 0.9)


@pytest.mark.parametrize("rule", ["*" * 30, "*AAAAAAA*AAAAAAAAAAA", "*353**33333339*33233*****"])
def test_rows_of_ornaments_have_no_say(rule: str) -> None:
    class _Reads:
        def read(self, page: Page, boxes: Sequence[TextBox]) -> tuple[Span, ...]:
            upright = page.rotation == 0
            return tuple(
                Span(rule, 0.4 if upright else 0.9, box.quad)
                if box.quad.width >= RULE - 1
                else Span("Table 48", 0.97 if upright else 0.5, box.quad)
                for box in boxes
            )

    boxes = (*(_row(20 + 30 * i, RULE) for i in range(8)), *(_row(300 + 30 * i, WORDS) for i in range(6)))
    page, _ = make_upright(_page(np.zeros((HEIGHT, WIDTH, 3), np.uint8)), boxes, _Reads())
    assert page.rotation == 0


@pytest.mark.parametrize("degrees", [82, 90, 98])
def test_long_and_short_words_of_a_sideways_page_stand_alike(degrees: int) -> None:
    image = np.zeros((640, 640, 3), np.uint8)
    for column, length in enumerate((400, 60, 200, 40)):
        box = cv2.boxPoints(((120.0 + 130 * column, 320.0), (float(length), 20.0), float(degrees)))
        cv2.fillPoly(image, [box.astype(np.int32)], (255, 255, 255))
    boxes = detect(_page(image), _WhiteIsText())
    assert len(boxes) == 4
    assert all(box.quad.height > box.quad.width for box in boxes)

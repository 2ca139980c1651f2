"""A page's own text explains what is drawn; only the rest is read from the picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from receipt_engine.document import Char, Page, Quad, Span, TextBox
from receipt_engine.stages.recognize import read_text


def quad(left: float, top: float, right: float, bottom: float) -> Quad:
    return Quad((left, top), (right, top), (right, bottom), (left, bottom))


def printed(text: str, left: float, top: float) -> Span:
    """A span whose characters are 10 wide and 16 high."""
    step = 1 / len(text)
    chars = tuple(Char(c, 1.0, i * step, (i + 1) * step) for i, c in enumerate(text))
    return Span(text, 1.0, quad(left, top, left + 10 * len(text), top + 16), chars)


class Asked:
    """Reads every box as what the layer says, and remembers which it was asked for."""

    def __init__(self, texts: dict[Quad, str]) -> None:
        self._texts = texts
        self.boxes: list[Quad] = []

    def read(self, page: Page, boxes: Sequence[TextBox]) -> list[Span]:
        self.boxes += [box.quad for box in boxes]
        return [Span(self._texts[box.quad], 0.9, box.quad) for box in boxes]


def page(*spans: Span) -> Page:
    image = np.full((200, 400, 3), 255, np.uint8)
    image[::3] = 0  # something is drawn everywhere
    return Page(image, (400, 200), printed=spans)


def test_a_roomy_box_around_a_digit_is_that_digit() -> None:
    name, digit = printed("Socket white", 20, 40), printed("3", 300, 40)
    around_name, around_digit = quad(18, 38, 142, 58), quad(293, 34, 317, 60)
    asked = Asked({around_name: "Socket white", around_digit: "3"})
    spans = read_text(page(name, digit), [TextBox(around_name, 0.9), TextBox(around_digit, 0.9)], asked)
    assert [span.text for span in spans] == ["Socket white", "3"]
    assert around_digit not in asked.boxes


def test_a_drawn_name_is_read_even_where_small_text_stands_on_it() -> None:
    row, small = printed("Invoice 2231", 20, 100), printed("TM", 90, 20)
    around_row, logo = quad(18, 98, 142, 118), quad(20, 4, 220, 64)
    asked = Asked({around_row: "Invoice 2231", logo: "NORTHFIELD"})
    spans = read_text(page(row, small), [TextBox(around_row, 0.9), TextBox(logo, 0.9)], asked)
    assert [span.text for span in spans] == ["Invoice 2231", "TM", "NORTHFIELD"]

"""Where what the detector takes for text begins and ends. edges.txt lists drawn pages that grow step by step:

    what grows: step | step | … => what is found at each

A fake graph gives each pixel's brightness, 0 to 255, as the probability of text, so pages are text maps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from receipt_engine.document import Image, Page, TextBox
from receipt_engine.stages.detect import detect
from tests.unit.stages.row_lists import RowList

Bar = tuple[float, float, float, float, float]  # left, top, right, bottom, probability


class Shown:
    """The probability of text is the brightness of the picture."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, int]] = []

    def run(self, picture: Image) -> NDArray[np.float32]:
        self.sizes.append(picture.shape[:2])
        return (picture[:, :, 0] / 255).astype(np.float32)


def page(height: int, width: int, *bars: Bar) -> Page:
    image = np.zeros((height, width, 3), dtype=np.uint8)
    for left, top, right, bottom, probability in bars:
        image[round(top) : round(bottom), round(left) : round(right)] = round(255 * probability)
    return Page(image, (width, height))


def boxes(*bars: Bar, height: int = 1280, width: int = 960) -> tuple[TextBox, ...]:
    return detect(page(height, width, *bars), Shown())


def size(found: Sequence[TextBox]) -> str:
    """To five pixels."""
    return " ".join(f"{_five(box.quad.width)}x{_five(box.quad.height)}" for box in found) or "-"


def _five(length: float) -> int:
    return 5 * round(length / 5)


def rows(count: int, height: float = 20, step: float = 60, length: float = 300) -> list[Bar]:
    return [(200, 200 + step * k, 200 + length, 200 + step * k + height, 1.0) for k in range(count)]


def lone(*spots: Bar) -> str:
    """Boxes of spots beside three rows of 20 pixels, whose boxes are about 40 high."""
    return str(sum(box.faint for box in boxes(*rows(3), *spots)))


def spots(left: float, off: float = 0, width: float = 6, height: float = 14, sure: float = 0.2) -> list[Bar]:
    """Two spots in a column beside the first and the last row."""
    middles = (210 + off, 330 + off)
    return [(left, y - height / 2, left + width, y + height / 2, sure) for y in middles]


def _sizes(height: int, width: int) -> str:
    graph = Shown()
    detect(page(height, width), graph)
    return ", ".join(f"{high}x{wide}" for high, wide in graph.sizes)


def _looks(tall: int, count: int = 12) -> str:
    """How often the page is looked at when one box of it is so high."""
    graph = Shown()
    detect(page(1280, 960, *rows(count), (700, 200, 720, 200 + tall, 1.0)), graph)
    return str(len(graph.sizes))


def _tall(width: int) -> str:
    graph = Shown()
    detect(page(1280, 960, *rows(12), (700, 200, 700 + width, 500, 1.0)), graph)
    return str(len(graph.sizes))


EDGES: dict[str, Callable[[float], str]] = {
    "probability of a row": lambda p: size(boxes((200, 200, 500, 220, p))),
    "height of a row": lambda h: size(boxes((200, 200, 500, 200 + h, 1.0))),
    "length of a row": lambda w: size(boxes((200, 200, 200 + w, 220, 1.0))),
    "middle of a pale row": lambda p: size(boxes((200, 200, 500, 220, 0.4), (200, 206, 500, 214, p))),
    "gap between rows": lambda g: size(boxes((200, 200, 500, 220, 1.0), (200, 220 + g, 500, 240 + g, 1.0))),
    "side of a hole": lambda s: size(boxes((200, 200, 500, 400, 1.0), (250, 220, 250 + s, 220 + s, 0.0))),
    "height of a page 500 wide": lambda h: _sizes(int(h), 500),
    "width of a page 3000 high": lambda w: _sizes(3000, int(w)),
    "width of a page 400 high": lambda w: _sizes(400, int(w)),
    "height of one box among rows": lambda h: _looks(int(h)),
    "width of one box 300 high": lambda w: _tall(int(w)),
    "rows beside a high box": lambda n: _looks(300, int(n)),
    "probability of spots": lambda p: lone(*spots(150, sure=p)),
    "height of spots": lambda h: lone(*spots(150, height=h)),
    "width of spots": lambda w: lone(*spots(150, width=w)),
    "spots off their rows": lambda d: lone(*spots(150, off=d)),
    "spots before their rows": lambda d: lone(*spots(190 - d)),
    "spots off their column": lambda d: lone(spots(150)[0], spots(150 + d)[1]),
}


def _describe(name: str, steps: Sequence[str]) -> Iterable[str]:
    return (EDGES[name](float(step)) for step in steps)


LIST = RowList(Path(__file__).parent / "edges.txt", _describe)


@pytest.mark.parametrize("row", LIST.rows)
def test_where_text_begins_and_ends(row: str) -> None:
    assert LIST.result_of(row) == row


def test_spots_are_as_high_as_their_row_and_narrower() -> None:
    found = [box for box in boxes(*rows(3), *spots(150)) if box.faint]
    row = next(box for box in boxes(*rows(3)))
    assert [box.quad.width / row.quad.height for box in found] == pytest.approx([0.75, 0.75], abs=0.05)


def test_a_texture_of_spots_is_nothing() -> None:
    many = [(x, 400 + 3 * y, x + 2, 402 + 3 * y, 0.2) for x in range(20, 180, 4) for y in range(11)]
    assert not any(box.faint for box in boxes(*rows(3), *spots(150), *many))


if __name__ == "__main__":
    LIST.write()

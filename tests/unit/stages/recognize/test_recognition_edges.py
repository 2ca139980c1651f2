"""Where what the recogniser says is taken, doubted or read another way: fake graphs whose answers change step
by step. edges.txt lists them: `what changes: step | step | … => what is read`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from receipt_engine.document import Char, Page, Quad, Span, TextBox
from receipt_engine.stages.recognize import (
    Feature,
    LearnedHead,
    NetworkRecognizer,
    make_upright,
    read_boxes,
    read_text,
    reading,
)
from receipt_engine.stages.recognize.crop import crop, tensor
from receipt_engine.stages.recognize.spans import decode
from tests.unit.stages.row_lists import RowList

LETTERS = ("", *"1789.A=", *"ЖЙЫЯЩЭ", *"ΨΞΛΔΦ", *"ẠẢẴẮ", *"鮮牛奶茶", " ")
STEPS = 20


def quad(left: float, top: float, right: float, bottom: float) -> Quad:
    return Quad((left, top), (right, top), (right, bottom), (left, bottom))


LINE = quad(5, 5, 280, 30)
FEATURE = Feature(np.zeros((1, STEPS, 504), np.float32))


class _Backbone:
    def run(self, inputs: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        return FEATURE.values


class _Says:
    """A graph that reads the same text whatever it sees, each character so surely, with A's of even odds
    behind it."""

    def __init__(self, text: str, sure: float = 1.0, doubtful: int = 0) -> None:
        self._text = text + "A" * doubtful
        self._sure = [sure] * len(text) + [0.5] * doubtful

    def run(self, inputs: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        found = np.zeros((1, 2 * len(self._text) + 1, len(LETTERS)), np.float32)
        found[0, :, 0] = 1
        for i, character in enumerate(self._text):
            found[0, 2 * i + 1] = (1 - self._sure[i]) / (len(LETTERS) - 1)
            found[0, 2 * i + 1, LETTERS.index(character)] = self._sure[i]
        return found


def head(text: str, sure: float = 1.0, doubtful: int = 0) -> LearnedHead:
    return LearnedHead(LETTERS, _Says(text, sure, doubtful))


def decoded(*steps: Mapping[str, float]) -> str:
    """Characters and, in brackets, what else they may be."""
    table = np.full((len(steps), len(LETTERS)), 1e-5, dtype=np.float32)
    for row, step in zip(table, steps, strict=True):
        for character, chance in step.items():
            row[LETTERS.index(character)] = chance
    return "".join(
        char.text
        + (f"({''.join(text or '_' for text, _ in char.alternatives)})" if char.alternatives else "")
        for char in decode(table, LETTERS, 1.0)
    )


def rivals(count: int) -> str:
    chances = dict.fromkeys(LETTERS[2 : 2 + count], 0.05)
    return decoded({"1": 0.6, **chances})


def cropped(width: float, height: float) -> str:
    """Sizes of the picture and of what the graph gets, and the share of it that is no padding."""
    page = Page(np.full((900, 3900, 3), 255, np.uint8), (3900, 900))
    picture = crop(page, TextBox(quad(10, 10, 10 + width, 10 + height), 1.0))
    given, share = tensor(picture)
    return f"{picture.shape[1]}x{picture.shape[0]} {given.shape[3]}x{given.shape[2]} {share:.2f}"


def turned(upright: float, upside: float, rows: int = 12, words: int = 12, wide: bool = True) -> str:
    """How far a page is turned whose rows read so well each way, and how many of them were read. words: so
    many of the rows, the shorter ones, are words."""
    asked = []

    class Reads:
        def read(self, page: Page, boxes: Sequence[TextBox]) -> tuple[Span, ...]:
            asked.append(len(boxes))
            score = upright if page.rotation in (0, 90) else upside
            return tuple(
                Span("Table 48" if box.quad.width <= 200 + words else "****", score, box.quad)
                for box in boxes
            )

    page = Page(np.zeros((600, 400, 3), np.uint8), (400, 600))
    boxes = tuple(
        TextBox(
            quad(20, 20 + 20 * k, 20 + 201 + k, 35 + 20 * k) if wide else quad(20 * k, 20, 20 * k + 15, 200),
            0.9,
        )
        for k in range(rows)
    )
    found, _ = make_upright(page, boxes, Reads())
    return f"{found.rotation}° {sum(asked)}"


def standing(height: float) -> str:
    """The same of boxes so high, 40 wide, beside a row of 100."""
    tried = []

    class Reads:
        def read(self, page: Page, boxes: Sequence[TextBox]) -> tuple[Span, ...]:
            tried.append(page.rotation)
            return tuple(Span("Table 48", 0.5, box.quad) for box in boxes)

    page = Page(np.zeros((600, 400, 3), np.uint8), (400, 600))
    boxes = (*(TextBox(quad(60 * k, 50, 60 * k + 40, 50 + height), 0.9) for k in range(3)),)
    make_upright(page, (*boxes, TextBox(quad(0, 400, 50, 420), 0.9)), Reads())
    return str(sorted(set(tried)))


def cyrillic(
    strange: int = 3, letters: int = 5, score: float = 0.7, sure: float = 1.0, text: str = "VTOTAL"
) -> str:
    """Whether ten lines are Cyrillic, some of which read so badly."""
    spans = [
        Span("TOTAL" if k >= strange else text, 0.99 if k >= strange else score, LINE) for k in range(10)
    ]
    heads = {"cyrillic": head("ЖЙЫЯЩЭ"[:letters] + "A" * (6 - letters), sure)}
    recognizer = NetworkRecognizer(_Backbone(), heads, head(""))
    return "yes" if reading._is_cyrillic(spans, [FEATURE] * 10, recognizer) else "no"


def vietnamese(accented: int = 3, letters: int = 3, ideographs: int = 0, sure: float = 1.0) -> str:
    spans = [Span("PHÔ" if k < accented else "PHO", 0.99, LINE) for k in range(10)]
    heads = {"vietnamese": head("ẠẢẴẮ"[:letters] + "A", sure)}
    recognizer = NetworkRecognizer(_Backbone(), heads, head("鮮牛奶茶"[:ideographs] + "A"))
    return "yes" if reading._is_vietnamese(spans, [FEATURE] * 10, recognizer) else "no"


def script(greek: int, ideographs: int, sure: float = 1.0, doubtful: int = 0) -> str:
    heads = {"greek": head("ΨΞΛΔΦ"[:greek] + "A", sure, doubtful)}
    recognizer = NetworkRecognizer(_Backbone(), heads, head("鮮牛奶茶"[:ideographs] + "A", sure))
    return reading.find_script([FEATURE] * 10, recognizer)


def doubtful(score: float) -> str:
    """A line that Latin classes read so surely, and East Asian ones as ideographs."""
    heads = {"latin": head("A", score), "cjk": head("鮮牛奶茶")}
    recognizer = NetworkRecognizer(_Backbone(), heads, head("鮮牛奶茶"))
    page = Page(np.full((40, 300, 3), 255, np.uint8), (300, 40))
    (span,) = read_boxes(page, (TextBox(LINE, 0.9),), recognizer, "latin")
    return span.text


def layer(
    text: str = "SOCKET WHITE", ink: int = 255, others: int = 0, covered: float = 1.0, roomy: float = 1.0
) -> str:
    """What is read of a page whose layer says "Socket white" and "3". text: what the picture says there;
    ink: its contrast; others: boxes without text; covered: share of the first box on the layer's text;
    roomy: times as wide and high the second box is as its text."""

    def printed(words: str, left: float) -> Span:
        step = 1 / len(words)
        chars = tuple(Char(c, 1.0, i * step, (i + 1) * step) for i, c in enumerate(words))
        return Span(words, 1.0, quad(left, 40, left + 10 * len(words), 56), chars)

    class Reads:
        def read(self, page: Page, boxes: Sequence[TextBox]) -> list[Span]:
            return [
                Span(
                    ("3" if box.quad.center[0] > 290 else text) if box.quad.center[1] < 60 else "?",
                    0.9,
                    box.quad,
                )
                for box in boxes
            ]

    image = np.full((400, 400, 3), 255, np.uint8)
    image[::3] = 255 - ink
    page = Page(image, (400, 400), printed=(printed("Socket white", 20), printed("3", 300)))
    first = quad(20, 40, 20 + 120 / covered, 56)
    second = quad(305 - 5 * roomy, 48 - 8 * roomy, 305 + 5 * roomy, 48 + 8 * roomy)
    boxes = [first, second, *(quad(20, 100 + 30 * k, 80, 116 + 30 * k) for k in range(others))]
    spans = read_text(page, [TextBox(box, 0.9) for box in boxes], Reads())
    return ", ".join(span.text for span in spans)


EDGES: dict[str, Callable[[float], str]] = {
    "chance of a rival": lambda p: decoded({"1": 0.7, "7": p}),
    "chance of the best": lambda p: decoded({"1": p, "7": 0.02}),
    "chance of an insertion": lambda p: decoded({"1": 1.0}, {"": 0.6, ".": p}, {"7": 1.0}),
    "number of rivals": lambda n: rivals(int(n)),
    "width of a crop": lambda w: cropped(w, 40),
    "height of a crop": lambda h: cropped(40, h),
    "score upright": lambda s: turned(s, 0.99),
    "score upside down, upright .80": lambda s: turned(0.8, s),
    "rows that are words": lambda n: turned(0.8, 0.7, rows=30, words=int(n)),
    "rows": lambda n: turned(0.8, 0.7, rows=int(n), words=0),
    "height of standing boxes": standing,
    "lines that read badly": lambda n: cyrillic(strange=int(n)),
    "letters of Cyrillic": lambda n: cyrillic(letters=int(n)),
    "score of such lines": lambda s: cyrillic(score=s),
    "sure of such letters": lambda s: cyrillic(sure=s),
    "characters on such lines": lambda n: cyrillic(score=0.95, text="V" * int(n)),
    "lines with accents": lambda n: vietnamese(accented=int(n)),
    "letters of Vietnamese": lambda n: vietnamese(letters=int(n)),
    "ideographs among them": lambda n: vietnamese(ideographs=int(n)),
    "sure of Vietnamese letters": lambda s: vietnamese(sure=s),
    "letters of Greek": lambda n: script(int(n), 0),
    "doubtful letters beside them": lambda n: script(5, 0, doubtful=int(n)),
    "ideographs": lambda n: script(0, int(n)),
    "sure of ideographs": lambda s: script(0, 4, s),
    "score of a Latin line": doubtful,
    "letters unlike the layer": lambda n: layer("SOCKET WHITE"[: 12 - int(n)] + "#" * int(n)),
    "contrast of the layer's text": lambda c: layer(ink=int(c)),
    "boxes without text in the layer": lambda n: layer(others=int(n)),
    "share of a box on the layer": lambda s: layer(covered=s),
    "room around a digit": lambda r: layer(roomy=r),
}


def _describe(name: str, steps: Sequence[str]) -> Iterable[str]:
    return (EDGES[name](float(step)) or "-" for step in steps)


LIST = RowList(Path(__file__).parent / "edges.txt", _describe)


@pytest.mark.parametrize("row", LIST.rows)
def test_where_what_is_read_is_doubted(row: str) -> None:
    assert LIST.result_of(row) == row


if __name__ == "__main__":
    LIST.write()

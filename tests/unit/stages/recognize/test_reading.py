"""Which head reads a line of a page in another script, or of worn print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from receipt_engine.document import Page, Quad, Span, TextBox
from receipt_engine.stages.recognize import (
    Feature,
    LearnedHead,
    MeanHead,
    NetworkRecognizer,
    read_boxes,
    reading,
)
from receipt_engine.stages.recognize.scripts import Script

ALPHABET = ("", "*", "-", "A", "Ψ", " ")


class _Backbone:
    def run(self, inputs: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        return np.zeros((1, 20, 504), np.float32)


class _Says:
    """A graph that reads the same text whatever it sees."""

    def __init__(self, text: str, alphabet: tuple[str, ...] = ALPHABET) -> None:
        self._text = text
        self._alphabet = alphabet

    def run(self, inputs: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        probabilities = np.zeros((1, 2 * len(self._text) + 1, len(self._alphabet)), np.float32)
        probabilities[0, :, 0] = 1
        for i, character in enumerate(self._text):
            probabilities[0, 2 * i + 1] = 0
            probabilities[0, 2 * i + 1, self._alphabet.index(character)] = 1
        return probabilities


def _read(latin: str, greek: str) -> str:
    heads = {"latin": LearnedHead(ALPHABET, _Says(latin)), "greek": LearnedHead(ALPHABET, _Says(greek))}
    recognizer = NetworkRecognizer(_Backbone(), heads, LearnedHead(ALPHABET, _Says("")))
    page = Page(np.full((40, 300, 3), 255, np.uint8), (300, 40))
    box = TextBox(Quad((5, 5), (280, 5), (280, 30), (5, 30)), 0.9)
    (span,) = read_boxes(page, (box,), recognizer, "greek")
    return span.text


def test_a_row_of_stars_is_no_word() -> None:
    assert _read(latin="********", greek="*Ψ*ΨΨ") == "********"


def test_words_that_latin_classes_cannot_see_stay_words() -> None:
    assert _read(latin="--", greek="ΨΨΨ ΨΨ") == "ΨΨΨ ΨΨ"


def test_letters_are_read_by_the_greek_head() -> None:
    assert _read(latin="A", greek="Ψ") == "Ψ"


def _head(text: str) -> LearnedHead:
    alphabet = ("", *dict.fromkeys(text), " ")
    return LearnedHead(alphabet, _Says(text, alphabet))


@pytest.mark.parametrize(("whole", "vietnamese"), [("PHO BAC", True), ("鮮牛奶", False)])
def test_ideographs_are_not_taken_for_vietnamese(whole: str, vietnamese: bool) -> None:
    recognizer = NetworkRecognizer(_Backbone(), {"vietnamese": _head("ẠẢẴ")}, _head(whole))
    quad = Quad((5, 5), (280, 5), (280, 30), (5, 30))
    spans = [Span("PHÔ BẮC", 0.9, quad)] * 3
    features = [Feature(np.zeros((1, 20, 504), np.float32))] * 3
    assert reading._is_vietnamese(spans, features, recognizer) is vietnamese


class _Counting(_Backbone):
    def __init__(self) -> None:
        self.looks = 0

    def run(self, inputs: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        self.looks += 1
        return super().run(inputs)


def test_a_box_is_looked_at_once_for_each_way_that_its_page_is_turned() -> None:
    backbone = _Counting()
    heads = {"latin": LearnedHead(ALPHABET, _Says("AA")), "greek": LearnedHead(ALPHABET, _Says(""))}
    recognizer = NetworkRecognizer(backbone, heads, LearnedHead(ALPHABET, _Says("")))
    page = Page(np.full((40, 300, 3), 255, np.uint8), (300, 40))
    boxes = [TextBox(Quad((x, 5), (x + 90, 5), (x + 90, 30), (x, 30)), 0.9) for x in (5, 105, 205)]
    own = recognizer.for_page()
    first = own.read(page, boxes[:2])
    assert own.read(page, boxes)[:2] == first
    assert backbone.looks == 3
    own.read(replace(page, rotation=180), boxes)
    assert backbone.looks == 6
    recognizer.for_page().read(page, boxes)
    recognizer.read(page, boxes)
    assert backbone.looks == 12


CYRILLIC = ("", *"0123456789=.", "Ж", "Й", "Ы", "Я", "Щ", "Э", "О", " ")
QUAD = Quad((5, 5), (280, 5), (280, 30), (5, 30))


def _recognizer(cyrillic: str, latin: str = "") -> NetworkRecognizer:
    heads = {
        "cyrillic": LearnedHead(CYRILLIC, _Says(cyrillic, CYRILLIC)),
        "latin": LearnedHead(CYRILLIC, _Says(latin, CYRILLIC)),
    }
    return NetworkRecognizer(_Backbone(), heads, LearnedHead(CYRILLIC, _Says("", CYRILLIC)))


def _is_cyrillic(read_as: list[tuple[str, float]], cyrillic: str) -> bool:
    spans = [Span(text, score, QUAD) for text, score in read_as]
    features = [Feature(np.zeros((1, 20, 504), np.float32))] * len(spans)
    return reading._is_cyrillic(spans, features, _recognizer(cyrillic))


def test_lines_that_read_badly_show_cyrillic_letters() -> None:
    assert _is_cyrillic([("141.00", 1.0), ("VTOT", 0.7), ("", 0.0)], "ЖЙЫЯЩ")


def test_few_such_letters_are_an_accident() -> None:
    assert not _is_cyrillic([("VTOT", 0.7), ("", 0.0)], "ЖЙЫЯОО")


class _SaysByLength:
    """A graph that reads a line as the text for its number of steps."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        self._texts = texts

    def run(self, inputs: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        return _Says(self._texts[inputs["x"].shape[1]], CYRILLIC).run(inputs)


@pytest.mark.parametrize(("score", "cyrillic"), [(0.96, True), (0.98, False)])
def test_letters_of_lines_that_are_not_clear_count_too(score: float, cyrillic: bool) -> None:
    """One line in five reads badly, and another so well as Latin."""
    lines = [("VTOT", 0.7, 20), ("BKYNHO", score, 30), *[("COFFEE", 0.99, 40)] * 3]
    spans = [Span(text, read, QUAD) for text, read, _ in lines]
    features = [Feature(np.zeros((1, steps, 504), np.float32)) for *_, steps in lines]
    head = LearnedHead(CYRILLIC, _SaysByLength({20: "ЖЙ", 30: "ЫЯЩ", 40: ""}))
    recognizer = NetworkRecognizer(_Backbone(), {"cyrillic": head}, head)
    assert reading._is_cyrillic(spans, features, recognizer) is cyrillic


def test_a_page_that_reads_well_is_not_looked_at() -> None:
    assert not _is_cyrillic([("TOTAL", 0.99)] * 9 + [("VTOT", 0.7)], "ЖЙЫЯЩ")


def test_numbers_of_a_cyrillic_page_come_from_the_surer_head() -> None:
    page = Page(np.full((40, 300, 3), 255, np.uint8), (300, 40))
    box = TextBox(QUAD, 0.9)
    for cyrillic, latin, expected in (
        ("=ООО.1", "=000.1", "=000.1"),
        ("ЖЙЫ", "41", "41"),
        ("ЖЙЫ", "", "ЖЙЫ"),
        ("Ж 41", "41", "Ж 41"),
        ("Ж 14", "41", "41"),
        ("ОО 41", "=41", "ОО 41"),
        ("О41", "=41", "=41"),
        ("ЖЙ111", "4Й111", "ЖЙ111"),
        ("ЖЙ11", "4111", "4111"),
        ("ЖЙО11", "ЖЙ011", "ЖЙО11"),
    ):
        (span,) = read_boxes(page, (box,), _recognizer(cyrillic, latin), "cyrillic")
        assert span.text == expected


class _Doubts:
    """A graph that sees one character, which has these chances."""

    def __init__(self, *chances: tuple[str, float]) -> None:
        self._chances = chances

    def run(self, inputs: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        probabilities = np.zeros((1, 3, len(ALPHABET)), np.float32)
        probabilities[0, :, 0] = (1, 0, 1)
        for character, chance in self._chances:
            probabilities[0, 1, ALPHABET.index(character)] = chance
        return probabilities


def _read_worn(first: _Doubts, second: _Doubts, script: Script = "latin") -> Span:
    latin = LearnedHead(ALPHABET, first)
    worn = MeanHead((latin, LearnedHead(ALPHABET, second)))
    recognizer = NetworkRecognizer(
        _Backbone(), {"latin": latin, "greek": latin}, LearnedHead(ALPHABET, _Says("")), worn=worn
    )
    page = Page(np.full((40, 300, 3), 255, np.uint8), (300, 40))
    (span,) = read_boxes(page, (TextBox(QUAD, 0.9),), recognizer, script)
    return span


def test_a_doubtful_character_is_what_both_heads_together_say() -> None:
    span = _read_worn(_Doubts(("A", 0.6), ("-", 0.4)), _Doubts(("A", 0.1), ("-", 0.9)))
    assert (span.text, span.score) == ("-", 0.65)


def test_of_two_readings_the_surer_counts() -> None:
    span = _read_worn(_Doubts(("A", 0.6), ("-", 0.4)), _Doubts(("A", 0.2), ("-", 0.7)))
    assert (span.text, span.score) == ("A", 0.6)


def test_a_line_without_doubt_is_left_as_it_is() -> None:
    assert _read_worn(_Doubts(("A", 0.9), ("-", 0.1)), _Doubts(("-", 1.0))).text == "A"


def test_the_head_for_worn_print_reads_latin_pages_alone() -> None:
    assert _read_worn(_Doubts(("A", 0.6)), _Doubts(("-", 1.0)), "greek").text == "A"


@pytest.mark.parametrize(
    ("latin", "score", "east_asian", "text"),
    [
        ("202435", 0.98, "2024年3月5日", "2024年3月5日"),
        ("AI", 0.75, "人工", "人工"),
        ("", 0.0, "鮮奶", "鮮奶"),
        ("TOTAL", 0.99, "TOTAL", "TOTAL"),
        ("*BREAD*", 1.0, "包BREAD", "*BREAD*"),
        ("鮮牛奶 2", 0.9, "鮮牛奶 22", "鮮牛奶 2"),
    ],
)
def test_a_line_beside_ideographs_may_have_some_that_latin_classes_leave_out(
    latin: str, score: float, east_asian: str, text: str
) -> None:
    heads: dict[Script, LearnedHead] = {"cjk": _head(east_asian)}
    recognizer = NetworkRecognizer(_Backbone(), heads, _head(""))
    quad = Quad((5, 5), (280, 5), (280, 30), (5, 30))
    feature = Feature(np.zeros((1, 20, 504), np.float32), 1.0, None)
    assert reading._with_ideographs(Span(latin, score, quad), feature, recognizer).text == text

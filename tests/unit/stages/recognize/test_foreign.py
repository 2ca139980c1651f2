"""Lines of scripts that share no letter with Latin, found one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from receipt_engine.document import Quad, Span
from receipt_engine.stages.recognize.classes import Feature, LearnedHead
from receipt_engine.stages.recognize.foreign import read_foreign
from receipt_engine.stages.recognize.scripts import Script
from receipt_engine.stages.recognize.spans import READABLE, LineScripts

QUAD = Quad((5, 5), (280, 5), (280, 30), (5, 30))
LETTERS = ("", *"합계금액12,₩১২০8", " ")


class _Says:
    """A graph that reads a text of its own from each line: its features hold the number of the text."""

    def __init__(self, *texts: tuple[str, float]) -> None:
        self._texts = texts

    def run(self, inputs: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        text, chance = self._texts[int(inputs["x"][0, 0, 0])]
        probabilities = np.zeros((1, 2 * len(text) + 1, len(LETTERS)), np.float32)
        probabilities[0, :, 0] = 1
        for i, character in enumerate(text):
            probabilities[0, 2 * i + 1, 0] = 1 - chance
            probabilities[0, 2 * i + 1, LETTERS.index(character)] = chance
        return probabilities


def _names(*names: str) -> LineScripts:
    """Names the script of each line by its number."""
    scripts = LineScripts((READABLE,), np.zeros((2, 1), np.float32), np.zeros(1, np.float32))
    object.__setattr__(scripts, "unreadable", lambda feature, score: names[int(feature.values[0, 0, 0])])
    return scripts


def _read(
    latin: list[tuple[str, float]],
    own: list[tuple[str, float]],
    names: list[str],
    script: Script = "hangul",
) -> list[tuple[str, str]]:
    spans = [Span(text, score, QUAD) for text, score in latin]
    features = [Feature(np.full((1, 4, 504), number, np.float32)) for number in range(len(latin))]
    heads = {script: LearnedHead(LETTERS, _Says(*own))}
    return [(span.text, span.script) for span in read_foreign(spans, features, heads, _names(*names))]


def test_named_lines_are_read_by_their_head() -> None:
    found = _read([("eH7H", 0.6)] * 2, [("합계 12", 0.95)] * 2, ["hangul"] * 2)
    assert found == [("합계 12", "")] * 2


@pytest.mark.parametrize("read", [("합계", 0.5), ("합", 0.99), ("12", 0.99)])
def test_a_line_that_its_head_does_not_read_surely_keeps_its_name(read: tuple[str, float]) -> None:
    assert _read([("eH7H", 0.6)], [read], ["hangul"]) == [("eH7H", "hangul")]


def test_a_script_without_a_head_is_named() -> None:
    assert _read([("eH7H", 0.6)], [("합계", 0.99)], ["thai"]) == [("eH7H", "thai")]


def test_a_page_without_the_script_stays_as_it_is() -> None:
    latin = [("TOTAL", 0.6), ("2.10", 0.9)]
    assert _read(latin, [("합계", 0.99)] * 2, ["", ""]) == [(text, "") for text, _ in latin]


def test_short_words_are_read_on_a_page_of_the_script() -> None:
    latin = [("eH7H", 0.6), ("a|", 0.7), ("7H", 0.94), ("1,212", 0.999)]
    hangul = [("합계", 0.95), ("금액", 0.95), ("계", 0.99), ("1,212", 0.99)]
    found = _read(latin, hangul, ["hangul", "hangul", "", ""])
    assert [text for text, _ in found] == ["합계", "금액", "계", "1,212"]


def test_a_word_that_was_left_out_is_read() -> None:
    latin = [("eH7H", 0.6), ("a|", 0.7), ("12", 0.99)]
    hangul = [("합계", 0.95), ("금액", 0.95), ("금액 12", 0.97)]
    assert _read(latin, hangul, ["hangul", "hangul", ""])[2] == ("금액 12", "")


def test_a_sign_of_currency_stands_before_a_number_that_both_read() -> None:
    latin = [("eH7H", 0.6), ("a|", 0.7), ("W12", 0.99), ("1,0", 0.99)]
    hangul = [("합계", 0.95), ("금액", 0.95), ("₩12", 0.97), ("₩12", 0.97)]
    assert _read(latin, hangul, ["hangul", "hangul", "", ""])[2:] == [("₩12", ""), ("1,0", "")]


def test_one_line_does_not_make_a_page() -> None:
    found = _read([("eH7H", 0.6), ("7H", 0.94)], [("합계", 0.95), ("계", 0.99)], ["hangul", ""])
    assert found == [("eH7H", "hangul"), ("7H", "")]


def test_numbers_in_digits_of_the_page_s_script_are_read() -> None:
    """Alone in a column they show no letter. Digits of the same shape become its own, whatever they mean."""
    latin, own = [("sxo", 0.8), ("88s", 0.7), ("120", 0.99)], [("১২০", 0.98), ("88১", 0.98), ("12০", 0.9)]
    words = [("x", 0.5)] * 2, [("১২", 0.95)] * 2
    found = _read([*words[0], *latin], [*words[1], *own], ["bengali"] * 2 + [""] * 3, "bengali")
    assert [text for text, _ in found[2:]] == ["১২০", "৪৪১", "120"]

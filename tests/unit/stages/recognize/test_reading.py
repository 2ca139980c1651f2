"""Which head reads a line of a Greek page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Page, Quad, TextBox
from receipt_engine.stages.recognize import LearnedHead, Recognizer, read_boxes

ALPHABET = ("", "*", "-", "A", "Ψ", " ")


class _Backbone:
    def run(self, inputs: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        return np.zeros((1, 20, 504), np.float32)


class _Says:
    """A graph that reads the same text whatever it sees."""

    def __init__(self, text: str) -> None:
        self._text = text

    def run(self, inputs: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        probabilities = np.zeros((1, 2 * len(self._text) + 1, len(ALPHABET)), np.float32)
        probabilities[0, :, 0] = 1
        for i, character in enumerate(self._text):
            probabilities[0, 2 * i + 1] = 0
            probabilities[0, 2 * i + 1, ALPHABET.index(character)] = 1
        return probabilities


def _read(latin: str, greek: str) -> str:
    heads = {"latin": LearnedHead(ALPHABET, _Says(latin)), "greek": LearnedHead(ALPHABET, _Says(greek))}
    recognizer = Recognizer(_Backbone(), heads, LearnedHead(ALPHABET, _Says("")))
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

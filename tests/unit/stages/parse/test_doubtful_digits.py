"""Digits inside words that the recogniser is not sure of, and those of counters and codes."""

from __future__ import annotations

import pytest

from receipt_engine.document import Char, Quad, Span
from receipt_engine.region import load_region
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse

LETTERS = {"0": "Oo", "1": "lI"}


def read(text: str, doubts: str) -> str:
    """The row as parsed. doubts: a sign for each character, "?" for a digit that may be a letter, "." for a
    sure one, "-" for one that may be there or not."""
    assert len(text) == len(doubts)
    step = 1 / len(text)
    chars = []
    for at, (c, doubt) in enumerate(zip(text, doubts, strict=True)):
        first, second = LETTERS.get(c, "xx")
        others = {"?": ((first, 0.08), (second, 0.03)), "-": (("]", 0.04),), ".": ()}[doubt]
        chars.append(Char(c, 0.99 if doubt == "." else 0.9, at * step, (at + 1) * step, others))
    quad = Quad((0, 0), (10 * len(text), 0), (10 * len(text), 20), (0, 20))
    (row,) = parse(group([Span(text, 0.95, quad, tuple(chars))]), load_region("us"), AmountHints())
    assert row.text == row.line.text
    return row.text


@pytest.mark.parametrize(
    ("text", "doubts", "mended"),
    [
        ("7 Hillsda1e Rd", ".........?....", "7 Hillsdale Rd"),
        ("Sma11 Mocha", "...??......", "Small Mocha"),
        ("Sma11 Mocha", "...?-......", "Small Mocha"),
        ("0range juice", "?...........", "Orange juice"),
        ("CARAMEL M0CHA", ".........?...", "CARAMEL MOCHA"),
        ("P.0. Box 73", "..?........", "P.O. Box 73"),
        ("Lipa d.0.0.", ".......?.?.", "Lipa d.o.o."),
        ("12.50 A1mond", ".......?....", "12.50 Almond"),
    ],
)
def test_a_doubtful_digit_inside_a_word_is_a_letter(text: str, doubts: str, mended: str) -> None:
    assert read(text, doubts) == mended


@pytest.mark.parametrize(
    ("text", "doubts"),
    [
        ("Drawer1", "......."),  # surely a digit
        ("Sma11 Mocha", "...?......."),  # one of them surely
        ("BOX01", "...?."),
        ("DRAWER1", "......?"),  # in capitals
        ("B1c", ".?."),  # no word
        ("BA10", "..??"),
        ("Rs10 off", "..??...."),
        ("Gate12", "....??"),  # another digit
        ("Feta1.172 9.80", "....?........."),  # a number begins there
        ("2.1oz", "..?.."),
        ("B.0.5", "..?.."),
        ("0.0. Lager", "..?......."),
    ],
)
def test_digits_of_counters_codes_and_sizes_stay(text: str, doubts: str) -> None:
    assert read(text, doubts) == text


def test_a_word_without_its_characters_stays() -> None:
    quad = Quad((0, 0), (200, 0), (200, 20), (0, 20))
    (row,) = parse(group([Span("Kendal1 Drive", 0.95, quad)]), load_region("us"), AmountHints())
    assert row.text == "Kendal1 Drive"

"""Words with a letter that the recogniser is not sure of."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from receipt_engine.region import load_region
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.testing import spans


def read(text: str, at: int, other: tuple[str, float], region: str) -> str:
    """The row as parsed. other: what else the character at that place may be, with its probability."""
    return read_twice(text, {at: other}, region)


def read_twice(text: str, others: dict[int, tuple[str, float]], region: str) -> str:
    """The same with several characters in doubt."""
    (span,) = spans(text)
    chars = list(span.chars)
    for at, other in others.items():
        chars[at] = replace(chars[at], score=0.7, alternatives=(other,))
    (row,) = parse(group([replace(span, chars=tuple(chars))]), load_region(region), AmountHints())
    assert row.text == row.line.text
    return row.text


@pytest.mark.parametrize(
    ("text", "at", "other", "region", "mended"),
    [
        ("부카세 1,200", 1, ("가", 0.2), "kr", "부가세 1,200"),
        ("부 카 세 1,200", 2, ("가", 0.2), "kr", "부 가 세 1,200"),
        ("개인태시", 2, ("택", 0.2), "kr", "개인택시"),
        ("合许 880", 1, ("計", 0.3), "ja", "合計 880"),
        ("ИТОЛ 310.00", 3, ("Г", 0.3), "ru", "ИТОГ 310.00"),
        ("ИТОЛО 310.00", 3, ("Г", 0.3), "ru", "ИТОГО 310.00"),
        ("Sobtotal 12.00", 1, ("u", 0.3), "us", "Subtotal 12.00"),
        ("Sobtotal 12.00", 1, ("u", 0.04), "us", "Subtotal 12.00"),  # a long word may be unlikely
        ("CITY TAN 2.75", 7, ("X", 0.2), "us", "CITY TAX 2.75"),  # too short to be matched fuzzily
        ("TAX/ANT 2.75", 5, ("M", 0.2), "us", "TAX/AMT 2.75"),
        ("9 Heron Stroet", 11, ("e", 0.3), "gb", "9 Heron Street"),
        ("BANANAZ 0.87", 6, ("S", 0.4), "us", "BANANAS 0.87"),  # a product
        ("Changie 2.00", 5, ("", 0.3), "us", "Change 2.00"),
        ("ΣΥΝΟΑΟ 8,40", 4, ("Λ", 0.3), "gr", "ΣΥΝΟΛΟ 8,40"),
    ],
)
def test_an_alternative_that_makes_a_known_phrase(
    text: str, at: int, other: tuple[str, float], region: str, mended: str
) -> None:
    assert read(text, at, other, region) == mended


@pytest.mark.parametrize(
    ("text", "at", "other", "region"),
    [
        ("부카세 1,200", 1, ("가", 0.05), "kr"),  # too unlikely
        ("부카세 1,200", 1, ("나", 0.2), "kr"),  # no phrase either
        ("부가세 1,200", 1, ("카", 0.4), "kr"),  # it is one as read
        ("9:20 PM", 6, ("H", 0.2), "us"),  # two letters are in too many words
        ("TAN 2.75", 2, ("X", 0.05), "us"),  # a short one may not
        ("2 WATER 3.00", 2, ("M", 0.2), "us"),
        ("QR-Code", 0, ("G", 0.3), "de"),
        ("부카세 1,200", 1, ("", 0.4), "kr"),
    ],
)
def test_other_letters_stay(text: str, at: int, other: tuple[str, float], region: str) -> None:
    assert read(text, at, other, region) == text


def test_two_letters_of_a_long_word() -> None:
    assert read_twice("RCUNDIMG 0.02", {1: ("O", 0.3), 6: ("N", 0.2)}, "my") == "ROUNDING 0.02"
    assert read_twice("Scu-Tape 8.00", {1: ("d", 0.3), 2: ("n", 0.3)}, "my") == "Scu-Tape 8.00"


def test_a_letter_that_was_taken_for_none() -> None:
    (span,) = spans("TOTA 12.00")
    chars = list(span.chars)
    chars.insert(4, replace(chars[3], text="", score=0.6, alternatives=(("L", 0.3),)))
    (row,) = parse(group([replace(span, chars=tuple(chars))]), load_region("us"), AmountHints())
    assert row.text == "TOTAL 12.00"


def test_the_longest_known_word_counts() -> None:
    (span,) = spans("Totak 12.00")
    chars = list(span.chars)
    chars[4] = replace(chars[4], score=0.5, alternatives=(("", 0.2), ("l", 0.2)))
    (row,) = parse(group([replace(span, chars=tuple(chars))]), load_region("us"), AmountHints())
    assert row.text == "Total 12.00"

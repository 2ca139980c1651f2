"""Words in scripts without fuzzy matching with a letter that the recogniser is not sure of."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from receipt_engine.region import load_region
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.testing import spans


def read(text: str, at: int, other: tuple[str, float], region: str) -> str:
    """The row as parsed. other: what else the character at that place may be, with its probability."""
    (span,) = spans(text)
    chars = list(span.chars)
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
        ("Sobtotal 12.00", 1, ("u", 0.3), "us"),  # matched fuzzily later, as is Greek
        ("ΣΥΝΟΑΟ 8,40", 4, ("Λ", 0.3), "gr"),
        ("부카세 1,200", 1, ("", 0.4), "kr"),
    ],
)
def test_other_letters_stay(text: str, at: int, other: tuple[str, float], region: str) -> None:
    assert read(text, at, other, region) == text

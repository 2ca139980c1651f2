"""How much of a page could be read, and what that leaves of the confidences."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from receipt_engine.document import Quad, Quality, Reading
from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import Result
from receipt_engine.stages.legibility import ILLEGIBLE, judge, limited
from receipt_engine.trace import Trace
from tests.printed import reading

RECEIPT = """
CORNER SHOP
Milk                1.20
Bread               2.30
TOTAL               3.50
"""


def marked(script: str, words: int, score: float = 0.99) -> Reading:
    """The receipt with its first texts of letters in a script, or badly read."""
    page = reading(RECEIPT)
    spans, left = [], words
    for span in page.spans:
        if left and any(map(str.isalpha, span.text)):
            span, left = replace(span, script=script, score=score), left - 1
        spans.append(span)
    return replace(page, spans=tuple(spans))


def test_a_page_that_was_read() -> None:
    found = judge(reading(RECEIPT))
    assert (found.read, found.script, found.enough) == (1.0, None, True)


@pytest.mark.parametrize(("words", "named", "enough"), [(1, True, True), (3, True, False), (4, True, False)])
def test_words_in_another_script(words: int, named: bool, enough: bool) -> None:
    found = judge(marked("thai", words))
    assert found.script == ("thai" if named else None)
    assert found.enough is enough
    assert any("Thai" in text for text in found.advice)


def test_words_that_are_read_badly() -> None:
    found = judge(marked("", 4, score=0.4))
    assert (found.read, found.script) == (0.0, None)
    assert found.advice[0].startswith("Most words cannot be read")


def test_amounts_without_their_labels_are_never_sure() -> None:
    result = interpret(marked("arabic", 4), ExtractOptions(region="ae"), None, Trace())
    assert result.total is None or (result.total_confidence or 0) <= ILLEGIBLE
    assert not result.validated_total


@pytest.mark.parametrize(
    ("quality", "said"),
    [
        (Quality(sharpness=20, contrast=0.8, text_height=30, brightness=0.9), "blurred"),
        (Quality(sharpness=900, contrast=0.3, text_height=30, brightness=0.9), "faint"),
        (Quality(sharpness=900, contrast=0.3, text_height=30, brightness=0.3), "dark"),
        (Quality(sharpness=900, contrast=0.8, text_height=9, brightness=0.9), "small"),
    ],
)
def test_advice(quality: Quality, said: str) -> None:
    (advice,) = judge(replace(framed(reading(RECEIPT)), quality=quality)).advice
    assert said in advice


def framed(page: Reading) -> Reading:
    """The page with room around its text."""
    spans = [
        replace(span, quad=Quad(*((x + 50, y + 50) for x, y in span.quad.points))) for span in page.spans
    ]
    return replace(page, spans=tuple(spans), width=page.width + 100, height=page.height + 100)


def test_cut_edges() -> None:
    page = framed(reading(RECEIPT))
    assert judge(page).cut == ()
    edge = max(x for span in page.spans for x, _ in span.quad.points)
    found = judge(replace(page, width=round(edge)))
    assert found.cut == ("right",)
    assert "The right edge is cut off. Photograph the whole receipt." in found.advice


def test_limited() -> None:
    result = Result(
        total=Decimal(5),
        total_confidence=0.999,
        validated_total=True,
        taxes=(Decimal(1), Decimal(2)),
        taxes_confidence=(0.9, 0.2),
        date_confidence=0.4,
    )
    lower = limited(result, 0.6)
    assert (lower.total_confidence, lower.date_confidence, lower.taxes_confidence) == (0.6, 0.4, (0.6, 0.2))
    assert not lower.validated_total
    assert lower.total == result.total
    assert limited(result, 0.995).validated_total

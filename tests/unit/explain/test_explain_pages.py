"""What the explain pages say, of receipts given as text."""

from __future__ import annotations

import re
from decimal import Decimal

import numpy as np
import pytest

from receipt_engine.document import Page
from receipt_engine.errors import NotAnImageError, NoTextError
from receipt_engine.explain import words
from receipt_engine.explain.explanation import Explanation
from receipt_engine.explain.failure import failure_html
from receipt_engine.explain.index import Entry, index_html
from receipt_engine.explain.page import to_html
from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import Result
from receipt_engine.trace import Trace
from tests.printed import reading

SOUND = """
HARBOUR STORE
4 Quay Road
Date: 05/06/2024 11:31

Rope                3.20
Lantern            14.30
TOTAL              17.50
CASH               20.00
CHANGE              2.50
"""
#: The products come to another sum than the total.
ODD = SOUND.replace("14.30", "19.30")


def explained(text: str) -> Explanation:
    found, trace = reading(text), Trace()
    page = Page(np.full((found.height, found.width, 3), 255, np.uint8), found.source_size)
    options = ExtractOptions(region="us", evidence=True)
    return Explanation(page, found, interpret(found, options, None, trace), trace)


def checks(text: str) -> list[str]:
    one = explained(text)
    return words.checks(one.result, one.trace["reconcile"])


def part(html: str, title: str) -> str:
    """The section with a title."""
    return html.partition(f"<h2>{title}</h2>")[2].partition("</section>")[0]


def test_what_does_not_add_up_is_to_be_checked() -> None:
    assert any("does not add up" in told and "22.50" in told for told in checks(ODD))
    assert not any("does not add up" in told for told in checks(SOUND))


def test_what_is_missing_is_to_be_checked() -> None:
    told = checks("HARBOUR STORE\nRope\nLantern")
    assert "No total was found." in told and "No date was found." in told


def test_no_cost_is_told() -> None:
    html = to_html([explained(SOUND)])
    assert "cost" not in re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    assert "17.50" in part(html, "Equations")


def test_a_total_has_its_runners_up_in_words() -> None:
    others = part(to_html([explained(SOUND)]), "Other possible values")
    assert "<td>total</td>" in others
    assert any(word in others for word in ("likely", "possible"))


def test_products_say_how_sure_they_are() -> None:
    assert part(to_html([explained(SOUND)]), "Products").count("adds up") == 2
    assert "adds up" not in part(to_html([explained(ODD)]), "Products")


def test_a_row_and_its_box_light_up_together() -> None:
    html = to_html([explained(SOUND)])
    style = html.partition("<style>")[2].partition("</style>")[0]
    boxes = set(re.findall(r"<polygon class='\w+ (r0-\d+)'", html))
    rows = set(re.findall(r"<tr class='(r0-\d+)'>", part(html, "Rows")))
    assert boxes == rows and rows
    assert all(f"main:has(.{name}:hover)" in style for name in rows)
    assert "prefers-color-scheme: dark" in style


def test_receipts_of_one_picture_share_a_page() -> None:
    html = to_html([explained(SOUND), explained(ODD.replace("HARBOUR", "LIGHTHOUSE"))])
    assert "2 receipts in this picture" in html
    anchors = re.findall(r"href='#([\w-]+)'", html)
    assert anchors == ["receipt-0", "receipt-1"]
    assert all(f"id='{anchor}'" in html for anchor in anchors)
    assert "<polygon class='total r1-" in html


def test_a_limited_confidence_says_so() -> None:
    from msgspec.structs import replace

    one = explained(SOUND)
    limited = replace(one.result, total_confidence=0.5)
    told = {field: confidence for field, confidence, _ in words.judged_fields(limited)}
    assert told["total"] == 0.5
    assert words.LIMITED in to_html([Explanation(one.page, one.reading, limited, one.trace)])


@pytest.mark.parametrize(
    "error", [NotAnImageError("It is <b>text</b>."), NoTextError("No text."), OSError("gone")]
)
def test_a_failure_has_a_page(error: Exception) -> None:
    html = failure_html("a<b.jpg", error, Page(np.zeros((40, 30, 3), np.uint8), (30, 40)))
    assert type(error).__name__ in html and "a&lt;b.jpg" in html
    assert "<b>" not in html and html.count("data:image/jpeg") == 1


def test_the_index_has_the_doubtful_before_the_sure() -> None:
    def result(name: str, sure: float) -> Result:
        return Result(
            establishment=name,
            establishment_confidence=sure,
            date="2024-06-05 11:31:00",
            date_confidence=0.95,
            total=Decimal("17.50"),
            total_confidence=0.99,
        )

    entries = [
        Entry("a.jpg", "0001-a.html", (result("Sure & Co", 0.97), result("Doubtful", 0.4))),
        Entry("b c.jpg", "0002-b c.html", error="No text."),
    ]
    html = index_html(entries)
    assert html.index("Doubtful") < html.index("Sure &amp; Co")
    assert "2 files, 2 receipts, 1 to check, 1 not read" in html
    assert "0002-b%20c.html" in html and "No text." in html

"""How much of a page could be read, and what that leaves of the confidences."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from receipt_engine.document import Quad, Quality, Reading, Span
from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import Result
from receipt_engine.stages.legibility import ILLEGIBLE, judge, limit_if_illegible, limited
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
        (Quality(sharpness=20, contrast=0.1, text_height=30, brightness=0.9), "faint"),
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


CUT = """
CORNER SHOP
12 Quay Street
Milk                1.20
Bread               2.30
"""


def _ending(text: str, room: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What evidence says and advises of the edges of a page that ends so many text heights below its text."""
    page = framed(reading(text))
    height = min(span.quad.height for span in page.spans)
    lowest = max(y for span in page.spans for _, y in span.quad.points)
    page = replace(page, height=int(lowest + room * height))
    evidence = interpret(page, ExtractOptions(region="gb", evidence=True), None, Trace()).evidence
    assert isinstance(evidence, dict)
    return tuple(evidence["quality"]["cutEdges"]), tuple(evidence["quality"]["advice"])


def test_text_at_the_bottom_and_no_total_is_a_receipt_cut_off() -> None:
    edges, advice = _ending(CUT, 0.4)
    assert edges == ("bottom",)
    assert advice == ("The bottom edge is cut off. Photograph the whole receipt.",)


@pytest.mark.parametrize(("text", "room"), [(RECEIPT, 0.4), (CUT, 2)])
def test_a_total_or_room_below_says_that_nothing_is_cut_off(text: str, room: float) -> None:
    assert _ending(text, room) == ((), ())


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


SHARP = Quality(sharpness=900, contrast=0.8, text_height=30, brightness=0.9)


@pytest.mark.parametrize(
    ("measure", "enough", "less"),
    [
        ("sharpness", 200, 199),
        ("contrast", 0.42, 0.419),
        ("brightness", 0.4, 0.399),
        ("text_height", 12, 11.9),
    ],
)
def test_from_where_on_a_photo_needs_no_advice(measure: str, enough: float, less: float) -> None:
    page = framed(reading(RECEIPT))
    assert judge(replace(page, quality=replace(SHARP, **{measure: enough}))).advice == ()
    assert len(judge(replace(page, quality=replace(SHARP, **{measure: less}))).advice) == 1


def box(left: float, width: float, *, height: float = 10, text: str = "word", score: float = 0.99) -> Span:
    """A span in the middle of the page."""
    right, bottom = left + width, 500 + height
    return Span(text, score, Quad((left, 500), (right, 500), (right, bottom), (left, bottom)))


def page(*spans: Span) -> Reading:
    return Reading(
        width=1000,
        height=1000,
        source_size=(1000, 1000),
        rotation=0,
        quality=SHARP,
        spans=spans,
        barcodes=(),
    )


@pytest.mark.parametrize(("score", "read"), [(0.75, 1.0), (0.749, 0.4)])
def test_below_which_score_a_word_says_nothing(score: float, read: float) -> None:
    assert judge(page(box(100, 60, score=score), box(200, 40))).read == read


@pytest.mark.parametrize(("width", "enough"), [(45, True), (44, False)])
def test_which_share_of_the_words_is_enough(width: int, enough: bool) -> None:
    assert judge(page(box(100, width), box(200, 100 - width, score=0.1))).enough is enough


@pytest.mark.parametrize(("width", "named"), [(15, "thai"), (14, None)])
def test_from_which_share_on_a_script_is_named(width: int, named: str | None) -> None:
    foreign = replace(box(100, width), script="thai")
    assert judge(page(foreign, box(200, 100 - width))).script == named


@pytest.mark.parametrize(("width", "read"), [(20, 1.0), (21, 0.656)])
def test_a_long_box_that_reads_as_nothing_holds_words(width: int, read: float) -> None:
    assert judge(page(box(100, width, text=" ", score=0.1), box(200, 40))).read == read


@pytest.mark.parametrize(
    ("lefts", "cut"), [((4, 3), ("left",)), ((4,), ()), ((4, 5), ()), ((4, 3, 2), ("left",))]
)
def test_two_texts_at_an_edge_are_cut_off(lefts: tuple[float, ...], cut: tuple[str, ...]) -> None:
    assert judge(page(*(box(left, 40) for left in lefts))).cut == cut


def test_the_smallest_print_is_that_of_one_box_in_twenty() -> None:
    usual = [box(100, 60, height=20)] * 39
    assert judge(page(*usual, box(200, 60, height=8))).smallest == 20
    assert judge(page(*usual[:17], *[box(200, 60, height=8)] * 3)).smallest == 8


@pytest.mark.parametrize(("most", "validated"), [(0.99, True), (0.98, False)])
def test_only_what_is_all_but_certain_stays_validated(most: float, validated: bool) -> None:
    result = Result(total=Decimal(5), total_confidence=0.999, validated_total=True)
    assert limited(result, most).validated_total is validated


def test_what_is_left_of_an_illegible_page() -> None:
    illegible = judge(page(box(100, 100, score=0.1)))
    result = limit_if_illegible(
        Result(total=Decimal(5), total_confidence=0.99, date_confidence=0.9), illegible, 0
    )
    assert (result.total_confidence, result.date_confidence) == (0.6, 0.9)


@pytest.mark.parametrize(
    ("right", "total", "decimals", "limited_to"),
    [
        (2, "84.3", 2, ILLEGIBLE),
        (2, "84", 2, ILLEGIBLE),
        (2, "84.30", 2, 0.97),
        (2, "84", 0, ILLEGIBLE),
        (0, "84.3", 2, 0.97),
    ],
)
def test_a_total_that_the_right_edge_may_have_shortened(
    right: int, total: str, decimals: int, limited_to: float
) -> None:
    """right: the number of texts that reach the right edge."""
    legibility = judge(page(*[box(900, 100)] * right, box(100, 100)))
    found = limit_if_illegible(Result(total=Decimal(total), total_confidence=0.97), legibility, decimals)
    assert found.total_confidence == limited_to

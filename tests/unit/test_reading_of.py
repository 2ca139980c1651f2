"""Words and lines of other OCR engines as readings: columns, blanks between words, skew, turned pages."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest

from receipt_engine import Engine, NoTextError, PlacedText, Reading, ReadingError
from receipt_engine.document import Barcode, Quad
from receipt_engine.stages.group import group
from receipt_engine.testing import fake_models

HIGH = 20.0


def _word(text: str, left: float, top: float, *, line: int | None = None, score: float = 0.95) -> PlacedText:
    return PlacedText(text, (left, top, left + 12 * len(text), top + HIGH), score, line=line)


def _tilted(word: PlacedText, degrees: float, *, upright: bool) -> PlacedText:
    """The word on a page turned clockwise; upright: with the upright box around it."""
    turn = math.radians(degrees)
    left, top, right, bottom = word.box  # type: ignore[misc]
    corners = [
        (
            float(x) * math.cos(turn) - float(y) * math.sin(turn),
            float(x) * math.sin(turn) + float(y) * math.cos(turn),
        )
        for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))  # type: ignore[has-type]
    ]
    xs, ys = zip(*corners, strict=True)
    box = (min(xs), min(ys), max(xs), max(ys)) if upright else corners
    return PlacedText(word.text, box, word.score, word.alternatives, word.line)


def _texts(reading: Reading) -> list[str]:
    return sorted(span.text for span in reading.spans)


def test_words_a_blank_apart_are_one_piece_and_columns_are_not() -> None:
    words = [_word("Green", 0, 0), _word("tea", 70, 0), _word("2.40", 300, 0)]
    assert _texts(Reading.of(words)) == ["2.40", "Green tea"]


def test_the_order_of_the_words_does_not_matter() -> None:
    words = [_word("2.40", 300, 0), _word("tea", 70, 2), _word("Jam", 0, 26), _word("Green", 0, 0)]
    assert _texts(Reading.of(words)) == _texts(Reading.of(reversed(words))) == ["2.40", "Green tea", "Jam"]


def test_words_of_a_line_are_one_row_however_far_apart() -> None:
    words = [_word("Tea", 0, 0, line=1), _word("2.40", 500, 0, line=1), _word("Jam", 0, 26, line=2)]
    assert _texts(Reading.of(words)) == ["Jam", "Tea 2.40"]


def test_places_of_a_lines_words_are_kept() -> None:
    reading = Reading.of([_word("Tea", 0, 0, line=1), _word("2.40", 400, 0, line=1)], (600, 100))
    (row,) = group(reading.spans)
    assert [(w.text, round(w.left), round(w.right)) for w in row.words] == [
        ("Tea", 0, 36),
        ("2.40", 400, 448),
    ]


def test_a_line_over_two_printed_rows_is_parted() -> None:
    """Some engines put the end of one column and the start of another into one line."""
    words = [_word("Breakfast", 0, 0, line=1), _word("tea", 120, 0, line=1), _word("7.1", 400, 24, line=1)]
    assert _texts(Reading.of(words)) == ["7.1", "Breakfast tea"]


def test_a_low_hyphen_stays_in_its_row_and_does_not_make_it_low() -> None:
    hyphen = PlacedText("-", (45, 9, 53, 12), line=1)
    reading = Reading.of([_word("Cups", 0, 0, line=1), hyphen, _word("large", 60, 0, line=1)])
    (span,) = reading.spans
    assert span.text == "Cups - large"
    assert span.quad.height == pytest.approx(HIGH)


@pytest.mark.parametrize("upright", [True, False], ids=["upright boxes", "tilted boxes"])
@pytest.mark.parametrize("degrees", [-4.0, 4.0])
def test_rows_of_a_skewed_page_stay_rows(degrees: float, upright: bool) -> None:
    rows = ["Tea", "Jam", "Ham", "Cake", "Milk", "Rice", "TOTAL"]
    words = [
        word
        for at, name in enumerate(rows)
        for word in (
            _word(name, 60, 100 + 30 * at, line=at),
            _word("large", 150, 100 + 30 * at, line=at),
            _word(f"{at}.50", 400, 100 + 30 * at, line=at),
        )
    ]
    reading = Reading.of([_tilted(word, degrees, upright=upright) for word in words], (700, 700))
    assert [line.text for line in group(reading.spans)] == [
        f"{name} large {at}.50" for at, name in enumerate(rows)
    ]
    assert all(abs(span.quad.height - HIGH) < 3 for span in reading.spans)


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_turned_page_is_turned_back(turns: int) -> None:
    width, height = 500, 300
    words = [_word("Tea", 50, 100), _word("2.40", 400, 100), _word("TOTAL", 50, 140)]
    code = Barcode("123", "CODE-128", Quad((10, 10), (60, 10), (60, 30), (10, 30)))
    upright = Reading.of(words, (width, height), barcodes=[code])
    corners = [list(span.quad.points) for span in upright.spans]
    stripes = list(code.quad.points)
    for _ in range(turns):
        corners = [[(height - y, x) for x, y in quad] for quad in corners]
        stripes = [(height - y, x) for x, y in stripes]
        width, height = height, width
    texts = [PlacedText(s.text, quad, s.score) for s, quad in zip(upright.spans, corners, strict=True)]
    turned_code = Barcode("123", "CODE-128", Quad(*stripes))
    reading = Reading.of(texts, (width, height), barcodes=[turned_code])
    assert reading.rotation == (360 - 90 * turns) % 360
    assert (reading.width, reading.height) == (500, 300)
    assert reading.spans == upright.spans
    assert reading.barcodes == upright.barcodes


def test_a_blank_that_was_nearly_read_parts_words() -> None:
    text = PlacedText("SpringfieldMarket", (0, 0, 170, 20), 0.9, (("Springfield Market", 0.4),))
    (row,) = group(Reading.of([text]).spans)
    assert row.text == "Springfield Market"


def test_the_engine_interprets_what_another_one_read() -> None:
    names = ["MAPLE LANE GROCERY", "Apples", "Bread", "TOTAL"]
    words = [_word(name, 0, 30 * at) for at, name in enumerate(names)]
    amounts = [_word(amount, 400, 30 * at) for at, amount in enumerate(["4.10", "2.35", "6.45"], 1)]
    result = Engine(models=fake_models("")).interpret(Reading.of([*words, *amounts], (500, 200)))
    assert result.total == Decimal("6.45") and result.establishment == "MAPLE LANE GROCERY"


def test_wide_letters_take_twice_the_room() -> None:
    reading = Reading.of([PlacedText("お茶 12", (0, 0, 140, 20))])
    (span,) = reading.spans
    assert [round(140 * char.end) for char in span.chars] == [40, 80, 100, 120, 140]


def test_alternatives_become_those_of_characters() -> None:
    texts = [PlacedText("B0", (0, 0, 40, 20), 0.8, (("80", 0.15), ("B", 0.1), ("1B0", 0.2), ("Z9", 0.3)))]
    (span,) = Reading.of(texts).spans
    assert [(char.text, char.alternatives) for char in span.chars] == [
        ("", (("1", 0.2),)),
        ("B", (("8", 0.15), ("Z", 0.3))),
        ("0", (("", 0.1), ("9", 0.3))),
    ]


@pytest.mark.parametrize(
    "box",
    [(10, 10, 10, 30), (10, 30, 40, 10), (1, 2, 3), [(0, 0), (1, 0), (1, 1)], "none", [(0, 0)] * 4, None],
)
def test_a_box_that_is_none_is_refused_by_name(box: object) -> None:
    with pytest.raises(ReadingError, match="The box of 'Tea'"):
        Reading.of([PlacedText("Tea", box)])  # type: ignore[arg-type]


def test_a_score_in_percent_is_refused() -> None:
    with pytest.raises(ReadingError, match="from 0 to 1"):
        Reading.of([_word("Tea", 0, 0, score=95.0)])


def test_a_page_without_size_is_refused() -> None:
    with pytest.raises(ReadingError, match="0 x 100"):
        Reading.of([_word("Tea", 0, 0)], (0, 100))


def test_a_page_without_text_is_refused() -> None:
    with pytest.raises(NoTextError):
        Reading.of([_word("  ", 0, 0)])

"""Which blanks between numbers part columns."""

from __future__ import annotations

import pytest

from receipt_engine.document import Line, Quad, Word
from receipt_engine.stages.parse.column_gaps import GAP, usual_spacing, with_gaps


def word(text: str, left: float, right: float, height: float) -> Word:
    corners = Quad((left, 0.0), (right, 0.0), (right, height), (left, height))
    return Word(text, 0.99, corners, left, right, 0.0, height, ())


@pytest.mark.parametrize(
    ("blank", "parted"),
    [(38, False), (60, True)],
    ids=["one blank of wide print, beside a thin 1", "two blanks"],
)
def test_a_gap_is_wider_than_one_blank(blank: float, parted: bool) -> None:
    line = Line(0, (word("1", 526, 533, 38), word("155,05", 533 + blank, 647 + blank, 49)))
    assert with_gaps(line) == ("1" + GAP + "155,05" if parted else "1 155,05")


def test_words_are_not_parted() -> None:
    line = Line(0, (word("Tea", 0, 60, 40), word("155,05", 400, 514, 40)))
    assert with_gaps(line) == "Tea 155,05"


def test_a_page_may_part_its_words_widely() -> None:
    words = ["SALE", "OF", "TEA", "AND", "CAKE", "TODAY"]
    page = [Line(0, tuple(word(w, 90.0 * i, 90.0 * i + 14 * len(w), 38) for i, w in enumerate(words)))]
    total = Line(1, (word("1", 327, 337, 60), word("828.07", 397, 557, 60)))
    assert GAP in with_gaps(total)
    assert GAP not in with_gaps(total, usual_spacing(page))


@pytest.mark.parametrize(("words", "known"), [(6, True), (5, False)])
def test_how_many_blanks_show_how_a_page_parts_words(words: int, known: bool) -> None:
    row = Line(0, tuple(word("TEA", 90.0 * i, 90.0 * i + 42, 38) for i in range(words)))
    assert usual_spacing([row]).space == pytest.approx(48 / 14 if known else 0)


@pytest.mark.parametrize(("before_currency", "parted"), [(48, False), (20, True)])
def test_the_space_before_the_currency_shows_how_wide_a_blank_is(
    before_currency: float, parted: bool
) -> None:
    end = 589 + before_currency
    row = (word("1", 480, 488, 40), word("299", 536, 589, 40), word("Ft", end, end + 32, 40))
    assert with_gaps(Line(0, row)) == ("1" + GAP + "299 Ft" if parted else "1 299 Ft")


@pytest.mark.parametrize(
    ("character", "words", "parted"), [(24, 5, False), (20, 5, True), (24, 4, True)], ids=str
)
def test_a_group_of_thousands_is_parted_by_the_usual_character_of_the_page(
    character: float, words: int, parted: bool
) -> None:
    """The box around 299 is narrower than three characters of a typewriter's pitch."""
    page = [Line(n, (word("Sampon", 0, 6 * character, 46),)) for n in range(words)]
    spacing = usual_spacing(page)
    group = Line(9, (word("1", 480, 488, 46), word("299", 535, 590, 46)))
    assert with_gaps(group, spacing) == ("1" + GAP + "299" if parted else "1 299")
    other = Line(9, (word("1", 480, 488, 46), word("29,90", 535, 630, 46)))
    assert with_gaps(other, spacing) == "1" + GAP + "29,90"

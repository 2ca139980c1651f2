"""Pages that are read from the right: amounts at the left edge."""

from __future__ import annotations

import pytest

from receipt_engine.document import Span
from receipt_engine.stages.group import group
from receipt_engine.stages.group.frame import amounts_at_left
from tests.printed import WIDTH, from_right, spans

TEXT = """
לחם אחיד                 8.50
גבינה צהובה 9%          21.50
סה"כ לתשלום             30.00
"""
ROWS = [" ".join(line.split()) for line in TEXT.strip().split("\n")]
_COLUMNS = max(map(len, TEXT.split("\n")))


def texts(found: tuple[Span, ...]) -> list[str]:
    return [line.text for line in group(found)]


def test_rows_with_amounts_at_the_left_edge_begin_with_their_words() -> None:
    assert texts(from_right(spans(TEXT))) == ROWS


def test_their_frame_counts_from_the_right_edge() -> None:
    plain, turned = group(spans(TEXT))[1], group(from_right(spans(TEXT)))[1]
    amount = plain.text.index("21.50"), len(plain.text)
    assert [round(x) for x in turned.place(*amount)] == [round(x) for x in plain.place(*amount)]


def test_their_boxes_stay_where_they_are_printed() -> None:
    amount = group(from_right(spans(TEXT)))[1].words[-1]
    assert amount.text == "21.50"
    assert round(max(x for x, _ in amount.quad.points)) == 5 * WIDTH


def test_the_box_of_a_word_read_from_the_right_holds_all_its_letters() -> None:
    word = group(from_right(spans(TEXT)))[0].words[0]
    left, right = (choose(x for x, _ in word.quad.points) for choose in (min, max))
    assert (round(left), round(right)) == ((_COLUMNS - 3) * WIDTH, _COLUMNS * WIDTH)


def test_amounts_at_the_right_edge_stay_there() -> None:
    assert texts(spans(TEXT)) == ROWS


def test_latin_rows_are_read_from_the_left_wherever_their_numbers_stand() -> None:
    assert texts(spans("2      BREAD\n3      MILK\n")) == ["2 BREAD", "3 MILK"]


def test_where_both_languages_are_printed_the_order_is_that_of_the_page() -> None:
    text = "TOTAL    12.00    الإجمالي\nCASH     20.00    نقدا\nCHANGE    8.00    الباقي"
    assert texts(spans(text)) == [" ".join(row.split()) for row in text.split("\n")]


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("2024  أبريل  التاريخ: 07", "التاريخ: 07 أبريل 2024"),
        ("0224481160  هاتف", "هاتف 0224481160"),
        ("0501  234567  هاتف", "هاتف 0501 234567"),
        ("المبلغ  الإجمالي", "الإجمالي المبلغ"),
        ("4.50  خبز", "4.50 خبز"),
        ("2  خبز", "2 خبز"),
        ("خبز  2024", "خبز 2024"),
    ],
)
def test_pieces_of_one_text_from_the_right_on_a_page_from_the_left(printed: str, read: str) -> None:
    """printed: the pieces as they stand from left to right, each as it is read."""
    page = f"BREAD          12.00\nMILK           14.00\nCASH           26.00\n{printed}"
    assert texts(spans(page))[-1] == read


def test_pieces_on_a_page_from_the_right_are_in_order_already() -> None:
    pieces = TEXT.replace('סה"כ לתשלום ', 'סה"כ  לתשלום')
    assert texts(from_right(spans(pieces)))[-1] == 'סה"כ לתשלום 30.00'


def test_as_many_numbers_before_words_as_behind_them_tell_nothing() -> None:
    assert not amounts_at_left([[(0, True), (10, False)], [(0, False), (10, True)]])
    assert amounts_at_left([[(0, True), (10, False)]])


LEADING = "$24.00   CUT\n$12.00   BEARD TRIM\n2 @ 6.00\n $8.50   SHAMPOO\n$44.50   TOTAL"


def test_amounts_before_all_names_follow_them() -> None:
    assert texts(spans(LEADING)) == [
        "CUT $24.00",
        "BEARD TRIM $12.00",
        "2 @ 6.00",
        "SHAMPOO $8.50",
        "TOTAL $44.50",
    ]


def test_amounts_before_some_names_stay_there() -> None:
    assert texts(spans(f"{LEADING}\nCASH    50.00"))[0] == "$24.00 CUT"

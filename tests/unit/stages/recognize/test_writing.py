"""Letters as they stand on paper, and as they are read."""

from __future__ import annotations

import pytest

from receipt_engine.stages.recognize.writing import printed, reading_order


@pytest.mark.parametrize(
    ("read", "on_paper"),
    [
        ("نقد 12.50", "12.50 دقن"),
        ("(نقد) SAR 12.50", "SAR 12.50 (دقن)"),
        ("ضريبة 15%", "15% ةبيرض"),
        ("التاريخ: 12/05/2024", "12/05/2024 :خيراتلا"),
        ("المجموع Total 12.50 ريال", "لاير Total 12.50 عومجملا"),
        ("٠١٢٫٥٠ ريال", "لاير ٠١٢٫٥٠"),
        ("12:30 م", "م 12:30"),
        ("किलो स्थिति क्विंटल", "िकलो िस्थित िक्वंटल"),
        ("Coffee (large) 12.50", "Coffee (large) 12.50"),
        ("ข้าวผัดกุ้ง 45.00", "ข้าวผัดกุ้ง 45.00"),
    ],
)
def test_what_is_read_stands_so_on_paper(read: str, on_paper: str) -> None:
    assert printed(read) == on_paper
    assert "".join(letter for _, letter in reading_order(on_paper)) == read


@pytest.mark.parametrize(
    ("on_paper", "read"),
    [
        ("فتاه. +966 11 555 0134", "هاتف. +966 11 555 0134"),
        ("فتاه : +20 2 55501347", "هاتف : +20 2 55501347"),
        ("فتاه 011 555 0134", "هاتف 011 555 0134"),
        ("0134 555 011 فتاه", "هاتف 011 555 0134"),  # the whole row from the right
        ("خيراتلا 02 10 2020 11:40", "11:40 2020 10 02 التاريخ"),
        ("خيراتلا 01 12 2024", "2024 12 01 التاريخ"),
        ("ةوهق 2 12.50", "12.50 2 قهوة"),
    ],
)
def test_a_number_in_groups_is_read_from_its_plus_or_nought(on_paper: str, read: str) -> None:
    assert "".join(letter for _, letter in reading_order(on_paper)) == read


def test_every_letter_knows_where_it_stands() -> None:
    on_paper = printed("نقد 12.50")
    assert [on_paper[at] for at, _ in reading_order(on_paper)] == list("نقد 12.50")


def test_a_letter_that_was_not_chosen_keeps_its_place() -> None:
    """Characters that the reader saw but did not choose are empty."""
    order = [at for at, _ in reading_order(["5", "", ".", "2", " ", "د", "", "ق"])]
    assert sorted(order) == list(range(8))
    assert [at for at, _ in reading_order(["ि", "", "क"])] == [0, 1, 2]


def test_a_vowel_without_its_consonant_stays() -> None:
    assert "".join(letter for _, letter in reading_order("कि ि")) == "कि ि"

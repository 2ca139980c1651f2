"""The one form that phrases and print are compared in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from receipt_engine.vocabulary.normalise import letters_from_right, squeeze, squeeze_all
from receipt_engine.vocabulary.tokens import tokens


@pytest.mark.parametrize(
    ("printed", "phrase"), [("单価", "単価"), ("税込", "稅込"), ("總计", "総計"), ("时間", "時间")]
)
def test_forms_of_a_chinese_character_are_one(printed: str, phrase: str) -> None:
    assert squeeze(printed) == squeeze(phrase)
    assert "".join(token.text for token in tokens(printed)) == squeeze(phrase)


def test_offsets_stay_those_of_the_print() -> None:
    assert [(t.start, t.end) for t in tokens("7 单価")] == [(2, 3), (3, 4)]


def test_letters_from_the_right_are_those_of_arabic_and_hebrew() -> None:
    assert [letters_from_right(t) for t in ("Cash 5", "מזומן 5", "نقدا", "現金", "")] == [0, 5, 4, 0, 0]


def test_a_syllable_of_hangul_is_no_letter_with_accents() -> None:
    assert squeeze("합계") == "합계" != squeeze("할계")
    assert squeeze("ガス") == squeeze("カス")
    assert squeeze("Café Tổng") == "cafetong"


@given(st.lists(st.text(st.characters(exclude_characters="\n"), max_size=12), max_size=6))
def test_many_are_squeezed_as_each_is(texts: list[str]) -> None:
    assert squeeze_all(texts) == [squeeze(text) for text in texts]


@pytest.mark.parametrize(
    "printed, phrase",
    [
        ("কুল", "কূল"),  # long and short u
        ("ভ্যাট", "ভযাট"),  # the sign that joins consonants
        ("छूट", "छुट"),
        ("الاجمالى", "الإجمالي"),
        ("شركه", "شركة"),
        ("شـــركة", "شركة"),
        ("کل رقم", "كل رقم"),
        ("Til greidslu", "til greiðslu"),
        ("pjónusta", "þjónusta"),
    ],
)
def test_spellings_of_one_word_have_one_key(printed: str, phrase: str) -> None:
    assert squeeze(printed) == squeeze(phrase)


@pytest.mark.parametrize("printed, other", [("कर", "कार"), ("মোট", "মাটি"), ("লি", "লা")])
def test_vowel_signs_tell_words_apart(printed: str, other: str) -> None:
    assert squeeze(printed) != squeeze(other)

"""Where words may begin and end."""

from __future__ import annotations

import pytest

from receipt_engine.vocabulary.tokens import can_begin, can_end, tokens, word_tokens


@pytest.mark.parametrize("word", ["apple", "bread", "STREET", "Ñandú", "Écluse", "quay", "ngo"])
def test_words_begin_so(word: str) -> None:
    assert can_begin(word)


@pytest.mark.parametrize("word", ["rkfest", "LTD", "ndive"])
def test_no_word_begins_so(word: str) -> None:
    assert not can_begin(word)


@pytest.mark.parametrize(
    ("word", "can"), [("mill", True), ("car", True), ("girl", True), ("bottl", False), ("tabl", False)]
)
def test_a_liquid_behind_a_consonant_goes_on(word: str, can: bool) -> None:
    assert can_end(word) is can


@pytest.mark.parametrize("text", ["सेवा शुल्क", "সার্ভিস চার্জ"])
def test_a_word_goes_on_behind_its_signs(text: str) -> None:
    """Else the word for tax is found inside of one for a vegetable."""
    for cut in (tokens, word_tokens):
        assert [text[word.start : word.end] for word in cut(text)] == text.split()


@pytest.mark.parametrize(
    ("text", "words"),
    [("本店TEL", ["本", "店", "tel"]), ("PLUS店", ["plus", "店"]), ("東ABビル", list("東abヒル"))],
)
def test_a_latin_word_beside_ideographs_is_one(text: str, words: list[str]) -> None:
    assert [token.text for token in tokens(text)] == words

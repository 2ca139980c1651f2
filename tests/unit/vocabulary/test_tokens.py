"""Where words may begin and end."""

from __future__ import annotations

import pytest

from receipt_engine.vocabulary.tokens import can_begin, can_end


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

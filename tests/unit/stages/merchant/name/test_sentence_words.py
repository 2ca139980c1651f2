"""Words of slogans and sentences."""

from __future__ import annotations

import pytest

from receipt_engine.stages.merchant.name.text import count_sentence_words


@pytest.mark.parametrize(
    "text", ["You always get more", "What's inside", "Immer besser mit uns", "Siempre con su casa"]
)
def test_slogans_are_sentences(text: str) -> None:
    assert count_sentence_words(text) >= 2


@pytest.mark.parametrize("text", ["Copper Kettle", "The Best of Portland", "Kupferkessel am Markt"])
def test_names_are_not(text: str) -> None:
    assert count_sentence_words(text) == 0

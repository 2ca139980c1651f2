"""Words of slogans and sentences."""

from __future__ import annotations

import pytest

from receipt_engine.stages.merchant.name.text import count_sentence_words
from tests.unit.stages.printed_receipts import printed


@pytest.mark.parametrize(
    "text", ["You always get more", "What's inside", "Immer besser mit uns", "Siempre con su casa"]
)
def test_slogans_are_sentences(text: str) -> None:
    assert count_sentence_words(text) >= 2


@pytest.mark.parametrize("text", ["Copper Kettle", "The Best of Portland", "Kupferkessel am Markt"])
def test_names_are_not(text: str) -> None:
    assert count_sentence_words(text) == 0


def test_before_a_legal_form_one_inside_a_name_is_none() -> None:
    page = "KESSEL plus d.o.o.\nUlica Breza 1, 10000 Zagreb\nKruh       1,95\nUKUPNO EUR 1,95\n"
    name = printed("hr", page).merchant.name
    assert name is not None
    assert name.value == "KESSEL plus d.o.o."

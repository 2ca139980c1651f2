"""Names printed with a blank behind every letter."""

from __future__ import annotations

import pytest

from receipt_engine.stages.group import group
from tests.printed import spans


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("B L U E   D O O R", "BLUE DOOR"),
        ("B L U E D O O R", "BLUEDOOR"),
        ("B L U E  D O O R", "BLUE DOOR"),
        ("J O E ' S   D I N E R", "JOE'S DINER"),
        ("B 1 S T R 0", "B1STR0"),
        ("Ш И Н О К", "ШИНОК"),
        ('"Ш И Н О К"  Эко', '"ШИНОК" Эко'),
        ("b l u e   d o o r", "blue door"),
        ("B l u e   d o o r", "Blue door"),
        ("A B C D   12.00", "A B C D 12.00"),
        ("X X X X", "X X X X"),
        ("A  Soup  B  Tea", "A Soup B Tea"),
    ],
)
def test_spaced_letters_are_words(row: str, text: str) -> None:
    (line,) = group(spans(row))
    assert line.text == text


def test_a_joined_word_covers_its_letters() -> None:
    (line,) = group(spans("B L U E   D O O R"))
    first, second = line.words
    assert (first.text, second.text) == ("BLUE", "DOOR")
    assert first.right < second.left
    assert "".join(char.text for char in first.chars) == "BLUE"

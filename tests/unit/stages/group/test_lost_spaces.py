"""Blanks that the recogniser saw without choosing them."""

from __future__ import annotations

import pytest

from receipt_engine.document import Char, Quad, Span
from receipt_engine.stages.group import group
from receipt_engine.stages.group.words import restore_spaces


def chars(marked: str, chance: float = 0.35) -> tuple[Char, ...]:
    """One character each; | is a blank that "nothing" beat."""
    width = 1 / len(marked)
    made = []
    for at, text in enumerate(marked):
        doubted = (("", 1 - chance), (" ", chance))
        if text == "|":
            made.append(Char("", 1 - chance, at * width, (at + 1) * width, doubted))
        else:
            made.append(Char(text, 0.99, at * width, (at + 1) * width))
    return tuple(made)


def read(marked: str, chance: float = 0.35) -> str:
    return "".join(c.text for c in restore_spaces(chars(marked, chance)))


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("MAPLE|BAKERY", "MAPLE BAKERY"),
        ("Maple|Street 4", "Maple Street 4"),
        ("BAKER'S|DOZEN", "BAKER'S DOZEN"),
        ("Millbrook,|TX", "Millbrook, TX"),
        ("Maple Sdn.|Bhd.", "Maple Sdn. Bhd."),
        ("Tel:|555 0134", "Tel: 555 0134"),
        ("Check No.:|17", "Check No.: 17"),
        ("Maple|(Hill)", "Maple (Hill)"),
        ("SALT|&PEPPER", "SALT &PEPPER"),
    ],
)
def test_a_blank_is_taken_where_words_part(marked: str, expected: str) -> None:
    assert read(marked) == expected


@pytest.mark.parametrize(
    "marked",
    [
        "12.|50",
        "1,|204.00",
        "12/|04/2031",
        "12:|30",
        "SKU40|7719",
        "4|EA",
        "Maple|s",
        "Adjus|tment",
        "Descr|iption",
        "Item|(s)",
        "www.|maple.test",
        "maple.|com",
        "hi@maple.|test",
        "納品|書在中物",
        "MAPLE|",
    ],
)
def test_no_blank_parts_numbers_words_addresses_or_scripts_without_blanks(marked: str) -> None:
    assert read(marked) == marked.replace("|", "")


def test_a_weak_blank_is_none() -> None:
    assert read("MAPLE|BAKERY", 0.12) == "MAPLEBAKERY"
    assert read("MAPLE|BAKERY", 0.22) == "MAPLEBAKERY"
    assert read("Millbrook,|TX", 0.22) == "Millbrook, TX"


def test_rows_are_made_of_the_parted_words() -> None:
    quad = Quad((0, 0), (200, 0), (200, 20), (0, 20))
    (line,) = group([Span("MAPLEBAKERY", 0.9, quad, chars("MAPLE|BAKERY"))])
    assert [w.text for w in line.words] == ["MAPLE", "BAKERY"]
    assert line.words[0].right <= line.words[1].left

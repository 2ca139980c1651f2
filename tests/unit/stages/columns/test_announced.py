"""Numbers that words announce as no amounts."""

from __future__ import annotations

from decimal import Decimal

from tests.unit.stages.printed_sheets import names, sheet


def test_the_number_behind_a_word_for_numbers_is_no_amount() -> None:
    found = sheet(
        """
      TIENDA
Pan                      $4.000
TOTAL                    $4.000
VISA **** 5517  AUT 640283
""",
        "cl",
    )
    assert [entry.amount.value for entry in found.entries if entry.role == "card"] == []


def test_the_digits_that_a_card_shows_are_no_amount() -> None:
    found = sheet("      KEDAI\nSabun     9.00\nTOTAL     9.00\nVISA XXXX XXXX XXXX 3444\n", "my")
    assert 3444 not in [e.amount.value for e in found.entries]


def test_a_telephone_number_in_the_column_is_no_product() -> None:
    text = """
Cua hang An Binh
Dien thoai. 0903 776 926
Tra xanh          12.500
Tong cong         12.500
"""
    assert names(sheet(text, "vn").items) == [("Tra xanh", Decimal(12500))]


def test_four_digits_that_a_card_shows_are_no_amount_without_its_point() -> None:
    found = sheet("      LARK FUEL\nGALLONS 9.205\nFUEL SALE $34.97\nVISA XXXX 2846\n", "us")
    assert [entry.label for entry in found.entries] == ["FUEL SALE"]

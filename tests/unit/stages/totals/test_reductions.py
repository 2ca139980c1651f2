"""Negative rows that lower a price."""

from __future__ import annotations

import pytest

from tests.unit.stages.printed_sheets import sheet


@pytest.mark.parametrize("name", ["2 POUR 1", "-10%"])
def test_a_negative_row_with_a_rate_or_a_multi_buy_is_a_discount(name: str) -> None:
    found = sheet(
        f"""
      SUPER MARCHE
PAIN COMPLET             2,40
JAMBON                   3,95
{name:<20}    -0,80
TOTAL                    5,55
""",
        "fr",
    )
    (reduced,) = [entry for entry in found.entries if entry.amount.value < 0]
    assert reduced.role == "discount"


def test_a_tax_taken_off_and_added_again_is_no_discount() -> None:
    found = sheet(
        """
      LARCH BAR
PIZZA                  1,388.00
VATable Sales          1,239.29
VAT                      148.71
Less: VAT                148.71
Amount Net of VAT      1,239.29
Add: VAT                 148.71
Add: Service Charge      123.93
TOTAL AMOUNT DUE       1,511.93
""",
        "ph",
    )
    assert [e.role for e in found.entries].count("tax") == 1
    assert not any(e.role == "discount" for e in found.entries)


@pytest.mark.parametrize(("above", "value"), [("TOTAL             45,40\n", "4.13"), ("", "-4.13")])
def test_a_tax_in_brackets_below_the_total_is_not_taken_off(above: str, value: str) -> None:
    found = sheet(
        f"""
      BAR EL COBRE
MENU                  25,00
PULPO                 20,40
{above}I.V.A. 10% incluido (4,13)
TOTAL                 45,40
""",
        "es",
    )
    (tax,) = [entry for entry in found.entries if entry.role == "tax"]
    assert str(tax.amount.value) == value


def test_an_amount_beside_a_note_is_named_by_the_words_above() -> None:
    found = sheet(
        """
      LARCH BAR
PIZZA                    560.00
Total                    560.00
Less: SC Disc 20%
 (1 of 2 pax)             50.00
AMOUNT DUE               510.00
""",
        "ph",
    )
    assert [entry.role for entry in found.entries if entry.amount.value == 50] == ["discount"]

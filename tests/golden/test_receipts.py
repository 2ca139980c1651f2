"""Whole receipts as text, from words to Result, without any picture or model."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.result import Result
from tests.printed import read


def amounts(result: Result) -> list[tuple[str | None, Decimal | None]]:
    return [(item.desc_clean, item.line_total) for item in result.line_items]


RESTAURANT = """
        THE COPPER KETTLE
        12 Harbor Street
      Portland, OR 97201
        (503) 555-0142

Server: Ann           Table 7
03/14/2024            6:42 PM

2 Clam Chowder          17.00
1 House Salad            8.50
1 Iced Tea               3.25

SUBTOTAL                28.75
TAX                      2.30
TOTAL                   31.05

VISA                    31.05
   Suggested tip 18%     5.18
        Thank you!
"""


def test_a_restaurant_closes_from_items_to_card() -> None:
    result = read(RESTAURANT, "us")
    assert (result.total, result.sub_total, result.tax) == (
        Decimal("31.05"),
        Decimal("28.75"),
        Decimal("2.30"),
    )
    assert amounts(result) == [
        ("Clam Chowder", Decimal("17.00")),
        ("House Salad", Decimal("8.50")),
        ("Iced Tea", Decimal("3.25")),
    ]
    assert [item.qty for item in result.line_items] == [2, 1, 1]
    assert result.tip is None
    assert result.validated_total
    assert result.date == "2024-03-14 18:42:00"


def test_a_misread_digit_in_the_total_is_repaired_when_one_reading_closes() -> None:
    text = RESTAURANT.replace("TOTAL                   31.05", "TOTAL                   3l.05")
    assert read(text, "us").total == Decimal("31.05")


SUPERMARKET = """
      KAUFHALLE NORD
     Am Anger 4, 39104 Magdeburg
          EUR
Vollmilch 3,5%           1,19 A
Roggenbrot               2,49 A
   2 Stk x 0,85
Joghurt natur            1,70 A
Spülmittel               1,95 B
Pfand                    0,25 B

SUMME                    7,58
BAR                     10,00
Rückgeld                 2,42

MWST%      Netto   MwSt  Brutto
A  7,0%     5,03   0,35   5,38
B 19,0%     1,85   0,35   2,20
 14.03.2024   18:42  Bon 4711
"""


def test_a_tax_table_gives_the_taxes_in_printed_order() -> None:
    result = read(SUPERMARKET, "de")
    assert result.total == Decimal("7.58")
    assert result.taxes == (Decimal("0.35"), Decimal("0.35"))
    assert result.tax == Decimal("0.70")
    assert (result.cash, result.change) == (Decimal("10.00"), Decimal("2.42"))
    assert result.sub_total is None
    yoghurt = result.line_items[2]
    assert (yoghurt.qty, yoghurt.price, yoghurt.line_total) == (2, Decimal("0.85"), Decimal("1.70"))
    assert yoghurt.symbols == ("A",)


ROUNDED = """
     KEDAI BUNGA RAYA SDN BHD
        (123456-X)
    12, JALAN MELATI, 50470 KUALA LUMPUR
          TAX INVOICE
Date: 14/03/2024      11:05:16

QTY  DESCRIPTION        AMOUNT
1    NASI LEMAK           8.90
2    TEH TARIK            5.00
     Sub Total           13.90
     Service Chg 10%      1.39
     SST 6%               0.83
     Total               16.12
     Rounding Adjmt      -0.02
     NETT TOTAL          16.10
     CASH                20.00
     CHANGE               3.90
"""


def test_the_total_is_what_was_paid_after_rounding() -> None:
    result = read(ROUNDED, "my")
    assert result.total == Decimal("16.10")
    assert result.rounding == Decimal("-0.02")
    assert result.service_charges == (Decimal("1.39"),)
    assert result.sub_total == Decimal("13.90")
    assert result.tax == Decimal("0.83")


DISCOUNTED = """
         GREEN GROCER
Apples                   4.00
Pears                    3.50
MEMBER DISCOUNT         -0.75
TOTAL                    6.75
CASH                     7.00
CHANGE                   0.25
YOU SAVED                0.75
"""


def test_a_discount_among_products_is_a_negative_product_and_counts_once() -> None:
    result = read(DISCOUNTED, "us")
    assert result.total == Decimal("6.75")
    assert result.discounts == (Decimal("0.75"),)
    assert [item.line_total for item in result.line_items] == [
        Decimal("4.00"),
        Decimal("3.50"),
        Decimal("-0.75"),
    ]


BARE = """
        TAKATAKA STORE
Xyzzy                   3.00
Plugh                   1.00
Frotz                   2.40
KATAKA                  6.40
TOGI                   10.00
OTOE                    3.60
"""


def test_an_unknown_language_is_read_by_arithmetic_alone() -> None:
    result = read(BARE, None)
    assert result.total == Decimal("6.40")
    assert len(result.line_items) == 3
    assert result.total_confidence is not None


def test_no_amounts_give_nulls_not_guesses() -> None:
    result = read("WELCOME\nplease come again", "us")
    assert result.total is None and result.total_confidence is None
    assert result.line_items == () and result.currency in (None, "USD")


@pytest.mark.parametrize("text", [RESTAURANT, SUPERMARKET, ROUNDED, DISCOUNTED, BARE])
def test_the_same_words_give_the_same_json(text: str) -> None:
    assert read(text, None).to_json() == read(text, None).to_json()

"""Rows that only arithmetic tells from the totals block or from the head."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.document import Sheet
from tests.unit.stages.printed_sheets import sheet


def values(found: Sheet) -> list[Decimal]:
    return [item.total.value for item in found.items]


@pytest.mark.parametrize(
    "name",
    [
        "TIP HOUSE COOKIES",
        "NEW BALANCE LACES",
        "CHANGE MAT",
        "TENDER LOIN",
        "VISA COLA",
        "SUB ROLL",
        "TOTAL MUESLI",
        "SAVING CREAM",
        "POINTS FILE",
    ],
)
def test_a_product_called_like_a_tender_is_one_when_only_so_the_sum_closes(name: str) -> None:
    found = sheet(
        f"""
      CORNER STORE
    12 Main Street
Bread                    4.00
{name:<20}     2.50
SUBTOTAL                 6.50
TAX                      0.50
TOTAL                    7.00
"""
    )
    assert values(found) == [Decimal("4.00"), Decimal("2.50")]
    assert not any(e.line == found.items[1].line and e.roles for e in found.entries)


def test_a_voucher_of_a_club_card_above_the_total_is_taken_off_the_products() -> None:
    found = sheet(
        """
      KAUFHAUS
    Lindenstr. 12
Brot                     4,00
Saft                     2,50
Gutschein Bonuskarte    -1,00
Summe                    5,50
""",
        "de",
    )
    assert values(found) == [Decimal("4.00"), Decimal("2.50"), Decimal("-1.00")]


def test_a_tip_that_is_added_below_the_products_stays_a_tip() -> None:
    found = sheet(
        """
      CORNER STORE
    12 Main Street
Bread                    4.00
Milk                     2.50
TIP                      1.00
TOTAL                    7.50
"""
    )
    assert values(found) == [Decimal("4.00"), Decimal("2.50")]
    assert [e.role for e in found.entries if e.amount.value == 1] == ["tip"]


def test_products_above_rows_of_words_are_not_part_of_the_head() -> None:
    found = sheet(
        """
      CORNER STORE
    12 Main Street
 1 Party tray           31.50
   fried rice
   orange chicken
   noodles
   greens
   dumplings
 1 Shrimp                9.00
SUBTOTAL                40.50
TAX                      1.00
TOTAL                   41.50
"""
    )
    assert values(found) == [Decimal("31.50"), Decimal("9.00")]


def test_nothing_is_added_when_the_products_already_add_up() -> None:
    found = sheet(
        """
      CORNER STORE
 Deposit paid            6.50
    12 Main Street
Bread                    4.00
Milk                     2.50
TOTAL                    6.50
CASH                    10.00
CHANGE                   3.50
"""
    )
    assert values(found) == [Decimal("4.00"), Decimal("2.50")]


def test_a_cover_printed_above_the_products_is_sold_with_them() -> None:
    text = """
      TRATTORIA DEL LAGO
3 COPERTO                9.00
1 ACQUA                  3.00
2 GNOCCHI               22.00
TOTALE                  34.00
"""
    assert values(sheet(text, "it")) == [Decimal("9.00"), Decimal("3.00"), Decimal("22.00")]


def test_a_word_for_a_sum_in_a_name_between_products() -> None:
    items = sheet(
        """
      CORNER STORE
HONEY                    5.99
NUTS TOTAL VALUE         3.49
SALT                     1.00
TOTAL                   10.48
"""
    ).items
    assert [item.total.value for item in items] == list(map(Decimal, ("5.99", "3.49", "1.00")))


def test_deposits_below_the_sum_of_the_goods_are_products() -> None:
    found = sheet(
        """
     SKLEP LIPA
  ul. Długa 7
Chleb 1 x5,00                   5,00C
Woda 6 x2,00                   12,00B
SPRZEDAŻ OPODATKOWANA B        12,00
PTU B 8%                        0,89
SPRZEDAŻ OPODATKOWANA C         5,00
PTU C 5%                        0,24
SUMA PTU                        1,13
SUMA PLN                       17,00
OPAKOWANIA ZWROTNE
Kaucja PET 6 x0,50              3,00
DO ZAPŁATY                     20,00
""",
        "pl",
    )
    assert values(found) == [Decimal("5.00"), Decimal("12.00"), Decimal("3.00")]

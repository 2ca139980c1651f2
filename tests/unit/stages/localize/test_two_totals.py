"""Receipts that state the total in two currencies."""

from __future__ import annotations

from decimal import Decimal

from tests.printed import read

DOLLARS = """
   CEDAR SNACKS
   Hamra St, Beirut
2 Falafel wrap        8.00
1 Lemonade            2.50
TOTAL USD            10.50
TOTAL LBP          939,750
CASH USD             20.00
CHANGE LBP         850,250
"""

CONVERTED = """
   MARKET MALI SHPK
   NIPT L12345678A   Tirane
Buke                 140.00
Djathe               560.00
TOTALI               700.00
TOTALI EUR             7.12
Kesh               1,000.00
Kusur                300.00
"""


def test_the_total_is_in_the_currency_of_the_products() -> None:
    result = read(DOLLARS)
    assert (result.total, result.cash, result.currency) == (Decimal("10.5"), Decimal(20), "USD")


def test_a_converted_total_does_not_tell_the_currency() -> None:
    result = read(CONVERTED)
    assert (result.total, result.currency) != (Decimal(700), "EUR")
    assert result.total == Decimal(700)


def test_the_code_beside_the_total_counts_where_the_country_s_own_converts_it() -> None:
    body = """
  COPPER & FILS PATISSERIE
Tell Square, Tripoli - Lebanon
T: 06 444 171    MOF 104471
Kettle cake 1KG
   1 x 18.00           $ 18.00
Fig rolls
   2 x 6.50            $ 13.00
Total USD              $ 31.00
Total LBP            2,774,500
Cash USD                 40.00
Change                    9.00
"""
    result = read(body)
    assert (result.total, result.currency) == (Decimal(31), "USD")
    assert result.address == "Tell Square, Tripoli - Lebanon"

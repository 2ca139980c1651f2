"""Discounts among the products as tills print them: what feeds the field, from text to Result."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.printed import read

COUPON = """
BULK HALL
554120 PAPER TOWEL     18.99 A
0000441207 CPN/554120   4.00-
SUBTOTAL               14.99
TAX                     1.20
TOTAL                  16.19
"""

BESIDE_NUMBER = """
주전자마트
상품명        단가   수량     금액
우유         2,800    2      5,600
1000원할인  -1,000    1     -1,000
합계                         4,600
"""

COMPOUND = """
주전자카페
상품명        단가   수량     금액
카페라떼     5,500    2     11,000
텀블러할인    -400    1       -400
합계                        10,600
"""

WITH_BASE = """
KJELSTUEN SØR
Gulrot                         33.48
Rabatt: NOK  22.32 (40% av  55.80)
Banan                          10.00
Rabatt: NOK  5.00 (33.3% av  15.00)
Totalt                         43.48
"""

TOLD_AGAIN = """
MERCEARIA CALDEIRA
Artigos
Salmão                   7,38
   Poupança Imediata    (3,40)
   Exclusivo Cartão     (0,40)
Pão                      1,99
SUBTOTAL                 9,37
Total de poupança       (3,80)
TOTAL A PAGAR            5,57
"""

ABBREVIATED = """
BAKIR MARKET
DOMATES                *54,00
TUTAR İND.              *-2,50
TOPLAM                 *51,50
"""


SUMMED_UP = """
SKLEP MIEDZIK
HERBATA LIPOWA          24,60A
RABAT                   -4,60A
RABAT RAZEM             -4,60
SUMA PLN                20,00
"""

SUMMED_UP_AS_SAVED = """
CEAINARIA VECHE
MIERE                    24,60
Reducere                 -4,60
Reducere                  4,60
Total                    20,00
"""


@pytest.mark.parametrize(
    ("text", "region", "discounts"),
    [
        (SUMMED_UP, "pl", ["4.6"]),
        (SUMMED_UP_AS_SAVED, "ro", ["4.6"]),
        (TOLD_AGAIN, "pt", ["3.4", "0.4"]),
        (ABBREVIATED, "tr", ["2.5"]),
        (COUPON, "us", ["4.00"]),
        (BESIDE_NUMBER, "kr", ["1000"]),
        (COMPOUND, "kr", ["400"]),
    ],
)
def test_discounts_among_the_products(text: str, region: str, discounts: list[str]) -> None:
    result = read(text, region)
    assert list(result.discounts) == [Decimal(value) for value in discounts]
    assert [-item.line_total for item in result.line_items if (item.line_total or 0) < 0] == list(
        result.discounts
    )


def test_what_a_rate_is_taken_of_is_not_the_discount() -> None:
    result = read(WITH_BASE, "no")
    assert [item.line_total for item in result.summary_items[:2]] == [Decimal("-22.32"), Decimal("-5")]
    assert result.discounts == ()  # the prices above have it taken off


@pytest.mark.parametrize("taken", ["Nachlass: 6,00EUR       6,00", "Nachlass               -6,00"])
def test_a_discount_below_a_nameless_amount_is_not_its_name(taken: str) -> None:
    text = f"""
TUCHHAUS ULMENHOF
1 Cordhose braun Fit Jonte
70031 8851 33/32
4000412907748          1 × 36,95       36,95
{taken}
Summe                                  30,95
"""
    result = read(text, "de")
    assert result.line_items[0].desc_clean == "Cordhose braun Fit Jonte"


IN_BRACKETS = """
FJORDKJØP SUNDVIK
Brød                                     31.90
Geleer 400 gr. 2 for
RIPSGELE 400G                         ( 24.50)
RIPSGELE 400G                         ( 24.50)
Sum                                   ( 49.00)
Mixrabatt                            (- 9.00)
Sum mix                                  40.00
Totalt                                   71.90
Bank                                     71.90
"""


def test_brackets_mark_no_minus_where_it_is_printed_inside_them() -> None:
    result = read(IN_BRACKETS, "no")
    sold = [item.line_total for item in result.line_items]
    assert sold == [Decimal(value) for value in ("31.90", "24.50", "24.50")]
    assert result.discounts == (Decimal("9.00"),)
    assert result.total == Decimal("71.90") and result.validated_total


def test_a_price_that_repeats_what_is_left_is_no_product() -> None:
    text = """
KETTLE CLOTHES
DENIM JACKET            69.50
  40% OFF              -27.80
  Your price            41.70 T
SOCKS                   14.50
  Your price            14.50 T
Subtotal                56.20
Sales Tax                4.36
Total                   60.56
"""
    lines = [(str(line.desc_clean), line.line_total) for line in read(text, "us").line_items]
    assert lines == [
        ("DENIM JACKET", Decimal("69.5")),
        ("40% OFF", Decimal("-27.8")),
        ("SOCKS", Decimal("14.5")),
    ]


def test_reductions_that_the_prices_contain_are_not_deducted() -> None:
    text = """
KETTLE BOOKS
The Long Winter
  (1 @ 18.99) Member 10% (1.90)
  (1 @ 17.09)           17.09
Gift Wrap                3.00
Subtotal                20.09
Sales Tax                2.33
Total                   22.42
"""
    assert [line.line_total for line in read(text, "us").line_items] == [Decimal("17.09"), Decimal(3)]

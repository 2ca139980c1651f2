"""Discounts among the products as tills print them: what feeds the field, from text to Result."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.trace import Trace
from tests.printed import reading

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


@pytest.mark.parametrize(
    ("text", "region", "discounts"),
    [(COUPON, "us", ["4.00"]), (BESIDE_NUMBER, "kr", ["1000"]), (COMPOUND, "kr", ["400"])],
)
def test_discounts_among_the_products(text: str, region: str, discounts: list[str]) -> None:
    result = interpret(reading(text), ExtractOptions(region=region), None, Trace(keep=False))
    assert list(result.discounts) == [Decimal(value) for value in discounts]
    assert [-item.line_total for item in result.line_items if (item.line_total or 0) < 0] == list(
        result.discounts
    )

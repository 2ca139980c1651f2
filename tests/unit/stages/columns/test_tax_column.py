"""Invoices whose last column is the tax of each row, beside the amount without it."""

from __future__ import annotations

from decimal import Decimal

from tests.printed import read

_NUMBERED = """
Cazane Arama SRL
Str. Fierarilor 9, Turda

Nr. Denumirea                 Pret unitar    Valoarea   Valoarea
crt                           (fara TVA)          lei    TVA lei
0   1                   2     3           4         5          6
1   Teava cupru         4,00         25,00     100,00      19,00
2   Cot cupru           3,00         10,00      30,00       5,70
    Total                                      130,00      24,70
    Total de plata                                        154,70
"""
_WHOLE = """
가온목공
경기도 수원시 팔달구 정조로 70

품명            수량     단가     공급가액      세액
책상               2   45,000       90,000     9,000
의자               3   20,000       60,000     6,000
합계                               150,000    15,000
총 금액                            165,000 원
"""


def test_the_tax_column_below_headings_in_several_rows() -> None:
    result = read(_NUMBERED, "ro")
    assert (result.total, result.tax) == (Decimal("154.70"), Decimal("24.70"))
    assert [item.line_total for item in result.line_items] == [Decimal("100.00"), Decimal("30.00")]


def test_the_tax_column_of_a_currency_without_decimals() -> None:
    result = read(_WHOLE, "kr")
    assert result.total == Decimal(165000)
    assert [item.line_total for item in result.line_items] == [Decimal(90000), Decimal(60000)]

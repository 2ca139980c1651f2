"""Tenders and taxes with one misread digit, and cash that is no total."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.printed import read

BILL = """
   ORCHARD STORES
Bread                 4.10
Cheese               18.28
SUBTOTAL             22.38
TAX                   0.00
TOTAL                22.38
CASH                {cash}
CHANGE              {change}
"""


@pytest.mark.parametrize(
    ("cash", "change"),
    [("50.00", "27.62"), ("50.00", "21.62"), ("60.00", "27.62")],
)
def test_one_misread_digit_of_cash_or_change_is_mended(cash: str, change: str) -> None:
    result = read(BILL.format(cash=cash, change=change), "us")
    assert (result.cash, result.change) == (Decimal(50), Decimal("27.62"))


def test_cash_that_a_printed_rounding_explains_has_no_misread_digit() -> None:
    text = BILL.format(cash="50.00\nROUNDING              -0.08", change="27.70")
    assert read(text, "za").cash == Decimal(50)


def test_two_misread_digits_are_left_and_doubted() -> None:
    result = read(BILL.format(cash="50.00", change="21.02"), "us")
    assert (result.cash, result.change) == (Decimal(50), Decimal("21.02"))
    assert result.cash_confidence is not None and result.cash_confidence <= 0.7


def test_cash_is_no_sum_of_what_was_sold_and_the_change() -> None:
    text = """
   KIOSK LA PALMA
Jugo                517.03
SUBTOTAL            517.03
ITBIS                57.97
TOTAL A PAGAR       575.08
EFECTIVO            600.00
Xqrv                 25.00
"""
    assert read(text, "es").total != Decimal(600)


def test_a_total_that_the_tenders_pay_stands_below_another() -> None:
    text = """
   ROSE BAKERS
Cake             1   950.00  950.00
Patties          6    90.00  540.00
Gross Total               1,490.00
GST 16%                     238.40
POS Service Fee               1.00
Net Total                 1,729.40
Rounding                     -0.A0
Payable                   1,729.00
Cash                      2,000.00
Balance                     271.00
"""
    assert read(text, "pk").total == Decimal(1729)


@pytest.mark.parametrize(
    "row",
    [
        "10,00%   36,73      8,67     40,40",
        "10,00%   36,78      3,67     40,40",
        "18,00%   36,73   3,67   40,40",
    ],
)
def test_one_misread_digit_of_a_tax_row_is_mended(row: str) -> None:
    text = f"""
   BISTRO DU PONT
Menu                40,40
Vin                  9,60
TOTAL               50,00
Taux      H.T.     T.V.A.    T.T.C.
{row}
20,00%    8,00      1,60      9,60
"""
    assert read(text, "fr").tax == Decimal("5.27")


def test_a_discount_at_a_rate_is_no_payment() -> None:
    text = """
   LOLA INASAL
Adobo               392.00
TOTAL               560.00
LESS VAT             60.00
LESS SC DISC 20%    100.00
CASH                500.00
CHANGE              100.00
"""
    result = read(text, "ph")
    assert result.total_confidence is not None and result.total_confidence < 0.9

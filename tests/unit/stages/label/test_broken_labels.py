"""Labels that narrow paper breaks onto a second row."""

from __future__ import annotations

from decimal import Decimal

from tests.printed import read

BILL = """
     THE LAMB INN
2  Fish Pie          31.00
1  Apple Crumble      7.50
   Food              38.50
Optional Service
  Charge 10%          3.85
TOTAL TO PAY         42.35
"""


def test_a_label_goes_on_before_its_amount() -> None:
    result = read(BILL, "gb")
    assert (result.total, result.sub_total) == (Decimal("42.35"), Decimal("38.50"))
    assert list(result.service_charges) == [Decimal("3.85")]


def test_a_row_with_a_label_of_its_own_does_not_go_on() -> None:
    result = read(BILL.replace("Optional Service\n  Charge 11%", "Total\n  VAT 10%   "), "gb")
    assert (result.total, result.tax) == (Decimal("42.35"), Decimal("3.85"))

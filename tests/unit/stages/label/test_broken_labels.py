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
  Charge 8%           3.08
TOTAL TO PAY         41.58
"""


def test_a_label_goes_on_before_its_amount() -> None:
    result = read(BILL, "gb")
    assert (result.total, result.sub_total) == (Decimal("41.58"), Decimal("38.50"))
    assert list(result.service_charges) == [Decimal("3.08")]


def test_a_row_with_a_label_of_its_own_does_not_go_on() -> None:
    result = read(BILL.replace("Optional Service\n  Charge 8% ", "Total\n  VAT 8%    "), "gb")
    assert (result.total, result.tax) == (Decimal("41.58"), Decimal("3.08"))

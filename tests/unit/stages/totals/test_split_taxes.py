"""Tables whose rows print one tax in two equal halves."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.document import TaxRow
from tests.printed import read
from tests.unit.stages.printed_sheets import sheet

PRINTED = """
     CORNER MART
LENTILS RED        1    180.00   180.00
SOAP BAR           1    130.00   130.00
Items: 2                         310.00
   Taxable   CGST    SGST   CESS   Total
1)  171.42    4.29    4.29    -   180.00
2)  110.16    9.92    9.92    -   130.00
T:  281.58   14.21   14.21    -   310.00
Net Amount                       310.00
"""


def tax_rows(text: str) -> list[TaxRow]:
    return list(sheet(text, "in").tax_rows)


def test_each_half_is_a_tax_and_the_last_row_their_sum() -> None:
    found = [(row.rate, row.net, row.tax, row.is_sum) for row in tax_rows(PRINTED)]
    low, high = (Decimal("2.5"), Decimal("4.29"), False), (Decimal(9), Decimal("9.92"), False)
    assert found == [
        (low[0], Decimal("171.42"), *low[1:]),
        (low[0], None, *low[1:]),
        (high[0], Decimal("110.16"), *high[1:]),
        (high[0], None, *high[1:]),
        (None, Decimal("281.58"), Decimal("14.21"), True),
        (None, None, Decimal("14.21"), True),
    ]


def test_halves_that_do_not_add_up_are_none() -> None:
    assert not tax_rows("SHOP\nTEA   1  90.00  90.00\n1)  171.42  4.29  4.29  -  190.00\nTotal  90.00\n")


BESIDE_RATES = """
     HILL STORES
RICE 5KG           1    420.00   420.00
SOAP BAR           1    118.00   118.00
Total Items 2  Qty 2  Total      538.00
Tax%    Taxable   CGST    SGST
 5.00    400.00   10.00   10.00
18.00    100.00    9.00    9.00
Total    500.00   19.00   19.00
UPI                              538.00
"""


def test_halves_of_the_rate_beside_them_need_no_gross_amount() -> None:
    found = [(row.rate, row.tax) for row in tax_rows(BESIDE_RATES) if not row.is_sum]
    assert found == [(Decimal("2.5"), Decimal(10))] * 2 + [(Decimal(9), Decimal(9))] * 2


def test_a_tax_in_brackets_beside_its_base_is_told_and_not_taken_off() -> None:
    text = "TOKO MAJU\nTEH      11.100\nGULA     22.200\nTOTAL    33.300\nPPN : (3.300)  DPP : 30.000\n"
    (row,) = sheet(text, "id").tax_rows
    assert (row.rate, row.net, row.tax) == (11, 30000, 3300)


def test_halves_of_an_odd_tax_differ_by_a_cent_and_a_cess_of_zero_stands_behind_them() -> None:
    text = """
     RIVER STORES
TEA DUST 1KG       1   190.00   190.00
BATTERY AA         1   118.00   118.00
       ** GST Details **
GST%   Taxable   CGST   SGST   CESS    Total
 5.00   180.95   4.53   4.52   0.00   190.00
18.00   100.00   9.00   9.00   0.00   118.00
Total   280.95  13.53  13.52   0.00   308.00
NET PAYABLE                           308.00
"""
    result = read(text, "in")
    assert result.taxes == tuple(map(Decimal, ("4.53", "4.52", "9", "9")))
    assert (result.tax, result.total, len(result.line_items)) == (Decimal("27.05"), 308, 2)

"""A totals block printed as one row of amounts below a row of heads."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.printed import read

INVOICE = """
  HOLM & BERG PRESS
Cards                            80.00
Envelopes                        20.00
{heads}
{amounts}
"""


@pytest.mark.parametrize(
    ("country", "heads", "amounts", "total", "tax"),
    [
        ("us", "Merchandise  Shipping  Sales Tax  Total", "100.00       9.00      6.00       115.00", 115, 6),
        ("gb", "Net     VAT 20%  Deposit  Balance due", "100.00  20.00    50.00    70.00", 70, 20),
        ("no", "Netto   Mva 25%  Øreavr.  Å betale", "100,00   25,00    0,00    125,00", 125, 25),
    ],
)
def test_each_amount_has_the_role_of_the_head_above(
    country: str, heads: str, amounts: str, total: int, tax: int
) -> None:
    result = read(INVOICE.format(heads=heads, amounts=amounts), country)
    assert (result.total, result.tax) == (Decimal(total), Decimal(tax))


def test_several_such_rows_are_a_tax_table() -> None:
    table = "Taxable  CGST   SGST   Total\n 80.00    2.00   2.00   84.00\n 20.00    1.80   1.80   23.60\n"
    result = read(INVOICE.format(heads="TOTAL  107.60", amounts=table), "in")
    assert (result.total, result.tax) == (Decimal("107.6"), Decimal("7.6"))


def test_amounts_that_do_not_add_up_keep_their_words() -> None:
    result = read(INVOICE.format(heads="Net     VAT     Total", amounts="100.00  1.00  3.00"), "gb")
    assert result.total != Decimal(3)

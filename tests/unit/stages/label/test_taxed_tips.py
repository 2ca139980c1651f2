"""A product's name that begins with the word for a tip."""

from __future__ import annotations

from decimal import Decimal

from tests.unit.stages.printed_sheets import sheet

BILL = """
      Kaufhalle Ohm
TIP PAPRIKA                      1,19 B
Senfgurken                       2,40 B
SUMME                            3,59
Bar                              3,59
"""


def test_a_taxed_product_is_no_tip() -> None:
    assert not [e for e in sheet(BILL, "de").entries if e.role == "tip"]


def test_a_tip_without_a_tax_rate_is_one() -> None:
    bill = BILL.replace("SUMME   ", "TIP Bedienung                    0,41\nSUMME   ")
    assert [e.amount.value for e in sheet(bill, "de").entries if e.role == "tip"] == [Decimal("0.41")]

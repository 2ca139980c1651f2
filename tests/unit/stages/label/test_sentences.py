"""Names of taxes that are words of sentences as well."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.unit.stages.printed_sheets import sheet

BILL = """
      CORNER STORE
TEA                              4.00
TOTAL                            4.00
CASH                             4.00
"""


@pytest.mark.parametrize(
    ("country", "row"),
    [("my", "*Get RM5 Fern Gift Voucher*"), ("us", "Spend 20.00 and GET 5.00 OFF YOUR NEXT VISIT")],
)
def test_an_offer_is_no_tax(country: str, row: str) -> None:
    assert not [e for e in sheet(BILL + row, country).entries if e.role == "tax"]


def test_the_same_word_labels_a_tax() -> None:
    bill = BILL.replace("TOTAL", "GET 4.712%                       0.18\nTOTAL")
    assert [e.amount.value for e in sheet(bill).entries if e.role == "tax"] == [Decimal("0.18")]

"""Offers and discounts: what they take off, and what is paid."""

from __future__ import annotations

from decimal import Decimal

from tests.printed import read

OFFER = """
   HEDGEROW STATIONERS
Pen                  4.00
Notebook             3.50
  {offer}           -3.50
TOTAL                4.00
CASH                 4.00
"""

MEMBER = """
   LANTERN HOUSE PTE LTD
2 Laksa             20.00
SUBTOTAL            20.00
MEMBER 10%          -2.00
GST 9%               1.62
TOTAL               19.62
"""


def test_what_an_offer_takes_off_is_a_discount_though_it_is_a_price() -> None:
    for offer in ("3 FOR 2", "3x2", "2 + 1"):
        expected = Decimal("3.5") if "+" not in offer else None
        assert read(OFFER.format(offer=offer), "gb").discount == expected


def test_what_members_get_above_the_total_is_a_discount() -> None:
    result = read(MEMBER, "sg")
    assert (result.discount, result.total) == (Decimal(2), Decimal("19.62"))


PAID = """
   THE HARBOUR INN
02/10   Room charge              90.00
02/10   Parking                  12.00
03/10   {paid}                 -102.00
        Total charges           102.00
        Total payments         -102.00
        Balance                   0.00
"""


def test_a_payment_by_card_above_the_total_is_no_discount() -> None:
    assert read(PAID.format(paid="VISA XXXX4410"), "us").discount is None

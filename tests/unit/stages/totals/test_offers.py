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

UNNAMED = """
   HARBOUR FUEL
32.60 L x 1.50      48.90
TOTAL               48.90
DISCOUNT            -4.30
Xqvr                44.60
CASH                60.00
CHANGE              15.40
"""


def test_what_an_offer_takes_off_is_a_discount_though_it_is_a_price() -> None:
    for offer in ("3 FOR 2", "3x2", "2 + 1"):
        expected = Decimal("3.5") if "+" not in offer else None
        assert read(OFFER.format(offer=offer), "gb").discount == expected


def test_what_members_get_above_the_total_is_a_discount() -> None:
    result = read(MEMBER, "sg")
    assert (result.discount, result.total) == (Decimal(2), Decimal("19.62"))


def test_an_amount_that_a_discount_leaves_and_the_tenders_pay_is_the_total() -> None:
    result = read(UNNAMED, "gb")
    assert (result.total, result.discount) == (Decimal("44.60"), Decimal("4.30"))

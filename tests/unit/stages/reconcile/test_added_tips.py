"""Tips that are only suggested, donations and savings."""

from __future__ import annotations

from decimal import Decimal

from tests.printed import read


def test_a_suggested_tip_with_its_total_on_one_row_is_not_paid() -> None:
    result = read(
        "PINE STREET GRILL\n40 Pine St\n1 Chowder   12.00\n2 Ale       16.00\nTotal       28.00\n"
        "Suggested tip 18%: 5.04   Total 33.04\n",
        "us",
    )
    assert (result.total, result.tip) == (Decimal("28.00"), None)


def test_a_donation_below_the_total_is_no_tax() -> None:
    result = read(
        "PINE STREET MARKET\n40 Pine St\nApples   4.10\nOat milk 3.60\nTOTAL    7.70\nDONATION 0.60\n"
        "VISA     8.30\n",
        "us",
    )
    assert (result.total, result.taxes) == (Decimal("8.30"), ())


def test_savings_below_the_payment_repeat_the_discounts_of_the_products() -> None:
    result = read(
        "PINE STREET BOOKS\n40 Pine St\nAtlas    21.00\nGlobe    14.00\nCoupon   -3.50\nTOTAL    31.50\n"
        "VISA     31.50\nMEMBER SAVINGS 5.60\n",
        "us",
    )
    assert result.discount == Decimal("3.50")

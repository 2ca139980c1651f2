"""A tip that is only suggested, and one that the total then contains."""

from __future__ import annotations

from decimal import Decimal

from tests.printed import read

HEAD = """CASA MARISOL
Calle 12 No 4-18
2 Arepas          24.000
1 Lulada           6.000
"""


def test_a_suggested_tip_that_the_total_contains_is_the_tip() -> None:
    result = read(
        f"{HEAD}SUBTOTAL          30.000\nPROPINA SUGERIDA 10%  3.000\nTOTAL A PAGAR     33.000\n", "co"
    )
    assert (result.total, result.tip) == (Decimal(33000), Decimal(3000))


def test_a_total_named_after_the_tip_is_no_tip() -> None:
    result = read(
        f"{HEAD}TOTAL             30.000\nPROPINA SUGERIDA 10%  3.000\nTOTAL + PROPINA   33.000\n", "cl"
    )
    assert (result.total, result.tip) == (Decimal(33000), Decimal(3000))


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

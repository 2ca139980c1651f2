"""What a plus adds to a total, and numbers of a trip that are no sums."""

from __future__ import annotations

from decimal import Decimal

from tests.printed import read

BILL = """
      MESON LA ENCINA
2  CAZUELA           13.000
1  PASTEL            5.000
TOTAL                18.000
PROPINA 10%          1.800
TOTAL + PROPINA      19.800
"""

FARE = """
        TAXI RECEIPT
TAXI NO.
PK 5120
TOTAL KM                 9.42
PAID KM                  9.42
PAID MIN                 2.10
SURCHARGE   HK$          13.0
TOTAL FARE  HK$         118.5
"""


def test_a_total_with_the_tip_is_a_total() -> None:
    result = read(BILL, "cl")
    assert (result.total, result.tip) == (Decimal(19800), Decimal(1800))


def test_distance_and_waiting_time_are_no_sums() -> None:
    result = read(FARE, "hk")
    assert (result.total, list(result.line_items)) == (Decimal("118.5"), [])

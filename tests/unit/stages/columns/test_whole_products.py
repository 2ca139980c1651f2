"""Products in whole amounts above a total with cents."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.printed import read
from tests.unit.stages.printed_sheets import names, sheet

TABLE = """
        SPICE GARDEN
Item              Qty   Rate   Amount
VEG BIRYANI        2     120      240
LASSI SWEET        3      45      135
BUTTER ROTI        4      15       60
Sub Total :                    435.00
Total :                        435.00
"""

LOST_COUNT = """
        HIMAL STORES
1  SOAP NEEM       1      55       55
2  TEA MASALA            310      310
3  SALT                   20       20
Gross Amount                   385.00
Net Amount                     385.00
"""

ONE_PRODUCT = """
        KOTA CAFE
Filter Coffee      3      40      120
Total                          120.00
"""

CODED = """
        SERAI FARMASI
Qty  Code          Price   Total
COLD RUB 40G
1  261733          18.00   18 SR
LEMON DROPS
2  270115           4.00    8 ZRL
2  TYPE: 2
Subtotal:                  26.00
Total:                     26.00
"""

GROUPED = """
        MWANGAZA GRILL
Beef kg 2 @ 650         1,300
Chapati                    80
Tea                        40
Packing                     0
TOTAL KSH            1,420.00
"""

WHOLE_SUBTOTAL = """
        THE LANTERN
2   Draught Pint         144
1   Onion Rings           62
1   OPEN ITEM             30
Subtotal                 236
Table service 10%       23.6
Total               HK$259.6
"""


@pytest.mark.parametrize(
    ("text", "region", "wanted"),
    [
        (GROUPED, "ke", [("Beef kg", 1300), ("Chapati", 80), ("Tea", 40)]),
        (WHOLE_SUBTOTAL, "hk", [("Draught Pint", 144), ("Onion Rings", 62), ("OPEN ITEM", 30)]),
        (TABLE, "in", [("VEG BIRYANI", 240), ("LASSI SWEET", 135), ("BUTTER ROTI", 60)]),
        (LOST_COUNT, "np", [("SOAP NEEM", 55), ("TEA MASALA", 310), ("SALT", 20)]),
        (ONE_PRODUCT, "lk", [("Filter Coffee", 120)]),
        (CODED, "my", [("COLD RUB 40G", 18), ("LEMON DROPS", 8)]),
    ],
)
def test_whole_numbers_that_add_up_to_the_total_are_amounts(
    text: str, region: str, wanted: list[tuple[str, int]]
) -> None:
    assert names(sheet(text, region).items) == [(name, Decimal(amount)) for name, amount in wanted]


def test_a_number_in_the_list_counts_nothing() -> None:
    assert [item.qty for item in sheet(LOST_COUNT, "np").items] == [Decimal(1), None, None]


def test_whole_numbers_that_do_not_add_up_stay_codes() -> None:
    text = """
        KOTA CAFE
Pump              12     340      120
Tank               7     210      118
Litre              9     110      119
Total                          500.00
"""
    assert sheet(text, "in").items == ()


def test_prices_of_one_are_no_part_of_the_name() -> None:
    (first, *_) = sheet(TABLE, "in").items
    assert (first.qty, first.price) == (Decimal(2), Decimal(120))


TYPED = """
      LOTUS POND SPA
      19 Canal Road, Phuket 83000
2   Foot massage          350      700
1   Coconut scrub         420      420
1   Ginger tea             80       80
Sub Total                        1,200
Discount monsoon week              -120
Service Charge 5%                54.00
VAT 7%                           79.38
GRAND TOTAL                   1,213.38
"""


def test_sums_and_discounts_are_whole_like_the_products() -> None:
    result = read(TYPED, "th")
    assert [item.line_total for item in result.line_items] == [Decimal(700), Decimal(420), Decimal(80)]
    assert (result.sub_total, result.discounts) == (Decimal(1200), (Decimal(120),))
    assert result.total == Decimal("1213.38")


def test_a_small_whole_subtotal_proves_its_products() -> None:
    bill = TYPED.replace("2   Foot massage          350      700\n", "").replace("1,200", "  500")
    bill = bill.replace("-120", " -50").replace("54.00", "22.50").replace("79.38", "33.08")
    result = read(bill.replace("1,213.38", "  505.58"), "th")
    assert (result.sub_total, result.total) == (Decimal(500), Decimal("505.58"))

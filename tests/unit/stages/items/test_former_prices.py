"""Rows about former prices, offers and earlier receipts, beside the rows of products."""

from __future__ import annotations

import pytest

from tests.unit.stages.printed_sheets import sheet


def _sold(rows: str, region: str) -> list[tuple[str, float]]:
    return [(item.desc_clean, float(item.total.value)) for item in sheet(rows, region).items]


_BELOW = "SUBTOTAL               84.98\nTOTAL                  84.98\n"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (" 0118873419     WAS 59.00", " 0220918846     WAS 80.00"),
        (" 0118873419     REG 59.00", " 0220918846     REG 80.00"),
        (" WAS                   59.00", " WAS                   80.00"),
        (" COMPARE AT            59.00", " COMPARE AT            80.00"),
    ],
)
def test_a_former_price_parts_no_name_from_its_amount(first: str, second: str) -> None:
    rows = f"""
     LARCH OUTFITTERS
     12 Harbor Street
    Portland, OR 97201
LINEN DRESS
{first}
 1 @ 29.99             29.99 TX
CORK SANDAL
{second}
 1 @ 54.99             54.99 TX
{_BELOW}"""
    assert _sold(rows, "us") == [("LINEN DRESS", 29.99), ("CORK SANDAL", 54.99)]


def test_a_former_price_and_what_was_taken_off_it_are_no_product() -> None:
    rows = """
     LARCH PHARMACY
     12 Harbor Street
    Portland, OR 97201
     03/14/2026 18:42
1 PLASTERS 30CT        18.99F
    REG 21.99  SALE 3.00
1 MINT BALM             2.79T
SUBTOTAL               21.78
TOTAL                  21.78
"""
    assert _sold(rows, "us") == [("PLASTERS 30CT", 18.99), ("MINT BALM", 2.79)]


def test_the_count_below_an_offer_makes_the_amount_of_the_name_beside_it() -> None:
    rows = """
     LARCH STORES
  Main Street, Dingle, Co. Kerry
SODA BREAD                2.90 E
CRISPS 6PK    2 FOR       5.00
 2 @ 3.29                 6.58 C
 OFFER                   -1.58 C
TOTAL        EUR          7.90
"""
    assert [(i.desc_clean, i.qty, float(i.total.value)) for i in sheet(rows, "ie").items] == [
        ("SODA BREAD", None, 2.90),
        ("CRISPS 6PK", 2, 6.58),
        ("OFFER", None, -1.58),
    ]


def test_the_receipt_of_what_is_returned_is_no_name() -> None:
    rows = """
     LARCH OUTFITTERS
     12 Harbor Street
    Portland, OR 97201
Orig: 0231 12/19/25 5102
CORD SHIRT L
  400118827331        -48.00 T
CORD SHIRT XL
  400118827348         48.00 T
WOOL CAP
  400220014417         22.00 T
SUBTOTAL               22.00
TOTAL                  22.00
"""
    found = [name for name, _ in _sold(rows, "us")]
    assert found == ["CORD SHIRT L", "CORD SHIRT XL", "WOOL CAP"]


def test_discounts_and_deposits_need_no_code_where_codes_lead() -> None:
    rows = """
     LARCH FOODS
06810011231 OAT DRINK       7.00
06340004417 POP 12PK        6.99
  DEPOSIT 1                 1.20
4011 BANANA                 1.68
ROLLS 4PK                   5.49
  MULTI SAVE               -1.00
SUBTOTAL                   21.36
TOTAL                      21.36
"""
    assert ("BANANA", 1.68) in _sold(rows, "ca")

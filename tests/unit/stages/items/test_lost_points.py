"""Products whose amount lost its decimal point: only what the products add up to makes them amounts."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.unit.stages.printed_sheets import sheet

_PAGE = """
      CORNER STORE
    12 Main Street
Bread                    4.00
{lost}
Honey                    5.25
SUBTOTAL                16.75
TAX                      1.25
TOTAL                   18.00
"""


@pytest.mark.parametrize("amount", ["7.50", "7 50", " 750", "7:50", "7-50"])
def test_a_point_that_was_not_read_is_found_by_the_sum(amount: str) -> None:
    found = sheet(_PAGE.format(lost=f"Olive oil {amount:>19}"))
    assert [item.total.value for item in found.items] == [Decimal("4.00"), Decimal("7.50"), Decimal("5.25")]
    assert found.items[1].desc_clean == "Olive oil"


@pytest.mark.parametrize("amount", ["7    60", " 650", "75"])
def test_without_the_sum_it_is_a_number(amount: str) -> None:
    found = sheet(_PAGE.format(lost=f"Olive oil {amount:>19}"))
    assert [item.total.value for item in found.items] == [Decimal("4.00"), Decimal("5.25")]


def test_a_code_of_the_tax_may_follow() -> None:
    found = sheet(_PAGE.format(lost=f"Olive oil {'750 1':>21}"))
    assert [item.total.value for item in found.items] == [Decimal("4.00"), Decimal("7.50"), Decimal("5.25")]


def test_a_price_before_the_amount_may_stand_for_the_name_above() -> None:
    found = sheet(
        """
Item
   Qty     Price    Tax   Amount
Brown Rice
   1.000   31.40    5%     31.40
Rose Water
   1.000   18.25    5%      1825
Dates Box
   2.000   12.00    5%     24.00
TOTAL                      73.65
"""
    )
    assert [(i.desc_clean, i.total.value) for i in found.items] == [
        ("Brown Rice", Decimal("31.40")),
        ("Rose Water", Decimal("18.25")),
        ("Dates Box", Decimal("24.00")),
    ]


def test_the_points_of_thousands_may_be_left() -> None:
    found = sheet(
        """
       ALMACEN LA ESQUINA
HARINA 000 1KG         1.150,00
MIEL PURA 500G         4.28000
TOMATE TRITURADO       2.310,50
TOTAL                  7.740,50
""",
        "ar",
    )
    assert [i.total.value for i in found.items] == [Decimal("1150"), Decimal("4280"), Decimal("2310.5")]


def test_a_discount_keeps_its_minus() -> None:
    page = _PAGE.replace("16.75", " 7.75").replace("18.00", " 9.00")
    found = sheet(page.format(lost="Bonus                   -1 50"))
    assert [item.total.value for item in found.items] == [Decimal("4.00"), Decimal("-1.50"), Decimal("5.25")]

"""Rows that add up the products above them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.region import Role
from tests.unit.stages.printed_sheets import products, sheet


@pytest.mark.parametrize(
    ("below", "role"),
    [
        ("TOGI                    10.00\nOTOE                     3.60", "total"),
        ("TOTAL    6.80", "subtotal"),
    ],
)
def test_a_row_that_adds_the_products_up_is_a_total_whatever_it_is_called(below: str, role: Role) -> None:
    found = sheet(
        f"""
      TAKATAKA
Xyzzy                    3.00
Plugh                    1.00
Frotz                    2.40
KATAKA                   6.40
{below}
"""
    )
    assert len(found.items) == 3
    (added,) = [entry for entry in found.entries if entry.amount.value == Decimal("6.40")]
    assert added.zone == "summary"
    assert added.weight(role) >= 0.7


def test_a_product_that_costs_as_much_as_the_first_two_splits_nothing() -> None:
    items = products(
        "Bread                    4.00\nMilk                     2.50\nCheese                   6.50\n"
        "Apples                   1.00\nPears                    2.00\nTea                      3.00"
    )
    assert len(items) == 6


def test_a_product_with_a_code_is_no_sum_of_those_above() -> None:
    items = products(
        "41102 Belt               5.00\n41103 Scarf              5.00\n41208 Shirt             10.00\n"
        "41208 Shirt             10.00\n41950 Jeans             24.00"
    )
    assert len(items) == 5


_PUB = "THE OLD PLOUGH\nPie              14.00\nChips             4.50\nBitter            5.20\n{}"


def test_sums_of_groups_that_come_to_the_subtotal_are_no_products() -> None:
    groups = (
        "Food             18.50\nDrink             5.20\nSub Total        23.70\nTotal            23.70\n"
    )
    found = sheet(_PUB.format(groups), "gb")
    assert [str(item.total.value) for item in found.items] == ["14.00", "4.50", "5.20"]
    more = "Wine             18.50\nRum               5.20\nSub Total        47.40\nTotal            47.40\n"
    assert len(sheet(_PUB.format(more), "gb").items) == 5


def test_sums_above_their_groups_are_no_products_if_the_total_is_reached_without_them() -> None:
    text = """
THE CORNER GROCER
GROCERY                   7.50
 FLOUR                    3.00
 SUGAR                    4.50
HBA                       5.25
 SOAP                     5.25
{}
"""
    found = sheet(text.format("TOTAL                    12.75"), "us")
    assert [str(item.total.value) for item in found.items] == ["3.00", "4.50", "5.25"]
    assert len(sheet(text.format("TOTAL                    25.50"), "us").items) == 5


def test_a_sum_that_is_carried_to_the_next_page_ends_no_list() -> None:
    items = products(
        """
Item          Qty   Price    Amount
Bolts         100    0.12     12.00
Washers       200    0.04      8.00
Carried forward               20.00
Item          Qty   Price    Amount
Brought forward               20.00
Tape            6    3.25     19.50
Brush           2    4.00      8.00
"""
    )
    assert [item.total.value for item in items] == list(map(Decimal, ("12.00", "8.00", "19.50", "8.00")))

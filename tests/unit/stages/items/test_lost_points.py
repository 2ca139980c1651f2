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


def test_a_discount_keeps_its_minus() -> None:
    page = _PAGE.replace("16.75", " 7.75").replace("18.00", " 9.00")
    found = sheet(page.format(lost="Bonus                   -1 50"))
    assert [item.total.value for item in found.items] == [Decimal("4.00"), Decimal("-1.50"), Decimal("5.25")]

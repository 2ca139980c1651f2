"""Sums over amounts that can be read in several ways."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from receipt_engine.document import AmountReading, AmountRule, Item, Money
from receipt_engine.stages.reconcile.readings import item_sums


def item(*values: str) -> Item:
    moneys = tuple(Money(Decimal(v), i * 1.0, AmountRule.AS_PRINTED) for i, v in enumerate(values))
    amount = AmountReading(values[0], 0, len(values[0]), moneys)
    return Item(0, (0,), "x", "x", amount)


def test_the_sum_as_read_costs_nothing() -> None:
    sums = item_sums([item("1.00"), item("2.50")])
    assert sums[Decimal("3.50")].cost == 0
    assert sums[Decimal("3.50")].changes == ()


def test_one_other_reading_is_a_repair() -> None:
    sums = item_sums([item("1.00", "7.00"), item("2.50")])
    assert sums[Decimal("9.50")].changes == ((0, Decimal("7.00")),)


def test_a_sum_that_two_repairs_reach_is_no_repair() -> None:
    sums = item_sums([item("1.00", "2.00"), item("5.00", "6.00")])
    assert Decimal("7.00") not in sums


def signed(read: str, printed: str) -> Item:
    """An amount that may begin with a currency sign read as a digit."""
    moneys = (
        Money(Decimal(read), 0.0, AmountRule.AS_PRINTED),
        Money(Decimal(printed), 2.4, AmountRule.SIGN_AS_DIGIT),
    )
    return Item(0, (0,), "x", "x", AmountReading(read, 0, len(read), moneys))


def test_a_sign_read_as_a_digit_is_taken_off_everywhere_at_once() -> None:
    sums = item_sums([signed("812.50", "12.50"), signed("89.00", "9.00"), item("1.00")])
    assert sums[Decimal("22.50")].changes == ((0, Decimal("12.50")), (1, Decimal("9.00")))
    assert sums[Decimal("22.50")].cost > 2.4


@given(st.lists(st.decimals("0.01", "999.99", places=2), min_size=1, max_size=30))
def test_the_plain_sum_is_always_there(values: list[Decimal]) -> None:
    sums = item_sums([item(str(v)) for v in values])
    assert sums[sum(values, Decimal(0))].cost == 0

"""Sums over amounts that can be read in several ways."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from receipt_engine.document import AmountReading, AmountRule, Item, Money
from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.stages.reconcile.readings import item_sums
from receipt_engine.trace import Trace
from tests.printed import reading


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


def offered(printed: str) -> Item:
    """A product that its words call a discount."""
    moneys = (
        Money(-Decimal(printed), 0.0, AmountRule.LOST_MINUS),
        Money(Decimal(printed), 0.7, AmountRule.AS_PRINTED),
    )
    return Item(0, (0,), "x", "x", AmountReading(printed, 0, len(printed), moneys))


def test_discounts_without_a_minus_are_all_sold_at_once() -> None:
    sums = item_sums([offered("4.20"), offered("2.60"), item("1.00")])
    assert sums[Decimal("7.80")].changes == ((0, Decimal("4.20")), (1, Decimal("2.60")))
    assert sums[Decimal("-5.80")].cost == 0


def counted(read: str, printed: str) -> Item:
    """An amount that may begin with a count."""
    moneys = (
        Money(Decimal(read.replace(" ", "")), 0.2, AmountRule.SPACED_THOUSANDS),
        Money(Decimal(printed), 1.3, AmountRule.AS_PRINTED, start=len(read) - len(printed)),
    )
    return Item(0, (0,), "x", "x", AmountReading(read, 0, len(read), moneys))


def test_counts_read_as_thousands_are_taken_off_everywhere_at_once() -> None:
    sums = item_sums([counted("2 500.00", "500.00"), counted("1 250.00", "250.00"), item("1.00")])
    assert sums[Decimal("751.00")].changes == ((0, Decimal("500.00")), (1, Decimal("250.00")))
    assert Decimal("1751.00") in sums  # one of them alone


def test_a_sum_tells_counts_from_thousands() -> None:
    printed = reading(
        """
      BOULANGERIE DU LAC
QTE  MONTANT
FARINE DE BLE        1 195,00
SUCRE ROUX           2 526,00
RIZ ROND             6 960,00
TOTAL                1 681,00
CB                   1 681,00
"""
    )
    result = interpret(printed, ExtractOptions(region="fr"), None, Trace(keep=False))
    assert [(line.qty, line.line_total) for line in result.line_items] == [(1, 195), (2, 526), (6, 960)]
    assert result.total == 1681


def test_a_sign_read_as_a_digit_is_no_count() -> None:
    printed = reading(
        """
      CORNER DELI
TURKEY CLUB           812.50
GARDEN SALAD           89.50
COFFEE                 $3.00
SUBTOTAL              $25.00
TAX                    $2.00
TOTAL                 $27.00
"""
    )
    result = interpret(printed, ExtractOptions(region="us"), None, Trace(keep=False))
    assert [(line.qty, float(line.line_total or 0)) for line in result.line_items] == [
        (0, 12.5),
        (0, 9.5),
        (0, 3.0),
    ]


@given(st.lists(st.decimals("0.01", "999.99", places=2), min_size=1, max_size=30))
def test_the_plain_sum_is_always_there(values: list[Decimal]) -> None:
    sums = item_sums([item(str(v)) for v in values])
    assert sums[sum(values, Decimal(0))].cost == 0

"""Amounts that were read with a slip: mended when equations agree, left alone otherwise."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.stages.reconcile.misreadings import DAMAGED, misreading_cost
from tests.unit.stages.reconcile.sheets import amount, decide, product, row, value, verdicts

ITEMS = [product(0, "4.00"), product(1, "5.00")]


@pytest.mark.parametrize(
    ("read", "true", "damaged"),
    [
        ("40.4", "40.41", True),  # the last digit was cut off
        ("9", "9.22", True),  # the point was lost with all that follows it
        ("823.77", "23.77", True),  # the currency sign was read as a digit
        ("65.66", "66.66", False),
        ("12.50", "17.50", False),
    ],
)
def test_a_slip_costs_more_where_the_amount_looks_whole(read: str, true: str, damaged: bool) -> None:
    cost = misreading_cost(amount(read), Decimal(true), signs=True)
    assert cost is not None
    assert (cost <= DAMAGED) is damaged


@pytest.mark.parametrize(
    ("read", "true"), [("12.50", "12.50"), ("12.50", "17.60"), ("12.50", "-12.60"), ("12.50", "125.00")]
)
def test_what_differs_more_or_not_at_all_is_no_slip(read: str, true: str) -> None:
    assert misreading_cost(amount(read), Decimal(true), signs=True) is None


def test_a_digit_before_the_amount_is_a_sign_only_where_signs_are_printed() -> None:
    assert misreading_cost(amount("823.77"), Decimal("23.77"), signs=False) is None


def test_a_damaged_total_is_mended_by_what_was_bought() -> None:
    ledger = decide([row(3, "tax", "0.72"), row(4, "total", "9.7")], ITEMS)
    assert ledger.total is not None
    assert (ledger.total.value, ledger.total.printed) == (Decimal("9.72"), Decimal("9.7"))


def test_a_whole_total_is_mended_only_when_purchase_and_payment_agree() -> None:
    bought = [row(2, "subtotal", "9.00"), row(3, "tax", "0.72"), row(4, "total", "9.12")]
    assert value(decide(bought, ITEMS).total) == Decimal("9.12")
    paid = [*bought, row(5, "cash", "10.00"), row(6, "change", "0.28")]
    assert value(decide(paid, ITEMS).total) == Decimal("9.72")


def test_a_total_that_is_printed_twice_is_not_mended() -> None:
    entries = [
        row(2, "subtotal", "9.00"),
        row(3, "tax", "0.72"),
        row(4, "total", "9.12"),
        row(5, "cash", "10.00"),
        row(6, "change", "0.28"),
        row(7, "total", "9.12"),
    ]
    ledger = decide(entries, ITEMS)
    assert ledger.total is None or ledger.total.printed is None


def test_a_total_rounded_as_the_country_rounds_is_not_mended() -> None:
    entries = [row(2, "subtotal", "66.30"), row(3, "service", "6.63"), row(4, "total", "72.95")]
    ledger = decide(entries, [product(0, "60.30"), product(1, "6.00")], region="sg")
    assert value(ledger.total) == Decimal("72.95")
    assert verdicts(ledger)["subtotal + adjustments = total"] == "consistent"
    assert ledger.rounding is None


def test_a_subtotal_is_mended_by_products_that_lead_to_the_total() -> None:
    entries = [
        row(2, "subtotal", "89.00"),
        row(3, "tax", "0.72", currency="$"),
        row(4, "total", "9.72", currency="$"),
    ]
    ledger = decide(entries, ITEMS)
    assert ledger.subtotal is not None
    assert (ledger.subtotal.value, ledger.subtotal.printed) == (Decimal("9.00"), Decimal("89.00"))


def test_of_two_taxes_at_one_rate_the_misread_one_is_mended() -> None:
    entries = [
        row(2, "subtotal", "2666.40"),
        row(3, "tax", "66.66", percent="2.5", label="SGST"),
        row(4, "tax", "65.66", percent="2.5", label="CGST"),
        row(5, "rounding", "0.28"),
        row(6, "total", "2800.00"),
    ]
    ledger = decide(entries, region="in")
    assert [c.value for c in ledger.taxes] == [Decimal("66.66"), Decimal("66.66")]
    assert ledger.taxes[1].printed == Decimal("65.66")


@pytest.mark.parametrize("swapped", [False, True])
def test_a_total_that_two_repairs_would_close_is_not_mended(swapped: bool) -> None:
    """A digit is repaired only when exactly one reading closes the sums."""
    charged = ["9.77", "9.72"] if swapped else ["9.72", "9.77"]
    cards = [row(5, "card", charged[0]), row(6, "card", charged[1])]
    one = decide([row(4, "total", "9.7"), cards[0]])
    assert one.total is not None
    assert (one.total.value, one.total.printed) == (Decimal(charged[0]), Decimal("9.7"))
    two = decide([row(4, "total", "9.7"), *cards])
    assert two.total is None or two.total.printed is None

"""Rounding of cash that is printed below the total, whose result is printed nowhere."""

from __future__ import annotations

from decimal import Decimal

from tests.unit.stages.reconcile.sheets import decide, product, row, value, verdicts

ITEMS = [product(0, "40.00"), product(1, "32.08")]
PRINTED = [row(3, "total", "72.08")]


def test_the_rounded_amount_was_paid_when_the_cash_says_so() -> None:
    rounded = [*PRINTED, row(4, "rounding", "0.02"), row(5, "cash", "80.00"), row(6, "change", "7.90")]
    ledger = decide(rounded, ITEMS, region="au")
    assert (value(ledger.total), value(ledger.rounding)) == (Decimal("72.10"), Decimal("0.02"))
    assert verdicts(ledger)["printed total + rounding = total"] == "proved"
    assert verdicts(ledger)["cash − change = total"] == "proved"


def test_a_rounding_without_its_sign_has_the_one_that_the_cash_shows() -> None:
    rounded = [row(3, "total", "72.12"), row(4, "cash", "80.00"), row(5, "rounding", "0.02")]
    ledger = decide([*rounded, row(6, "change", "7.90")], [product(0, "72.12")], region="nl")
    assert (value(ledger.total), value(ledger.rounding)) == (Decimal("72.10"), Decimal("-0.02"))


def test_a_rounding_is_no_repair_of_the_total() -> None:
    cash = [row(4, "rounding", "0.02"), row(5, "cash", "80.00"), row(6, "change", "7.90")]
    total = decide([*PRINTED, *cash], ITEMS, region="au").total
    assert total is not None
    assert (total.value, total.unrounded, total.printed) == (Decimal("72.10"), Decimal("72.08"), None)


def test_without_tenders_the_country_s_step_decides() -> None:
    assert value(decide([*PRINTED, row(4, "rounding", "0.02")], ITEMS, region="au").total) == Decimal("72.10")
    assert value(decide([*PRINTED, row(4, "rounding", "0.01")], ITEMS, region="au").total) == Decimal("72.08")


def test_a_rounding_never_leaves_what_the_country_rounds_to() -> None:
    even = [
        row(3, "total", "72.10"),
        row(4, "rounding", "0.03"),
        row(5, "cash", "80.03"),
        row(6, "change", "7.90"),
    ]
    assert value(decide(even, [product(0, "72.10")], region="au").total) == Decimal("72.10")


def test_a_total_that_was_paid_as_printed_is_not_rounded_again() -> None:
    paid = [*PRINTED, row(4, "rounding", "0.02"), row(5, "card", "72.08")]
    assert value(decide(paid, ITEMS, region="au").total) == Decimal("72.08")
    inside = [row(3, "subtotal", "72.08"), row(4, "total", "72.10"), row(5, "rounding", "0.02")]
    assert value(decide(inside, ITEMS, region="au").total) == Decimal("72.10")


def test_discounts_that_the_totals_block_tells_again_count_once() -> None:
    off = row(1, "discount", "-2.00", zone="items")
    told = [row(3, "subtotal", "12.00"), row(4, "discount", "-2.00"), row(5, "total", "10.00")]
    ledger = decide([off, *told], [product(0, "12.00"), product(1, "-2.00")])
    assert [value(d) for d in ledger.discounts] == [Decimal("2.00")]
    assert value(ledger.total) == Decimal("10.00")


def test_subtotals_of_single_rates_are_no_subtotal() -> None:
    parts = [
        row(3, "subtotal", "270", percent="8"),
        row(4, "tax", "21", percent="8"),
        row(5, "subtotal", "441", percent="10"),
        row(6, "tax", "44", percent="10"),
        row(7, "total", "776"),
    ]
    ledger = decide(parts, [product(0, "270"), product(1, "441")], region="ja")
    assert ledger.subtotal is None
    assert value(ledger.total) == Decimal("776")


def test_the_sum_of_one_rate_beside_that_of_another_is_no_subtotal_whatever_its_sign() -> None:
    parts = [
        row(3, "total", "9.20", percent="0"),
        row(4, "subtotal", "-3.00", percent="6"),
        row(5, "tax", "-0.18", label="GST"),
        row(6, "total", "6.02", label="TOTAL PAYABLE"),
    ]
    ledger = decide(parts, [product(0, "9.20"), product(1, "-3.00")], region="my")
    assert ledger.subtotal is None
    assert value(ledger.total) == Decimal("6.02")


def test_the_net_of_the_only_rate_is_the_subtotal_beside_its_tax() -> None:
    parts = [
        row(3, "subtotal", "5.00", percent="21"),
        row(4, "gross", "1.05", percent="21"),
        row(5, "total", "6.05"),
    ]
    assert value(decide(parts, [product(0, "6.05")], region="lv").subtotal) == Decimal("5.00")

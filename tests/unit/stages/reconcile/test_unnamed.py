"""Amounts without known words: taxes, products, tenders, or nothing of the kind."""

from __future__ import annotations

from decimal import Decimal

from tests.unit.stages.reconcile.sheets import decide, product, row, value, verdicts

ITEMS = [product(0, "4.00"), product(1, "6.00")]


def test_an_unnamed_amount_at_a_rate_of_the_country_is_a_tax() -> None:
    entries = [row(2, "subtotal", "10.00"), row(3, None, "0.70"), row(4, "total", "10.70")]
    ledger = decide(entries, ITEMS)
    assert (ledger.tax, ledger.services) == (Decimal("0.70"), ())


def test_an_unnamed_amount_at_the_rate_beside_it_is_a_tax() -> None:
    entries = [
        row(2, "subtotal", "10.00"),
        row(3, "tax", "0.20", percent="2", label="VAT 2%"),
        row(4, None, "0.60", percent="6", label="ST 6%"),
        row(5, "total", "10.80"),
    ]
    assert [c.value for c in decide(entries, ITEMS, region="in").taxes] == [Decimal("0.20"), Decimal("0.60")]


def test_an_unnamed_amount_that_closes_is_neither_tax_nor_service_without_more() -> None:
    entries = [
        row(2, "subtotal", "10.00"),
        row(3, None, "2.37", label="KATAKA"),
        row(4, "total", "12.37"),
    ]
    ledger = decide(entries, ITEMS, region="ae")
    assert (ledger.tax, ledger.taxes, ledger.services) == (None, (), ())
    assert verdicts(ledger)["subtotal + adjustments = total"] == "proved"


def test_what_stands_below_the_products_and_is_needed_for_the_total_is_a_product() -> None:
    entries = [
        row(2, "service", "2.00", weight=0.5, label="1 RELOAD"),
        row(3, None, "3.00", label="BOOKING"),
        row(4, "total", "15.00"),
    ]
    ledger = decide(entries, ITEMS)
    assert [(i.desc_clean, i.total.value, i.qty) for i in ledger.items[2:]] == [
        ("RELOAD", Decimal("2.00"), 1),
        ("BOOKING", Decimal("3.00"), None),
    ]
    assert ledger.services == ()


def test_a_surely_named_service_charge_stays_one() -> None:
    entries = [row(2, "service", "1.00", label="SERVICE CHG 10%"), row(4, "total", "11.00")]
    ledger = decide(entries, ITEMS)
    assert [c.value for c in ledger.services] == [Decimal("1.00")]
    assert len(ledger.items) == 2


def test_tenders_found_by_arithmetic_alone_are_told() -> None:
    entries = [row(2, None, "10.00"), row(3, None, "50.00"), row(4, None, "40.00")]
    ledger = decide(entries, ITEMS)
    assert (value(ledger.total), value(ledger.cash), value(ledger.change)) == (
        Decimal("10.00"),
        Decimal("50.00"),
        Decimal("40.00"),
    )


def test_a_total_whose_name_was_lost_among_the_products_ends_them() -> None:
    lost = [product(0, "4.00"), product(1, "6.00"), product(2, "10.00"), product(3, "50.00")]
    ledger = decide([row(9, None, "77", cost=4.0)], lost)
    assert value(ledger.total) == Decimal("10.00")
    assert [i.total.value for i in ledger.items] == [Decimal("4.00"), Decimal("6.00")]

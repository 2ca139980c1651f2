"""The ledger of hand-made sheets: which amount is the total, and what closes around it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.document import TaxRow
from receipt_engine.region import Role
from tests.unit.stages.reconcile.sheets import decide, product, row, value, verdicts

MY, DE = "my", "de"


def test_cash_less_change_is_the_total_without_any_word_for_it() -> None:
    ledger = decide(
        [
            row(2, None, "12.50"),
            row(3, "cash", "20.00"),
            row(4, "change", "7.50"),
            row(5, None, "99.00"),
        ]
    )
    assert value(ledger.total) == Decimal("12.50")
    assert (value(ledger.cash), value(ledger.change)) == (Decimal("20.00"), Decimal("7.50"))
    assert verdicts(ledger)["cash − change = total"] == "proved"


def test_two_tenders_that_add_up_are_the_total() -> None:
    ledger = decide([row(2, None, "50.00"), row(3, "cash", "20.00"), row(4, "card", "30.00")])
    assert value(ledger.total) == Decimal("50.00")
    assert verdicts(ledger)["tenders = total"] == "proved"
    assert (value(ledger.cash), value(ledger.card)) == (Decimal("20.00"), Decimal("30.00"))


def test_a_card_that_pays_the_same_amount_proves_it() -> None:
    ledger = decide([row(2, "total", "31.05"), row(3, "card", "31.05")])
    assert value(ledger.total) == Decimal("31.05")
    assert verdicts(ledger)["card = total"] == "proved"


def test_a_total_closes_from_its_products_and_its_subtotal() -> None:
    ledger = decide(
        [row(3, "subtotal", "9.00"), row(4, "tax", "0.72"), row(5, "total", "9.72")],
        [product(0, "4.00"), product(1, "5.00")],
    )
    assert (value(ledger.total), value(ledger.subtotal), ledger.tax) == (
        Decimal("9.72"),
        Decimal("9.00"),
        Decimal("0.72"),
    )
    proved = {e.kind.value for e in ledger.equations if e.verdict == "proved" and e.residual == 0}
    assert proved == {
        "subtotal + adjustments = total",
        "items + adjustments = total",
        "items = subtotal",
    }


def test_a_total_that_nothing_supports_is_still_what_is_called_so() -> None:
    ledger = decide([row(2, "total", "8.00"), row(3, None, "5.00")])
    assert value(ledger.total) == Decimal("8.00")
    assert verdicts(ledger) == {"items + adjustments = total": "unchecked"}


def test_no_amount_is_no_total() -> None:
    assert decide([], [product(0, "4.00")]).total is None


@pytest.mark.parametrize("role", ["savings", "loyalty", "change", "suggested"])
def test_larger_amounts_of_other_kinds_are_not_the_total(role: Role) -> None:
    ledger = decide([row(2, "total", "8.00"), row(3, role, "80.00")])
    assert value(ledger.total) == Decimal("8.00")


TABLE = (
    TaxRow(3, Decimal(19), Decimal("100.00"), Decimal("19.00"), Decimal("119.00")),
    TaxRow(4, Decimal(7), Decimal("50.00"), Decimal("3.50"), Decimal("53.50")),
)


def test_a_tax_table_adds_up_to_the_total_and_gives_the_taxes_in_printed_order() -> None:
    table = [
        row(3, "tax", "19.00"),
        row(4, "tax", "3.50"),
    ]
    ledger = decide([row(2, "total", "172.50"), *table], tax_rows=TABLE, region=DE)
    assert value(ledger.total) == Decimal("172.50")
    assert [c.value for c in ledger.taxes] == [Decimal("19.00"), Decimal("3.50")]
    assert ledger.tax == Decimal("22.50")
    assert verdicts(ledger)["tax table = total"] == "proved"


def test_a_row_that_adds_a_tax_table_up_is_no_tax_of_its_own() -> None:
    added = TaxRow(5, None, Decimal("150.00"), Decimal("22.50"), Decimal("172.50"), is_sum=True)
    entries = [row(2, "total", "172.50"), row(3, "tax", "19.00"), row(4, "tax", "3.50")]
    ledger = decide([*entries, row(5, "total_tax", "22.50")], tax_rows=(*TABLE, added), region=DE)
    assert [c.value for c in ledger.taxes] == [Decimal("19.00"), Decimal("3.50")]
    assert ledger.tax == Decimal("22.50")


def test_a_printed_total_tax_is_the_tax_when_its_parts_are_not_printed() -> None:
    ledger = decide([row(2, "total", "107.00"), row(3, "total_tax", "7.00")], region=DE)
    assert (ledger.tax, [c.value for c in ledger.taxes]) == (Decimal("7.00"), [Decimal("7.00")])
    assert verdicts(ledger)["tax included in total"] == "consistent"


def test_a_tax_that_is_more_than_half_of_the_total_is_none() -> None:
    ledger = decide([row(2, "total", "10.00"), row(3, "tax", "8.00")])
    assert (ledger.tax, ledger.taxes) == (None, ())


def test_a_tax_is_never_more_than_what_it_is_added_to() -> None:
    ledger = decide([row(3, "subtotal", "5.57"), row(4, "tax", "79.50"), row(5, "total", "85.07")])
    assert value(ledger.total) == Decimal("85.07")
    assert verdicts(ledger).get("subtotal + adjustments = total") != "proved"


def test_cash_rounding_makes_the_rounded_amount_the_total() -> None:
    ledger = decide(
        [
            row(2, "total", "16.12"),
            row(3, "rounding", "-0.02"),
            row(4, "total", "16.10"),
            row(5, "cash", "20.00"),
            row(6, "change", "3.90"),
        ],
        region=MY,
    )
    assert value(ledger.total) == Decimal("16.10")
    assert value(ledger.rounding) == Decimal("-0.02")


def test_a_rounding_printed_without_its_sign_has_the_one_that_closes() -> None:
    ledger = decide(
        [row(2, "subtotal", "16.12"), row(3, "rounding", "0.02"), row(4, "total", "16.10")], region=MY
    )
    assert (value(ledger.total), value(ledger.rounding)) == (Decimal("16.10"), Decimal("-0.02"))


def test_what_proves_an_amount_also_supports_the_total_built_on_it() -> None:
    items = [product(0, "4.00"), product(1, "5.00")]
    ledger = decide(
        [row(3, "total", "9.00"), row(4, "tip", "1.50"), row(5, "total", "10.50")],
        items,
    )
    assert value(ledger.total) == Decimal("10.50")
    assert value(ledger.tip) == Decimal("1.50")


def test_a_misread_product_is_repaired_when_one_reading_closes() -> None:
    ledger = decide(
        [row(3, "total", "13.00"), row(4, "card", "13.00")], [product(0, "1.00", "7.00"), product(1, "6.00")]
    )
    assert [item.total.value for item in ledger.items] == [Decimal("7.00"), Decimal("6.00")]


def test_a_misread_product_is_left_alone_when_two_repairs_would_close() -> None:
    ledger = decide(
        [row(3, "total", "13.00"), row(4, "card", "13.00")],
        [product(0, "1.00", "7.00"), product(1, "6.00", "12.00")],
    )
    assert [item.total.value for item in ledger.items] == [Decimal("1.00"), Decimal("6.00")]
    assert verdicts(ledger)["items + adjustments = total"] == "contradicted"


def test_a_repaired_total_keeps_what_was_printed() -> None:
    ledger = decide(
        [
            row(3, "subtotal", "9.00"),
            row(4, "tax", "0.72"),
            row(5, "total", "9.12", "9.72"),
        ],
        [product(0, "4.00"), product(1, "5.00")],
    )
    assert ledger.total is not None
    assert (ledger.total.value, ledger.total.printed) == (Decimal("9.72"), Decimal("9.12"))
    assert ledger.margin > 0


def test_a_discount_is_positive_and_counted_once() -> None:
    ledger = decide(
        [row(3, "subtotal", "9.00"), row(4, "discount", "-2.00"), row(5, "total", "7.00")],
        [product(0, "4.00"), product(1, "5.00")],
    )
    assert [c.value for c in ledger.discounts] == [Decimal("2.00")]
    assert value(ledger.total) == Decimal("7.00")


def test_the_order_of_equally_good_amounts_is_that_of_the_page() -> None:
    entries = [row(2, None, "5.00"), row(3, None, "5.00"), row(4, None, "5.00")]
    first = decide(entries)
    assert first == decide(entries)
    assert first.total is not None and first.total.entry is not None
    assert first.total.entry.line == 2


def test_a_tax_table_of_the_amount_before_rounding_does_not_undo_the_rounding() -> None:
    rows = [
        TaxRow(7, Decimal(22), Decimal("7.30"), Decimal("1.60"), Decimal("8.90")),
        TaxRow(8, Decimal(4), Decimal("6.12"), Decimal("0.25"), Decimal("6.37")),
        TaxRow(9, None, Decimal("13.42"), Decimal("1.85"), Decimal("15.27"), is_sum=True),
    ]
    entries = [
        row(3, "subtotal", "15.27"),
        row(4, "rounding", "-0.02"),
        row(5, "total", "15.25"),
        row(9, "net", "13.42", label="Totale"),
        row(9, "total_tax", "1.85", label=""),
        row(9, "gross", "15.27", label=""),
    ]
    ledger = decide(entries, [product(0, "8.90"), product(1, "6.37")], rows, "it")
    assert value(ledger.total) == Decimal("15.25")


def test_what_a_total_was_rounded_to_is_no_rounding() -> None:
    ledger = decide(
        [
            row(1, "total", "19.99"),
            row(2, "rounding", "0.01"),
            row(3, "rounding", "20.00"),
            row(4, "cash", "20.00"),
            row(5, "change", "0.00"),
            row(6, "total", "0.00", weight=0.8),
        ],
        [product(0, "19.99")],
        region=MY,
    )
    assert (value(ledger.total), value(ledger.rounding)) == (Decimal("20.00"), Decimal("0.01"))


def test_a_rounded_total_stands_on_the_one_above_it() -> None:
    ledger = decide(
        [
            row(2, "net", "39.92"),
            row(3, "tax", "2.41"),
            row(4, "total", "42.33"),
            row(5, "rounding", "0.02"),
            row(6, "rounding", "42.35"),
            row(7, "card", "42.35"),
        ],
        [product(0, "30.00"), product(1, "12.33")],
        region=MY,
    )
    assert (value(ledger.total), value(ledger.rounding)) == (Decimal("42.35"), Decimal("0.02"))

"""What was given for the total, and what speaks against it."""

from __future__ import annotations

from decimal import Decimal

from tests.printed import read
from tests.unit.stages.reconcile.sheets import decide, product, row, value, verdicts

ITEMS = [product(0, "4.00"), product(1, "6.00")]


def test_exact_cash_gives_no_change_but_its_zero_is_told() -> None:
    entries = [row(2, "total", "10.00"), row(3, "cash", "10.00"), row(4, "change", "0.00")]
    ledger = decide(entries, ITEMS, region="fr")
    assert (value(ledger.cash), value(ledger.change)) == (Decimal("10.00"), Decimal("0.00"))
    assert verdicts(ledger)["cash = total"] == "consistent"


def test_what_repeats_a_card_that_paid_the_total_is_no_cash() -> None:
    entries = [row(2, "total", "10.00"), row(3, "card", "10.00"), row(4, "cash", "10.00", label="Received")]
    assert decide([*entries, row(5, "change", "0.00")], ITEMS, region="ar").cash is None
    ledger = decide([*entries[:2], row(4, "cash", "15.00"), row(5, "change", "5.00")], ITEMS, region="ar")
    assert value(ledger.cash) == Decimal("15.00")
    reduced = [row(2, "total", "10.00"), row(3, "discount", "2.00"), row(4, "cash", "8.00", weight=0.8)]
    assert decide([*reduced, row(5, "card", "8.00")], ITEMS, region="hk").cash is None


def test_only_for_cash_is_money_given_back() -> None:
    def cash(paid: str, change: str, weight: float) -> Decimal | None:
        entries = [row(2, "total", "10.00"), row(3, "card", paid, weight=weight), row(4, "change", change)]
        return value(decide(entries, ITEMS).cash)

    assert cash("50.00", "40.00", 0.55) == Decimal("50.00")
    assert cash("50.00", "40.00", 0.9) is None
    assert cash("50.00", "30.00", 0.55) is None
    assert cash("10.00", "0.00", 0.55) is None


def test_an_amount_with_other_words_that_cash_and_total_leave_is_the_change() -> None:
    entries = [
        row(2, "total", "10.00"),
        row(3, "cash", "15.00", label="Amounts tendered"),
        row(4, "cash", "15.00"),
        row(5, "cash", "10.00", label="Total tendered"),
        row(6, "total", "5.00", label="Total paid"),
    ]
    ledger = decide(entries, ITEMS)
    assert value(ledger.total) == Decimal("10.00")
    assert (value(ledger.cash), value(ledger.change)) == (Decimal("15.00"), Decimal("5.00"))


def test_what_a_payment_leaves_of_the_total_is_no_change() -> None:
    def change(paid: str, left: str) -> Decimal | None:
        entries = [row(2, "total", "10.00"), row(3, None, paid), row(4, "change", left)]
        return value(decide(entries, ITEMS).change)

    assert change("4.00", "6.00") is None
    assert change("0.00", "10.00") is None
    assert change("10.00", "0.00") == Decimal("0.00")
    assert change("9.00", "6.00") == Decimal("6.00")


def test_cash_in_a_products_name_or_an_advertisement_is_no_tender() -> None:
    entries = [
        row(1, "cash", "6.00", weight=0.85, zone="items"),
        row(2, "total", "10.00"),
        row(3, "cash", "25.00", weight=0.64, zone="after"),
    ]
    assert decide(entries, ITEMS).cash is None


def test_a_coupon_below_the_total_pays_and_is_no_discount() -> None:
    entries = [
        row(2, "total", "10.00"),
        row(3, "discount", "7.50", label="COUPON"),
        row(4, "cash", "5.00"),
        row(5, "change", "2.50"),
    ]
    ledger = decide(entries, ITEMS)
    assert value(ledger.total) == Decimal("10.00")
    assert ledger.discounts == ()
    assert (value(ledger.cash), value(ledger.change)) == (Decimal("5.00"), Decimal("2.50"))


def test_a_card_that_paid_another_amount_contradicts_the_total() -> None:
    ledger = decide([row(2, "total", "10.00"), row(3, "card", "23.00")], ITEMS)
    assert value(ledger.total) == Decimal("10.00")
    assert verdicts(ledger)["card = total"] == "contradicted"


def test_what_the_card_paid_is_the_total_when_nothing_supports_the_other() -> None:
    ledger = decide([row(2, "total", "2.47"), row(3, "card", "52.47")])
    assert value(ledger.total) == Decimal("52.47")


def test_a_balance_left_on_a_card_is_no_payment() -> None:
    told = row(3, "card", "75.00", weight=0.8)
    told = type(told)(told.line, told.amount, told.zone, (("card", 0.8), ("balance", 0.5)), "GIFT CARD")
    assert decide([row(2, "total", "10.00"), told], ITEMS).card is None


def test_an_amount_that_the_total_was_rounded_to_is_not_the_rounding() -> None:
    entries = [row(2, "total", "11.98"), row(3, "rounding", "12.00"), row(4, "cash", "12.00")]
    assert decide(entries, region="my").rounding is None


def test_a_tip_of_nothing_is_told_when_it_is_printed() -> None:
    entries = [row(2, "total", "10.00"), row(3, "tip", "0.00")]
    assert value(decide(entries, ITEMS).tip) == Decimal("0.00")
    assert decide(entries[:1], ITEMS).tip is None


def test_refunds_have_negative_taxes() -> None:
    entries = [row(1, "subtotal", "-20.00"), row(2, "tax", "-1.60"), row(3, "total", "-21.60")]
    ledger = decide(entries, [product(0, "-20.00")])
    assert (value(ledger.total), ledger.tax) == (Decimal("-21.60"), Decimal("-1.60"))


def test_whole_totals_are_read_as_such_where_money_is_rounded_to_them() -> None:
    entries = [
        row(2, "subtotal", "99.04"),
        row(3, "tax", "2.48", percent="2.5", label="SGST"),
        row(4, "tax", "2.48", percent="2.5", label="CGST"),
        row(5, "total", "1.04", "104", cost=3.4),
    ]
    ledger = decide(entries, region="in")
    assert value(ledger.total) == Decimal(104)


def test_cash_in_whole_amounts_is_the_rounded_total() -> None:
    text = """
      CURRY HOUSE
Thali                   180.00
SubTotal                180.00
VAT 12.5%                22.50
Total                   202.50
Rounding Off              0.50
Cash                       203
"""
    result = read(text, "in")
    assert (result.cash, result.total) == (Decimal(203), Decimal(203))


def test_a_whole_number_far_from_the_total_is_no_cash() -> None:
    text = """
      CURRY HOUSE
Thali                   180.00
Total                   180.00
Cash                        17
"""
    assert read(text, "in").cash is None


def test_a_charge_named_both_tip_and_service_is_counted_once() -> None:
    entries = [
        row(2, "tip", "2.00", label="GRATUITY 20%"),
        row(3, "subtotal", "10.00"),
        row(4, "service", "2.00", label="SERVICE CHARGE"),
        row(5, "total", "12.00"),
    ]
    ledger = decide(entries, ITEMS)
    assert value(ledger.total) == Decimal("12.00")
    assert (value(ledger.tip), ledger.services) == (Decimal("2.00"), ())


def test_a_tip_as_high_as_the_service_charge_counts_where_both_are_added() -> None:
    entries = [
        row(2, "subtotal", "10.00"),
        row(3, "service", "2.00"),
        row(4, "tip", "2.00"),
        row(5, "total", "14.00"),
    ]
    ledger = decide(entries, ITEMS)
    assert (value(ledger.tip), [c.value for c in ledger.services]) == (Decimal("2.00"), [Decimal("2.00")])


def test_coupons_and_cards_tendered_are_no_cash() -> None:
    for tender in ("COUPONS TENDERED", "CREDIT CARDS TENDER", "Elect. Cards Tendered"):
        text = f"CORNER STORE\n\nSoup     12.00\nTOTAL     12.00\n{tender}     12.00\n"
        assert read(text, "us").cash is None


def test_two_equal_amounts_are_no_cash_and_change_of_nothing() -> None:
    entries = [
        row(2, "total", "0.00", label="Bev total"),
        row(3, "total", "45.50", weight=0.9),
        row(4, None, "45.50", label="Recelved"),
    ]
    ledger = decide(entries, [])
    assert value(ledger.total) == Decimal("45.50")
    assert (ledger.cash, ledger.change) == (None, None)


def test_two_amounts_that_differ_by_the_tax_are_no_cash_and_change() -> None:
    entries = [
        row(1, None, "20.00", zone="items"),
        row(2, "tax", "2.00"),
        row(3, None, "22.00"),
        row(4, None, "20.00", zone="after"),
    ]
    ledger = decide(entries, [])
    assert value(ledger.total) == Decimal("22.00")
    assert (ledger.cash, ledger.change) == (None, None)


def test_cash_without_a_name_pays_an_amount_said_to_contain_tax() -> None:
    entries = [
        row(2, "tax", "5.00"),
        row(3, "total", "10.00", weight=0.8),
        row(4, "change", "5.00"),
        row(5, "tax", "0.28", percent="6"),
    ]
    ledger = decide(entries, [])
    assert value(ledger.total) == Decimal("5.00")
    assert (value(ledger.cash), value(ledger.change)) == (Decimal("10.00"), Decimal("5.00"))


def test_a_negative_payment_for_products_is_of_the_total() -> None:
    entries = [row(2, "total", "10.00", cost=2.5), row(3, "card", "-10.00")]
    ledger = decide(entries, ITEMS)
    assert value(ledger.total) == Decimal("10.00")
    assert verdicts(ledger)["paid off = total"] == "consistent"


def test_cash_with_a_minus_pays_and_repairs_the_total() -> None:
    paid = [row(3, "cash", "-20.00"), row(4, "change", "10.00")]
    assert verdicts(decide([row(2, "total", "10.00"), *paid], ITEMS))["cash − change = total"] == "proved"
    total = decide([row(2, "total", "10.06"), *paid], ITEMS).total
    assert total is not None and (total.value, total.printed) == (Decimal("10.00"), Decimal("10.06"))

"""The arithmetic of drawn receipts: every equation of the contract closes, in every region and kind."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

import pytest

from receipt_engine.region import region_codes
from scripts.make_receipts import KINDS, Composed, compose_receipt
from scripts.make_receipts.ledger import Discount, Entry, Ledger, Levy, Terms, settle, to_step

CENT = Decimal("0.01")
ZERO = Decimal(0)
SEEDS = range(2)


@cache
def composed(region: str, kind: str, seed: int) -> Composed:
    return compose_receipt(region, kind=kind, seed=seed)


def check(ledger: Ledger, quantum: Decimal) -> None:
    """Each step of the ledger follows from the one before."""
    assert ledger.goods == sum((entry.total for entry in ledger.entries), ZERO)
    assert ledger.discounted == ledger.goods - sum((d.amount for d in ledger.discounts), ZERO)
    due = ledger.discounted + (ledger.service or ZERO) + (ZERO if ledger.inclusive else ledger.tax)
    assert ledger.due == due
    assert ledger.payable == ledger.due + (ledger.rounding or ZERO)
    assert ledger.total == ledger.payable + (ledger.tip or ZERO)
    for code in {row.code for row in ledger.taxes}:
        rows = [row for row in ledger.taxes if row.code == code]
        assert rows[0].net + sum((row.tax for row in rows), ZERO) == rows[0].gross
        for row in rows:
            assert abs(row.tax - row.net * row.rate / 100) < quantum
    for amount in (ledger.goods, ledger.due, ledger.total, *(e.total for e in ledger.entries)):
        assert amount == amount.quantize(quantum)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("region", region_codes())
def test_every_region_and_kind_adds_up(region: str, kind: str) -> None:
    for seed in SEEDS:
        receipt = composed(region, kind, seed)
        quantum = Decimal(1).scaleb(-receipt.sale.ledger.goods.as_tuple().exponent * -1)
        check(receipt.sale.ledger, max(quantum, CENT))
        for entry in receipt.sale.ledger.entries:
            if entry.price is not None:
                count = entry.measure if entry.measure is not None else entry.quantity
                assert count is not None
                assert abs(entry.total - count * entry.price) <= max(quantum, CENT) / 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("region", region_codes())
def test_truth_repeats_the_ledger(region: str, kind: str) -> None:
    for seed in SEEDS:
        receipt = composed(region, kind, seed)
        result, ledger = receipt.result, receipt.sale.ledger
        assert result.total == ledger.total
        assert sum((item.line_total or ZERO for item in result.line_items), ZERO) == ledger.goods
        assert len(result.line_items) == len(ledger.entries)
        assert result.discount in (None, sum(result.discounts, ZERO))
        assert result.rounding in (None, ledger.rounding)
        assert result.tip == ledger.tip
        assert result.service_charges == (() if ledger.service is None else (ledger.service,))
        assert result.tax in (None, ledger.tax)
        if result.taxes:
            assert sum(result.taxes, ZERO) == result.tax
        if result.cash is not None and result.change is not None:
            assert result.cash - result.change == ledger.total
        totals = [line.line_total for line in result.summary_items if line.line_type == "Total"]
        # A till may print the total before rounding alone, and leave what is paid to cash and change.
        assert result.total in totals or ledger.due in totals


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("region", region_codes())
def test_added_taxes_lead_from_subtotal_to_total(region: str, kind: str) -> None:
    for seed in SEEDS:
        receipt = composed(region, kind, seed)
        result, ledger = receipt.result, receipt.sale.ledger
        if ledger.inclusive or result.sub_total != ledger.goods:
            continue
        bill = sum((discount.amount for discount in ledger.discounts), ZERO)
        assert (
            result.sub_total
            - bill
            + sum(result.service_charges, ZERO)
            + (result.tax or ZERO)
            + (result.tip or ZERO)
            + (result.rounding or ZERO)
            == result.total
        )


def test_included_taxes_are_taken_out_by_code() -> None:
    entries = [Entry("bread", "B", Decimal("10.70")), Entry("soap", "A", Decimal("11.90"))]
    levies = {"A": (Levy("VAT", Decimal(19)),), "B": (Levy("VAT", Decimal(7)),)}
    ledger = settle(entries, Terms(quantum=CENT, levies=levies))
    assert [(row.code, row.net, row.tax, row.gross) for row in ledger.taxes] == [
        ("A", Decimal("10.00"), Decimal("1.90"), Decimal("11.90")),
        ("B", Decimal("10.00"), Decimal("0.70"), Decimal("10.70")),
    ]
    assert ledger.total == Decimal("22.60")


def test_discounts_of_the_bill_lower_every_code() -> None:
    entries = [Entry("bread", "B", Decimal("10.00")), Entry("soap", "A", Decimal("30.00"))]
    levies = {"A": (Levy("VAT", Decimal(20)),), "B": (Levy("VAT", Decimal(10)),)}
    terms = Terms(quantum=CENT, levies=levies)
    ledger = settle(entries, terms, [Discount(Decimal("4.00"))])
    assert [row.gross for row in ledger.taxes] == [Decimal("27.00"), Decimal("9.00")]


def test_service_may_be_taxed_and_cash_is_rounded() -> None:
    levies = {"A": (Levy("GST", Decimal(9)),)}
    terms = Terms(
        quantum=CENT,
        inclusive=False,
        levies=levies,
        standard="A",
        service_rate=Decimal(10),
        service_taxed=True,
        cash_step=Decimal("0.05"),
    )
    ledger = settle([Entry("noodles", "A", Decimal("10.10"))], terms)
    assert ledger.service == Decimal("1.01")
    assert ledger.tax == Decimal("1.00")
    assert (ledger.due, ledger.rounding, ledger.payable) == (
        Decimal("12.11"),
        Decimal("-0.01"),
        Decimal("12.10"),
    )


def test_two_taxes_share_one_base() -> None:
    levies = {"T": (Levy("TPS", Decimal(5)), Levy("TVQ", Decimal("9.975")))}
    ledger = settle([Entry("lamp", "T", Decimal("100.00"))], Terms(CENT, inclusive=False, levies=levies))
    assert [row.tax for row in ledger.taxes] == [Decimal("5.00"), Decimal("9.98")]
    assert ledger.total == Decimal("114.98")


@pytest.mark.parametrize(
    ("value", "step", "rounded"),
    [("1.02", "0.05", "1.00"), ("1.03", "0.05", "1.05"), ("-1.03", "0.05", "-1.05"), ("2.5", "1", "3")],
)
def test_halves_go_away_from_zero(value: str, step: str, rounded: str) -> None:
    assert to_step(Decimal(value), Decimal(step)) == Decimal(rounded)

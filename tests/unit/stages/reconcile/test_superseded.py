"""What is added up above a total proves nothing where a later total was not read."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.stages.reconcile import reconcile
from tests.unit.stages.printed_receipts import printed
from tests.unit.stages.reconcile.sheets import decide, product, row, value, verdicts

_GROUP = """
     COPPER KETTLE
Soup               4.00
Bread              6.00
TOTAL             10.00
{below}
"""


def _verdicts(below: str) -> set[str]:
    receipt = printed("us", _GROUP.format(below=below))
    ledger = reconcile(receipt.sheet, receipt.region)
    assert ledger.total is not None and str(ledger.total.value) == "10.00"
    return {equation.verdict for equation in ledger.equations}


@pytest.mark.parametrize("below", ["", "Thank you", "Total items: 2", "CASH              10.00"])
def test_a_total_that_stays_the_last_is_proved(below: str) -> None:
    assert "proved" in _verdicts(below)


@pytest.mark.parametrize("below", ["Balance payable", "Tea                2.00\nGRAND TOTAL"])
def test_a_total_below_it_without_an_amount_takes_the_proof(below: str) -> None:
    assert "proved" not in _verdicts(below)


def test_the_net_amount_and_tax_of_a_group_do_not_prove_it() -> None:
    rows = "NET                9.09\nTAX 10%            0.91"
    assert "proved" in _verdicts(rows)
    assert "proved" not in _verdicts(f"{rows}\nBalance payable")


def test_what_was_paid_proves_it_all_the_same() -> None:
    assert "proved" in _verdicts("CASH              20.00\nCHANGE            10.00\nBalance payable")


def test_what_products_add_up_to_is_no_total_above_a_larger_one() -> None:
    products = [product(0, "60.00"), product(1, "27.25")]
    misread = row(3, "total", "7.25", "87.25", cost=0.9)
    assert value(decide([misread, row(5, "total", "94.78")], products).total) == Decimal("94.78")
    assert value(decide([misread, row(5, None, "94.78", zone="items")], products).total) == Decimal("87.25")


@pytest.mark.parametrize(
    ("later", "verdict"),
    [
        ("12.40", "contradicted"),
        ("8.40", "contradicted"),
        ("2.10", None),
        ("9.00", "consistent"),
        ("8.00", None),
    ],
)
def test_another_total_further_down_takes_the_proof(later: str, verdict: str | None) -> None:
    """Much smaller ones are sums of something else; the same amount supports it, with a misread digit too."""
    products = [product(0, "4.00"), product(1, "5.00")]
    found = verdicts(decide([row(2, "total", "9.00", cost=-1.0), row(6, "total", later)], products))
    assert found.get("total repeated") == verdict
    assert ("proved" in found.values()) is (verdict != "contradicted")


def test_a_payment_that_closes_the_sum_proves_nothing_below_another_total() -> None:
    """The deposit may have been taken off a total of 9.00, which is misread."""
    entries = [row(2, "total", "9.50"), row(3, "deposit", "-2.00"), row(4, "card", "7.00")]
    found = verdicts(decide(entries, [product(0, "4.00"), product(1, "5.00")]))
    assert "proved" not in found.values()


def test_a_paid_total_is_proved_above_another_one() -> None:
    entries = [
        row(2, "total", "9.00"),
        row(3, "cash", "10.00"),
        row(4, "change", "1.00"),
        row(6, "total", "12.40"),
    ]
    found = verdicts(decide(entries, [product(0, "4.00"), product(1, "5.00")]))
    assert found["cash − change = total"] == "proved" and "total repeated" not in found


_GROUPS = """
     COPPER KETTLE
Loaf               4.00
Rolls              5.00
                   9.00
{below}
"""


@pytest.mark.parametrize(
    ("below", "verdict"), [("Mugs 2 x 3.50      7.00", "contradicted"), ("Table 7", "proved")]
)
def test_a_product_below_what_others_add_up_to_contradicts_it(below: str, verdict: str) -> None:
    receipt = printed("us", _GROUPS.format(below=below))
    ledger = reconcile(receipt.sheet, receipt.region)
    assert value(ledger.total) == Decimal("9.00")
    assert verdicts(ledger)["items + adjustments = total"] == verdict

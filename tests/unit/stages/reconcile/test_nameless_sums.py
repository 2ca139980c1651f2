"""Sums without names: the products' sum, a charge, what is due, and cash."""

from __future__ import annotations

import pytest

from receipt_engine.document import Ledger
from receipt_engine.stages.reconcile import reconcile
from tests.unit.stages.printed_receipts import printed
from tests.unit.stages.reconcile.sheets import verdicts

_TILL = """
     COPPER KETTLE
Soup              40.00
Bread             60.00
Salad            170.00
Xbt              270.00
{charge}
{due}CASH             {cash}
{below}
"""


def _ledger(charge: str, cash: str, due: str = "", below: str = "") -> Ledger:
    receipt = printed("us", _TILL.format(charge=charge, cash=cash, due=due, below=below))
    return reconcile(receipt.sheet, receipt.region)


@pytest.mark.parametrize("cash", ["297.00", "-297.00"])
@pytest.mark.parametrize(
    "charge", ["S. CHG            27.00", "S. CHG           -27.00", "Xvcs C            27.00"]
)
def test_the_sum_that_the_cash_pays_is_the_total_and_the_one_above_the_subtotal(
    charge: str, cash: str
) -> None:
    """A line before the charge may have been read as a minus; 297.00 − 27.00 = 270.00 would run upwards."""
    ledger = _ledger(charge, cash, "                 297.00\n")
    assert ledger.total is not None and str(ledger.total.value) == "297.00"
    assert ledger.subtotal is not None and str(ledger.subtotal.value) == "270.00"


def test_a_sum_of_which_cash_gives_change_stays_the_total() -> None:
    ledger = _ledger("S. CHG             0.00", "300.00", below="CHANGE            30.00")
    assert ledger.total is not None and str(ledger.total.value) == "270.00"


def test_a_sum_is_not_proved_by_a_larger_one_below_it() -> None:
    ledger = _ledger("Xvcs C           -27.00", "-297.00", "                 297.00\n")
    assert "subtotal + adjustments = total" not in verdicts(ledger)

"""What is added up above a total proves nothing where a later total was not read."""

from __future__ import annotations

import pytest

from receipt_engine.stages.reconcile import reconcile
from tests.unit.stages.printed_receipts import printed

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


def test_what_was_paid_proves_it_all_the_same() -> None:
    assert "proved" in _verdicts("CASH              20.00\nCHANGE            10.00\nBalance payable")

"""Two taxes on one row, each behind its rate."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.region import load_region
from receipt_engine.stages.reconcile import reconcile
from tests.unit.stages.printed_sheets import sheet

_PAGE = """
Pastelaria Larício
Rua Nova 14, 4700-329 Braga
21-11-2026 09:14
2 Meia de leite          2,80
1 Torrada                2,20
1 Pastel de nata         0,85
Total                    5,85
{taxes}
"""


@pytest.mark.parametrize(
    ("taxes", "amounts"),
    [
        ("IVA incluído 13%: 0,67 23%: 0,04", ["0.67", "0.04"]),
        ("IVA incluído 13%: 0,67", ["0.67"]),
    ],
)
def test_each_rate_has_its_tax(taxes: str, amounts: list[str]) -> None:
    ledger = reconcile(sheet(_PAGE.format(taxes=taxes), "pt"), load_region("pt"))
    assert [tax.value for tax in ledger.taxes] == [Decimal(amount) for amount in amounts]
    assert ledger.tax == sum(map(Decimal, amounts))

"""Negative rows that lower a price."""

from __future__ import annotations

import pytest

from tests.unit.stages.printed_sheets import sheet


@pytest.mark.parametrize("name", ["2 POUR 1", "-10%"])
def test_a_negative_row_with_a_rate_or_a_multi_buy_is_a_discount(name: str) -> None:
    found = sheet(
        f"""
      SUPER MARCHE
PAIN COMPLET             2,40
JAMBON                   3,95
{name:<20}    -0,80
TOTAL                    5,55
""",
        "fr",
    )
    (reduced,) = [entry for entry in found.entries if entry.amount.value < 0]
    assert reduced.role == "discount"

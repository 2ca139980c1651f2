"""Rates of tax noted between a price and an amount."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.region import load_region
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.vocabulary.rate_notes import rate_notes
from tests.printed import spans
from tests.unit.stages.printed_sheets import sheet


def notes(text: str) -> list[str]:
    (row,) = parse(group(spans(text)), load_region("gb"), AmountHints(), None)
    return [row.text[start:end] for start, end in rate_notes(row)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2    4.50 (VAT 5%)    9.00", ["(VAT 5%)"]),
        ("Total (VAT 5%)    9.00", []),
        ("9.00    incl. (VAT 5%)", []),
        ("2    4.50 (large)    9.00", []),
    ],
)
def test_a_note_has_a_rate_and_an_amount_on_either_side(text: str, wanted: list[str]) -> None:
    assert notes(text) == wanted


def test_rows_with_a_note_are_products_and_no_taxes() -> None:
    found = sheet(
        """
        QUAN AN HOA
Pho bo tai
2      45.000 (VAT 8%)      90.000
Nem ran
3      12.000 (VAT 8%)      36.000
Tong cong                  126.000
""",
        "vn",
    )
    assert [(i.desc_clean, i.total.value) for i in found.items] == [
        ("Pho bo tai", Decimal(90000)),
        ("Nem ran", Decimal(36000)),
    ]
    assert not any(entry.weight("tax") for entry in found.entries)

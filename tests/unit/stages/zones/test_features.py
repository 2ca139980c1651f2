"""What tells the part of the receipt that a row belongs to."""

from __future__ import annotations

from receipt_engine.region import load_region
from receipt_engine.stages.columns import find_columns
from receipt_engine.stages.group import group
from receipt_engine.stages.label import label
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.stages.zones.features import row_features
from tests.printed import spans


def test_batch_and_expiry_of_a_product_are_not_the_end_of_a_receipt() -> None:
    rules = load_region("uy")
    parsed = parse(group(spans("LOTE G4279 VENC. 08/28")), rules, AmountHints(), None)
    (row,) = find_columns(label(parsed, rules))
    assert any(match.role == "footer" for match in row.roles)
    assert row_features(row, frozenset()).after == 0


def test_the_rates_of_the_products_below_are_not_the_totals() -> None:
    rules = load_region("in")
    parsed = parse(group(spans("2) CGST @ 2.50%, SGST @ 2.50%")), rules, AmountHints(), None)
    (row,) = find_columns(label(parsed, rules))
    assert row_features(row, frozenset()).summary == 0

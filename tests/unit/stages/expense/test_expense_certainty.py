"""How surely names and goods tell what was bought: expenses.txt lists a merchant's name, then goods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from receipt_engine.document import Found, Merchant
from receipt_engine.pipeline import sort_rows
from receipt_engine.region import load_region
from receipt_engine.stages.expense import find_expense_type
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.trace import Trace
from tests.printed import spans
from tests.unit.stages.row_lists import RowList, sure


def _describe(country: str, rows: Sequence[str]) -> Iterable[str]:
    """The first row names the merchant; behind "=", its legal name."""
    name, _, legal = rows[0].partition(" = ")
    merchant = Merchant(name=Found(name, 0.9, (), "") if name != "-" else None, legal_name=legal)
    region = load_region(country)
    parsed = parse(group(spans("\n".join(rows[1:]))), region, AmountHints(), None)
    zones = sort_rows(parsed, region, Trace()).zones
    yield from sure("", find_expense_type(parsed, zones, merchant, region))


EXPENSES = RowList(Path(__file__).parent / "expenses.txt", _describe)


@pytest.mark.parametrize("row", EXPENSES.rows)
def test_how_surely_it_was_that(row: str) -> None:
    assert row == EXPENSES.result_of(row)


if __name__ == "__main__":
    EXPENSES.write()

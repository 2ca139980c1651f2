"""Which number of a row is its amount, and what it costs by the page's habit: columns.txt lists pages.

Behind "=>" stands of each row its amount with the cost of its readings, in brackets where it stands in no
column of amounts; "-" for a row without any.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from receipt_engine.region import load_region
from receipt_engine.stages.columns import find_columns
from receipt_engine.stages.group import group
from receipt_engine.stages.label import label
from receipt_engine.stages.parse import AmountHints, parse
from tests.printed import spans
from tests.unit.stages.row_lists import RowList


def _describe(country: str, rows: Sequence[str]) -> Iterable[str]:
    region = load_region(country)
    parsed = parse(group(spans("\n".join(rows))), region, AmountHints(), None)
    for row in find_columns(label(parsed, region)):
        if row.amount is None:
            yield "-"
            continue
        told = ", ".join(f"{money.value} {money.cost:g}" for money in row.amount.readings[:2])
        yield told if row.in_column else f"({told})"


COLUMNS = RowList(Path(__file__).parent / "columns.txt", _describe)


@pytest.mark.parametrize("row", COLUMNS.rows)
def test_which_number_is_the_amount(row: str) -> None:
    assert row == COLUMNS.result_of(row)


if __name__ == "__main__":
    COLUMNS.write()

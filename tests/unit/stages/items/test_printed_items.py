"""Products as tills print them, and what is made of each: items.txt lists the rows between the head and the
totals of a receipt: `country: row | row | … => quantity x name @ price (unit) [code] = amount; …`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from receipt_engine.document import Item
from tests.unit.stages.printed_sheets import products
from tests.unit.stages.row_lists import RowList


def _shown(item: Item) -> str:
    count = "" if item.qty is None else f"{item.qty} x "
    price = "" if item.price is None else f" @ {item.price}"
    unit = "" if item.unit is None else f" ({item.unit})"
    code = "" if item.product_code is None else f" [{item.product_code}]"
    signs = "".join(f" {sign}" for sign in item.symbols)
    beside = "".join(f" + {text}" for text in (*item.above, *item.below))
    return f"{count}{item.desc_clean}{price}{unit}{code} = {item.total.value}{signs}{beside}"


def _describe(country: str, rows: Sequence[str]) -> Iterable[str]:
    return (_shown(item) for item in products("\n".join(rows), country))


LIST = RowList(Path(__file__).parent / "items.txt", _describe)


@pytest.mark.parametrize("row", LIST.rows)
def test_what_is_made_of_products(row: str) -> None:
    assert LIST.result_of(row) == row


if __name__ == "__main__":
    LIST.write()

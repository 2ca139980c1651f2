"""Products as tills print them, and what is made of each: items.txt lists the rows between the head and the
totals of a receipt: `country: row | row | … => quantity x name @ price (unit) [code] = amount; …`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from receipt_engine.document import Item
from tests.printed import read
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


SHORT_WORDS = """
BAR DA PONTE
Produto                 Qtd   Unit     Total
Pao c/ ovo               3    7,00     21,00
Cha s/ mel               2    4,00      8,00
Total                                  29,00
"""


def test_a_slash_behind_a_short_word_begins_no_unit() -> None:
    names = [item.desc_clean for item in read(SHORT_WORDS, "br").line_items]
    assert names == ["Pao c/ ovo", "Cha s/ mel"]


CODED = """
TIENDA LA ESQUINA
LENTEJA 500            3.850 E
GASEOSA 1.5            6.200 G
JABON BARRA            2.400 G
TOTAL                 12.450
"""


def test_the_letter_of_a_rate_behind_thousands_is_no_unit() -> None:
    assert [item.line_total for item in read(CODED, "co").line_items] == [3850, 6200, 2400]


if __name__ == "__main__":
    LIST.write()


METRES = """
SHREE FABRICS
Item              Qty   Rate    Amount
Lining, metres   1.40    250       350
Hemming             2     60       120
Buttons            12      5        60
Total                              530
"""


def test_a_measure_and_a_whole_price_make_a_whole_amount() -> None:
    found = [(item.desc_clean, item.qty, item.line_total) for item in read(METRES, "in").line_items]
    assert found == [("Lining, metres", Decimal("1.40"), 350), ("Hemming", 2, 120), ("Buttons", 12, 60)]

"""Rows that are never a shop's name, and a row that is only a part of it."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace

from receipt_engine.stages.merchant.name.choice import choose_name
from receipt_engine.stages.merchant.weights import weights
from tests.unit.stages.merchant.merchant_contexts import context_of, merchant_of

FOOT = "12/03/2024 18:42\nSoup    17.00\nTOTAL    17.00\n"


@pytest.mark.parametrize(
    "head",
    [
        "Check:5512 Guests: 2\nTable:7 Server:ANN",
        "TRESCIENTOS PESOS 00/100 MN",
        "[no fork]",
    ],
)
def test_notes_are_no_names(head: str) -> None:
    name = merchant_of(f"{head}\n{FOOT}").name
    assert name is None or name.value not in head


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("      HOTEL\n  L A R C H", "HOTEL LARCH"),
        ("BAKERY AND CANDLES\n  L A R C H", "BAKERY AND CANDLES LARCH"),
        ("BAKERY AND CANDLES\nBLUE LARCH", "BAKERY AND CANDLES BLUE LARCH"),
    ],
)
def test_a_trade_stands_above_a_name(head: str, name: str) -> None:
    found = merchant_of(f"{head}\n12 Harbor Street\nPortland, OR 97201\n{FOOT}").name
    assert found is not None and found.value == name


def test_a_table_above_the_name_is_not_the_name() -> None:
    name = merchant_of(f"Table 4 Guests: 2\nCOPPER KETTLE\n12 Harbor Street\nPortland, OR 97201\n{FOOT}").name
    assert name is not None
    assert name.value == "COPPER KETTLE"


def test_an_unlikely_name_is_none() -> None:
    head = "PORTLAND, OR 97201\nPhone:(503) 555-0142\nCheck:5512 Guests: 2\nTable:7 Server:ANN"
    assert context_of(f"{head}\n{FOOT}").candidates
    assert merchant_of(f"{head}\n{FOOT}").name is None


def test_rows_that_another_row_prints_as_one_are_one_name() -> None:
    head = "Thai\nKETTLE\n12 Harbor Street\nPortland, OR 97201"
    context = context_of(f"{head}\nTel. 503-555-0142\nTable 4\n{FOOT}Thai Kettle thanks you\n")
    large = [replace(own, size=1.7) if own.rest == "KETTLE" else own for own in context.segments]
    chosen = choose_name(dataclasses.replace(context, segments=large), weights().name)
    assert chosen is not None
    assert chosen[0].value == "Thai KETTLE"

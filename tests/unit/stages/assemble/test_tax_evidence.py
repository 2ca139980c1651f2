"""`evidence.taxTable`: rates with what they are taken of."""

from __future__ import annotations

from typing import Any

import pytest

from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.trace import Trace
from tests.printed import reading

TABLE = """
    BÄCKEREI MUSTER
    Hauptstr. 5
    10115 Berlin
    Brot        A       2,14
    Kanne       B      11,90
    SUMME              14,04
    MwSt     Netto    Steuer    Brutto
    A  7%     2,00      0,14      2,14
    B 19%    10,00      1,90     11,90
"""
INCLUDED = """
    CAFE MIKRO
    12 Mill Lane London
    Tea                 6.00
    Scone               6.00
    TOTAL              12.00
    VAT 20% INCLUDED    2.00
"""
ADDED = """
    CORNER DINER
    12 Mill Lane
    Pie                10.00
    Coffee              2.00
    SUBTOTAL           12.00
    TAX 8.25%           0.99
    TOTAL              12.99
"""
UNNAMED = ADDED.replace("8.25%", "")


def _table(text: str, region: str) -> list[dict[str, Any]]:
    options = ExtractOptions(region=region, evidence=True)
    found = interpret(reading(text), options, None, Trace(keep=False)).evidence
    assert found
    table: list[dict[str, Any]] = found["taxTable"]
    return table


@pytest.mark.parametrize(
    ("text", "region", "rows"),
    [
        (TABLE, "de", [(7.0, 2.0, 0.14, 2.14), (19.0, 10.0, 1.9, 11.9)]),
        (INCLUDED, "gb", [(20.0, 10.0, 2.0, 12.0)]),
        (ADDED, "us", [(8.25, 12.0, 0.99, 12.99)]),
        (UNNAMED, "us", [(None, None, 0.99, None)]),
    ],
)
def test_rows(text: str, region: str, rows: list[tuple[float | None, ...]]) -> None:
    found = _table(text, region)
    assert [(row["rate"], row["base"], row["tax"], row["gross"]) for row in found] == rows


def test_a_receipt_without_tax_has_no_rows() -> None:
    assert _table(ADDED.replace("TAX 8.25%           0.99\n", "").replace("12.99", "12.00"), "us") == []

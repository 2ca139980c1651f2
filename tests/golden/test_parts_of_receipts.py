"""Receipts made of parts, from text to Result: sums of groups, nights on an account, goods beside fuel, what
is given back; one habit a test."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import Result
from receipt_engine.trace import Trace
from tests.printed import reading


def read(text: str, region: str | None = None) -> Result:
    return interpret(reading(text), ExtractOptions(region=region), None, Trace(keep=False))


def sold(result: Result) -> list[tuple[str | None, Decimal | None]]:
    return [(item.desc_clean, item.line_total) for item in result.line_items]


def types(result: Result) -> list[tuple[Decimal | None, str | None]]:
    return [(row.line_total, row.line_type) for row in result.summary_items]


@pytest.mark.parametrize("credit", ["2,25 MINUS", "2,25"])
def test_deposits_are_given_back_behind_a_word_or_without_a_minus(credit: str) -> None:
    result = read(
        f"""
    GETRÄNKE HOLZAPFEL
 APFELSCHORLE 6X1L     6,29
 PFAND                 1,50
 LEERGUT               {credit}
 SUMME                 5,54
 BAR                  10,00
 RÜCKGELD              4,46
""",
        "de",
    )
    assert sold(result)[-1] == ("LEERGUT", Decimal("-2.25"))


def test_three_decimals_are_no_thousands_where_an_amount_is_below_one() -> None:
    result = read(
        """
    AL WAHA PHARMACY
 COUGH SYRUP            2.150
 2 X 0.425
 PLASTERS               0.850
 TOTAL                  3.000
 CASH                   5.000
 CHANGE                 2.000
"""
    )
    assert (result.total, result.cash, result.change) == (3, 5, 2)

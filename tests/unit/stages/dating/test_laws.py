"""Tax rates and roundings count on the days on which they were law."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from receipt_engine.document import EquationKind
from receipt_engine.region import load_region, region_codes
from receipt_engine.stages.dating import laws_in_force
from receipt_engine.stages.reconcile import reconcile
from tests.unit.stages.printed_receipts import printed

_INCLUDED = """
       LANTERN KITCHEN
       8 Cross Street
       Date {date}

Laksa                      60.00
Fried noodles              49.00

TOTAL                     109.00
GST included                9.00
"""


def _rates(code: str, first: str, last: str) -> set[Decimal]:
    law = load_region(code).in_force(datetime.date.fromisoformat(first), datetime.date.fromisoformat(last))
    return set(law.tax.percents)


@pytest.mark.parametrize(
    ("day", "standard"), [("2007-06-30", "5"), ("2007-07-01", "7"), ("2023-12-31", "8"), ("2024-01-01", "9")]
)
def test_a_rate_is_law_from_its_first_to_its_last_day(day: str, standard: str) -> None:
    assert _rates("sg", day, day) == {Decimal(standard), Decimal(0)}


def test_a_range_of_days_has_the_laws_of_all_its_days() -> None:
    assert _rates("sg", "2022-12-31", "2024-01-01") == {Decimal(r) for r in ("7", "8", "9", "0")}


def test_before_the_file_begins_all_rates_stay() -> None:
    region, day = load_region("au"), datetime.date(1950, 1, 1)
    assert region.in_force(day, day) is region


def test_roundings_have_dates_too() -> None:
    steps = [
        [r.step for r in load_region("se").in_force(day, day).rounding]
        for day in (datetime.date(2010, 9, 29), datetime.date(2010, 9, 30))
    ]
    assert steps == [["0.50"], ["1"]]


@given(st.sampled_from(region_codes()), st.dates(), st.dates())
def test_the_same_laws_are_the_same_object(code: str, one: datetime.date, other: datetime.date) -> None:
    first, last = sorted((one, other))
    region = load_region(code)
    law = region.in_force(first, last)
    assert law is region.in_force(first, last)
    assert law.tax.rates or not region.tax.rates
    assert set(law.tax.rates) <= set(region.tax.rates) and set(law.rounding) <= set(region.rounding)


@pytest.mark.parametrize(("date", "closes"), [("03/02/2024", True), ("03/02/2022", False)])
def test_a_tax_at_a_rate_of_another_year_proves_nothing(date: str, closes: bool) -> None:
    receipt = printed("sg", _INCLUDED.format(date=date))
    ledger = reconcile(receipt.sheet, laws_in_force(receipt.rows, receipt.region))
    found = {e.kind for e in ledger.equations if e.verdict in ("proved", "consistent")}
    assert (EquationKind.INCLUDED_TAX in found) is closes


def test_a_receipt_without_a_date_may_be_of_any_year() -> None:
    receipt = printed("sg", _INCLUDED.format(date="-"))
    assert laws_in_force(receipt.rows, receipt.region) is receipt.region

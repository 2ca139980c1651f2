"""Dates of Thailand's Buddhist years and Nepal's own calendar, which only their receipts print."""

from __future__ import annotations

import datetime

import pytest

from receipt_engine.region import load_region
from receipt_engine.stages.parse.dates import find_dates
from receipt_engine.stages.parse.dates.bikram_sambat import gregorian


def dates(text: str, region: str) -> list[str]:
    """The likeliest reading of each date of a line."""
    return [date.iso for date in find_dates(text, load_region(region))][:1]


@pytest.mark.parametrize("text", ["21/11/2569", "21/11/69", "2569-11-21", "21 Nov 2569", "21/11/2026"])
def test_thai_years_are_buddhist_or_christian(text: str) -> None:
    assert dates(f"{text} 14:03", "th") == ["2026-11-21T14:03:00"]


@pytest.mark.parametrize("region", ["sg", "de", "us"])
def test_two_digits_of_a_buddhist_year_are_none_elsewhere(region: str) -> None:
    assert dates("21/11/69", region) == []


@pytest.mark.parametrize("text", ["2083/08/05", "2083-8-5", "2083.08.05", "05/08/2083", "2026/11/21"])
def test_nepali_years_are_of_their_own_calendar_or_ours(text: str) -> None:
    assert dates(f"{text} 14:03", "np") == ["2026-11-21T14:03:00"]


@pytest.mark.parametrize("region", ["in", "th"])
def test_its_years_are_none_elsewhere(region: str) -> None:
    assert dates("2083/08/05", region) == []


@pytest.mark.parametrize(
    ("year", "month", "day", "ours"),
    [
        (2047, 1, 1, datetime.date(1990, 4, 14)),
        (2080, 12, 30, datetime.date(2024, 4, 12)),
        (2081, 1, 1, datetime.date(2024, 4, 13)),
        (2083, 3, 32, datetime.date(2026, 7, 16)),
        (2083, 1, 32, None),
        (2083, 13, 1, None),
        (2046, 1, 1, None),
        (2093, 1, 1, None),
    ],
)
def test_days_follow_the_almanac(year: int, month: int, day: int, ours: datetime.date | None) -> None:
    assert gregorian(year, month, day) == ours

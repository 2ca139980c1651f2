"""Dates of Thailand's Buddhist years and Nepal's own calendar, which only their receipts print."""

from __future__ import annotations

import datetime

import pytest

from receipt_engine.region import load_region
from receipt_engine.stages.parse.dates import find_dates
from receipt_engine.stages.parse.dates.calendars import gregorian


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


@pytest.mark.parametrize(
    ("text", "region", "iso"),
    [
        ("2026 m. lapkričio 21 d. 14:03", "lt", "2026-11-21T14:03:00"),
        ("2026. gada 21. novembris", "lv", "2026-11-21"),
        ("2026. gada 21. maijā", "lv", "2026-05-21"),
        ("Kaina 2026 m. lapkričio", "lt", ""),
    ],
)
def test_words_between_year_and_day_are_of_the_date(text: str, region: str, iso: str) -> None:
    assert dates(text, region) == [iso] * bool(iso)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("21 XI 2026", "2026-11-21"),
        ("21.XI.2026 14:03", "2026-11-21T14:03:00"),
        ("21-IV-2026", "2026-04-21"),
        ("21/X/2026", "2026-10-21"),
        ("1 X 2026", ""),
        ("21 IIV 2026", ""),
        ("31 IV 2026", ""),
        ("2 V 26", ""),
    ],
)
def test_months_may_be_roman_numbers(text: str, iso: str) -> None:
    assert dates(text, "pl") == [iso] * bool(iso)


def test_a_year_of_three_digits_with_its_sign_is_of_the_era() -> None:
    found = [find_dates(text, load_region("tw"))[0].iso for text in ("115年3月8日", "115年03月08日 21:05")]
    assert found == ["2026-03-08", "2026-03-08T21:05:00"]

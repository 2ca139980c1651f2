"""Signs and ordinals around the numbers of dates and times, from every language that lists them."""

from __future__ import annotations

import pytest

from receipt_engine.region import load_region
from receipt_engine.stages.parse import ACCEPTED, find_dates, find_times
from receipt_engine.stages.parse.dates.calendar_words import calendar_signs


def test_a_sign_stands_with_what_it_is_read_as() -> None:
    signs = calendar_signs()
    assert "年" in signs.year and "牛" in signs.year
    assert signs.digits["贰"] == 2 and signs.tens["廿"] == 2


@pytest.mark.parametrize(
    ("region", "text", "iso"),
    [
        ("hk", "二零二三年十月廿一日", "2023-10-21"),
        ("ja", "令和6年3月5日", "2024-03-05"),
        ("hk", "民國113年4月2日", "2024-04-02"),
        ("us", "2023年牛月1日", ""),
        ("gb", "3rd June 2024", "2024-06-03"),
        ("se", "3:e juni 2024", "2024-06-03"),
        ("fr", "1er juin 2024", "2024-06-01"),
    ],
)
def test_dates(region: str, text: str, iso: str) -> None:
    found = [d for d in find_dates(text, load_region(region)) if d.cost <= ACCEPTED]
    assert (found[0].iso if found else "") == iso


@pytest.mark.parametrize(
    ("region", "text"), [("fr", "18h42"), ("be", "18u42"), ("ja", "18時42分"), ("be", "18 h 42")]
)
def test_hours(region: str, text: str) -> None:
    (found,) = find_times(text, load_region(region))
    assert (found.hour, found.minute) == (18, 42)


def test_a_letter_inside_a_long_number_is_no_sign_for_hours() -> None:
    assert not find_times("VIN 2K7RW3H41BL118002", load_region("us"))

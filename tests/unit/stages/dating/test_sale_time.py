"""The time of the sale."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from receipt_engine.document import DateChoice

Chosen = Callable[..., DateChoice]


def test_no_time_is_midnight_in_the_iso_form(chosen: Chosen) -> None:
    choice = chosen("25/11/2023\nbread  2.50")
    assert choice.time is None
    assert choice.iso == "2023-11-25T00:00:00"


@pytest.mark.parametrize(
    "text",
    [
        "25/11/2023\nclock 18:42",
        "SHOP\n25/11/2023\ntable 7  18:42\nbread  2.50",
        "18:42\n25/11/2023",
        "25/11/2023  waiter Ann  18:42",
    ],
)
def test_a_time_on_another_row_is_joined(chosen: Chosen, text: str) -> None:
    choice = chosen(text)
    assert choice.iso == "2023-11-25T18:42:00"


def test_the_rows_of_date_and_time_are_both_named(chosen: Chosen) -> None:
    choice = chosen("SHOP\n25/11/2023\nclock 18:42")
    assert choice.lines == (1, 2)
    assert "time from elsewhere" in choice.rule


def test_a_time_beside_the_date_wins_over_others(chosen: Chosen) -> None:
    assert chosen("opened 17:20\n25/11/2023 18:42\nbread  2.50").time == "18:42:00"


def test_opening_hours_are_no_time_of_sale(chosen: Chosen) -> None:
    choice = chosen("25/11/2023\nbread  2.50\ngrand sum  2.50\nMon - Fri 07:00 - 21:00")
    assert choice.time is None


def test_prices_are_no_times(chosen: Chosen) -> None:
    assert chosen("25/11/2023\nbread  2.50\nmilk  12.10 A\ngrand sum  14.60").time is None


def test_the_later_of_two_stamps_ends_the_sale(chosen: Chosen) -> None:
    assert chosen("25/11/2023 19:44\nsoup  5.00\ngrand sum  5.00\n25/11/2023 21:17").time == "21:17:00"


def test_the_table_was_opened_before_the_sale(chosen: Chosen) -> None:
    text = "SHOP\nopened 25/11/2023 19:44\nsoup  5.00\ngrand sum  5.00\n25/11/2023 21:17"
    assert chosen(text).time == "21:17:00"


def test_a_print_date_takes_no_time_from_the_opening_of_the_table(chosen: Chosen) -> None:
    text = (
        "SHOP\nday of sale, opened 25/11/2023 19:44\nprinted on 25/11/2023 21:17\nsoup  5.00\ngrand sum  5.00"
    )
    assert chosen(text).time == "19:44:00"


def test_the_second_of_two_rows_ends_a_ride(chosen: Chosen) -> None:
    assert chosen("TAXI\n25/11/2023\nfrom : 05:41\nto : 06:09\ngrand sum  36.35").time == "06:09:00"


@pytest.mark.parametrize("arrow", ["->", "→"])
def test_the_hours_of_a_journey_are_none_of_the_sale(chosen: Chosen, arrow: str) -> None:
    journey = f"Fri 27 Nov 2023\nLEEDS 07:12 {arrow} YORK 07:39"
    assert chosen(f"RAIL\nday of sale 25/11/2023\n{journey}\nseat  9.00\ngrand sum  9.00").time is None


def test_seconds_are_kept_and_completed(chosen: Chosen) -> None:
    assert chosen("25/11/2023 19:44:08").time == "19:44:08"
    assert chosen("25/11/2023 19:44\nslip 25/11/2023 19:44:08").time == "19:44:08"


def test_a_card_slip_repeats_the_time_of_the_till_a_minute_later(chosen: Chosen) -> None:
    slip = "plastic  2.50\nbank agrees\n25/11/2023"
    assert chosen(f"25/11/2023 18:42\nbread  2.50\n{slip} 18:43").time == "18:42:00"
    assert chosen(f"25/11/2023 18:42\nbread  2.50\n{slip} 19:30").time == "19:30:00"
    assert chosen("25/11/2023 18:42\nbread  2.50\n25/11/2023 18:43").time == "18:43:00"


@pytest.mark.parametrize(
    "text",
    [
        "25/11/2023  TIME IN : 17:30\nbill 118  TIME OUT : 18:42",
        "25/11/2023\nIn: 17:30   Out: 18:42",
        "25/11/2023  Opened 17:30\nClosed 18:42",
    ],
)
def test_guests_pay_when_they_leave(chosen: Chosen, text: str) -> None:
    assert chosen(text).time == "18:42:00"


def test_last_digits_of_a_number_that_begins_with_the_day_are_no_time(chosen: Chosen) -> None:
    choice = chosen("Printed: 2013-02-06 12:04:25\nBill No: 201302060009\nbread  2.50")
    assert choice.iso == "2013-02-06T12:04:25"

"""The order of ambiguous dates: the wish, then the receipt, then the region."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from receipt_engine.document import DateChoice, RegionGuess

Chosen = Callable[..., DateChoice]


@pytest.mark.parametrize(("order", "date"), [("dmy", "2024-05-03"), ("mdy", "2024-03-05")])
def test_the_region_decides_when_nothing_else_does(chosen: Chosen, order: str, date: str) -> None:
    choice = chosen("03/05/2024 10:15", order=order)
    assert choice.date == date
    assert choice.confidence > 0.7
    assert "order of the region" in choice.rule


@pytest.mark.parametrize(
    ("asked", "order", "date"),
    [("d/m", "mdy", "2024-05-03"), ("m/d", "dmy", "2024-03-05"), ("d/m", "ymd", "2024-05-03")],
)
def test_the_wish_wins_over_the_region(chosen: Chosen, asked: str, order: str, date: str) -> None:
    choice = chosen("03/05/2024 10:15", order=order, asked=asked)
    assert choice.date == date
    assert "requested order" in choice.rule


def test_the_wish_wins_over_the_receipt(chosen: Chosen) -> None:
    text = "03/05/2024 10:15\ngood until 25/05/2024"
    assert chosen(text, order="mdy", asked="m/d").date == "2024-03-05"


def test_the_wish_does_not_bend_a_date_that_has_no_choice(chosen: Chosen) -> None:
    assert chosen("25/05/2024", order="dmy", asked="m/d").date == "2024-05-25"


@pytest.mark.parametrize(
    "other",
    ["good until 25/05/2024", "3 May 2024", "NO 20240503117", "Friday"],
    ids=["another date", "the day in words", "a number that holds it", "the weekday"],
)
def test_the_receipt_wins_over_the_region(chosen: Chosen, other: str) -> None:
    text = f"{other} 03/05/2024" if other == "Friday" else f"03/05/2024 10:15\n{other}"
    choice = chosen(text, order="mdy")
    assert choice.date == "2024-05-03"
    assert "order from" in choice.rule or other.startswith("3 May")


def test_the_slip_of_a_card_machine_is_of_the_day_that_the_till_tells_without_doubt(chosen: Chosen) -> None:
    choice = chosen("5/19/24\nDATE/TIME 24/05/19 14:21:02", order="dmy")
    assert (choice.date, choice.time) == ("2024-05-19", "14:21:02")


def test_a_label_of_the_country_s_card_slips_tells_their_order(chosen: Chosen) -> None:
    choice = chosen("PLASTIC SEEN: 24/02/09 13:02:55", order="dmy", also=("ymd",))
    assert (choice.date, choice.undecided) == ("2024-02-09", False)
    assert "card slips" in choice.rule
    assert chosen("24/02/09 13:02:55", order="dmy", also=("ymd",)).date == "2009-02-24"


def test_digits_of_the_date_itself_prove_nothing(chosen: Chosen) -> None:
    choice = chosen("03.05.20 10:15\n0000545030520002008223", order="dmy")
    assert choice.date == "2020-05-03"


def test_an_unsure_region_leaves_the_date_undecided(chosen: Chosen) -> None:
    guesses = (RegionGuess("us", 0.5, "mdy"), RegionGuess("gb", 0.45, "dmy"))
    choice = chosen("03/05/2024 10:15", order="mdy", guesses=guesses)
    assert choice.date == "2024-03-05"
    assert choice.confidence < 0.7


def test_points_tell_that_the_day_stands_first(chosen: Chosen) -> None:
    guesses = (RegionGuess("us", 0.5, "mdy"), RegionGuess("de", 0.2, "dmy"))
    choice = chosen("03.05.2024 10:15", order="dmy", guesses=guesses)
    assert (choice.date, choice.confidence > 0.7) == ("2024-05-03", True)


def test_a_sure_region_does_not(chosen: Chosen) -> None:
    guesses = (RegionGuess("us", 0.98, "mdy"), RegionGuess("gb", 0.01, "dmy"))
    assert chosen("03/05/2024 10:15", order="mdy", guesses=guesses).confidence > 0.7


def test_an_unsure_region_does_not_matter_when_the_calendar_decides(chosen: Chosen) -> None:
    guesses = (RegionGuess("us", 0.5, "mdy"), RegionGuess("gb", 0.45, "dmy"))
    assert chosen("25/05/2024 10:15", order="mdy", guesses=guesses).confidence > 0.7


@pytest.mark.parametrize(
    ("printed", "also", "sure"),
    [
        ("26/01/15 16:09", ("ymd",), False),
        ("26/01/15 16:09", (), True),
        ("15/01/26 16:09", ("ymd",), True),  # nobody reads a receipt that is eleven years older
        ("12/01/15 16:09", ("ymd",), True),
        ("13/01/15 16:09", ("ymd",), False),
        ("03/05/2024 16:09", ("mdy",), False),
        ("03/05/2024 16:09", ("ymd",), True),
        ("25/05/2024 16:09", ("mdy",), True),
        ("26/01/15 16:09\ngood until 28/01/15", ("mdy", "ymd"), False),
        ("26/01/15 16:09\ngood until 15 January 2026", ("ymd",), True),
        ("Thursday 26/01/15 16:09", ("ymd",), True),
    ],
)
def test_a_country_of_several_orders_leaves_the_date_undecided(
    chosen: Chosen, printed: str, also: tuple[str, ...], sure: bool
) -> None:
    choice = chosen(printed, order="dmy", also=also)
    assert choice.undecided is not sure
    assert sure or choice.confidence < 0.7

"""What find_dates says beside the best reading: orders, costs, places, times; and find_times."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from receipt_engine.region import Region, load_region
from receipt_engine.stages.parse import ACCEPTED, find_dates, find_times

Land = Callable[[str], Region]


def days(text: str, region: Region, order: str | None = None) -> list[str]:
    return [reading.iso[:10] for reading in find_dates(text, region, default_order=order)]


@pytest.mark.parametrize(
    ("land_name", "order", "first", "second"),
    [
        ("dollar", None, "2021-04-05", "2021-05-04"),
        ("pound", None, "2021-05-04", "2021-04-05"),
        ("dollar", "d/m", "2021-05-04", "2021-04-05"),
        ("pound", "m/d", "2021-04-05", "2021-05-04"),
        ("krona", "m/d", "2021-04-05", "2021-05-04"),
        ("krona", "d/m", "2021-05-04", "2021-04-05"),
    ],
)
def test_ambiguous_order(land: Land, land_name: str, order: str | None, first: str, second: str) -> None:
    assert days("04/05/2021", land(land_name), order)[:2] == [first, second]
    costs = [r.cost for r in find_dates("04/05/2021", land(land_name), default_order=order)]
    assert costs == sorted(costs) and costs[1] - costs[0] > 0.2


def test_an_explicit_order_makes_the_other_dearer(land: Land) -> None:
    by_region = find_dates("04/05/2021", land("pound"))[1].cost
    by_caller = find_dates("04/05/2021", land("pound"), default_order="d/m")[1].cost
    assert by_caller > by_region


@pytest.mark.parametrize("order", ["d/m", "m/d", None])
@pytest.mark.parametrize("land_name", ["dollar", "pound", "krona"])
@pytest.mark.parametrize("text", ["25/03/2019", "03/25/2019", "2019-03-25", "25 Mar 2019"])
def test_an_unambiguous_date_ignores_the_order(
    land: Land, text: str, land_name: str, order: str | None
) -> None:
    readings = find_dates(text, land(land_name), default_order=order)
    assert [r.iso for r in readings] == ["2019-03-25"]
    assert readings[0].cost < 1.0


def test_equal_day_and_month_have_one_reading(land: Land) -> None:
    assert days("05/05/2024", land("pound")) == ["2024-05-05"]


@pytest.mark.parametrize(
    ("land_name", "best"),
    [("pound", "2023-09-07"), ("dollar", "2023-07-09"), ("krona", "2023-09-07"), ("yen", "2023-09-07")],
)
def test_two_digit_years_weigh_the_order_against_the_age(land: Land, land_name: str, best: str) -> None:
    assert days("07/09/23", land(land_name))[0] == best


def test_two_digit_year_first_where_it_is_the_habit(land: Land) -> None:
    assert days("23-09-07", land("krona"))[0] == "2023-09-07"
    assert "2023-09-07" in days("23-09-07", land("pound"))[1:]


def test_places_are_left_to_right(land: Land) -> None:
    found = find_dates("In 08/01/2024 Out 12/02/2024", land("pound"))
    assert [r.iso for r in found] == ["2024-01-08", "2024-08-01", "2024-02-12", "2024-12-02"]
    assert [r.raw for r in found[::2]] == ["08/01/2024", "12/02/2024"]


def test_each_date_takes_its_own_time(land: Land) -> None:
    found = find_dates("From 18/01/2024 10:05 to 19/01/2024 11:30", land("pound"))
    assert [r.iso for r in found] == ["2024-01-18T10:05:00", "2024-01-19T11:30:00"]


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("DAY 15/03/2024 AT 18:42", "15/03/2024 AT 18:42"),
        ("18:42 15/03/2024", "18:42 15/03/2024"),
        ("15/03/202418:42", "15/03/202418:42"),
        ("15/03/2024 MANCHESTER PICCADILLY 18:42", "15/03/2024"),
    ],
)
def test_raw_encloses_a_time_that_stands_beside(land: Land, text: str, raw: str) -> None:
    (reading,) = find_dates(text, land("pound"))
    assert (reading.iso, reading.raw) == ("2024-03-15T18:42:00", raw)
    assert text[reading.start : reading.end] == raw


def test_a_price_like_time_leaves_the_date_alone_as_a_second_reading(land: Land) -> None:
    with_time, alone = find_dates("15/03/2024 18.42", land("pound"))
    assert with_time.has_time and not alone.has_time and with_time.cost < alone.cost


def test_a_written_word_for_date_makes_bare_digits_a_date(land: Land) -> None:
    assert not [r for r in find_dates("150324", land("pound")) if r.cost <= ACCEPTED]
    (labelled, *_) = find_dates("DATUM: 150324", land("pound"))
    assert labelled.iso == "2024-03-15" and labelled.cost <= ACCEPTED


def test_a_telephone_word_makes_a_date_unlikely(land: Land) -> None:
    assert find_dates("Tel 03-12-2024", land("pound"))[0].cost > ACCEPTED
    assert find_dates("03-12-2024", land("pound"))[0].cost < 1.0


def test_old_and_future_years_cost_more(land: Land) -> None:
    costs = {
        year: find_dates(f"15/03/{year}", land("pound"))[0].cost for year in (1995, 2005, 2012, 2024, 2033)
    }
    assert costs[1995] > costs[2005] > costs[2012] > costs[2024] < costs[2033]
    assert not find_dates("15/03/1989", land("pound")) and not find_dates("15/03/2036", land("pound"))


@pytest.mark.parametrize(
    "text",
    ["30/02/2024", "31/04/2023", "29-02-2023", "2023-02-30", "00.05.2024", "2024/13/32", "31 JUN 2024"],
)
def test_days_that_no_calendar_has(land: Land, text: str) -> None:
    assert not [r for r in find_dates(text, land("pound")) if r.cost <= ACCEPTED]


def test_leap_day(land: Land) -> None:
    assert days("29/02/2024", land("pound")) == ["2024-02-29"]


@pytest.mark.parametrize(
    ("land_name", "text", "expected"),
    [
        ("pound", "18:42", (18, 42, None)),
        ("pound", "06:42:10 PM", (18, 42, 10)),
        ("pound", "12:05 AM", (0, 5, None)),
        ("pound", "12:05 PM", (12, 5, None)),
        ("pound", "6.42pm", (18, 42, None)),
        ("pound", "13:45 PM", (13, 45, None)),
        ("ecu", "18h42", (18, 42, None)),
        ("ecu", "18 h 42", (18, 42, None)),
        ("gulden", "18u42", (18, 42, None)),
        ("krona", "kl 18.42", (18, 42, None)),
        ("pound", "18.42.10", (18, 42, 10)),
        ("yen", "午後6時42分", (18, 42, None)),
        ("yen", "18時42分10秒", (18, 42, 10)),
        ("yuan", "下午 6:42", (18, 42, None)),
        ("dong", "6:42 CH", (18, 42, None)),
        ("dong", "6:42 SA", (6, 42, None)),
        ("lepton", "6:42 μ.μ.", (18, 42, None)),
        ("cafetero", "06:42 p. m.", (18, 42, None)),
        ("ringgit", "6:42 PTG", (18, 42, None)),
        ("dirham", "6:42 م", (18, 42, None)),
        ("pound", "l8:4Z", (18, 42, None)),
        ("pound", "18 :42", (18, 42, None)),
        ("pound", "5 PM", (17, 0, None)),
        ("pound", "10 43AM", (10, 43, None)),
        ("pound", "6-11-19 4 58P 0370", (16, 58, None)),
    ],
)
def test_times(land: Land, land_name: str, text: str, expected: tuple[int, int, int | None]) -> None:
    (reading,) = find_times(text, land(land_name))
    assert (reading.hour, reading.minute, reading.second) == expected
    assert reading.cost <= ACCEPTED
    assert reading.raw == text[reading.start : reading.end]


@pytest.mark.parametrize(
    "text", ["12.50", "25:10", "18:75", "12:345", "1:2", "TOTAL 18.42", "CNPJ 11:22:33:44", "", "noon"]
)
def test_no_times(land: Land, text: str) -> None:
    assert not [r for r in find_times(text, land("pound")) if r.cost <= ACCEPTED]


def test_eras_belong_to_the_region(land: Land) -> None:
    assert days("令和6年3月5日", land("yen")) == ["2024-03-05"]
    assert "2024-03-05" not in days("R6.3.5", land("pound"))


def test_an_unlisted_language_still_reads_long_names(land: Land) -> None:
    (reading,) = find_dates("5. septembris 2023", land("pound"))
    assert reading.iso == "2023-09-05" and 0 < reading.cost <= ACCEPTED


@pytest.mark.parametrize("street", ["Calle 9 de Julio 18", "Av. 25 de Mayo 19", "Avenida 5 de Mayo 2012"])
def test_a_street_that_is_named_after_a_day_is_no_date(street: str) -> None:
    assert all(found.cost > 3.0 for found in find_dates(street, load_region("ar")))
    assert find_dates("9 de Julio 18", load_region("ar"))[0].cost < 1.5


def test_what_an_account_charges_on_a_day_is_no_time(land: Land) -> None:
    (first, *_) = find_dates("05/10/2023 State Tax 7.10", land("dollar"))
    assert first.hour is None
    (beside, *_) = find_dates("05/10/2023 7.10", land("dollar"))
    assert beside.hour == 7


def test_both_ends_of_opening_hours_are_times() -> None:
    found = find_times("Mon-Sat 8.30am-10pm", load_region("my"))
    assert [(time.hour, time.minute) for time in found] == [(8, 30), (22, 0)]

"""The generated calendar words are fresh, and every month of every language reads as itself."""

from __future__ import annotations

import tomllib

import pytest
from parse_lands import COMMA, LANDS, POINT, land, money

from receipt_engine.stages.parse import ACCEPTED, find_dates
from receipt_engine.stages.parse.dates.calendar_words import calendar_words
from scripts.generate_months import LOCALES, TARGET, render


def test_the_committed_file_is_what_the_script_writes() -> None:
    assert TARGET.read_text(encoding="utf-8") == render()


@pytest.mark.parametrize("language", sorted(LOCALES))
def test_every_name_reads_as_its_month(language: str) -> None:
    months = tomllib.loads(TARGET.read_text(encoding="utf-8"))[language]["months"]
    region = land(f"{language}", language, money("USD", "$"), (POINT,), "dmy")
    for number, names in enumerate(months, start=1):
        for name in names:
            for text in (f"17 {name} 2023", f"17 {name.upper()} 2023", f"{name} 17, 2023"):
                readings = find_dates(text, region)
                assert readings and readings[0].iso == f"2023-{number:02d}-17", (language, text)
                assert readings[0].cost <= ACCEPTED


@pytest.mark.parametrize(
    ("language", "text", "apart"),
    [("ar", "18-يونيو-24", 1.0), ("he", "18 ביוני 24", 1.0), ("fr", "18 juin 24", 3.0)],
)
def test_day_and_year_may_change_places_around_a_month_read_from_the_right(
    language: str, text: str, apart: float
) -> None:
    first, second = find_dates(text, land(language, language, money("USD", "$"), (POINT,), "dmy"))
    assert (first.iso, second.iso) == ("2024-06-18", "2018-06-24")
    assert apart - 1 < second.cost - first.cost < apart


@pytest.mark.parametrize(
    ("language", "text", "month"),
    [
        ("bg", "23-CEN-25", 9),
        ("mk", "22-ΑΒΓ-2021", 8),
        ("sr", "ABГ", 8),
        ("bg", "MAЙ", 5),
        ("el", "AYΓ", 8),
        ("ru", "MAR", 3),
    ],
)
def test_letters_of_another_alphabet_stand_for_those_of_their_shape(
    language: str, text: str, month: int
) -> None:
    printed = text if text[0].isdigit() else f"23 {text} 2024"
    found = find_dates(printed, land(language, language, money("EUR", "€"), (COMMA,), "dmy"))
    assert found[0].month == month and found[0].cost <= ACCEPTED


@pytest.mark.parametrize(
    ("text", "month"),
    [("23 มิ.ย. 68", 6), ("23 มี.ค. 68", 3), ("23-ม.ย.-2025", 6), ("23 กมภาพนธ 2568", 2), ("23 ม.ค. 68", 1)],
)
def test_thai_months_are_read_with_the_marks_of_their_letters_and_without(text: str, month: int) -> None:
    found = find_dates(text, land("th", "th", money("THB", "฿"), (POINT,), "dmy", calendar="buddhist"))
    assert (found[0].year, found[0].month, found[0].day) == (2025, month, 23)


@pytest.mark.parametrize("text", ["5 M0NDAY 2023", "5 apples 2023", "5 of 2023", "5 the 2023", "5 jun 20 30"])
def test_other_words_are_no_months(text: str) -> None:
    assert not [r for r in find_dates(text, LANDS["pound"]) if r.cost <= ACCEPTED and r.iso[:4] == "2023"]


def test_tables_are_built_once_for_a_region() -> None:
    region = LANDS["pound"]
    assert calendar_words(region) is calendar_words(region)


@pytest.mark.parametrize("name", ["Iouviou", "IOYNIOY", "IOYN"])
def test_greek_names_as_a_latin_recogniser_reads_them(name: str) -> None:
    (reading,) = find_dates(f"17 {name} 2023", LANDS["lepton"])
    assert reading.iso == "2023-06-17"


@pytest.mark.parametrize(
    ("text", "iso"),
    [("17-CEH-2023", "2023-09-17"), ("17 0KT 23", "2023-10-17"), ("17 MAPT 2023", "2023-03-17")],
)
def test_russian_capitals_that_look_latin(text: str, iso: str) -> None:
    readings = find_dates(text, land("steppe", "ru", money("USD", "$"), (POINT,), "dmy"))
    assert readings[0].iso == iso and readings[0].cost <= ACCEPTED


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("17 0ct 2023", "2023-10-17"),
        ("17 N0V 2023", "2023-11-17"),
        ("17 Ju1 2023", "2023-07-17"),
        ("17 5ept 2023", "2023-09-17"),
        ("17 Decernber 2023", "2023-12-17"),
        ("17 Febuary 2023", "2023-02-17"),
        ("17Nov2023", "2023-11-17"),
        ("Friday17Nov2023", "2023-11-17"),
        ("17 Nou 2023", "2023-11-17"),
    ],
)
def test_misread_names(text: str, iso: str) -> None:
    readings = find_dates(text, LANDS["pound"])
    assert readings[0].iso == iso and readings[0].cost <= ACCEPTED

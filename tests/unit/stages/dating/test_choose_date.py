"""Which date is the purchase date."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from dating_lands import LANDS, choose
from msgspec.structs import replace

from receipt_engine.document import DateChoice
from receipt_engine.pipeline import sort_rows
from receipt_engine.stages.dating import choose_date
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.trace import Trace
from tests.printed import read, spans

Chosen = Callable[..., DateChoice]


def test_a_single_date_is_taken_with_its_time(chosen: Chosen) -> None:
    choice = chosen("BAKERY\n25.11.2023 08:17\nbread  2.50\ngrand sum  2.50")
    assert (choice.date, choice.time, choice.iso) == ("2023-11-25", "08:17:00", "2023-11-25T08:17:00")
    assert choice.confidence > 0.9
    assert choice.lines == (1,)


def test_no_date_gives_none() -> None:
    assert choose("BAKERY\nbread  2.50\ngrand sum  2.50") is None


@pytest.mark.parametrize("words", ["good until", "bring back by", "printed on"])
def test_words_that_name_another_day_are_heeded(chosen: Chosen, words: str) -> None:
    choice = chosen(f"BAKERY\n25/11/2023\nbread  2.50\ngrand sum  2.50\n{words} 27/12/2023")
    assert choice.date == "2023-11-25"
    assert ("2023-12-27", pytest.approx(0.02, abs=0.05)) in choice.runners_up


def test_the_word_above_a_date_counts_too(chosen: Chosen) -> None:
    choice = chosen("BAKERY\nbread  2.50\ngrand sum  2.50\n25/11/2023\n\nbring back by\n27/12/2023")
    assert choice.date == "2023-11-25"


def test_another_day_is_better_than_none(chosen: Chosen) -> None:
    choice = chosen("BAKERY\nbread  2.50\ngrand sum  2.50\nprinted on 25/11/2023 10:40")
    assert choice.date == "2023-11-25"
    assert choice.confidence < 0.97


def test_a_word_for_the_day_of_sale_decides_between_equals(chosen: Chosen) -> None:
    choice = chosen("HOTEL\n20/11/2023\nday of sale 25/11/2023\nroom  90.00\ngrand sum  90.00")
    assert choice.date == "2023-11-25"
    assert "after a word for date" in choice.rule


@pytest.mark.parametrize("until", ["to", "-", "to\n"])
def test_the_two_days_of_a_period_are_when_the_work_was_done(chosen: Chosen, until: str) -> None:
    days = f"work 01.11.2023 {until} 20.11.2023\n25.11.2023"
    choice = chosen(f"PAINTER\n{days}\nwalls  90.00\ngrand sum  90.00")
    assert choice.date == "2023-11-25"


def test_days_that_begin_the_entries_of_a_bill_do_not_confirm_another_day(chosen: Chosen) -> None:
    entries = "\n".join(f"{day} part  30.00" for day in ("20.11.2023", "20.11.2023", "21.11.2023"))
    choice = chosen(f"DENTIST\nday of sale 25.11.2023\nseen 20.11.2023\n{entries}\ngrand sum  90.00")
    assert choice.date == "2023-11-25"


def test_a_date_with_a_time_is_stronger_than_one_without(chosen: Chosen) -> None:
    assert chosen("HOTEL\n20/11/2023\n25/11/2023 11:02\nroom  90.00").date == "2023-11-25"


def test_equal_dates_support_each_other(chosen: Chosen) -> None:
    text = "HOTEL\n21/11/2023\n25/11/2023\nroom  90.00\ngrand sum  90.00\n25/11/2023 card\n25/11/2023 copy"
    assert chosen(text).date == "2023-11-25"


def test_a_stay_is_dated_at_its_end(chosen: Chosen) -> None:
    choice = chosen("CAR PARK\nfrom 31/12/2023 21:05\nto 01/01/2024 02:38\ngrand sum  16.50")
    assert (choice.date, choice.time) == ("2024-01-01", "02:38:00")


@pytest.mark.parametrize(
    "text",
    [
        "Room 14   Arrival 23/11/2023\nMs K. Lind   Departure 25/11/2023",
        "Arrival: 23/11/2023 Departure: 25/11/2023",
    ],
)
def test_guests_who_stay_for_days_pay_when_they_leave(text: str) -> None:
    result = read(f"MILL INN\n{text}\nRoom 240.00\nTOTAL 240.00", "gb")
    assert result.date == "2023-11-25 00:00:00"


def test_hired_cars_are_paid_when_they_are_returned() -> None:
    text = "Pickup: Airport 11/21/2023 10:15 AM\n12 Fleet Drive\nReturn: Airport 11/25/2023 4:40 PM"
    assert read(f"LARK CARS\n{text}\nDays 240.00\nTOTAL 240.00", "us").date == "2023-11-25 16:40:00"


def test_the_day_of_a_deposit_is_none_of_the_sale() -> None:
    days = "Arrival: 2023-11-23   Departure: 2023-11-25"
    text = f"MILL INN\n{days}\nRoom 240.00\nTOTAL 240.00\nDeposit 2023-10-02   40.00\nVISA 200.00"
    assert read(text, "gb").date == "2023-11-25 00:00:00"


@pytest.mark.parametrize(
    ("region", "own", "other"),
    [
        ("gb", "Credit note no: C-44   Date: 25/11/2023", "Original invoice: 41   Invoice date: 20/11/2023"),
        ("de", "Rechnung Nr. 77      Goslar, den 25.11.2023", "Auftrag Nr. A-41 vom 20.11.2023"),
    ],
)
def test_the_day_of_another_document_is_none_of_the_sale(region: str, own: str, other: str) -> None:
    for head in (f"{own}\n{other}", f"{other}\n{own}"):
        assert read(f"KETTLE & LARK\n{head}\nLAMP 48.00\nTOTAL 48.00", region).date == "2023-11-25 00:00:00"


def test_digits_read_with_doubt_lower_the_confidence(chosen: Chosen) -> None:
    (span,) = spans("25/11/2023")
    doubtful = replace(span, chars=tuple(replace(c, score=0.55) if c.text == "5" else c for c in span.chars))
    region = LANDS["dmy"]
    rows = parse(group((doubtful,)), region, AmountHints(), None)
    choice = choose_date(rows, sort_rows(rows, region, Trace()), region)
    assert choice is not None
    assert choice.date == "2023-11-25"
    assert choice.confidence < 0.6 < chosen("25/11/2023").confidence


@pytest.mark.parametrize(
    ("region", "due", "issued"),
    [
        ("kr", "납부기한: 2025/11/02", "영수번호: X4402  07:03 2025/10/19"),
        ("pl", "Płatne do: 02.11.2025", "Kasa 3  19.10.2025 07:03"),
        ("ja", "お振込期限 2025/11/02", "伝票No 4402  2025/10/19 07:03"),
        ("nl", "Uiterste betaaldatum: 02-11-2025", "Bon 4402  19-10-2025 07:03"),
    ],
)
def test_the_day_a_payment_is_due_is_none_of_the_sale(region: str, due: str, issued: str) -> None:
    text = f"KETTLE & LARK\n{due}\nSERVICE   15,88\nTOTAL   15,88\n{issued}"
    assert read(text, region).date == "2025-10-19 07:03:00"


@pytest.mark.parametrize(
    ("region", "earlier", "own"),
    [
        ("gb", "Job Date 02/03/2025", "Invoice Date 14/03/2025"),
        ("nl", "Besteldatum 02-03-2025", "Factuurdatum 14-03-2025"),
        ("fr", "Date de commande : 02/03/2025", "Date de facture : 14/03/2025"),
        ("it", "Data DDT 02/03/2025", "Data fattura 14/03/2025"),
        ("fi", "Tilauspäivä 2.3.2025", "Laskun päivä 14.3.2025"),
    ],
)
def test_the_day_of_the_invoice_wins_over_that_of_the_order_and_the_work(
    region: str, earlier: str, own: str
) -> None:
    text = f"KETTLE & LARK\n{earlier}\n{own}\nSERVICE   15,88\nTOTAL   15,88"
    assert read(text, region).date == "2025-03-14 00:00:00"

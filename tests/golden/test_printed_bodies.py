"""How tills print products, taxes and tender, from text to Result: one habit a test."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import Result
from receipt_engine.trace import Trace
from tests.printed import reading


def read(text: str, region: str) -> Result:
    return interpret(reading(text), ExtractOptions(region=region), None, Trace(keep=False))


def names(result: Result) -> list[str | None]:
    return [item.desc_clean for item in result.line_items]


def sold(result: Result) -> list[tuple[Decimal | None, str | None, Decimal | None]]:
    return [(item.qty, item.desc_clean, item.line_total) for item in result.line_items]


@pytest.mark.parametrize(
    ("region", "text"),
    [
        ("us", "  BRASS HOOK <A>    3.00\n  TEA TOWEL <A>     4.00\n  TOTAL             7.00"),
        (
            "pt",
            "  (A) BRASS HOOK    3,00\n  (C) TEA TOWEL     4,00\n  TOTAL A PAGAR     7,00\n  NUMERÁRIO  7,00",
        ),
        ("hu", "  C00 BRASS HOOK    300 Ft\n  A00 TEA TOWEL     400 Ft\n  ÖSSZESEN:         700 Ft"),
        ("rs", "  BRASS HOOK (Е)    3,00\n  TEA TOWEL (Ђ)     4,00\n  УКУПАН ИЗНОС      7,00"),
        ("tr", "  BRASS HOOK  %10   *3,00\n  TEA TOWEL  %20    *4,00\n  TOPLAM            *7,00"),
    ],
)
def test_codes_and_rates_of_tax_are_no_part_of_a_name(region: str, text: str) -> None:
    assert names(read("      CORNER STORE\n" + text, region)) == ["BRASS HOOK", "TEA TOWEL"]


def test_a_size_in_litres_stays_in_the_name() -> None:
    text = """
    Gasthof Krone
 2x Kl. Radler 0,3l   3,10    6,20
 1x Nudelteller      11,50   11,50
 SUMME EUR                   17,70
"""
    assert sold(read(text, "at"))[0] == (2, "Kl. Radler 0,3l", Decimal("6.20"))


def test_numbers_before_count_and_price_are_the_names() -> None:
    text = """
    MINIMART JAYA
 TEH KOTAK 300   2   4500    9,000
 SABUN BATANG    1   6000    6,000
 TOTAL                      15,000
"""
    assert sold(read(text, "id"))[0] == (2, "TEH KOTAK 300", 9000)
    text = """
    KONOBA PLAVA
 Plavac 0,75      2     19,00    38,00
 Kruh             1      3,00     3,00
 UKUPNO EUR                      41,00
"""
    assert sold(read(text, "hr"))[0] == (2, "Plavac 0,75", 38)


def test_a_count_beside_whole_prices_is_no_part_of_the_name() -> None:
    text = """
    LAHORI GRILL
 Item            Qty  Rate  Amount
 Seekh Kabab       3   350   1,050
 Naan              6    40     240
 Total                       1,290
"""
    assert sold(read(text, "pk")) == [(3, "Seekh Kabab", 1050), (6, "Naan", 240)]


def test_a_number_of_an_article_before_a_name_like_a_unit_is_no_count() -> None:
    text = """
    DEPOT WAREHOUSE
 77120 KS LAUNDRY DET    18.99
 4410 KS TRAIL MIX       12.49
 TOTAL                   31.48
"""
    assert [item.qty for item in read(text, "ca").line_items] == [0, 0]


def test_a_product_may_begin_with_a_word_for_tax() -> None:
    text = """
    PAPER & MORE
 STAPLER RED           8.99
 TAX LEDGER BOOK A4   12.00
 RULER 30CM            1.49
 SUBTOTAL             22.48
 TAX 5%                1.12
 TOTAL                23.60
"""
    assert names(read(text, "us")) == ["STAPLER RED", "TAX LEDGER BOOK A4", "RULER 30CM"]


def test_a_letter_behind_an_amount_that_also_names_grams_is_a_tax_code() -> None:
    text = """
    КАФЕНЕ ИЗГРЕВ
 БАНИЦА               2.40 Г
 АЙРАН
   3 x 1.20           3.60 Г
 ОБЩА СУМА            6.00
"""
    assert sold(read(text, "bg")) == [(0, "БАНИЦА", Decimal("2.40")), (3, "АЙРАН", Decimal("3.60"))]


@pytest.mark.parametrize(("day", "currency"), [("14-03-2025", "BGN"), ("14-03-2026", "EUR")])
def test_a_country_is_paid_in_the_currency_of_the_day(day: str, currency: str) -> None:
    assert read(f"    КАФЕНЕ ИЗГРЕВ\n БАНИЦА     2.40\n ОБЩА СУМА  2.40\n {day}", "bg").currency == currency


def test_products_with_count_and_price_may_end_left_of_the_tender() -> None:
    text = """
    幸福商店
 紅茶 18 x 2 36TX
 飯糰 30 x 1 30TX
 合計 2 項 金額 66
 現金                     100
 找零                      34
"""
    assert sold(read(text, "tw")) == [(2, "紅茶", 36), (1, "飯糰", 30)]


def test_cash_and_change_may_share_a_row() -> None:
    text = """
    ร้านตัวอย่าง
 1 ชาเย็น                 35.00
 ยอดสุทธิ 1 ชิ้น          35.00
 เงินสด/เงินทอน  100.00   65.00
"""
    result = read(text, "th")
    assert (result.cash, result.change) == (100, 65)


def test_cash_taken_out_with_a_card_is_no_change() -> None:
    text = """
    RIDGE FOODS
 OATS                 4.00
 TOTAL                4.00
 DEBIT               24.00
 CASH BACK           20.00
 CHANGE               0.00
"""
    assert read(text, "us").change == 0


def test_the_parts_of_a_total_tax_printed_below_it_are_the_taxes() -> None:
    text = """
    ISLAND HARDWARE
 PADLOCK             20.00 GP
 SUBTOTAL            20.00
 TAX                  2.40
 TOTAL               22.40
 (G) GST 5%           1.00
 (P) PST 7%           1.40
 TOTAL TAX            2.40
"""
    result = read(text, "ca")
    assert (result.tax, result.taxes) == (Decimal("2.40"), (Decimal("1.00"), Decimal("1.40")))


def test_what_a_town_takes_from_guests_is_not_the_tax_in_the_price() -> None:
    text = """
    Pension Seeblick
 Zimmer                    101,00
 Sauna                      20,00
 Kurtaxe                     3,00
 Gesamtbetrag EUR          124,00
 MwSt 7%  Netto  94,39 MwSt 6,61
 MwSt 19% Netto  16,81 MwSt 3,20
"""
    assert read(text, "de").taxes == (Decimal("6.61"), Decimal("3.20"))


def test_taxed_sales_of_every_rate_are_no_tax() -> None:
    text = """
    BAR MLECZNY
 ZUPA                      10,80B
 KOMPOT                     6,15A
 SPRZED. OPOD. PTU A        6,15
 KWOTA A 23,00%             1,15
 SPRZED. OPOD. PTU B       10,80
 KWOTA B 8,00%              0,80
 SUMA PLN                  16,95
"""
    assert read(text, "pl").taxes == (Decimal("1.15"), Decimal("0.80"))

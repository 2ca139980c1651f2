"""How tills print products, taxes and tender, from text to Result: one habit a test."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import Result
from receipt_engine.trace import Trace
from tests.printed import read, reading


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
 RULER 30CM            1.79
 SUBTOTAL             22.78
 TAX 5%                1.14
 TOTAL                23.92
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


@pytest.mark.parametrize(
    ("totals", "day", "currency"),
    [
        ("UKUPNO KN  75.35\n UKUPNO EUR  10.00", "", "HRK"),
        ("UKUPNO EUR  10.00\n UKUPNO KN  75.35", "", "EUR"),
        ("UKUPNO EUR  10.00\n UKUPNO KN  75.35", "14.03.2023.", "EUR"),
        ("UKUPNO KN  75.35\n UKUPNO EUR  10.00", "14.03.2022.", "HRK"),
    ],
)
def test_of_two_currencies_the_one_of_the_day_or_the_first_is_paid_in(
    totals: str, day: str, currency: str
) -> None:
    text = f"    KAVANA VIDIKOVAC\n Trg 5, 10000 Zagreb\n {day}\n KAVA   75.35\n {totals}"
    assert read(text, "hr").currency == currency
    assert read(text).currency == currency


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


def test_decimal_points_read_as_other_marks_are_points_in_the_column() -> None:
    text = """
    FISH BAR
 Order taken             12:40
 Plaice                  11:50
 Large Chips              4-85
 Curry Sauce              1.70
 TOTAL                   18.05
 CASH                    20:00
 CHANGE                   1.95
"""
    result = read(text, "gb")
    assert names(result) == ["Plaice", "Large Chips", "Curry Sauce"]
    assert (result.total, result.cash) == (Decimal("18.05"), 20)


def test_times_at_the_end_of_rows_are_no_amounts() -> None:
    text = """
    FISH BAR
 Plaice                  11.50
 TOTAL                   11.50
 Order taken             12:40
 Collected               12:55
"""
    assert names(read(text, "gb")) == ["Plaice"]


def test_a_star_before_an_amount_marks_its_tax() -> None:
    text = """
    朝日商店
 緑茶                 *128
 のり弁               *398
 電池                  350
 合計                 ¥876
 (内消費税等8%対象 526)
 (内消費税等10%対象 350)
 (内消費税額 8%        ¥39)
 (内消費税額 10%       ¥32)
"""
    result = read(text, "ja")
    assert names(result) == ["緑茶", "のり弁", "電池"]
    assert result.taxes == (39, 32)


def test_petrol_called_by_a_number_is_not_counted_by_it() -> None:
    text = """
    FUEL STOP
 *95 PREMIUM
   20.00 L @ $2.900/L     58.00
 TOTAL                    58.00
"""
    assert sold(read(text, "nz")) == [(0, "95 PREMIUM", 58)]


def test_an_account_by_day_lists_products_below_taxes_and_was_paid_at_its_end() -> None:
    text = """
    PINE LODGE
 Denver, CO 80202
 05/02/25 Double Room      100.00
 05/02/25 Lodging Tax       10.75
 05/03/25 Double Room      100.00
 05/03/25 Lodging Tax       10.75
 05/03/25 Breakfast         12.00
 Total                     233.50
 05/04/25 Visa *1120      -233.50
 Balance                     0.00
"""
    result = read(text, "us")
    assert names(result) == ["Double Room", "Double Room", "Breakfast"]
    assert (result.total, result.date) == (Decimal("233.50"), "2025-05-04 00:00:00")


def test_a_ride_prints_its_start_and_its_end_on_one_row() -> None:
    text = """
    METRO CABS
 07/18/2025
 START 10:12 END 10:40
 FARE            $ 18.40
 TOTAL           $ 18.40
"""
    assert read(text, "us").date == "2025-07-18 10:40:00"


def test_three_decimals_of_a_country_without_a_file_are_no_thousands() -> None:
    text = """
    PETRA CAFE
 Amman Jordan
 2 Falafel    1.250   2.500
 1 Tea        0.750   0.750
 Sub Total            3.250
 Tax 16%              0.520
 Total JOD            3.770
"""
    result = interpret(reading(text), ExtractOptions(), None, Trace(keep=False))
    assert (result.total, result.currency) == (Decimal("3.77"), "JOD")


def test_yen_behind_amounts_tell_the_currency() -> None:
    text = "    朝日商店\n 緑茶  1,280円\n 合計  1,280円\n"
    assert interpret(reading(text), ExtractOptions(), None, Trace(keep=False)).currency == "JPY"


def test_a_price_of_one_may_lack_the_cents_of_its_amount() -> None:
    text = """
    EVEREST DINER
 3 Thukpa     200     600.00
 2 Sel Roti    45      90.00
 Grand Total          690.00
"""
    assert sold(read(text, "np")) == [(3, "Thukpa", 600), (2, "Sel Roti", 90)]


def test_two_taxes_may_share_a_row() -> None:
    text = """
    ABARROTES LUNA
 CERVEZA 355           30.00
 GALLETAS              12.00
 TOTAL                 42.00
 IVA   4.45 IEPS   2.38
"""
    assert read(text, "mx").taxes == (Decimal("4.45"), Decimal("2.38"))


def test_the_size_of_a_pack_is_no_count_where_counts_have_prices() -> None:
    text = """
    EPICERIE DU PORT
 YAOURT NATURE X8          2.35
 CITRON
   3 x 0.45                1.35
 TOTAL A PAYER             3.70
"""
    assert sold(read(text, "fr")) == [
        (0, "YAOURT NATURE X8", Decimal("2.35")),
        (3, "CITRON", Decimal("1.35")),
    ]


def test_a_count_behind_a_name_stays_one_where_no_count_has_a_price() -> None:
    text = """
    SNACK BAR SOLE
 LIMONATA x2               5.00
 TOAST                     4.00
 TOTAL                     9.00
"""
    assert sold(read(text, "gb"))[0] == (2, "LIMONATA", 5)


def test_a_total_whose_word_is_misread_is_what_discount_tax_and_change_leave() -> None:
    goods = [f"WOLLDECKE NR. {number}     {number} 2{number}0.00" for number in range(1, 9)]
    text = "\n".join(
        (
            "      TEXTILHAUS SPINDEL",
            *goods,
            "Подытог                37 960.00",
            "Скидка                  7 960.00-",
            "ВСЕТО                  30 000.00",
            "В том числе НДС 12%     3 214.29",
            "Без НДС                26 785.71",
            "Наличные               40 000.00",
            "Сдача                  10 000.00",
        )
    )
    result = read(text, "kz")
    assert (result.total, result.sub_total) == (Decimal("30000.00"), Decimal("37960.00"))


def test_a_weight_may_be_called_net() -> None:
    text = """
    HILLTOP MEATS
 BEEF MINCE
   0.720 kg NET @ $15.00/kg   $10.80
 PORK PIE                      $6.20
 TOTAL                        $17.00
"""
    assert names(read(text, "au")) == ["BEEF MINCE", "PORK PIE"]


def test_a_row_of_the_tax_table_is_not_the_total_when_another_is_lost() -> None:
    text = """
    Kaffebaren Nord
 2 st Soppa             236,00
 1 st Cider              75,00
 Totalt SEK             311,00
 Moms%   Moms    Netto   Brutto
 25,00   15,00   60,00    75,00
 Kontokort              311,00
"""
    assert read(text, "se").total == 311


def test_a_later_total_that_was_paid_is_the_total_though_what_lies_between_is_lost() -> None:
    text = """
    LOLA'S GRILL
 1 PORK BELLY     320.00
 2 RICE            80.00
 TOTAL            400.00
 AMOUNT DUE       285.71
 CASH             300.00
 CHANGE            14.29
"""
    assert read(text, "ph").total == Decimal("285.71")


def test_a_lost_total_is_what_was_bought_and_what_was_paid() -> None:
    text = """
    OAK STREET BOOKS
 ATLAS               31.00
 POSTCARD SET         6.50
 SUBTOTAL            37.50
 TAX 8%               3.00
 GIFT CARD           20.00
 DEBIT               20.50
"""
    assert read(text, "us").total == Decimal("40.50")


@pytest.mark.parametrize(
    ("region", "text"),
    [
        ("us", " 2 Ramen     27.00\n 1 Gyoza      8.00\n Subtotal    35.00\n Tax  3.11\n Gratuity  6.30"),
        ("us", " MASTERCARD\n AMOUNT      $ 35.00\n TIP         $ 6.00\n CUSTOMER COPY"),
        ("us", " MASTERCARD\n AMOUNT      $ 35.00\n TIP         $ 6.00\n TOTAL       $ 48.00"),
        ("kr", " 거래금액        30,000원\n 부가세           3,000원\n 승인번호 00119922"),
        ("eg", " شاي  2    20.00    40.00\n الإجمالي قبل الضريبة      40.00\n ضريبة 14%    6.27"),
    ],
)
def test_a_total_is_unsure_where_something_is_added_that_it_does_not_hold(region: str, text: str) -> None:
    result = read(f"    NOODLE CORNER\n{text}", region)
    assert (result.total_confidence or 0) < Decimal("0.93")


def test_blanks_part_thousands_where_three_digits_stand_behind_each() -> None:
    text = """
    ALMACEN LOS PINOS
 2 x 1 400,00
 YERBA SUAVE 1KG      2 800,00
 TE NEGRO               640,00
 3 x 1 150,00
 DULCE BATATA         3 450,00
 TOTAL                6 890,00
 EFECTIVO             7 000,00
 VUELTO                 110,00
"""
    assert sold(read(text, "ar")) == [
        (2, "YERBA SUAVE 1KG", 2800),
        (0, "TE NEGRO", 640),
        (3, "DULCE BATATA", 3450),
    ]


def test_a_blank_parts_a_count_from_an_amount_where_some_amounts_are_small() -> None:
    text = """
    TIENDA EL FARO
 CUADERNO TAPA   3 250,00
 LAPIZ           2  80,00
 MOCHILA         1 990,00
 CARTUCHERA      1 450,00
 TOTAL           1 770,00
"""
    assert [item.line_total for item in read(text, "ar").line_items] == [250, 80, 990, 450]


def test_packs_of_a_size_are_no_counts() -> None:
    text = """
    GETRÄNKEHALLE OST
 LIMONADE 6x0,5            3,49
 SCHORLE 12x0,7            7,99
 JOGHURT 4X125G            1,79
 SUMME                    13,27
"""
    assert sold(read(text, "de")) == [
        (0, "LIMONADE 6x0,5", Decimal("3.49")),
        (0, "SCHORLE 12x0,7", Decimal("7.99")),
        (0, "JOGHURT 4X125G", Decimal("1.79")),
    ]


def test_counts_behind_names_may_have_an_east_asian_unit() -> None:
    text = """
    喫茶みどり
 紅茶セット    2点   1,300
 ドーナツ大    1点     280
 合計                1,580
"""
    assert sold(read(text, "ja")) == [(2, "紅茶セット", 1300), (1, "ドーナツ大", 280)]


def test_a_total_may_stand_in_the_head_and_small_amounts_before_a_tax_code() -> None:
    text = """
    日光商行
 2025-05-06 18:20:11
 隨機碼 2231  總計 188
 豆漿         1    35TX
 便當         1   128TX
 溫泉         2    25TX
 合計 3項         $188
 現金             $200
 找零              $12
"""
    assert sold(read(text, "tw")) == [(1, "豆漿", 35), (1, "便當", 128), (2, "溫泉", 25)]


def test_the_code_of_a_tax_may_stand_between_name_and_amount() -> None:
    text = """
    Landgasthof Hirsch
 1 Gulasch          B   12,50
 2 Radler 0,5       A    9,60
 1 Almdudler        A    3,40
 Gesamt EUR             25,50
"""
    assert sold(read(text, "at")) == [
        (1, "Gulasch", Decimal("12.50")),
        (2, "Radler 0,5", Decimal("9.60")),
        (1, "Almdudler", Decimal("3.40")),
    ]


def test_small_whole_amounts_are_products_where_only_so_they_add_up() -> None:
    text = """
    SAROKBOLT KFT
 C00 VAJKRÉM           749
 B00 LÁNGOS          1.290
 A00 SZATYOR            55
 ENGEDMÉNY            -100
 ÖSSZESEN:         1 994 Ft
"""
    assert names(read(text, "hu")) == ["VAJKRÉM", "LÁNGOS", "SZATYOR", "ENGEDMÉNY"]


def test_a_charge_in_percent_below_a_sum_of_another_name_is_no_product() -> None:
    text = """
    THE OLD FORGE
 2 Cider            @4.90     9.80
 1 Ploughman's               12.20
 Kitchen & Bar               22.00
 Service 12.5%                2.75
 TOTAL                      £24.75
"""
    result = read(text, "gb")
    assert (names(result), result.service_charges) == (["Cider", "Ploughman's"], (Decimal("2.75"),))


def test_cash_that_a_rounded_total_was_paid_with_is_cash() -> None:
    text = """
    SAROKBOLT KFT
 KENYÉR                749
 SAJT                1.299
 ÖSSZESEN:         2 048 Ft
 KEREKÍTÉS:            2 Ft
 KÉSZPÉNZ:         2 050 Ft
"""
    result = read(text, "hu")
    assert (result.total, result.cash, result.rounding) == (2050, 2050, 2)


def test_what_a_card_paid_holds_the_deposits_below_a_fiscal_total() -> None:
    text = """
    SKLEP POD LIPĄ
 BUŁKA            2 * 1,20       2,40C
 SOK POMIDOROWY   1 * 6,50       6,50C
 SUMA PLN                        8,90
 Opakowania zwrotne
 BUTELKA          2 * 0,50       1,00
 KARTA                           9,90
"""
    assert read(text, "pl").total == Decimal("9.90")


def test_a_payment_with_a_minus_that_leaves_nothing_is_the_total() -> None:
    text = """
    MAPLE LODGE
 07/01/25 ROOM CHARGE     140.00
 07/02/25 ROOM CHARGE     140.00
 07/02/25 LAUNDRY          12.00
 TOTAL CHARGES            305.10
 07/03/25 AMEX *1004     -305.10
 BALANCE DUE                0.00
"""
    assert read(text, "us").total == Decimal("305.10")


def test_rates_in_brackets_may_stand_behind_amounts() -> None:
    text = """
    PASTELARIA LUA
 2 X GALAO        1,40      2,80 (13%)
 1 X TORRADA      2,10      2,10 (13%)
 TOTAL                      4,90
"""
    assert sold(read(text, "pt")) == [(2, "GALAO", Decimal("2.80")), (1, "TORRADA", Decimal("2.10"))]


def test_what_is_given_back_right_below_the_cash_is_the_change() -> None:
    text = """
    FRUTERIA SOL
 MANZANAS                    3,20
 PERAS                       2,45
 TOTAL                       5,65
 EFECTIVO                   10,00
 DEVOLUCION                  4,35
"""
    assert read(text, "es").change == Decimal("4.35")


def test_short_names_may_stand_behind_codes_like_the_others() -> None:
    text = """
    KEDAI AMAN
 9555001  BISKUT LEMAK
   1 X 4.50               4.50 S
 9555002  SUSU PEKAT
   2 X 3.20               6.40 Z
 9555003  GARAM
   1 X 1.10               1.10 Z
 TOTAL                   12.00
"""
    assert names(read(text, "my")) == ["BISKUT LEMAK", "SUSU PEKAT", "GARAM"]


@pytest.mark.parametrize(
    ("region", "text"),
    [
        ("us", " 12 Harbor Street\n 2 Ramen             27.00\n Thank you"),
        ("fr", " RECU DE PEAGE\n Classe 1\n DONT TVA 20%     3,15 EUR\n CARTE BANCAIRE"),
    ],
)
def test_the_only_amount_is_no_sure_total_where_words_say_otherwise(region: str, text: str) -> None:
    result = read(f"    NOODLE CORNER\n{text}", region)
    assert result.total is None or (result.total_confidence or 0) < Decimal("0.9")


def test_columns_of_article_numbers_units_and_codes_are_no_part_of_names() -> None:
    text = """
    HERON TRADE SUPPLY
 Qty  Item      Description          Unit    Price    Amount
  12  BLT-77    Roof bolt            BX       4.50     54.00
   3  GLV9      Work gloves          PR      11.00     33.00
   1  PLT       Pallet               EA       8.00      8.00
                           Subtotal                    95.00
                           Total                       95.00
"""
    assert sold(read(text, "us")) == [
        (12, "Roof bolt", Decimal("54.00")),
        (3, "Work gloves", Decimal("33.00")),
        (1, "Pallet", Decimal("8.00")),
    ]
    assert [item.product_code for item in read(text, "us").line_items][:2] == ["BLT-77", "GLV9"]


def test_counts_measures_and_prices_stand_in_any_order() -> None:
    text = """
    Wasserwerk Auental
 1   4,50   Std   Montage            62,00     279,00
 2   8,00   m     Rohr verzinkt       5,25      42,00
 3   2,00   Stk   Winkel              3,10       6,20
 Gesamt                                        327,20
"""
    assert sold(read(text, "de")) == [
        (Decimal("4.50"), "Montage", 279),
        (8, "Rohr verzinkt", 42),
        (2, "Winkel", Decimal("6.20")),
    ]


def test_a_size_before_the_price_stays_in_the_name() -> None:
    text = """
    Gasthof Linde
  2  Apfelsaft 0,25       3,40     6,80
  1  Knödel               9,20     9,20
 Summe                            16,00
"""
    assert names(read(text, "at")) == ["Apfelsaft 0,25", "Knödel"]


def test_a_levy_among_products_that_only_their_sum_shows_is_one() -> None:
    text = """
    BRICO LINDEN
 PERFORATRICE          89,00 D
 RECUPEL                0,10 D
 FORETS BOIS            6,90 D
 TOTAL EUR             96,00
"""
    assert names(read(text, "be")) == ["PERFORATRICE", "RECUPEL", "FORETS BOIS"]


def test_brackets_before_a_tax_hold_what_it_is_of() -> None:
    text = """
    BRASSERIE DU PONT
 1 Plat du jour          42,20
 1 Vin rouge              6,60
 TOTAL TTC               48,80
 Dont TVA 5,50% (40,00)   2,20
 Dont TVA 10,00% ( 6,00)  0,60
"""
    result = read(text, "fr")
    assert (result.total, result.taxes) == (Decimal("48.80"), (Decimal("2.20"), Decimal("0.60")))


def test_a_row_that_adds_up_columns_of_products_tells_net_and_tax() -> None:
    text = """
    KSIĘGARNIA KRUK
 Faktura VAT nr 14/2025
 Lp Nazwa         J.m. Ilość Cena netto Wartość netto VAT% Kwota VAT Wartość brutto
 1  Atlas          szt   2    40,00       80,00        5      4,00      84,00
 2  Globus         szt   1   100,00      100,00       23     23,00     123,00
 Razem                                   180,00              27,00     207,00
 Do zapłaty: 207,00 PLN
"""
    result = read(text, "pl")
    assert (result.sub_total, result.tax, result.total) == (180, 27, 207)
    assert names(result) == ["Atlas", "Globus"]


def test_tax_that_is_not_charged_to_the_old_is_taken_off() -> None:
    text = """
    KAINAN SA KANTO
 1 Adobo              168.00
 TOTAL                168.00
 LESS: VAT             18.00
 LESS: SENIOR          30.00
 AMOUNT DUE           120.00
 VAT Amount             0.00
"""
    result = read(text, "ph")
    assert (result.total, result.discount, result.tax) == (120, 48, 0)


def test_greek_tills_print_a_chi_for_times() -> None:
    text = """
    ΨΗΤΟΠΩΛΕΙΟ ΑΝΕΜΟΣ
 ΣΑΛΑΤΑ                    6,50
 3 ΤΕΜ Χ 4,20
 ΣΟΥΒΛΑΚΙ                 12,60
 ΣΥΝΟΛΟ                   19,10
"""
    assert sold(read(text, "gr")) == [
        (0, "ΣΑΛΑΤΑ", Decimal("6.50")),
        (3, "ΣΟΥΒΛΑΚΙ", Decimal("12.60")),
    ]


def test_what_is_taken_off_for_points_between_two_sums_is_a_discount() -> None:
    text = """
    TRAFIK MOSER
 2x Wochenblatt  a 3,20   6,40
 1x Kaugummi              1,60
 Zwischensumme            8,00
 Treuebonus              -0,50
 SUMME EUR                7,50
"""
    assert read(text, "at").discount == Decimal("0.50")


def test_keys_of_a_till_before_names_count_nothing() -> None:
    text = """
    かどや商店
 010 牛乳            228
 020 食パン          158
 040 洗剤            398
 合計               ¥784
"""
    assert sold(read(text, "ja")) == [(0, "牛乳", 228), (0, "食パン", 158), (0, "洗剤", 398)]


def test_the_share_that_a_patient_pays_is_a_column() -> None:
    text = """
    FARMACIA LUNA
 ARTICULO            UD   PVP     APORT.  TOTAL
 PARACETAMOL 1G 20C   2    2,10    40%     1,68
 VENDA ELASTICA       1    3,95            3,95
 TOTAL A PAGAR                             5,63
"""
    assert sold(read(text, "es")) == [
        (2, "PARACETAMOL 1G 20C", Decimal("1.68")),
        (1, "VENDA ELASTICA", Decimal("3.95")),
    ]


COUNT_BEFORE_CODE = """
    Lumber Lane
 3x 9550417700316             {above}
 STEEL BRACKET @5.40          {below}
 1x 9550417700323             {one_above}
 WOOD PUTTY @7.25             {one_below}
 TOTAL                    23.45
"""


@pytest.mark.parametrize("above", [True, False])
def test_a_count_before_a_code_and_a_price_behind_a_name_belong_together(above: bool) -> None:
    rows = {"above": "16.20", "below": "", "one_above": " 7.25", "one_below": ""}
    if not above:
        rows = {"above": "", "below": "16.20", "one_above": "", "one_below": " 7.25"}
    items = read(COUNT_BEFORE_CODE.format(**rows), "my").line_items
    assert [(i.qty, i.desc_clean, i.price, i.product_code) for i in items] == [
        (3, "STEEL BRACKET", Decimal("5.40"), "9550417700316"),
        (1, "WOOD PUTTY", Decimal("7.25"), "9550417700323"),
    ]


def test_the_price_that_a_discount_leaves_is_no_unit_price() -> None:
    text = """
    Lumber Lane
 1x 9550417700316          9.00
 STEEL BRACKET
 DISC 10%         @8.10   -0.90
 WOOD PUTTY                7.25
 TOTAL                    15.35
"""
    assert [i.price for i in read(text, "my").line_items] == [None, None, None]


def test_the_number_of_pieces_in_a_pack_is_no_price() -> None:
    text = """
    Paper Lane
 24H A5 40'S PAD           6.35
 TOTAL                     6.35
"""
    assert sold(read(text, "my")) == [(0, "24H A5 40'S PAD", Decimal("6.35"))]


@pytest.mark.parametrize(
    ("region", "row"),
    [
        ("es", "0,315 KILOS PRECIO KILO  4,00"),
        ("it", "0,315 KG PREZZO/KG  4,00"),
        ("ca", "0.315 kg NET @ $4.00/kg"),
        ("ca", "4.00 /kg x 0.315 kg"),
    ],
)
def test_weight_and_price_beside_a_product_are_its_own(region: str, row: str) -> None:
    comma = "," if "," in row else "."
    text = (
        f"""
    Corner Store
 PLUMS            1.26
 {row}
 BREAD            2.50
 TOTAL            3.76
""".replace("1.26", f"1{comma}26")
        .replace("2.50", f"2{comma}50")
        .replace("3.76", f"3{comma}76")
    )
    items = read(text, region).line_items
    assert [(i.desc_clean, i.unit, i.price) for i in items] == [
        ("PLUMS", Decimal("0.315"), Decimal("4.00")),
        ("BREAD", None, None),
    ]


def test_products_below_the_sum_of_a_group_are_products() -> None:
    text = """
    Prairie Corner
 PUMP 2  DIESEL
 6.000 GAL @ 3.500     21.00
 FUEL TOTAL            21.00
 TEA LG                 1.75
 BAGEL PLAIN            1.40
 SUBTOTAL              24.15
 TAX                    0.31
 TOTAL                 24.46
"""
    result = read(text, "us")
    assert names(result) == ["DIESEL", "TEA LG", "BAGEL PLAIN"]
    assert (result.sub_total, result.total) == (Decimal("24.15"), Decimal("24.46"))


def test_subtotals_of_groups_are_not_the_subtotal() -> None:
    text = """
    Prairie Corner
 DELI
 TURKEY SLICED          6.40
 BRIE WEDGE             5.10
 SUBTOTAL DELI         11.50
 GROCERY
 OAT BREAD              3.20
 SOUR CREAM             2.15
 SUBTOTAL GROCERY       5.35
 SUBTOTAL              16.85
 TOTAL                 16.85
"""
    result = read(text, "us")
    assert names(result) == ["TURKEY SLICED", "BRIE WEDGE", "OAT BREAD", "SOUR CREAM"]
    assert result.sub_total == Decimal("16.85")


def test_a_charge_between_two_subtotals_is_no_product() -> None:
    text = """
    Prairie Corner
 TURKEY SLICED          6.40
 BRIE WEDGE             5.10
 SUBTOTAL              11.50
 GREEN FUND             0.35
 TOTAL                 11.85
"""
    assert names(read(text, "us")) == ["TURKEY SLICED", "BRIE WEDGE"]


@pytest.mark.parametrize(
    ("before", "due"), [(("61.30", "-61.30", " 0.00"), "58.15"), (("61.30", "-50.00", "11.30"), "69.45")]
)
def test_what_is_left_of_an_earlier_bill_is_not_sold(before: tuple[str, str, str], due: str) -> None:
    text = """
    Otter Creek Water Utility
 Previous Balance            {}
 Payments Received          {}
 Balance Forward             {}
 Water Usage                 24.90
 Sewer Service               33.25
 Current Charges             58.15
 Amount Due                  {}
""".format(*before, due)
    result = read(text, "us")
    assert names(result) == ["Water Usage", "Sewer Service"]
    assert (result.sub_total, result.total) == (Decimal("58.15"), Decimal(due))


def test_a_balance_below_the_amount_paid_is_the_change() -> None:
    text = """
    Harmony Clinic
 Consultation          30.00
 Lozenges               6.50
 MC                     0.00
 Total                 36.50
 Paid By : CASH
 Amount Paid           50.00
 Balance               13.50
"""
    result = read(text, "my")
    assert (result.total, result.cash, result.change) == (Decimal("36.50"), 50, Decimal("13.50"))
    assert result.payment_method == "CASH"


@pytest.mark.parametrize(
    ("region", "rows", "expected"),
    [
        ("za", "TICKET 0771   IN: 08/05/2023\nREADY: 11/05/2023 AFTER 15H00", "2023-05-08"),
        ("it", "Data viaggio 21/08/2023 Ore 09:10\nEmesso il 19/08/2023 17:44", "2023-08-19"),
    ],
)
def test_the_day_of_a_trip_or_a_collection_is_not_that_of_the_sale(
    region: str, rows: str, expected: str
) -> None:
    comma = "," if region == "it" else "."
    text = f"      LAGOON STORE\n{rows}\n ADULT     8{comma}00\n TOTAL     8{comma}00\n"
    assert (read(text, region).date or "").startswith(expected)


def test_what_is_sold_at_a_rate_of_zero_is_no_tax() -> None:
    text = """
    Bayside Fuel
 DIESEL  21.50 L          30.00
 COCOA BAR                 2.65
 TOTAL                    32.65
 CASH                     40.00
 CHANGE                    7.35
 SR 6 % ON                 2.50
 GST 6 %                   0.15
 ZRL 0 %                  30.00
"""
    result = read(text, "my")
    assert (result.tax, result.taxes) == (Decimal("0.15"), (Decimal("0.15"),))
    assert [i.line_total for i in result.summary_items if i.line_type == "Tax"] == [Decimal("0.15")]


def test_numbers_of_orders_are_no_amount() -> None:
    text = """
    Saffron Kitchen
 Bill No. KL/1109  Table 7  KOT 31,32
 DAL TADKA       1   240.00   240.00
 ROTI            4    20.00    80.00
 Net Amt                      320.00
"""
    assert names(read(text, "in")) == ["DAL TADKA", "ROTI"]

"""What tills of single countries print, from text to Result."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.printed import read


def test_a_small_yen_tax_beside_its_rate_is_a_tax() -> None:
    text = """
      レストラン青葉
枝豆                    497
ウーロン茶              498
合計                   ¥995
内消費税等 10%            90
"""
    result = read(text, "ja")
    assert (result.total, result.taxes) == (Decimal(995), (Decimal(90),))


def test_totals_of_taxes_at_several_rates_are_all_taxes() -> None:
    text = """
      FARMACIA DEL PARQUE
Jarabe                  500,00
Jabon                   100,00
TOTAL                  $600,00
Total IVA 22.00%         18,03
Total IVA 10.00%         45,45
"""
    result = read(text, "uy")
    assert result.taxes == (Decimal("18.03"), Decimal("45.45"))
    assert result.tax == Decimal("63.48")


def test_two_points_in_an_amount_are_thousands_and_decimals() -> None:
    text = """
      FARMACIA DEL PARQUE
Jarabe               20.700,00
Curitas               2.500.00
TOTAL               $23.200,00
IVA 21% CONTENIDO    $4.026.45
"""
    result = read(text, "ar")
    assert (result.total, result.taxes) == (Decimal(23200), (Decimal("4026.45"),))
    assert [item.line_total for item in result.line_items] == [Decimal(20700), Decimal(2500)]


def test_a_year_on_the_next_row_belongs_to_the_date() -> None:
    text = """
      CITY TRAM
ADULT SINGLE              9.95
TOTAL                    $9.95
DATE: 30 May
2024 02:21 PM
"""
    assert read(text, "nz").date == "2024-05-30 14:21:00"


def test_a_date_with_the_year_first_says_nothing_about_a_year_of_two_digits() -> None:
    text = """
      REPUESTOS PAZ
Cable                   18.900
TOTAL                  $18.900
13/04/23 3:18 p.m.
Resolucion 4680 del 2023/02/10
"""
    assert (read(text, "co").date or "")[:10] == "2023-04-13"


def test_a_short_year_behind_words_for_day_and_month() -> None:
    text = """
      NHA THUOC HOA SEN
PARACETAMOL             22.500
TONG CONG               22.500
02 THÁNG 4 22 20:21
"""
    assert read(text, "vn").date == "2022-04-02 20:21:00"


@pytest.mark.parametrize(
    ("region", "total", "currency"),
    [
        ("cr", "A PAGAR        €4,350.00", "CRC"),  # how ₡ is read
        ("gh", "TOTAL          GH¢ 43.50", "GHS"),
        ("ba", "Ukupno BAM         43,50\nGotovina 43,5€", "BAM"),  # 43,56, its last digit misread
        ("ba", "Ukupno             43,50 €", "EUR"),
        ("de", "Summe              43,5€", "EUR"),
    ],
)
def test_signs_that_the_recogniser_takes_for_others(region: str, total: str, currency: str) -> None:
    assert read(f"KETTLE & LARK\nKava  43,50\n{total}", region).currency == currency


def test_an_abbreviated_expiry_is_no_currency() -> None:
    text = """
      FARMACIA CENTRAL
Loratadina                2.50
Lote S6493 Cad. 10/28
Vitamina C                5.00
Lote S7264 Cad. 08/2027
TOTAL                  B/.7.50
"""
    assert read(text, "pa").currency == "PAB"


def test_a_postcode_alone_on_its_row_belongs_to_the_address() -> None:
    text = """
      LITTLE FINCH
Blk 111 Orchard Road
S(536224)
PHONE: 60826991
Puzzle                   12.50
TOTAL                   $12.50
"""
    norm = read(text, "sg").address_norm
    assert norm is not None
    assert norm.postcode == "536224"


def test_polish_taxed_sales_contain_the_tax() -> None:
    text = """
      SKLEP LIPA
  ul. Polna 5, 00-950 Warszawa
  PARAGON FISKALNY
Chleb        2 x5,00   10,00 A
Mleko        1 x13,45  13,45 A
SPRZEDAZ OPODATKOWANA A   23,45
PTU A 23,00 %              4,38
SUMA PTU                   4,38
SUMA PLN                  23,45
"""
    result = read(text, "pl")
    assert (result.total, result.sub_total, result.tax) == (Decimal("23.45"), None, Decimal("4.38"))


def test_a_levy_on_top_leaves_the_tax_inside_the_prices_a_tax() -> None:
    text = """
      BODEGA LOS ANDES
LECHE                   42.62
BOLSA                    0.15
OP. GRAVADA          S/ 36.25
IGV 18%              S/  6.52
ICBPER               S/  0.50
IMPORTE TOTAL        S/ 43.27
REDONDEO             S/ -0.07
TOTAL A PAGAR        S/ 43.20
"""
    result = read(text, "pe")
    assert (result.total, result.taxes) == (Decimal("43.20"), (Decimal("6.52"), Decimal("0.50")))


def test_a_tip_names_how_it_was_paid() -> None:
    text = """
      LA COCINA DEL RIO
SOPA                    100.00
TOTAL                   100.00
T.CREDITO               100.00
PROPINA T.CREDITO        15.00
"""
    assert read(text, "mx").tip == Decimal("15.00")


def test_what_bears_no_tax_is_no_subtotal() -> None:
    text = """
      VELD MARKET
MILK                     71.00
AIRTIME                  29.00
TOTAL                   100.00
CASH                    100.00
NO VAT        29.00             29.00
"""
    assert read(text, "za").sub_total is None


def test_a_payment_that_leaves_nothing_due_is_the_total() -> None:
    text = """
      LAKE INN & SUITES
07-02-24 ROOM CHARGE        129.00
07-02-24 STATE TAX            8.87
07-03-24 ROOM CHARGE        129.00
07-03-24 STATE TAX            8.87
07-04-24 VISA 4471         -275.74
BALANCE DUE                   0.00
"""
    assert read(text, "us").total == Decimal("275.74")


def test_a_last_tax_that_adds_up_the_others_is_the_total_tax() -> None:
    text = """
      STACJA PALIW
BENZYNA                    195.48
HOT-DOG                      8.99
KWOTA A 23,0%               36,55
KWOTA B 8,0%                 0,67
PODATEK PTU                 37,22
SUMA PLN                   204,47
"""
    result = read(text, "pl")
    assert (result.tax, result.taxes) == (Decimal("37.22"), (Decimal("36.55"), Decimal("0.67")))


def test_cash_is_named_without_an_amount() -> None:
    text = """
      CITY TAXI
Total Fare     AED 38.00
Paid By: Cash
"""
    assert read(text, "ae").payment_method == "CASH"


def test_the_rate_below_each_product_ends_no_list_of_products() -> None:
    text = """
      ООО "ТИХАЯ ГАВАНЬ"
ИНН 7701234567
Сыр Российский
  2 * 145.50         =291.00
  НДС 10%
Чай чёрный
  1 * 88.00           =88.00
  НДС 20%
ИТОГ                =379.00
НАЛИЧНЫМИ           =400.00
СДАЧА                =21.00
"""
    result = read(text, "ru")
    assert [item.desc_clean for item in result.line_items] == ["Сыр Российский", "Чай чёрный"]
    assert result.total == Decimal("379.00")


@pytest.mark.parametrize(
    ("region", "label", "products"),
    [
        ("us", "TOTAL 2 ITEMS", "Apples                 3.50\nPears                  2.50"),
        ("us", "TOTAL (2 ITEMS)", "Apples                 3.50\nPears                  2.50"),
        ("se", "Totalt 2 varor", "Päron                  3,50\nÄpplen                 2,50"),
    ],
)
def test_a_count_inside_the_words_leaves_a_total_of_money(region: str, label: str, products: str) -> None:
    amount = "6,00" if region == "se" else "6.00"
    result = read(f"\n      CORNER GREENS\n{products}\n{label:<23}{amount}\n", region)
    assert [(line.line_type, line.line_total) for line in result.summary_items] == [
        ("Total", Decimal("6.00"))
    ]


def test_the_number_of_a_document_is_no_postcode() -> None:
    text = """
ТОВ "БІЛИЙ САД"
м. Львів, вул. Городоцька, 14
Чек № 00817
Сир твердий           96,40
СУМА                  96,40
"""
    assert read(text, "ua").address == "м. Львів, вул. Городоцька, 14"


def test_the_title_of_the_document_ends_the_address() -> None:
    text = """
      DATE PALM GRILL
14 Corniche Road, Jeddah 23415
Simplified Tax Invoice
Invoice No: 30117
Lamb Kabsa            45.00
Total Amount Due      45.00
"""
    assert read(text, "sa").address == "14 Corniche Road, Jeddah 23415"


def test_a_state_before_a_telephone_number_is_no_label() -> None:
    text = """
      JUNIPER BAKERY
510 Sprague Avenue
Spokane, WA  509-555-0138
Rye Loaf               6.40
TOTAL                  6.40
"""
    found = read(text, "us")
    assert (found.address, found.phone_number) == ("510 Sprague Avenue, Spokane, WA", "509-555-0138")


def test_a_charge_with_count_and_price_is_sold_where_amounts_are_whole() -> None:
    text = """
      小料理 みなと
焼き魚       820 x2     1,640
お通し       400 x2       800
小計                    2,440
消費税10%                 244
合計                   ¥2,684
"""
    assert [item.desc_clean for item in read(text, "jp").line_items] == ["焼き魚", "お通し"]


def test_a_document_s_number_tells_no_time_where_one_is_printed() -> None:
    text = """
      푸른서점
영수증번호 J20240918030012
판매 19:42:10
공책                  2,500
합계                  2,500
"""
    assert str(read(text, "kr").date) == "2024-09-18 19:42:10"


@pytest.mark.parametrize(
    ("region", "printed", "date"),
    [
        ("th", "7 ก.พ. 2569 18:05", "2026-02-07 18:05:00"),
        ("th", "วันที่ 7 ก.พ. 69", "2026-02-07 00:00:00"),
        ("tw", "開立日期 114/03/09 08:15", "2025-03-09 08:15:00"),
        ("de", "08:15:422025-03-09", "2025-03-09 08:15:42"),
        ("de", "08:15:4209.03.2025", "2025-03-09 08:15:42"),
    ],
)
def test_years_of_other_calendars_and_times_that_touch_the_date(region: str, printed: str, date: str) -> None:
    assert read(f"\n   CAFE LUNA\nLATTE      30.00\nTOTAL      30.00\n{printed}\n", region).date == date


@pytest.mark.parametrize("codes", [(" 1", " 2"), ("1", "2"), (" A", " B"), ("A", "B")])
@pytest.mark.parametrize(
    ("region", "mark"), [("de", " €"), ("de", "€"), ("pl", " zł"), ("cz", " Kč"), ("dk", " kr")]
)
def test_codes_behind_the_currency_are_no_prices(region: str, mark: str, codes: tuple[str, str]) -> None:
    one, other = codes
    text = f"""
      LIPA
Alfa                 5,40{mark}{one}
Beta                 3,20{mark}{one}
Gamma                9,00{mark}{other}
TOTAL               17,60{mark}
"""
    result = read(text, region)
    assert [(str(item.line_total), item.symbols) for item in result.line_items] == [
        ("5.40", (one.strip(),)),
        ("3.20", (one.strip(),)),
        ("9.00", (other.strip(),)),
    ]
    assert result.total == Decimal("17.60")


def test_a_stray_number_among_the_headings_of_a_tax_table_is_no_subtotal() -> None:
    text = """
      HOFLADEN LINDE
Honig                 6,58 A
Likör                 4,99 B
zu zahlen            11,57
MWST%  MWST   Netto  11  Brutto
A  7%   0,43   6,15       6,58
B 19%   0,80   4,19       4,99
Summe   1,23  10,34      11,57
"""
    result = read(text, "de")
    assert result.sub_total in (None, Decimal("10.34"))
    assert (result.total, result.tax) == (Decimal("11.57"), Decimal("1.23"))


def test_a_price_whose_count_was_not_read_is_the_price() -> None:
    text = """
      HOFLADEN LINDE
Honig        3,29 x   6,58
Senf                  4,99
Summe                11,57
"""
    honey, _ = read(text, "de").line_items
    assert (honey.price, honey.qty, honey.line_total) == (Decimal("3.29"), 0, Decimal("6.58"))
    text = text.replace("3,29 x   6,58", "2 x 3,29   6,58")
    honey, _ = read(text, "de").line_items
    assert (honey.price, honey.qty, honey.line_total) == (Decimal("3.29"), 2, Decimal("6.58"))


WHOLE_YEN = """
ミライマート 三鷹店
東京都三鷹市下連雀3-1-1
2024年06月25日
おにぎり               ¥150
洗剤                   ¥330
小計                   ¥480
(8%対象  ¥150  内税    ¥11)
(10%対象 ¥330  内税    ¥30)
合計                   ¥480
"""


def test_taxes_of_whole_yen_are_rounded_down() -> None:
    result = read(WHOLE_YEN, "jp")
    assert (result.total, result.taxes) == (Decimal("480"), (Decimal("11"), Decimal("30")))


def test_a_tax_repeated_below_the_total_is_one_tax() -> None:
    text = """
      レストラン青葉
枝豆                   ¥500
サラダ                 ¥300
レジ袋                   ¥9
小計 (税抜 8%)         ¥800
消費税等 ( 8%)          ¥64
小計 (税抜10%)           ¥9
消費税等 (10%)           ¥0
合計                   ¥873
(税率 8%対象           ¥864)
(税率10%対象             ¥9)
(内消費税等 8%          ¥64)
"""
    result = read(text, "ja")
    assert (result.total, result.tax, result.taxes) == (Decimal(873), Decimal(64), (Decimal(64),))


def test_fuel_is_named_behind_the_number_of_its_pump() -> None:
    text = """
KETTLE ROAD FUELS LLC
Pump: 05    Grade: Special 95
Volume (L)   :   38.462
Price/L (AED):    2.990
Amount       :   115.00
VAT 5%             5.48
Total AED        115.00
"""
    (fuel,) = read(text, "ae").line_items
    assert (fuel.desc_clean, fuel.unit, fuel.price) == ("Special 95", Decimal("38.462"), Decimal("2.990"))


@pytest.mark.parametrize(
    ("paid", "total", "tip"),
    [("", 13700, None), (" TARJETA DEBITO       15.070", 15070, 1370)],
    ids=["offered", "paid"],
)
def test_a_suggested_tip_is_a_tip_only_where_it_was_paid(paid: str, total: int, tip: int | None) -> None:
    text = f"""
 PICADA EL MUELLE
 2 EMPANADA HORNO      5.400
 1 CALDILLO            8.300
 TOTAL CONSUMO        13.700
 PROPINA SUGERIDA 10%  1.370
 TOTAL C/PROPINA      15.070
{paid}
"""
    result = read(text, "cl")
    assert (result.total, result.tip) == (total, tip)


def test_of_several_suggested_tips_the_one_that_was_paid_is_the_tip() -> None:
    text = """
 COPPER KETTLE GRILL
 2 Burger          30.00
 Total             30.00
 Suggested tip: 15% 4.50  20% 6.00
 Visa              36.00
"""
    result = read(text, "us")
    assert (result.total, result.tip) == (Decimal("36.00"), Decimal("6.00"))


def test_an_amount_that_contains_the_tax_of_its_rate_is_no_subtotal() -> None:
    text = """
     青空ストア
 食パン               *216
 たまご               *335
 ごみ袋                   5
 合計                 ¥556
 (税率 8%対象         ¥551)
 (内消費税等 8%        ¥40)
 (税率10%対象           ¥5)
 (内消費税等10%         ¥0)
"""
    result = read(text, "ja")
    assert (result.total, result.sub_total) == (Decimal(556), None)
    assert result.taxes == (Decimal(40),)


def test_a_value_added_tax_named_as_contained_is_a_tax() -> None:
    text = """
 분식집 노을
 김밥                  7,500
 라면                  4,000
 합계                 11,500
 부가세 포함           1,045
 받은 금액            20,000
 거스름돈              8,500
"""
    result = read(text, "kr")
    assert (result.total, result.taxes) == (Decimal(11500), (Decimal(1045),))


def test_paid_by_card_in_words_is_no_cash() -> None:
    text = """
   Bakaríið við Tjörn
   Snúður                     420
   Kleinur                    390
   Samtals                    810
   Greitt með korti           810
"""
    result = read(text, "is")
    assert (result.total, result.cash) == (Decimal(810), None)
    assert result.payment_method != "CASH"


def test_a_table_of_two_equal_taxes_beside_whole_rates_without_a_sign() -> None:
    text = """
 LOTUS DAILY NEEDS
 Toor Dal 1kg           168.00
 Ghee 500ml             336.00
 Hand Wash              118.00
 Net Amt                622.00
 GST%  Taxable  CGST  SGST
 5     160.00   4.00  4.00
 12    300.00  18.00 18.00
 18    100.00   9.00  9.00
"""
    result = read(text, "in")
    assert (result.total, result.tax) == (Decimal(622), Decimal(62))
    assert result.validated_total


@pytest.mark.parametrize(
    ("region", "rows", "printed"),
    [
        ("rs", "Datum prometa: 16.09.2024\nMesto i datum izdavanja: Bor, 18.09.2024", "2024-09-18 00:00:00"),
        ("hr", "Datum isporuke: 16.09.2024.\nDatum izdavanja: 18.09.2024.", "2024-09-18 00:00:00"),
        ("bg", "Дата на издаване: 18.09.2024\nДата на данъчно събитие: 16.09.2024", "2024-09-18 00:00:00"),
        ("pl", "Otwarto: 18.09.2024 18:30\nData 18.09.2024 20:11", "2024-09-18 20:11:00"),
        ("pl", "Data: 02.05.25 10:22", "2025-05-02 10:22:00"),
        ("cz", "Platí: 18.09.24 00:00 - 19.09.24 06:00\n17.09.24 15:22", "2024-09-17 15:22:00"),
        ("ro", "DATA 18.09.2024   ORA 19-44-02", "2024-09-18 19:44:02"),
        ("pl", "Data seansu: 19.09.2024 18:15\nSprzedano: 18.09.2024 12:07", "2024-09-18 12:07:00"),
    ],
)
def test_the_day_of_the_sale_among_other_days(region: str, rows: str, printed: str) -> None:
    assert read(f"MIEDŹ\n{rows}\nAAA 12.00\nBBB 10.00\nTOTAL 22.00", region).date == printed


@pytest.mark.parametrize(
    ("region", "fuel", "measure"),
    [
        ("gb", "Super Diesel", "Pump 04     40.00 l x 1.500"),
        ("sk", "Super Diesel", "Stojan 04   40,00 l x 1,500"),
    ],
)
@pytest.mark.parametrize("apart", ["", "\n" + " " * 33])
def test_a_pump_beside_a_fuels_name_or_volume(region: str, fuel: str, measure: str, apart: str) -> None:
    text = f"""
KETTLE
{fuel}
{measure:<33}{apart} 60.00
Coffee                             3.10
TOTAL                             63.10
"""
    text = text if region == "gb" else text.replace("60.00", "60,00").replace("3.10", "3,10")
    first, second = read(text, region).line_items
    assert first.desc_clean == fuel
    assert (first.unit, second.desc_clean) == (40, "Coffee")


def test_a_unit_in_brackets_is_no_name() -> None:
    text = """
ТОО «Мыс»
Бинт
   2,000 (дана) x 185,00       370,00
Вата
   1,000 (дана) x 450,00       450,00
ИТОГО                          820,00
"""
    assert [(i.desc_clean, i.qty) for i in read(text, "kz").line_items] == [("Бинт", 2), ("Вата", 1)]


def test_products_with_their_amount_left_of_the_column() -> None:
    text = """
КЕДР
Стрижка
3 x 150.00 = 450.00
Укладка
2 x 25.00 = 50.00
ИТОГО                       500.00
"""
    assert [(i.desc_clean, i.line_total) for i in read(text, "kz").line_items] == [
        ("Стрижка", 450),
        ("Укладка", 50),
    ]


@pytest.mark.parametrize(
    ("row", "qty"),
    [
        ("Łańcuch AB X11       1 szt.    89,99 zł", 1),
        ("Opona 28x1.60        2 szt.   118,00 zł", 2),
        ("Śruba M8x40          4 szt.     8,00 zł", 4),
    ],
)
def test_a_count_with_its_unit_before_the_amount_and_a_size_in_the_name(row: str, qty: int) -> None:
    amount = row.split()[-2]
    (item,) = read(f"MIEDŹ\n{row}\nRazem {amount} zł", "pl").line_items
    assert item.qty == qty

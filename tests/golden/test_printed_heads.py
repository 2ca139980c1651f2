"""Heads of receipts, from text to the merchant's name and address."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.printed import read

TAXI = """
영수증 (RECEIPT)
상    호: 한빛택시
사업자번호 : 214-81-55310
대 표 자 : 박서준
주    소: 서울특별시 강남구 테헤란로 152
거래 일 : 2024-06-25 00:41
결제요금:                     12,400원
"""

LABELLED = """
购物小票
商    户：福满楼餐厅
地    址：上海市浦东新区张杨路500号
电    话：021-58881234
2024-06-25 12:41
红烧肉            1    48.00
合计                   48.00
"""

COMPANY = """
株式会社山水フーズ
居酒屋 はなび 新橋店
東京都港区新橋2-8-5
TEL 03-3501-1234
2024年06月25日 19:41
生ビール               ¥550
合計                   ¥550
"""

COMPANY_BELOW = """
好運茶餐廳
山水飲食有限公司
旺角彌敦道 610
Tel 2388 1234
2024-06-25 19:41
奶茶               22.0
合計               22.0
"""

POSTCODE_FIRST = """
Lebensmittel Huber
8010 Graz
Herrengasse 14
Tel: 0316/551820
Brot   2,20
SUMME EUR 2,20
24.06.2024
"""

GLUED = """
Frischemarkt
50672 Köln-Neustadt
Lindenstr.14
Tel: 0221/551820
Brot   2,20 B
SUMME EUR 2,20
24.06.2024
"""

TAX_OFFICE = """
YILDIZ MARKET
Atatürk Cad. No:14/A
Çankaya / ANKARA
Çankaya VD 38704129655
TARİH: 24.06.2024 SAAT: 12:10
EKMEK %1        *10,00
TOPLAM          *10,00
"""

HEADINGS = """
MERCADO BOA VISTA LTDA
CNPJ 12.345.678/0001-95
RUA DAS FLORES, 123 - CENTRO - CURITIBA - PR
ITEM CODIGO DESCRICAO QTD UN VL UNIT VL TOTAL
001 7891234567895 ARROZ
1 UN x 25,90              25,90
VALOR TOTAL R$            25,90
"""

SLIP = """
CUSTOMER COPY
Merchant name: Kettle Bakery
Terminal: 22118811
24/06/2024 10:11
VISA ****1234
Amount 12.40
"""

SLIP_ABOVE = """
CUSTOMER COPY
Visa Card  4901******1019
MERC Fruit Barn Harbour View
APPROVED AMOUNT              R326.70
22/05/2019 11:47
FruitBarn
Harbour View
021 555 2399
APPLES 1KG                    126.70
MANGO BOX                     200.00
DUE VAT INCL                  326.70
Visa Card                     326.70
WEBSITE: www.fruitbarn.co.za
"""

STAFF = """
KEEP THIS
RECEIPT
FOR A FREE SMOOTHIE
1007 Andrea C
Chk 3806  24Mar'19 16:21
Large Wrap Meal   7.39
Credit            7.39
"""

EXEMPT = """
KUSINA NI LORNA
12 Rizal Ave, Quezon City
06/25/2024 19:41
ADOBO                150.00
RICE                  40.00
RAW MILK              50.00
TOTAL                240.00
VATable Sales        169.64
VAT-Exempt Sales      50.00
VAT 12%               20.36
"""

DRINKS = """
THE HARBOR GRILL
12 Pier Rd
Portland, ME 04101
06/25/2024 7:41 PM
2 LOBSTER ROLL   44.00
2 LAGER          16.00
Food Subtotal    44.00
Bev Subtotal     16.00
Tax               4.80
Total            64.80
"""

DEPOSITS = """
Delikatesy Maj Sp. z o.o.
30-002 Kraków, ul. Długa 4
NIP 6762451190
PARAGON FISKALNY
WODA GAZ 1,5L         2 x2,49      4,98A
CHLEB ZYTNI           1 x5,49      5,49C
SPRZEDAZ OPODATKOWANA A            4,98
PTU A 23%                          0,93
SPRZEDAZ OPODATKOWANA C            5,49
PTU C 5%                           0,26
SUMA PTU                           1,19
SUMA PLN                          10,47
OPAKOWANIA ZWROTNE WYDANIA
Butelka PET           2 x0,50      1,00
OPAKOWANIA ZWROTNE SUMA            1,00
DO ZAPLATY                    11,47 PLN
"""


REGISTER = """
KOPERKETEL
Tel: 016/44.00.12 – www.koperketel.example
BTW BE 0400.111.222 – RPR Leuven
"""

BUYERS_NUMBER = """
Kobberkedlen A/S, Lindevej 8, 2300 København S
CVR-nr.: 19000075 | EAN-nr. 5790001000011
3334 0011 | hej@kobberkedlen.example
"""

OPERATOR = """
Rekstraraðili: Koparketill ehf.
Lindargata 9, 200 Kópavogur
Kaffi                    1.650
Samtals              1.650 kr.
"""

QUARTER = """
МЕДЕН ЧАЙНИК ООД
бул. „Липа“ 14, р-н Северен
п.к. 4000, гр. Пловдив
Хляб                     2,40
ОБЩА СУМА                2,40
"""


@pytest.mark.parametrize(
    ("text", "region", "name", "address"),
    [
        (TAXI, "kr", "한빛택시", "서울특별시 강남구 테헤란로 152"),
        (LABELLED, "cn", "福满楼餐厅", "上海市浦东新区张杨路500号"),
    ],
)
def test_labels_that_are_set_wide_announce_name_and_address(
    text: str, region: str, name: str, address: str
) -> None:
    result = read(text, region)
    assert (result.establishment, result.address) == (name, address)


@pytest.mark.parametrize(
    ("text", "region", "names"),
    [
        (COMPANY, "jp", ("株式会社山水フーズ", "居酒屋 はなび 新橋店")),
        (COMPANY_BELOW, "hk", ("好運茶餐廳", "山水飲食有限公司")),
    ],
)
def test_an_east_asian_company_and_its_shop_are_two_names(
    text: str, region: str, names: tuple[str, ...]
) -> None:
    assert read(text, region).establishment in names


@pytest.mark.parametrize(
    ("text", "region", "address"),
    [
        (POSTCODE_FIRST, "at", "8010 Graz, Herrengasse 14"),
        (GLUED, "de", "50672 Köln-Neustadt, Lindenstr.14"),
    ],
)
def test_the_street_may_stand_below_its_city(text: str, region: str, address: str) -> None:
    assert read(text, region).address == address


@pytest.mark.parametrize(
    ("text", "region", "address"),
    [
        (TAX_OFFICE, "tr", "Atatürk Cad. No:14/A, Çankaya / ANKARA"),
        (HEADINGS, "br", "RUA DAS FLORES, 123 - CENTRO - CURITIBA - PR"),
    ],
)
def test_a_tax_office_and_headings_of_columns_are_no_address(text: str, region: str, address: str) -> None:
    assert read(text, region).address == address


def test_a_label_announces_the_name_of_a_slip() -> None:
    assert read(SLIP, "gb").establishment == "Kettle Bakery"


def test_a_fiscal_total_above_deposits_is_the_subtotal() -> None:
    result = read(DEPOSITS, "pl")
    assert (result.total, result.sub_total) == (Decimal("11.47"), Decimal("10.47"))


def test_a_slip_above_the_receipt_gives_neither_name_nor_address() -> None:
    result = read(SLIP_ABOVE, "za")
    assert (result.establishment, result.address) == ("FruitBarn", None)


def test_who_served_and_words_of_a_slogan_are_no_merchant() -> None:
    assert read(STAFF, "gb").establishment not in ("1007 Andrea C", "KEEP THIS")


@pytest.mark.parametrize(("text", "region"), [(EXEMPT, "ph"), (DRINKS, "us")])
def test_one_of_two_parts_of_the_sale_is_no_subtotal(text: str, region: str) -> None:
    result = read(text, region)
    assert result.sub_total is None
    assert result.tax is not None


@pytest.mark.parametrize(
    ("text", "region", "address"),
    [(REGISTER, "be", None), (BUYERS_NUMBER, "dk", "Lindevej 8, 2300 København S")],
)
def test_a_register_and_its_numbers_are_no_address(text: str, region: str, address: str | None) -> None:
    assert read(text, region).address == address


def test_the_operator_is_the_merchant() -> None:
    assert read(OPERATOR, "is").establishment == "Koparketill ehf."


def test_labels_of_a_postcode_and_a_quarter_and_a_number_behind_a_quotation() -> None:
    parts = read(QUARTER, "bg").address_norm
    assert parts is not None
    assert (parts.number, parts.street) == ("14", "бул. „Липа“")
    assert (parts.postcode, parts.suburb, parts.city) == ("4000", "Северен", "Пловдив")

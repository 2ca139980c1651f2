"""Whose name, address and telephone are printed: the seller's, the buyer's, the branch's."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.printed import read


def test_a_bill_is_sent_to_the_second_address() -> None:
    result = read(
        """
Elvekraft AS                                 Faktura
Bjørkeveien 12, 7010 Trondheim
Kundeservice: 73 00 61 00
Nina Berg                                    Fakturadato     07.02.2024
Granstien 3                                  Forfall         21.02.2024
5013 Bergen                                  Fakturanr       31244
Strøm januar                                   100,00
Mva 25 %                                        25,00
Å betale                                       125,00
""",
        "no",
    )
    assert (result.establishment, result.address) == ("Elvekraft AS", "Bjørkeveien 12, 7010 Trondheim")
    assert result.date == "2024-02-07 00:00:00"


def test_the_town_of_the_seller_in_the_second_column_stands_above_the_street() -> None:
    result = read(
        """
                    ФАКТУРА
№ 0000004417                    Дата: 11.03.2024
ПОЛУЧАТЕЛ                       ДОСТАВЧИК
"Дъб" ООД                       "Липа" ЕООД
гр. Варна                       гр. Русе
бул. Явор 33                    ул. Бреза 5
ЕИК 103123450                   ЕИК 115987650
1  Стол         бр.    4      125,00     500,00
                               Сума за плащане:       500,00 лв.
""",
        "bg",
    )
    assert (result.establishment, result.address) == ('"Липа" ЕООД', "гр. Русе, ул. Бреза 5")


def test_a_bare_number_that_lacks_the_countrys_zero_is_no_telephone() -> None:
    head = "Larch Netz GmbH\nLindenweg 3, 31134 Hildesheim\nVertragskonto    {}\nInternet      39,95 €\n"
    assert read(head.format("5121234567"), "de").phone_number is None
    assert read(head.format("05121234567"), "de").phone_number == "05121234567"


def test_the_letters_of_a_series_are_no_name_and_the_buyers_number_no_telephone() -> None:
    result = read(
        """
PVM SĄSKAITA FAKTŪRA
Serija KLV Nr. 00417
2024-05-14
Pardavėjas                               Pirkėjas
UAB "Klevo lapas"                        UAB "Uosio šaka"
Beržų g. 12, Kaunas                      Liepų g. 5, Šiauliai
Įmonės kodas 302998877                   Tel. +370 612 34567
Tel. +370 37 223344
Nr.  Prekės pavadinimas            Mato vnt.  Kiekis   Kaina    Suma
1.   Lenta                         vnt.       10       5,00     50,00
                                       Suma be PVM:              50,00 EUR
                                       PVM 21%:                  10,50 EUR
                                       Bendra suma su PVM:       60,50 EUR
""",
        "lt",
    )
    assert (result.establishment, result.phone_number) == ('UAB "Klevo lapas"', "+370 37 223344")
    assert result.address == "Beržų g. 12, Kaunas"


def test_the_document_stands_between_seller_and_buyer() -> None:
    result = read(
        """
FURNIZOR:                            FACTURA                      CUMPARATOR:
Atelierul Cires SRL                  Seria AC Nr. 118             Nucul Mare SRL
CIF: RO14399840                      Data: 02.04.2024             CIF: RO15511223
Str. Morii 3                                                      Str. Garii 44
Brasov, jud. Brasov                                               Deva, jud. Hunedoara
Denumire                  U.M.  Cant.  Pret unitar   Valoare
Reparatie usa             buc   1      100,00        100,00
Total de plata                                       100,00 RON
""",
        "ro",
    )
    assert (result.establishment, result.address) == (
        "Atelierul Cires SRL",
        "Str. Morii 3, Brasov, jud. Brasov",
    )


def test_a_chinese_invoice_names_the_buyer_first() -> None:
    result = read(
        """
              上海增值税电子普通发票
发票代码: 031002300111     发票号码: 22334455
开票日期: 2024年03月05日
购买方 名称: 杭州青松科技有限公司
       地址、电话: 杭州市西湖区文三路20号 0571-87654321
货物或应税劳务名称   规格型号  单位  数量  单价      金额      税率  税额
*住宿服务*住宿费                间    2     200.00    400.00    6%    24.00
合计                                                 ¥400.00         ¥24.00
价税合计(大写) 肆佰贰拾肆圆整                        (小写) ¥424.00
销售方 名称: 上海白鹭宾馆有限公司
       地址、电话: 上海市静安区南京西路300号 021-62345678
""",
        "cn",
    )
    assert (result.establishment, result.phone_number) == ("上海白鹭宾馆有限公司", "021-62345678")
    assert result.address == "上海市静安区南京西路300号"
    assert (result.total, result.sub_total, result.tax) == (Decimal(424), Decimal(400), Decimal(24))


@pytest.mark.parametrize(
    ("region", "head", "address"),
    [
        (
            "kr",
            "은하문구 부산점\n본사: 서울 종로구 종로 7\n매장: 부산광역시 동래구 온천로 15",
            "부산광역시 동래구 온천로 15",
        ),
        (
            "us",
            "COPPER KETTLE\nKETTLE #187\nPORTLAND, OR 97201\n2211 Harbor St\nTea     10.00\nTOTAL   10.00",
            "PORTLAND, OR 97201, 2211 Harbor St",
        ),
        (
            "tw",
            "綠葉書店\n電子發票證明聯\n113年03-04月\nAB-12345678\n2024-03-15 12:08:33\n台中市北區大雅路8號",
            "台中市北區大雅路8號",
        ),
        (
            "vn",
            "NHÀ HÀNG SEN\nĐịa chỉ: 8 Hàng Bè, Q3, TP.HCM\nHóa đơn: #INV-2024-00123",
            "8 Hàng Bè, Q3, TP.HCM",
        ),
    ],
)
def test_the_shops_own_rows_are_its_address(region: str, head: str, address: str) -> None:
    assert read(f"{head}\nX            10.00\n", region).address == address


@pytest.mark.parametrize(
    ("region", "head", "address"),
    [
        (
            "us",
            "LARCH SHOP\n14 Mill Street, Salem, OR 97301\nTo: Ana Rowan\n7 Larch Road\nPortland, OR 97201",
            "14 Mill Street, Salem, OR 97301",
        ),
        (
            "de",
            "Kessel GmbH, Lindenweg 3, 31134 Hildesheim\nAn: Rosa Linde\nBirkenweg 4\n31137 Hildesheim",
            "Lindenweg 3, 31134 Hildesheim",
        ),
    ],
)
def test_the_address_below_whom_a_bill_is_addressed_to_is_the_customers(
    region: str, head: str, address: str
) -> None:
    assert read(f"{head}\nX   3.00\nTOTAL   3.00\n", region).address == address


def test_the_address_at_a_name_with_an_honorific_is_the_customers() -> None:
    result = read(
        """
請 求 書
株式会社青葉物産 御中                   請求書番号  INV-0077
〒460-0008
愛知県名古屋市中区栄3-4-5
                              工房ひだまり
下記の通りご請求申し上げます。               〒600-8001
件名: 5月分制作費                    京都府京都市下京区真町12
品名                  数量            単価          金額
看板制作                 2        40,000      80,000
                                  小計      80,000
                            消費税(10%)       8,000
                                  合計      88,000
""",
        "ja",
    )
    assert (result.establishment, result.address) == ("工房ひだまり", "〒600-8001, 京都府京都市下京区真町12")


def test_the_buyers_address_may_stand_below_a_row_of_numbers() -> None:
    result = read(
        """
統一發票(三聯式)
PX 11223344
買受人: 青雲資訊股份有限公司
統一編號: 12345675
地址: 台北市信義區松仁路9號
品名         數量      單價       金額
鍵盤          2         600      1,200
總計                             1,200
營業人: 白鹿電腦有限公司
台北市中正區重慶南路一段7號
""",
        "tw",
    )
    assert (result.establishment, result.address) == ("白鹿電腦有限公司", "台北市中正區重慶南路一段7號")


def test_the_mark_of_a_fiscal_receipt_is_no_part_of_the_name() -> None:
    result = read(
        """
     *** START OF LEGAL RECEIPT ***
          PWANI HARDWARE LIMITED
          P.O BOX 1200 TANGA
NAILS                         500.00
TOTAL                         500.00
      *** END OF LEGAL RECEIPT ***
""",
    )
    assert result.establishment == "PWANI HARDWARE LIMITED"


def test_a_bare_number_behind_a_word_begins_with_the_zero_of_the_country() -> None:
    result = read(
        """
Netz Ulmenau GmbH
Ahornweg 4, 89073 Ulm
Kundennummer     1234567890
Buchungskonto    6123456789
Rechnungsbetrag                46,40 €
""",
        "de",
    )
    assert result.phone_number is None

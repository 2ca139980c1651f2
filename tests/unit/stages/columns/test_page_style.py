"""Amounts that only the rest of the page makes likely."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.document import PLAUSIBLE
from receipt_engine.region import load_region
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from tests.printed import read, spans
from tests.unit.stages.printed_sheets import sheet


def test_a_page_that_prints_no_decimals_is_read_so() -> None:
    found = sheet(
        """
      MAGASIN DU PORT
1 Assiette                385
1 Bretzel                 540
2 Biere                  5520
1 Pate                    231
TOTAL                    6676
""",
        "fr",
    )
    assert [item.total.value for item in found.items] == [385, 540, 5520, 231]
    assert [e.amount.value for e in found.entries if e.role == "total"] == [6676]


def test_no_amount_of_a_refund_in_a_currency_without_decimals_can_lose_its_minus() -> None:
    found = sheet(
        """
桜茶房
返品レシート
ワンピース 12          -5,450
合計              -5,450
内消費税等          -495
カード             -5,450
レシートNo            118
""",
        "ja",
    )
    amounts = [*(item.total for item in found.items), *(e.amount for e in found.entries)]
    back = [money.value for amount in amounts if amount.value < 0 for money in amount.readings]
    assert len(back) >= 4 and max(back) < 0


def test_no_amount_of_a_refund_whose_taxes_have_no_minus_can_lose_its_own() -> None:
    found = sheet(
        """
ZAPATERÍA LA HEBILLA
NOTA DE CRÉDITO
-1 Sandalia 38      64,00     -64,00
-1 Plantilla         8,60      -8,60
TOTAL EUR                     -72,60
Base 60,00  IVA 21%  12,60
""",
        "es",
    )
    total = next(e for e in found.entries if e.role == "total" and e.certainty > 0.9)
    assert [money.value for money in total.amount.readings] == [Decimal("-72.60")]


def test_one_row_without_decimals_changes_nothing() -> None:
    found = sheet(
        """
      CORNER STORE
Bread                    4.00
Milk                     2.50
Room                      205
TOTAL                    8.55
"""
    )
    assert [item.total.value for item in found.items][:2] == [Decimal("4.00"), Decimal("2.50")]
    assert 205 not in [item.total.value for item in found.items]


def test_where_all_amounts_have_a_sign_an_8_may_be_one() -> None:
    found = sheet(
        """
      CORNER STORE
Chicken                $21.00
Lager                  83.00
Pork                   $26.00
SUBTOTAL               $50.00
TOTAL                  $50.00
"""
    )
    readings = [money.value for money in found.items[1].total.readings]
    assert readings[:2] == [Decimal("83.00"), Decimal("3.00")]


def test_digits_that_a_page_shows_behind_a_letter_are_behind_a_sign() -> None:
    text = """
KAYAK TOURS
Half day 2 x      8450.00
Subtotal          B450.00
Total ex tax      6450.00
Total             B450.00
Cash              8450.00
"""
    result = read(text, "th")
    assert [item.line_total for item in result.line_items] == [450]
    assert (result.total, result.sub_total, result.cash) == (450, 450, 450)


def test_where_no_amount_has_a_sign_an_8_is_an_8() -> None:
    found = sheet(
        """
      CORNER STORE
Chicken                 21.00
Lager                   83.00
Pork                    26.00
TOTAL                  130.00
"""
    )
    assert found.items[1].total.readings[0].cost == 0
    assert [item.total.value for item in found.items] == [
        Decimal("21.00"),
        Decimal("83.00"),
        Decimal("26.00"),
    ]


def test_small_prices_of_a_page_without_decimals_are_prices() -> None:
    found = sheet(
        """
      HARBOUR CHEMIST
Plasters                   30
Throat syrup               29
Cotton wool             $ 135
TOTAL                   $ 194
""",
        "hk",
    )
    assert [item.total.value for item in found.items] == [30, 29, 135]


def test_a_number_glued_to_a_name_is_no_price_of_the_column() -> None:
    found = sheet(
        """
      文具の店
えんぴつ                 ¥120
ノート                   ¥250
               はさみタイプ75
定規                     ¥100
合計                     ¥470
""",
        "ja",
    )
    assert [item.total.value for item in found.items] == [120, 250, 100]


def test_the_number_of_a_till_is_no_price_of_the_column() -> None:
    found = sheet(
        """
      PASAR SEGAR
29/03/22 17:59       Kassa: 1
Sabun                  12.000
Beras                  42.000
Gula                    8.500
TOTAL                  62.500
""",
        "id",
    )
    assert [item.total.value for item in found.items] == [12000, 42000, 8500]


def test_a_page_that_prints_decimals_is_read_so_in_a_country_without_them() -> None:
    found = parse(
        group(
            spans(
                """
      KONOBA GALEB
OIB: 55555555555
Racun: 9912-1-4   12.08.2014
Riba                     1.090,00
Sladoled                   30,00
UKUPNO                    1120,00
"""
            )
        ),
        load_region("id"),
        AmountHints(None, False),
        None,
    )
    assert [row.amounts[0].decimals for row in found[-3:]] == [2, 2, 2]
    assert [row.amounts[0].readings[0].cost < 0.5 for row in found[-3:]] == [True, True, True]


def test_a_total_with_a_speck_before_it_is_read_as_the_column_prints() -> None:
    found = sheet(
        """
      NHA THUOC AN KHANG
Siro ho                80.500
Khau trang             53.500
Kem chong nang        233.000
Vitamin C              47.000
Tong cong            0414.000
Tien mat              500.000
""",
        "vn",
    )
    (total,) = [e.amount for e in found.entries if e.role == "total"]
    assert total.value == 414000
    assert total.readings[0].cost <= PLAUSIBLE


def test_a_tax_of_nothing_beside_its_rate_is_an_amount_where_nothing_has_decimals() -> None:
    found = sheet(
        """
      TIENDA LA CEIBA
Manzana               13 855 E
Aceite                39 300 B
Vino                  80 200 A
TOTAL A PAGAR      $ 133 355
A 19% 67 395 12 805
B 5% 37 429 1 871
E 0% 13 855 0
""",
        "co",
    )
    taxes = [e.amount.value for e in found.entries if e.role == "tax"]
    assert sorted(taxes) == [0, 1871, 12805]


@pytest.mark.parametrize(("again", "total"), [("RM64.27", "64.27"), ("RM70.00", "6427")])
def test_a_point_that_another_row_has_is_lost(again: str, total: str) -> None:
    text = f"""
      HILLTOP PUMPS
Diesel    30.00 litre
TOTAL                 RM6427
Cash                  {again}
"""
    found = {e.role: e.amount.value for e in sheet(text, "my").entries}
    assert found["total"] == Decimal(total)


@pytest.mark.parametrize(("price", "shown"), [("6.00", True), ("5.75", False)])
def test_a_tax_code_that_was_read_as_a_decimal_is_none(price: str, shown: bool) -> None:
    found = sheet(
        f"""
       SEWING BOX
BUTTON 2 pcs x {price}     12.001
THREAD                   5.004
RIBBON                   3.504
TOTAL                    20.50
CASH                     20.50
"""
    )
    amounts = [item.total.value for item in found.items]
    assert (amounts == [Decimal("12.00"), Decimal("5.00"), Decimal("3.50")]) == shown


def test_a_tax_code_behind_cents_makes_no_thousands() -> None:
    result = read("KIOSK MAK\nCHLEB  1 x9.99  9.990\nBANANY  0,582 x6,99  4.070\nSUMA PLN  14,06", "pl")
    assert [item.line_total for item in result.line_items] == [Decimal("9.99"), Decimal("4.07")]


DROPPED = """
    *Lotus Kitchen*
--------------------------------
Noodles             x1        26
Dumplings           x2        18
Soy milk            x1       4.5
Rice                x1         3
Packing                        2
--------------------------------
实付:¥53.5
"""


def test_a_till_that_drops_zeros_prints_whole_prices() -> None:
    result = read(DROPPED, "cn")
    assert [item.line_total for item in result.line_items][:4] == [26, 18, Decimal("4.5"), 3]
    assert result.total == Decimal("53.5")


def test_an_amount_that_lost_its_point_is_not_whole_cents() -> None:
    text = """
     HARBOUR BOWLS CLUB
Lane hire             49 00
Shoes                  4 25
Total:53.25
Amount due:           53 25
Paid by card          53 25
"""
    assert read(text).total == Decimal("53.25")


SIGNS = """
      HARBOUR BREWERY
1 Pale ale              {sign}4.10
1 Cider                 $2.00
1 Clam chowder          {sign}6.50
1 Bread                 $1.25
Net total:             {sign}13.85
Tax                     $1.00
TOTAL:                 $14.85
"""


@pytest.mark.parametrize("sign", ["$", "8", "5"])
def test_a_sign_that_is_always_read_as_one_digit_is_told_by_a_sum(sign: str) -> None:
    result = read(SIGNS.format(sign=sign), "us")
    assert [str(item.line_total) for item in result.line_items] == ["4.10", "2.00", "6.50", "1.25"]
    assert result.sub_total == Decimal("13.85")


def test_amounts_that_add_up_with_their_first_digit_keep_it() -> None:
    text = (
        SIGNS.format(sign="8")
        .replace("813.85", "174.85")
        .replace("$1.00", "$2.00")
        .replace("14.85", "176.85")
    )
    amounts = [item.line_total for item in read(text, "us").line_items]
    assert amounts == [Decimal("84.10"), Decimal("2.00"), Decimal("86.50"), Decimal("1.25")]


@pytest.mark.parametrize(("soup", "total"), [("$22.50", "52.47"), ("22.50", "852.47")])
def test_where_all_amounts_have_a_sign_two_products_tell_it(soup: str, total: str) -> None:
    sums = "Subtotal  849.50\nTax  $2.97\nTOTAL  852.47\nDue  $0.00"
    assert read(f"KETTLE\nSoup  {soup}\nPlatter  827.00\n{sums}", "us").total == Decimal(total)


def test_a_sum_by_chance_makes_no_sign_of_a_digit_where_few_amounts_have_one() -> None:
    text = """
      MILL MARKET
Kettle                  96.00
Teapot                  93.00
Spoon                    2.00
Cups                    11.00
You saved                1.23
TOTAL                 $202.00
"""
    assert [item.line_total for item in read(text, "us").line_items] == [96, 93, 2, 11]

"""Receipts made of parts, from text to Result: sums of groups, nights on an account, goods beside fuel, what
is given back; one habit a test."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.result import Result
from tests.printed import read


def sold(result: Result) -> list[tuple[str | None, Decimal | None]]:
    return [(item.desc_clean, item.line_total) for item in result.line_items]


def types(result: Result) -> list[tuple[Decimal | None, str | None]]:
    return [(row.line_total, row.line_type) for row in result.summary_items]


def test_goods_below_the_sum_of_another_rate_are_products() -> None:
    result = read(
        """
    THORNBURY PANTRY
 PEARS LOOSE              1.40
 OAT MILK 1L              1.95
 Total 0% articles        3.35
 PAPER NAPKINS            2.10
 SPONGES 6                1.75
 Total 20% articles       3.85
 TOTAL                    7.20
 CASH 10.00  CHANGE 2.80
""",
        "gb",
    )
    assert sold(result)[2:] == [("PAPER NAPKINS", Decimal("2.10")), ("SPONGES 6", Decimal("1.75"))]


def test_sums_of_groups_are_no_totals() -> None:
    result = read(
        """
    HARE LANE SERVICES
 2 x 1.60
 TEA LARGE              3.20
 DIESEL                51.80
 Fuel Total            51.80
 Shop Total             3.20
 Grand Total           55.00
 DEBIT                 55.00
""",
        "gb",
    )
    assert types(result)[:3] == [
        (Decimal("51.80"), None),
        (Decimal("3.20"), None),
        (Decimal("55.00"), "Total"),
    ]


def test_fuel_that_only_its_own_sum_shows_is_sold_beside_goods() -> None:
    result = read(
        """
    PRAIRIE STOP 66
 PLUS UNLEADED
 GALLONS         10.000
 PRICE/GAL       $3.119
 FUEL TOTAL      $31.19
 ICED TEA 20OZ             1.89
 PRETZELS                  2.29
 SUBTOTAL                 35.37
 TAX                       0.31
 TOTAL                    35.68
""",
        "us",
    )
    fuel = result.line_items[0]
    assert (fuel.line_total, fuel.price, fuel.unit) == (Decimal("31.19"), Decimal("3.119"), Decimal("10.000"))
    assert len(result.line_items) == 3


def test_what_is_refunded_beside_cash_is_the_change() -> None:
    result = read("    NODI STORES\n TEA 400G   340.00\n Total   340.00\n CASH 500.00 REFUND 160.00", "bd")
    assert (result.cash, result.change) == (500, 160)


@pytest.mark.parametrize("credit", ["2,25 MINUS", "2,25"])
def test_deposits_are_given_back_behind_a_word_or_without_a_minus(credit: str) -> None:
    result = read(
        f"""
    GETRÄNKE HOLZAPFEL
 APFELSCHORLE 6X1L     6,29
 PFAND                 1,50
 LEERGUT               {credit}
 SUMME                 5,54
 BAR                  10,00
 RÜCKGELD              4,46
""",
        "de",
    )
    assert sold(result)[-1] == ("LEERGUT", Decimal("-2.25"))


def test_taxes_of_two_nights_are_taxes_and_their_amounts_no_times() -> None:
    result = read(
        """
    SANDPIPER MOTOR LODGE
 Folio 3381     Room 12
 05-07-25    Guest Room              98.00
 05-07-25    Sales Tax 7%             6.86
 05-07-25    Bed Tax 12%             11.76
 05-08-25    Guest Room              98.00
 05-08-25    Sales Tax 7%             6.86
 05-08-25    Bed Tax 12%             11.76
 05-09-25    Visa                  -233.24
             Balance Due              0.00
""",
        "us",
    )
    assert sold(result) == [("Guest Room", Decimal("98.00"))] * 2
    assert result.taxes == (Decimal("6.86"), Decimal("11.76")) * 2
    assert result.date is not None and result.date.endswith(" 00:00:00")


def test_charges_with_their_tax_are_no_subtotal() -> None:
    result = read(
        """
    MILL CREEK WATER
 Water 3,100 gal        19.10
 Base charge            12.00
 County tax              3.11
 Current charges        34.21
 TOTAL AMOUNT DUE       34.21
""",
        "us",
    )
    assert (result.sub_total, result.tax, result.total) == (None, Decimal("3.11"), Decimal("34.21"))


def test_three_decimals_are_no_thousands_where_an_amount_is_below_one() -> None:
    result = read(
        """
    AL WAHA PHARMACY
 COUGH SYRUP            2.150
 2 X 0.425
 PLASTERS               0.850
 TOTAL                  3.000
 CASH                   5.000
 CHANGE                 2.000
"""
    )
    assert (result.total, result.cash, result.change) == (3, 5, 2)


def test_rates_without_their_sign_begin_the_rows_of_a_tax_table() -> None:
    result = read(
        """
    CONFISERIE SEEBLICK
 Nussgipfel             5.20 A
 Tee                    8.60 B
 Total CHF             13.80
 MWST   %     Total    MWST
 A     2.6     5.20    0.13
 B     8.1     8.60    0.64
""",
        "ch",
    )
    assert result.taxes == (Decimal("0.13"), Decimal("0.64"))


def test_a_card_behind_a_word_for_what_was_tendered_is_no_cash() -> None:
    result = read("    PEPPERCORN DELI\n SOUP CUP   6.40\n TOTAL   6.40\n AMT TENDERED MC   6.40", "us")
    assert (result.cash, result.payment_method) == (None, "Mastercard")


def test_products_of_an_invoice_with_their_own_taxes_are_no_rows_of_its_tax_table() -> None:
    result = read(
        """
    PENSJONAT NAD STAWEM
 FAKTURA VAT 12/05/2025
 Lp Nazwa      Ilość  Cena netto  Netto  VAT%  Kwota VAT  Brutto
 1  Pokój        3     150,00    450,00   8%     36,00    486,00
 2  Garaż        3      20,00     60,00  23%     13,80     73,80
 Razem                           510,00          49,80    559,80
 Do zapłaty: 559,80 PLN
""",
        "pl",
    )
    assert [(item.qty, item.desc_clean, item.price) for item in result.line_items] == [
        (3, "Pokój", Decimal("150.00")),
        (3, "Garaż", Decimal("20.00")),
    ]
    assert (result.sub_total, result.tax) == (Decimal("510.00"), Decimal("49.80"))


def test_charges_of_an_account_may_begin_with_day_and_month() -> None:
    result = read(
        """
    HOSTAL LA NORIA
 Fecha 22-05-2025
 20/05  Habitación            64,00
 20/05  Tasa turística         1,50
 21/05  Habitación            64,00
 21/05  Tasa turística         1,50
 21/05  Restaurante           18,20
 IVA 10%                      13,29
 TOTAL FACTURA               149,20
""",
        "es",
    )
    assert [item.desc_clean for item in result.line_items] == ["Habitación", "Habitación", "Restaurante"]
    assert result.taxes == (Decimal("1.50"), Decimal("1.50"), Decimal("13.29"))


def test_a_charge_below_the_products_leaves_a_name_like_that_of_a_card_a_product() -> None:
    result = read(
        """
    RIVERBANK FITNESS
 Membership monthly     44.00
 Locker                  4.00
 Card surcharge 1.5%     0.72
 TOTAL                  48.72
 Visa                   48.72
""",
        "au",
    )
    assert sold(result)[0] == ("Membership monthly", Decimal("44.00"))


def test_a_product_of_a_sum_that_closes_is_no_payment() -> None:
    result = read(
        """
    QUILT CORNER
 Fabric blue             19.95
 4 Needle set            49.80
 Cash box                39.50
 Thread                   7.90
 2 Quilting hoop         85.00
 SUB TL                 202.15
 ROUND OFF                0.05
 TOTAL                $ 202.20
""",
        "nz",
    )
    assert (result.total, result.cash, result.payment_method) == (Decimal("202.20"), None, None)
    assert ("Cash box", Decimal("39.50")) in sold(result)


def test_a_discount_right_behind_its_name_is_taken_off_where_only_so_the_sum_closes() -> None:
    result = read(
        """
    QUILT CORNER
 FABRIC BLUE           12.50
   OFFER -2.50
 THREAD SET             4.75
   COUPON  -1.00
 SUBTOTAL              13.75
 TAX 6%                 0.83
 TOTAL                 14.58
""",
        "us",
    )
    assert result.discounts == (Decimal("2.50"), Decimal("1.00"))
    assert [item.line_total for item in result.line_items if item.line_total and item.line_total < 0] == [
        Decimal("-2.50"),
        Decimal("-1.00"),
    ]


def test_what_was_tendered_is_no_cash_where_a_card_is_shown() -> None:
    result = read(
        """
    QUILT CORNER
 FABRIC RED            12.50
 TOTAL                 12.50
 AMOUNT TENDERED       12.50
 CHANGE                 0.00
 VISA ************2207
 APPROVED
""",
        "us",
    )
    assert (result.cash, result.payment_method) == (None, "VISA")


def test_prices_below_one_tell_three_decimals_like_amounts() -> None:
    text = "    AL RIMAL TAILOR\n LINING   2   4.500   9.000\n BUTTONS   8   0.100   0.800\n TOTAL   9.800"
    assert read(text).total == Decimal("9.8")


def test_a_tax_between_price_and_amount_is_added_to_what_count_and_price_make() -> None:
    result = read(
        """
    HARBOUR PAWS CLINIC
 Vaccination                  1    35.00    7.00    42.00
 Ear drops 20ml               2     9.25    3.70    22.20
 Net Total                          53.50
 VAT @ 20%                          10.70
 Invoice Total                      64.20
""",
        "gb",
    )
    assert [(item.qty, item.desc_clean, item.price) for item in result.line_items] == [
        (1, "Vaccination", Decimal("35.00")),
        (2, "Ear drops 20ml", Decimal("9.25")),
    ]


def test_the_day_and_month_before_a_charge_are_no_count() -> None:
    result = read(
        """
    KIAAT GUEST FARM
 Invoice 2291      14 Aug 2025
 12 Aug  Chalet                1,180.00
 13 Aug  Chalet                1,180.00
 13 Aug  Dinner x2               460.00
 Total                         2,820.00
""",
        "za",
    )
    assert [(item.qty, item.desc_clean) for item in result.line_items] == [
        (0, "Chalet"),
        (0, "Chalet"),
        (2, "Dinner"),
    ]


def test_a_sign_of_percent_before_a_rate_is_none_of_the_price_before_it() -> None:
    result = read(
        """
    CINARALTI PIDE SALONU
 KIYMALI PIDE   2X95,00   %10   *190,00
 CACIK                    %10    *60,00
 TOPLAM                         *250,00
""",
        "tr",
    )
    first = result.line_items[0]
    assert (first.qty, first.desc_clean, first.price) == (2, "KIYMALI PIDE", Decimal("95.00"))


def test_no_minus_of_a_refund_is_lost_where_a_sum_would_close_without_it() -> None:
    result = read(
        """
COPPER KETTLE OUTFITTERS
REFUND RECEIPT
Linen dress 12          -$54.50 T
-1X54.50
Total amount $          -54.50
Incl GST                 -4.50
Nett                    -50.00
Card                    -54.50
""",
        "sg",
    )
    assert (result.total, result.sub_total) == (Decimal("-54.50"), Decimal("-50.00"))
    assert [line.line_total for line in result.line_items] == [Decimal("-54.50")]

"""How tills of English-speaking countries print totals, advertising and accounts: one habit a test."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.result import Result
from tests.printed import read


def block(result: Result) -> list[tuple[str | None, str | None, Decimal | None]]:
    """The totals block: label, line type and amount of each row."""
    return [(row.desc, row.line_type, row.line_total) for row in result.summary_items]


SALE = """
    LARCH FEED STORE
    14 Mill Street
    Salem, OR 97301
 04/11/2024  12:31 PM
 OATS 5LB           12.00
 SUBTOTAL           12.00
 TAX                 0.96
 TOTAL              12.96
 VISA               12.96
{notice}
 THANK YOU
"""


@pytest.mark.parametrize(
    "notice",
    [
        "Spend $40 and get $5 off your next order",
        "Get $10 off your next purchase of $35 or more",
        "Use code OATS10 for 10% off orders over $30",
        "Cards are not accepted below $5.00",
        "8c per litre off when you spend 40.00",
        "Minimum card purchase $10.00",
        "You could have saved $1.20 with our card",
    ],
)
def test_amounts_in_a_sentence_are_none_of_the_receipt(notice: str) -> None:
    told, plain = read(SALE.format(notice=notice), "us"), read(SALE.format(notice=""), "us")
    assert block(told) == block(plain)
    assert (told.taxes, told.discounts) == (plain.taxes, plain.discounts)


@pytest.mark.parametrize("row", ["TAKE OUT ORDER FOR ANN   -1.00", "Total for room 4 with breakfast  12.96"])
def test_a_label_with_words_of_a_sentence_keeps_its_amount(row: str) -> None:
    told, plain = read(SALE.format(notice=row), "us"), read(SALE.format(notice=""), "us")
    assert len(told.summary_items) >= len(plain.summary_items)
    assert told.total == Decimal("12.96")


def test_a_card_in_an_advertisement_paid_nothing() -> None:
    text = SALE.replace("VISA ", "INTERAC ").format(
        notice="You earn double points\nwith your Larch Mastercard!"
    )
    assert read(text, "ca").payment_method == "INTERAC"


def test_a_tax_and_the_total_on_one_row_are_no_row_of_a_tax_table() -> None:
    text = """
    LARCH DINER
 1 Melt             18.00
 1 Soda              2.00
 TAX  1.63   TOTAL  21.63
 Amt Due
                    21.63
"""
    found = read(text, "us")
    assert (found.total, found.sub_total, found.taxes) == (Decimal("21.63"), None, (Decimal("1.63"),))
    assert ("TOTAL", "Total", Decimal("21.63")) in block(found)


def test_a_rate_behind_the_name_of_a_county_makes_a_tax() -> None:
    text = """
    LARCH OUTFITTERS
 FLEECE             48.00 T
 GIFT BOX           10.40 N
 Subtotal           58.40
 Alder County 8.125% 3.90
 Total              62.30
"""
    assert read(text, "us").tax == Decimal("3.90")


def test_cash_that_is_no_more_than_the_total_gives_no_change() -> None:
    text = """
    LARCH CAFE
 Latte               4.50
 TOTAL               4.50
 CASH                4.50
 CHANGE             15.50
"""
    found = read(text, "us")
    assert (found.total, found.cash, found.change) == (Decimal("4.50"), None, Decimal("15.50"))


def test_a_total_above_its_rounding_stays_as_printed() -> None:
    text = """
    LARCH CAFE
 Bagel               6.29
 Coffee              5.48
 Subtotal           11.77
 HST                 1.77
 Total              13.54
 Cash               20.00
 Rounding            0.01
 Change              6.45
"""
    found = read(text, "ca")
    assert (found.total, found.rounding) == (Decimal("13.55"), Decimal("0.01"))
    assert ("Total", "Total", Decimal("13.54")) in block(found)


def test_a_payment_in_the_column_of_credits_pays_all_charges_of_a_stay() -> None:
    text = """
    LARCH HILL SUITES
    14 Mill Street
    Salem, OR 97301
 Date      Description      Charges   Credits
 04/11/24  ROOM             $120.00
 04/11/24  STATE TAX         $4.80
 04/12/24  ROOM             $120.00
 04/12/24  STATE TAX         $4.80
 04/13/24  VISA XXXX4471             $249.60
 Balance Due:                 $0.00
"""
    assert read(text, "us").total == Decimal("249.60")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("04/11", "04/12"),
        ("04/11/25", "04/12/25"),
        ("11APR25", "12APR25"),
        ("11-Apr-25", "12-Apr-25"),
        ("Apr 11, 2025", "Apr 12, 2025"),
    ],
)
def test_equal_taxes_of_two_nights_are_two_taxes(first: str, second: str) -> None:
    text = f"""
    LARCH HILL SUITES
    14 Mill Street
    Salem, OR 97301
 {first}   ROOM             $120.00
 {first}   STATE TAX 4%       $4.80
 {first}   RESORT FEE         $9.00
 {second}   ROOM             $120.00
 {second}   STATE TAX 4%       $4.80
 {second}   RESORT FEE         $9.00
 TOTAL                      $267.60
"""
    found = read(text, "us")
    assert (found.tax, found.taxes) == (Decimal("9.60"), (Decimal("4.80"), Decimal("4.80")))


def test_two_numbers_around_a_word_that_names_no_month_are_no_day() -> None:
    text = """
LARCH CAFE
Soup                       18.00
Tea                         6.00
TOTAL                      24.00
1 VAT 20%                   4.00
CARD                       24.00
VAT 20%                     4.00
"""
    assert read(text, "gb").taxes == (Decimal("4.00"),)


def test_the_reading_of_an_odometer_beside_the_customers_town_is_no_product() -> None:
    text = """
LARCH & SON MOTOR ENGINEERS
Unit 4, Larch Yard, Ludlow, Shropshire. SY8 2PQ

Church Sorrel                     Mileage  71,204
SY6 6BX

1     Emissions test (VAT exempt)   50.00     50.00
2.0   Labour                        60.00    120.00
1     Timing belt and water pump   130.00    130.00

                       VAT @ 20%             50.00
                       Emissions             50.00
                       TOTAL DUE           £350.00
"""
    found = [item.line_total for item in read(text, "gb").line_items]
    assert found == [Decimal("50.00"), Decimal("120.00"), Decimal("130.00")]


def test_sums_of_groups_are_no_products() -> None:
    text = """
    LARCH AUTO SERVICE
    77 Mill Street, Salem, OR 97301
 2    Front brake rotor    68.50     137.00
 1    Ceramic pad set      79.99      79.99
 1    Brake fluid           9.75       9.75
 1    Front brakes fitted              155.00
      Parts                           226.74
      Labor                           155.00
      Sub Total                       381.74
      Sales Tax                        31.01
      TOTAL                          $412.75
"""
    found = [item.line_total for item in read(text, "us").line_items]
    assert found == [Decimal("137.00"), Decimal("79.99"), Decimal("9.75"), Decimal("155.00")]


def test_how_an_order_was_paid_is_no_address() -> None:
    text = """
 Kettle Dash
 Paid with Visa Ending in 4471
 Total: $16.50
 1x Leek Soup                  $14.50
 1x Rye Roll                    $2.00
 Subtotal                      $16.50
 Total Charged                 $16.50
"""
    assert read(text, "us").address is None


def test_other_taxes_are_a_tax_and_an_atm_card_pays() -> None:
    text = """
    LARCH CAFE
 Latte               9.00
 SUB-TOTAL           9.00
 Food Tax            0.72
 Other Taxes         0.09
 Total Tax           0.81
 TOTAL               9.81
 ATM $               9.81
"""
    found = read(text, "us")
    assert ("Other Taxes", "Tax", Decimal("0.09")) in block(found)
    assert found.payment_method == "ATM"


def test_tax_codes_beside_article_numbers_are_no_part_of_names() -> None:
    text = """
    LARCH FEED STORE
 RYE LOAF  004177001217 F     1.48 N
 PEARS     000000004417KF
   2.00 lb @ 1.50             3.00 N
 SHAMPOO   004177009913       6.97 X
 SUBTOTAL                    11.45
 TOTAL                       11.45
"""
    assert [item.desc_clean for item in read(text, "us").line_items] == ["RYE LOAF", "PEARS", "SHAMPOO"]
    text = """
    LARCH WHOLESALE
 E  41770 ORG PEARS           1.99
 E  41771 ROAST HEN           4.99
    41772 TOWELS             22.99 A
 TOTAL                       29.97
"""
    assert [item.desc_clean for item in read(text, "us").line_items] == ["ORG PEARS", "ROAST HEN", "TOWELS"]


@pytest.mark.parametrize(
    "row",
    [
        "TAX INVOICE 041772",
        "ETR RECEIPT",
        "SALE   0441 07 2208   18/05/24 10:02",
        "RC 44172",
        "LIC# 44172",
        "Date 2024.03.09  Time 17:22",
        "Cashier 0417 Nimal  Unit 04",
    ],
)
def test_rows_about_the_sale_below_an_address_are_none_of_it(row: str) -> None:
    text = f"""
    LARCH GARAGE
    Voortrekker Rd, Parow
    {row}
 OIL 1L             89.90
 TOTAL              89.90
"""
    assert read(text, "za").address == "Voortrekker Rd, Parow"


@pytest.mark.parametrize(
    ("name", "rows", "expense"),
    [
        ("LARCH TIKKA INN", " Table 4   Waiter: Asif", "Meals/Restaurant"),
        ("THE MILLER'S ARMS", " Table 12   Covers 3", "Meals/Bar"),
        ("LARCH GARAGE", " Pump 5\n ULP 93  30.00 L", "Travel/Fuel"),
        ("LARCH GARAGE", " OIL CHANGE\n WHEEL ALIGNMENT", "Services/Vehicle"),
        ("LARCH OUTFITTERS", "", "Shopping/Clothing"),
    ],
)
def test_names_with_several_meanings_tell_the_expense_with_their_rows(
    name: str, rows: str, expense: str
) -> None:
    assert read(f"    {name}\n{rows}\n 1 Thing        20.00\n TOTAL          20.00\n").expense_type == expense


def test_a_reward_named_by_a_verb_is_no_tax() -> None:
    text = """
    LARCH DRUG
 CAPLETS 100CT      12.49
 GREETING CARD       4.99
 SPEND 20 GET 5 REWARD  5.00-
 SUBTOTAL           12.48
 TAX                 0.60
 TOTAL              13.08
"""
    found = read(text, "us")
    assert (found.taxes, found.discounts) == ((Decimal("0.60"),), (Decimal("5.00"),))
    assert found.expense_type == "Health/Pharmacy"


def test_a_reduction_repeats_the_number_of_its_article() -> None:
    text = """
    LARCH WHOLESALE
 417722 EGGS 30          8.99
 88412 ALMOND BTR       12.99
 0000417722 TPD/88412    3.00-
 SUBTOTAL               18.98
 TOTAL                  18.98
"""
    assert read(text, "ca").discounts == (Decimal("3.00"),)


def test_paid_by_transfer_is_no_cash() -> None:
    text = """
    LARCH EATERY
 JOLLOF RICE         3,000
 Grand Total:        3,000
 Paid (Transfer):    3,000
"""
    assert read(text, "ng").payment_method == "Transfer"


@pytest.mark.parametrize(
    ("region", "rows", "name"),
    [
        ("my", " RON95 @ RM2.05/L\n 24.390 LITER          RM 50.00\n JUMLAH   RM 50.00", "RON95"),
        (
            "in",
            " Nozzle: 3   Product: PETROL\n Preset: Amount\n Rate (Rs/L): 101.42\n Volume (L): 9.86\n"
            " Amount (Rs): 1000.00",
            "PETROL",
        ),
    ],
)
def test_petrol_is_named_behind_its_heading_or_before_its_price(region: str, rows: str, name: str) -> None:
    found = read(f"    LARCH PETROLEUM\n    NH-48, Hosur Road\n{rows}\n", region).line_items
    assert [(item.desc_clean, item.qty or item.unit is not None) for item in found] == [(name, True)]


def test_the_price_of_an_option_in_brackets_is_no_discount() -> None:
    text = """
    LARCH COFFEE
 Oat Latte                  $5.25
  Large, Extra Shot ($1.00)
 Scone                      $7.00
 Subtotal                  $12.25
 Total                     $12.25
"""
    assert [row.line_total for row in read(text, "us").summary_items] == [Decimal("12.25")] * 2


def test_the_price_of_a_reduction_is_not_its_amount() -> None:
    text = """
    LARCH EXPRESS
 PASTA MEAL                 £3.90
 Cc Pasta Meal -£0.50      -£0.50
 TOTAL                      £3.40
"""
    assert [item.price for item in read(text, "gb").line_items] == [None, None]


def test_the_charge_for_paying_late_is_not_paid() -> None:
    text = """
    LARCH FALLS UTILITIES
 Electric                   78.44
 TOTAL AMOUNT DUE          $78.44
 AFTER DUE DATE PAY        $82.36
"""
    assert [row.line_total for row in read(text, "us").summary_items] == [Decimal("78.44")]


def test_group_sums_below_products_are_no_products_where_only_tax_is_added() -> None:
    text = """
    LARCH TAPROOM
 3 IPA PINT @7.00      21.00
 1 PRETZEL              9.00
   Food                 9.00
   Beer                21.00
   Tax                  2.57
   Total Due           32.57
"""
    assert [item.line_total for item in read(text, "us").line_items] == [Decimal("21.00"), Decimal("9.00")]


def test_a_charge_taken_back_is_a_discount() -> None:
    text = """
    LARCH CABLES
 USB cable            8.99
 Subtotal             8.99
 Shipping             5.99
 Free shipping       -5.99
 Total                8.99
"""
    assert not any(
        row.line_type == "ServiceCharge" and row.line_total < 0 for row in read(text).summary_items
    )


def test_a_part_paid_before_is_no_cash() -> None:
    text = """
    LARCH ELECTRIC LLC
 Service call         95.00
 Total                95.00
 Paid                -40.00
 Balance Due          55.00
"""
    found = read(text, "us")
    assert (found.cash, found.payment_method) == (None, None)


def test_a_post_office_names_who_gave_the_cash() -> None:
    text = """
    LARCHFIELD POST OFFICE
 RM TRACKED 48               3.35
 TOTAL DUE TO POST OFFICE    3.35
 Cash FROM CUSTOMER          5.00
 Cash TO CUSTOMER            1.65
"""
    found = read(text, "gb")
    assert (found.total, found.cash, found.change) == (Decimal("3.35"), Decimal("5.00"), Decimal("1.65"))


def test_a_terminal_pays_in_nigeria() -> None:
    text = "    LARCH STORES LIMITED\n SEMOVITA  3,600.00\n Total  N 3,600.00\n POS  3,600.00\n"
    assert read(text, "ng").payment_method == "POS"


def test_a_shops_number_before_the_house_number_is_no_part_of_the_address() -> None:
    text = """
    LARCH PHARMACY
    #0417  1200 MAPLE AVE
    EVANSTON, IL 60201
 TABS 80S           12.99
 TOTAL              12.99
"""
    assert read(text, "us").address == "1200 MAPLE AVE, EVANSTON, IL 60201"

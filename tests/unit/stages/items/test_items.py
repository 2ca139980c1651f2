"""Product lines of drawn receipts: names, quantities, prices and codes in the ways tills print them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.document import Item
from tests.unit.stages.printed_sheets import sheet

HEAD = """
       CORNER STORE
     5 Mill Street, Salem
     03/14/2024  10:42

"""


def items(body: str, region: str = "us") -> tuple[Item, ...]:
    return sheet(HEAD + body.strip("\n"), region).items


def counted(body: str, region: str = "us") -> list[tuple[str, Decimal | None, Decimal]]:
    return [(item.desc_clean, item.qty, item.total.value) for item in items(body, region)]


def test_names_above_their_amounts_keep_the_first_one_from_the_head() -> None:
    body = """
GARDEN HOSE 20M
   1 @ 18.50            18.50
CLAY POT SMALL
   3 @ 2.20              6.60
SEED MIX
   2 @ 1.45              2.90

TOTAL                   28.00
"""
    assert counted(body) == [
        ("GARDEN HOSE 20M", 1, Decimal("18.50")),
        ("CLAY POT SMALL", 3, Decimal("6.60")),
        ("SEED MIX", 2, Decimal("2.90")),
    ]


def test_names_below_their_amounts() -> None:
    body = """
   1 @ 18.50            18.50
GARDEN HOSE
   3 @ 2.20              6.60
CLAY POT

TOTAL                   25.10
"""
    assert [name for name, _, _ in counted(body)] == ["GARDEN HOSE", "CLAY POT"]


def test_names_with_codes_keep_above_their_amounts_beside_words_of_the_shop() -> None:
    body = """
038211904417 HINGE PAIR <A>
   2@4.25                 8.50
038211775502 WOOD GLUE <A>
   3@5.10                15.30
   FREE PICKUP IN STORE
CLUB DISC                -1.00

TOTAL                    22.80
"""
    assert [name for name, _, _ in counted(body)] == ["HINGE PAIR", "WOOD GLUE", "CLUB DISC"]


def test_a_column_of_rates_is_no_count() -> None:
    body = """
DESCRIZIONE          IVA%   EURO
RISO ARBORIO KG        4    2,35
FARINA 00 KG           4    0,95
SAPONE LIQUIDO        22    1,80

TOTALE                      5,10
"""
    assert counted(body, "it") == [
        ("RISO ARBORIO KG", None, Decimal("2.35")),
        ("FARINA 00 KG", None, Decimal("0.95")),
        ("SAPONE LIQUIDO", None, Decimal("1.80")),
    ]


def test_a_unit_price_alone_is_no_name() -> None:
    body = """
RUMP STEAK 0.500kg
  @ 24.00/kg             12.00
BAY LEAVES                2.10

TOTAL                    14.10
"""
    assert [(name, total) for name, _, total in counted(body)] == [
        ("RUMP STEAK 0.500kg", Decimal("12.00")),
        ("BAY LEAVES", Decimal("2.10")),
    ]


def test_one_of_a_price_that_makes_an_amount_of_whole_units() -> None:
    body = """
Item          Qty Rate    Amt
Vegetable Curry  1  240  240.00
Plain Rice  3  110  330.00

TOTAL                  570.00
"""
    assert counted(body, "in") == [
        ("Vegetable Curry", 1, Decimal("240.00")),
        ("Plain Rice", 3, Decimal("330.00")),
    ]


def test_codes_on_rows_of_their_own_above_the_product() -> None:
    body = """
LN-52873-GRN
Linen shirt green       49.00
KC-31946-07
Kids cap                12.00
SC-04426-X
Scarf                   15.00

TOTAL                   76.00
"""
    found = items(body)
    assert [item.product_code for item in found] == ["LN-52873-GRN", "KC-31946-07", "SC-04426-X"]
    assert all(not item.above and not item.below for item in found)


def test_short_codes_count_only_where_the_rows_share_them() -> None:
    shared = """
CEM050 Cement            9.00
BRK114 Brick             2.00
PNT207 Paint            21.00

TOTAL                   32.00
"""
    assert [(i.product_code, i.desc_clean) for i in items(shared)] == [
        ("CEM050", "Cement"),
        ("BRK114", "Brick"),
        ("PNT207", "Paint"),
    ]
    dashed = shared.replace("CEM050", "CEM-05").replace("BRK114", "BR-114").replace("PNT207", "PNT-20")
    assert [i.product_code for i in items(dashed)] == ["CEM-05", "BR-114", "PNT-20"]
    alone = shared.replace("CEM050", "Strong").replace("PNT207", "Smooth")
    assert [i.product_code for i in items(alone)] == [None, None, None]


def test_a_size_or_a_pack_in_a_name_is_neither_code_nor_quantity() -> None:
    body = """
GAUZE 10X10 500ML        3.40
SOCKS 5PK                8.00
COTTON SHIRT 16.5       35.00

TOTAL                   46.40
"""
    found = items(body)
    assert [(i.desc_clean, i.qty, i.product_code) for i in found] == [
        ("GAUZE 10X10 500ML", None, None),
        ("SOCKS 5PK", None, None),
        ("COTTON SHIRT 16.5", None, None),
    ]


def test_the_numbers_of_a_list_are_no_quantities() -> None:
    body = """
1. PLASTERS                4.00
2. COTTON WOOL             2.50
3. THERMOMETER            12.00

TOTAL                     18.50
"""
    assert counted(body) == [
        ("PLASTERS", None, Decimal("4.00")),
        ("COTTON WOOL", None, Decimal("2.50")),
        ("THERMOMETER", None, Decimal("12.00")),
    ]


def test_a_column_of_quantities_behind_the_names() -> None:
    body = """
Item              Qty      Amount
Black dress         1       49.00
Wool scarf          3       29.97
Sandals 39          2       80.00

TOTAL                      158.97
"""
    assert [(name, qty) for name, qty, _ in counted(body)] == [
        ("Black dress", 1),
        ("Wool scarf", 3),
        ("Sandals 39", 2),
    ]


def test_counts_with_a_sign_behind_and_before_the_name() -> None:
    body = """
SIDE SALAD x3           12.00
2x 175ml Red Wine       11.00

TOTAL                   23.00
"""
    assert counted(body) == [("SIDE SALAD", 3, Decimal("12.00")), ("175ml Red Wine", 2, Decimal("11.00"))]


def test_a_number_that_begins_one_name_among_many_is_part_of_it() -> None:
    body = """
DIET COLA                3.75
7 UP                     3.25
GREEN SALAD              9.75
WHITE WINE              10.75

TOTAL                   27.50
"""
    assert ("7 UP", None, Decimal("3.25")) in counted(body)


def test_a_counted_word_stays_in_the_name() -> None:
    body = """
2 Glass House Red       17.00
1 Chicken Soup           6.00

TOTAL                   23.00
"""
    assert counted(body) == [("Glass House Red", 2, Decimal("17.00")), ("Chicken Soup", 1, Decimal("6.00"))]


def test_a_price_printed_twice_is_the_unit_price() -> None:
    body = """
Item          Qty    Price   Amount
Green Tea            5.00     5.00
Noodles             33.00    33.00

TOTAL                        38.00
"""
    assert [(i.price, i.qty) for i in items(body)] == [(Decimal("5.00"), None), (Decimal("33.00"), None)]


def test_a_name_broken_over_two_rows_and_a_choice_below_it() -> None:
    body = """
1 Grilled Chicken With Rice     9.50
  Salad
1 Lemonade                      3.00
     No ice

TOTAL                          12.50
"""
    found = items(body)
    assert [i.desc_clean for i in found] == ["Grilled Chicken With Rice Salad", "Lemonade"]
    assert [i.below for i in found] == [(), ("No ice",)]


def test_a_name_that_ends_in_x_keeps_it() -> None:
    body = """
Lunch Box               13.50
Soap Lux                 2.40

TOTAL                   15.90
"""
    assert [name for name, _, _ in counted(body)] == ["Lunch Box", "Soap Lux"]


def test_a_tax_code_that_looks_like_a_unit_does_not_hide_the_amount() -> None:
    body = """
NAPPIES
   1 X 32.00            $32.00 G
HAND CREAM
   1 X 11.90            $11.90 G

TOTAL                   $43.90
"""
    assert [(i.desc_clean, i.total.value) for i in items(body)] == [
        ("NAPPIES", Decimal("32.00")),
        ("HAND CREAM", Decimal("11.90")),
    ]


def test_a_product_whose_name_holds_a_means_of_payment() -> None:
    body = """
1 BRAISED OCTOPUS       37.00
1 GNOCCHI               21.00

TOTAL                   58.00
VISA                    58.00
"""
    assert [name for name, _, _ in counted(body)] == ["BRAISED OCTOPUS", "GNOCCHI"]


def test_a_group_that_repeats_its_products_is_no_product() -> None:
    body = """
2 Pale Ale              10.20
Food                    10.20

Tax                      1.00
TOTAL                   11.20
"""
    assert counted(body) == [("Pale Ale", 2, Decimal("10.20"))]


def test_counts_with_a_stroke_and_before_a_number_of_the_menu() -> None:
    body = """
2-Corn fritters          4.52
1-Large cola             1.74
TOTAL                    6.26
"""
    assert counted(body) == [("Corn fritters", 2, Decimal("4.52")), ("Large cola", 1, Decimal("1.74"))]
    body = """
1 34. Green curry       21.95
2 16. Spicy rolls        8.50
TOTAL                   30.45
"""
    assert [qty for _, qty, _ in counted(body)] == [1, 2]


def test_digits_that_stand_for_letters_are_put_right_in_the_clean_name() -> None:
    body = """
C0la light               4.00
Vani11a shake            2.50
Oil 0W-20 500ML          9.00
TOTAL                   15.50
"""
    found = items(body)
    assert [item.desc_clean for item in found] == ["Cola light", "Vanilla shake", "Oil 0W-20 500ML"]
    assert found[0].desc == "C0la light"


def test_a_code_below_a_priced_name_with_count_and_amount_is_the_same_product() -> None:
    body = """
RICE FINE                    @63.00
4006381333931 *4             252.00
BEANS                         88.50
TOTAL                        340.50
"""
    found = items(body)
    assert [(i.desc_clean, i.total.value) for i in found] == [
        ("RICE FINE", Decimal("252.00")),
        ("BEANS", Decimal("88.50")),
    ]
    assert (found[0].price, found[0].qty) == (Decimal("63.00"), 4)


def test_a_total_in_the_middle_of_the_list_is_no_product() -> None:
    body = """
WHITE BREAD              3.84
RYE BREAD                6.12
Total 5% goods:          9.96
CREAM BUN               14.40
KAYA BUN                 9.60
PANDAN BUN               1.20
CHEESE BUN               2.10
RAISIN BUN               3.30
PLAIN BUN                0.90
TOTAL PAYABLE           41.46
"""
    found = [i.total.value for i in items(body)]
    assert len(found) == 8 and Decimal("9.82") not in found


def test_a_tare_is_no_amount() -> None:
    body = """
1.08 lb @ 1.99 /lb TARE = .01
PLUMS                    2.15
TOTAL                    2.15
"""
    assert [i.total.value for i in items(body)] == [Decimal("2.15")]


def test_columns_of_whole_numbers_stay_apart() -> None:
    body = """
鉛筆          1   495   495
消しゴム      2   250   500
ノート        1   669   669

合計                  1,664
"""
    assert [(qty, total) for _, qty, total in counted(body, "ja")] == [(1, 495), (2, 250 * 2), (1, 669)]


def test_a_count_alone_before_an_amount_below_the_name() -> None:
    body = """
CANVAS BAG
1                       18.50
WOOL HAT
2                       40.00

TOTAL                   58.50
"""
    assert counted(body) == [("CANVAS BAG", 1, Decimal("18.50")), ("WOOL HAT", 2, Decimal("40.00"))]


def test_counts_and_whole_prices_below_their_names() -> None:
    body = """
Plasters                   38
   2 pc x 19
Syrup                      43
   1 pc x 43

TOTAL                    $ 81
"""
    assert [(i.desc_clean, i.qty, i.price) for i in items(body, "hk")] == [
        ("Plasters", 2, 19),
        ("Syrup", 1, 43),
    ]


def test_codes_before_names_where_no_price_has_decimals() -> None:
    body = """
31076 ごはん          2 1,410 2,820
83478 うどん          1   950   950

合計                          3,770
"""
    assert [i.product_code for i in items(body, "ja")] == ["31076", "83478"]


def test_the_code_above_the_only_product() -> None:
    body = """
952038237
WOOL SWEATER L          47.58

TOTAL                   47.58
"""
    assert [i.product_code for i in items(body)] == ["952038237"]


def test_a_rate_behind_the_amounts_hides_no_product() -> None:
    body = """
HAND CREAM 75ML          8,50 20,00%
COUGH SYRUP              6,90 10,00%
TOTAL                   15,40
"""
    assert [i.total.value for i in items(body, "fr")] == [Decimal("8.50"), Decimal("6.90")]


def test_a_weight_and_its_price_without_a_sign_between_them() -> None:
    body = """
1 PLATANO
0,754 kg    1,89 EUR/kg  1,43
1 PAN RUSTICO            0,85
TOTAL                    2,28
"""
    fruit = items(body, "es")[0]
    assert (fruit.desc_clean, fruit.unit, fruit.price) == ("PLATANO", Decimal("0.754"), Decimal("1.89"))


@pytest.mark.parametrize("row", ["Pump 3 Diesel", "Diesel pump 3", "Diesel  Pump 3"])
def test_a_pump_beside_the_fuel_is_no_part_of_its_name(row: str) -> None:
    body = f"""
{row}
34.52 L @ 1.739 EUR/L   60.03
Coffee Large             3.45
TOTAL EUR               63.48
"""
    fuel = items(body, "ie")[0]
    assert (fuel.desc_clean, fuel.unit, fuel.price) == ("Diesel", Decimal("34.52"), Decimal("1.739"))


def test_groups_that_together_repeat_the_products_are_none() -> None:
    body = """
2 Pancakes              23.90
1 Eggs on toast         10.50
4 Americano             13.20
Food                    34.40
Beverage                13.20
Total Due               47.60
"""
    assert [i.total.value for i in items(body, "gb")] == [Decimal(v) for v in ("23.90", "10.50", "13.20")]


def test_a_fare_and_its_surcharge_are_sold_together() -> None:
    body = """
Fahrpreis              28,40 EUR
Zuschlag Gepäck         2,00 EUR
Gesamt                 30,40 EUR
"""
    assert [i.desc_clean for i in items(body, "de")] == ["Fahrpreis", "Zuschlag Gepäck"]


def test_a_count_and_its_price_above_or_below_the_amount_are_no_product() -> None:
    above = """
   2 pc x 20.50
WOOL SCARF              41.00
   1 pc x 8.00
CAP                      8.00

TOTAL                   49.00
"""
    assert counted(above) == [("WOOL SCARF", 2, Decimal("41.00")), ("CAP", 1, Decimal("8.00"))]
    below = """
一日券                   818
  1 個 * 818

合計                     818
"""
    assert counted(below, "ja") == [("一日券", 1, Decimal(818))]


def test_what_is_brought_back_is_no_change() -> None:
    body = """
RETOUR JEAN             -63,80 A
TOTAAL                  -63,80
Bancontact              -63,80
"""
    assert [i.total.value for i in items(body, "be")] == [Decimal("-63.80")]


def test_rates_behind_the_names_are_no_part_of_them() -> None:
    body = """
PANE DI SEGALE    4,00%        2,30
BISCOTTI         10,00%        2,90
DETERSIVO        22,00%        3,99
TOTALE                         9,19
"""
    assert [i.desc_clean for i in items(body, "it")] == ["PANE DI SEGALE", "BISCOTTI", "DETERSIVO"]
    body = """
RYE BREAD                      2.30
LOW FAT MILK 2%                2.90
APPLES                         3.99
TOTAL                          9.19
"""
    assert [i.desc_clean for i in items(body)] == ["RYE BREAD", "LOW FAT MILK 2%", "APPLES"]


def test_a_short_name_behind_its_code_names_the_amount_below() -> None:
    body = """
5352073695481 VAI 600ML
  1x 2.60                2.60
3788187432384 MASI
  4x 1.50                6.00

TOTAL                    8.60
"""
    assert [(i.desc_clean, i.qty, i.product_code) for i in items(body, "to")] == [
        ("VAI 600ML", 1, "5352073695481"),
        ("MASI", 4, "3788187432384"),
    ]


def test_the_word_for_a_return_is_no_part_of_the_name() -> None:
    body = """
RETURN WOOL JUMPER L    -40.00
-1 RAIN JACKET          -28.00
LINEN SHIRT              90.00

TOTAL                    22.00
"""
    assert counted(body, "nz") == [
        ("WOOL JUMPER L", None, Decimal("-40.00")),
        ("RAIN JACKET", -1, Decimal("-28.00")),
        ("LINEN SHIRT", None, Decimal("90.00")),
    ]


def test_a_count_with_its_sign_behind_a_name_that_ends_in_a_number() -> None:
    body = """
SUN LOTION SPF50 x1      14.75
BABY WIPES 64 x2          6.50

TOTAL                    21.25
"""
    assert counted(body, "sg") == [
        ("SUN LOTION SPF50", 1, Decimal("14.75")),
        ("BABY WIPES 64", 2, Decimal("6.50")),
    ]


def test_how_a_product_is_packed_is_no_count() -> None:
    body = """
TOILET TISSUE 9 ROLL     29.00
SODA BREAD                3.00

TOTAL                    32.00
"""
    assert counted(body, "nz")[0] == ("TOILET TISSUE 9 ROLL", None, Decimal("29.00"))


def test_the_units_of_a_count_name_nothing() -> None:
    body = """
Nem ran                   70.500
Pho bo tai
3 cai x 57.000           171.000
Tra da
2 cai x 6.500             13.000

Tong cong                254.500
"""
    assert counted(body, "vn")[1:] == [("Pho bo tai", 3, 171000), ("Tra da", 2, 13000)]


def test_numbers_of_a_short_list_are_no_part_of_the_names() -> None:
    body = """
1. FARE                  89.00
2. LUGGAGE                9.00

TOTAL                    98.00
"""
    assert [name for name, _, _ in counted(body, "nz")] == ["FARE", "LUGGAGE"]


def test_a_room_above_the_first_amount_is_what_was_sold() -> None:
    body = """
Double Room
B5509            3  775.00    2325.00
Breakfast
J1129            1  284.00     284.00

TOTAL                         2609.00
"""
    assert [i.desc_clean for i in items(body, "in")] == ["Double Room", "Breakfast"]


def test_a_day_is_no_part_of_a_name_with_a_misread_letter() -> None:
    body = """
05/02/25 R00M CHARGE    100.00
05/03/25 ROOM CHARGE    100.00

TOTAL                   200.00
"""
    assert [i.desc_clean for i in items(body, "us")] == ["R00M CHARGE", "ROOM CHARGE"]


def test_a_measure_behind_a_name_is_the_size_of_what_is_sold() -> None:
    found = items(
        "WHOLE MILK GAL           3.19\nBREAD                    2.00\nEGGS                     4.00"
    )
    assert (found[0].desc_clean, found[0].total.value) == ("WHOLE MILK GAL", Decimal("3.19"))


def test_a_count_below_a_saving_is_of_the_next_product() -> None:
    found = items(
        """
PAPER TOWEL              8.99 T
SC TOWEL SAVINGS         1.50-T
2 @ 2/5.00
OAT FLAKES               5.00 F
"""
    )
    assert [(i.total.value, i.qty) for i in found] == [
        (Decimal("8.99"), None),
        (Decimal("-1.50"), None),
        (Decimal("5.00"), Decimal(2)),
    ]


def test_a_discount_between_a_name_and_its_amount_moves_no_names() -> None:
    found = items(
        """
1 COCOA DRINK
9556001131201
1 X 17.90               17.90
2 WHITE BREAD
9557089999912
2 X 2.80                 5.60
3 POTATO FRIES
DISC                    -1.00
1 X 9.93                 8.93
4 EGGS TRAY
1 X 12.00               12.00
TOTAL                   44.43
""",
        "my",
    )
    clean = {i.total.value: i.desc_clean for i in found}
    assert clean[Decimal("17.90")].endswith("COCOA DRINK")
    assert clean[Decimal("12.00")].endswith("EGGS TRAY")


def test_a_number_behind_a_columns_heading_is_no_part_of_the_name() -> None:
    body = """
Particulars            Qty   Rate   Amount
Copper Wire 90m HSN 8544   2  450.00   900.00
Wall Lamp 9W (HSN:94054900)  4  50.00   200.00
Total                              1100.00
"""
    assert counted(body, "in") == [
        ("Copper Wire 90m", 2, Decimal("900.00")),
        ("Wall Lamp 9W", 4, Decimal("200.00")),
    ]

"""Products whose rows tills print in rarer ways."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.stages.items.rows.words import trailing_product
from tests.printed import read
from tests.unit.stages.printed_sheets import names, sheet


def test_a_zero_below_whole_amounts_is_the_amount_of_a_gift() -> None:
    found = sheet(
        """
QUÁN LÁ CHUỐI
Món                 SL    Đ.Giá    T.Tiền
Cơm tấm              2   45.000    90.000
Chè đậu              1   20.000    20.000
Trà đá miễn phí      2        0         0
Tổng cộng                         110.000
Tiền mặt                          110.000
""",
        "vn",
    )
    assert names(found.items) == [("Cơm tấm", 90000), ("Chè đậu", 20000), ("Trà đá miễn phí", 0)]


def test_a_name_above_its_count_and_price_may_say_what_pays_or_saves() -> None:
    found = sheet(
        """
      TOKO RATNA
Sabun mandi
 2 x 4.500             9.000
Paket Hemat 3
 1 x 45.000           45.000
Teh celup
 3 x 6.000            18.000
Total                 72.000
""",
        "id",
    )
    assert [name for name, _ in names(found.items)] == ["Sabun mandi", "Paket Hemat 3", "Teh celup"]


def test_a_product_without_tax_does_not_end_the_list() -> None:
    found = sheet(
        """
      ООО "БЕРЕЗА"
Чай чёрный
 2 шт * 80.00         =160.00
 НДС 10%
Подарочная карта 500
 1 шт * 500.00        =500.00
 БЕЗ НДС
Салфетки
 1 шт * 40.00          =40.00
 НДС 22%
ИТОГ                  =700.00
""",
        "ru",
    )
    assert [name for name, _ in names(found.items)] == ["Чай чёрный", "Подарочная карта 500", "Салфетки"]


def test_a_word_for_a_void_below_a_name_is_no_part_of_it() -> None:
    found = sheet(
        """
      HOFLADEN BRINK
Landmilch 3,8%   2 x 1,30     2,60
STORNO
Landmilch 3,8%   1 x 1,30    -1,30
Eier 10 St                    3,20
SUMME                         4,50
""",
        "de",
    )
    assert [name for name, _ in names(found.items)][:2] == ["Landmilch 3,8%", "Landmilch 3,8%"]
    assert not any(entry.role == "discount" for entry in found.entries)


def test_a_price_that_its_name_touches_stays_in_the_name() -> None:
    found = sheet(
        """
      달빛식당
메뉴        단가   수량      금액
김치전     8,000     2    16,000
1000원할인 -1,000    2    -2,000
식혜       3,000     1     3,000
합계                      17,000
""",
        "kr",
    )
    assert names(found.items)[1] == ("1000원할인", Decimal(-2000))


def test_marks_before_the_parts_of_a_combo_are_no_part_of_their_names() -> None:
    found = sheet(
        """
      BURGER BARN
Barn Combo             9.50
 > Fries               0.00
 » Root Beer           0.00
Total                  9.50
""",
        "us",
    )
    assert [name for name, _ in names(found.items)] == ["Barn Combo", "Fries", "Root Beer"]


def test_a_lone_product_below_a_subtotal_shows_its_price() -> None:
    text = """
 Elektro Brinkmann
 Rechnung 2026-44      04.05.2026
Pos Menge Einh. Bezeichnung       EP    Gesamt
1    3,00 Stk   Steckdose       6,90     20,70
2   10,00 m     Kabel           1,20     12,00
     Zwischensumme                       32,70
3    1,00 psch  Anfahrt        25,00     25,00
     Nettobetrag                         57,70
     zzgl. 19% MwSt.                     10,96
     Rechnungsbetrag                     68,66
"""
    found = read(text, "de")
    assert [item.line_total for item in found.line_items] == [Decimal("20.70"), 12, 25]
    assert (found.sub_total, found.total) == (Decimal("57.70"), Decimal("68.66"))


def test_a_name_with_a_weak_word_for_a_card_is_sold_below_a_subtotal() -> None:
    found = sheet(
        """
     CALDER STORES
BELT                     24.00
SCARF                    11.00
Dept Subtotal            35.00
TOWEL                    12.99
GIFT BOX                  1.25
SUBTOTAL                 49.24
TAX                       3.57
TOTAL                    52.81
""",
        "us",
    )
    assert [name for name, _ in names(found.items)] == ["BELT", "SCARF", "TOWEL", "GIFT BOX"]


def test_the_second_of_two_whole_numbers_is_the_price_of_a_gift() -> None:
    assert trailing_product("Mug 1 0", Decimal(0)) == (1, 0, 4)
    assert trailing_product("Mug 170 2", Decimal(340)) == (2, 170, 4)


def test_small_whole_discounts_show_their_rate_before_the_amount() -> None:
    found = sheet(
        """
      ZÖLD BOLT
Kenyér                   890
Kifli                    480
engedmény 20%            -96
Vaj                    1 250
ÖSSZESEN               2 524
""",
        "hu",
    )
    assert ("engedmény 20%", Decimal(-96)) in names(found.items)


def test_a_discount_for_a_card_is_among_the_products() -> None:
    found = sheet(
        """
   PASTELARIA DO LARGO
Galão                     1,75
Tosta mista               4,20
Desc. cartão             -0,50
TOTAL A PAGAR             5,45
MULTIBANCO                5,45
""",
        "pt",
    )
    assert names(found.items)[-1][1] == Decimal("-0.50")


def test_rows_in_the_column_of_names_continue_a_name_in_a_table() -> None:
    table = """
 SARL TALBOT CHAUFFAGE
Réf     Désignation        Qté  P.U. HT   Total HT
MO01    Pose                 2    52,00     104,00
FOU7    Mitigeur             1    89,00      89,00
        chromé bec haut
        avec vidage
FOU9    Flexible             2     6,75      13,50
                           Total HT         206,50
"""
    found = sheet(table, "fr")
    assert [name for name, _ in names(found.items)] == [
        "Pose",
        "Mitigeur chromé bec haut avec vidage",
        "Flexible",
    ]
    assert all(not item.below for item in found.items)


def test_options_below_names_behind_a_count_do_not_continue_them() -> None:
    menu = """
 THE HERON
1      Ribeye            32.00
       Medium rare
1      Fish cakes        19.80
TOTAL                    51.80
"""
    found = sheet(menu, "ie")
    assert [name for name, _ in names(found.items)] == ["Ribeye", "Fish cakes"]


def test_an_offer_alone_before_an_amount_is_no_name() -> None:
    found = sheet(
        """
     MATBODEN
Mjölk 1,5L               18,95
Kaffe mellan
   3 för 150 kr         179,85
  Rabatt                -29,85
Diskmedel                29,90
ATT BETALA              198,85
""",
        "se",
    )
    assert names(found.items)[:2] == [("Mjölk 1,5L", Decimal("18.95")), ("Kaffe mellan", Decimal("179.85"))]


def test_a_group_between_signs_names_no_weight_above_it() -> None:
    found = sheet(
        """
     LE PANIER
POMME GALA
  1 ,285 kg x 2,49 €/kg     3,20 €
>>>> CREMERIE
LAIT ENTIER 1L              1,05 €
BEURRE DOUX                 2,79 €
TOTAL                       7,04 €
""",
        "fr",
    )
    assert names(found.items)[0] == ("POMME GALA", Decimal("3.20"))
    assert found.items[0].unit == Decimal("1.285")


def test_a_size_beside_a_code_is_not_the_first_name() -> None:
    found = sheet(
        """
     TRAIL SHOP
 TRAIL TIGHT
   SKU 4471180  BLK / M
   1 @ 69.00                69.00
 SOCK CREW
   SKU 2200417  OAT / OS
   2 @ 17.99                35.98
 TOTAL                     104.98
""",
        "us",
    )
    assert [name for name, _ in names(found.items)] == ["TRAIL TIGHT", "SOCK CREW"]


def test_tax_codes_with_digits_may_touch_names() -> None:
    found = sheet(
        """
     ZÖLD BOLT
C00 Kenyér               890
C00Trappista           1 630
E00 Kifli                480
ÖSSZESEN               3 000
""",
        "hu",
    )
    assert [name for name, _ in names(found.items)] == ["Kenyér", "Trappista", "Kifli"]


def test_codes_of_letters_beside_amounts_take_the_names_below() -> None:
    found = sheet(
        """
   FERRETERIA EL MARTILLO
CANT  CLAVE    P.UNIT     IMPORTE
 DESCRIPCION
   2  CEM50    $248.00    $496.00
 CEMENTO GRIS
   3  CLV3      $10.00     $30.00
 CLAVO CONCRETO
   1  DESC     -$26.00    -$26.00
 DESCUENTO PINTURA
   TOTAL                  $500.00
""",
        "mx",
    )
    assert [name for name, _ in names(found.items)] == ["CEMENTO GRIS", "CLAVO CONCRETO", "DESCUENTO PINTURA"]


def test_a_short_name_beside_the_article_number_goes_on_below() -> None:
    found = sheet(
        """
      TIMBER & TOOL DEPOT
887480001187 HINGE <A>
   BRASS 3IN 2PK
   3@4.10         12.30
020066118204 PRIMER <A>
   GRAY 12OZ      11.98
887480016802 SCREW DK <A>
   EXT 3IN 5LB
   2@21.50        43.00
   SUBTOTAL       67.28
   TOTAL         $67.28
""",
        "us",
    )
    wanted = [
        ("HINGE BRASS 3IN 2PK", "12.30"),
        ("PRIMER GRAY 12OZ", "11.98"),
        ("SCREW DK EXT 3IN 5LB", "43.00"),
    ]
    assert names(found.items) == [(name, Decimal(amount)) for name, amount in wanted]


def test_a_count_behind_a_name_makes_the_amount_with_the_price_below() -> None:
    found = sheet(
        """
      LOLA'S GRILL HOUSE
Grilled Squid         1
    @ 310.00      310.00V
Garlic Rice           4
    @ 40.00       160.00V
SUBTOTAL          470.00
TOTAL DUE         470.00
CASH              500.00
CHANGE             30.00
""",
        "ph",
    )
    assert [(item.qty, item.desc_clean) for item in found.items] == [(1, "Grilled Squid"), (4, "Garlic Rice")]


def test_a_discount_printed_again_below_the_subtotal_is_no_product() -> None:
    found = sheet(
        """
      LOLA'S GRILL HOUSE
Grilled Squid          310.00
Garlic Rice            160.00
     SENIOR DISC 20%   -83.93
SUBTOTAL               470.00
Less: VAT               50.36
Less: SENIOR DISC       83.93
TOTAL DUE              335.71
CASH                   335.71
""",
        "ph",
    )
    assert names(found.items) == [("Grilled Squid", 310), ("Garlic Rice", 160)]


def test_a_name_wider_than_the_room_before_the_counts_begins_above() -> None:
    found = sheet(
        """
      SKLEP DOMOWY
OBRUS BAWEŁNIANY 140 SZARY
W PASKI          1 * 79,90    79,90 A
SERWETKI         2 * 12,50    25,00 A
PODKŁADKI KORKOWE OKRĄGŁE
W KWIATY         1 * 17,90    17,90 A
SUMA PLN                     122,80
KARTA                        122,80
""",
        "pl",
    )
    assert [name for name, _ in names(found.items)] == [
        "OBRUS BAWEŁNIANY 140 SZARY W PASKI",
        "SERWETKI",
        "PODKŁADKI KORKOWE OKRĄGŁE W KWIATY",
    ]


def test_a_short_name_beside_its_code_is_not_the_code_of_the_product_above() -> None:
    found = sheet(
        """
      GARTENMARKT AM RING
4009471882001 Lasur
   Nussbaum hell
   1 Stk   x   34,95          34,95
2200044718    Rasenkante
   7,5 m   x    3,20          24,00
4011905118822 Fugenmörtel grau
   2 Stk   x   12,99          25,98
Summe                         84,93
EC-Cash                       84,93
""",
        "de",
    )
    wanted = [("Lasur Nussbaum hell", "34.95"), ("Rasenkante", "24.00"), ("Fugenmörtel grau", "25.98")]
    assert names(found.items) == [(name, Decimal(amount)) for name, amount in wanted]


def test_the_row_of_a_sum_does_not_set_the_left_edge_of_the_names() -> None:
    found = sheet(
        """
 Item               Qty  Rate    Amt
 -----------------------------------
 Vegetable Kofta
 Curry                1 240.00 240.00
 Plain Naan           4  30.00 120.00
 Sweet Lassi Large    2  80.00 160.00
 -----------------------------------
Total Qty: 7
Sub Total                      520.00
CGST 2.5%                       13.00
SGST 2.5%                       13.00
Grand Total                    546.00
""",
        "in",
    )
    assert [name for name, _ in names(found.items)] == [
        "Vegetable Kofta Curry",
        "Plain Naan",
        "Sweet Lassi Large",
    ]

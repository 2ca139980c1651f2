"""Counts, prices and codes beside the names of products, and rows of words that are neither."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.document import Item
from tests.printed import read
from tests.unit.stages.items.test_items import items
from tests.unit.stages.printed_sheets import sheet


def priced(body: str, region: str) -> list[tuple[str, Decimal | None, Decimal | None, Decimal]]:
    return [(i.desc_clean, i.qty or i.unit, i.price, i.total.value) for i in items(body, region)]


def test_words_for_quantity_and_price_beside_their_amount_are_no_name() -> None:
    body = """
Pears Green
   Qty 3 @ $1.50 each        $4.50
Bread Rolls                  $3.00

TOTAL                        $7.50
"""
    assert priced(body, "au") == [
        ("Pears Green", 3, Decimal("1.50"), Decimal("4.50")),
        ("Bread Rolls", None, None, Decimal("3.00")),
    ]


def test_dots_that_lead_to_a_count_are_no_name() -> None:
    body = """
Item             Qty    Amount
Mezze Plate        1     38.00
Lentil Soup....... 2     30.00
Mint Tea           1      9.00

TOTAL                    77.00
"""
    assert [i.desc_clean for i in items(body, "ae")] == ["Mezze Plate", "Lentil Soup", "Mint Tea"]


def test_a_name_between_count_and_price_stays_a_name() -> None:
    body = """
2 Latte @3.50         7.00
3 Pt Stout @5.60     16.80
1 Scone               2.75

TOTAL                26.55
"""
    assert priced(body, "ie") == [
        ("Latte", 2, Decimal("3.50"), Decimal("7.00")),
        ("Pt Stout", 3, Decimal("5.60"), Decimal("16.80")),
        ("Scone", 1, None, Decimal("2.75")),
    ]


def test_a_count_with_its_sign_before_the_name_has_the_price_behind_it() -> None:
    body = """
 2x Knödel          4,90     9,80
 1x Rotkohl         3,50     3,50
Summe                       13,30
"""
    assert priced(body, "de") == [
        ("Knödel", 2, Decimal("4.90"), Decimal("9.80")),
        ("Rotkohl", 1, Decimal("3.50"), Decimal("3.50")),
    ]


def test_a_price_before_its_count() -> None:
    body = """
BROOD WIT               1,80
STATIEGELD 0,10 2x      0,20
TOTAAL                  2,00
"""
    assert priced(body, "be")[1] == ("STATIEGELD", 2, Decimal("0.10"), Decimal("0.20"))


def test_a_star_behind_a_size_marks_a_tax() -> None:
    body = """
SODA LIME 600ML *       $4.50
BREAD LOAF              $3.00
TOTAL                   $7.50
"""
    assert priced(body, "au")[0] == ("SODA LIME 600ML", None, None, Decimal("4.50"))


def test_numbers_of_the_list_with_noughts_count_nothing_and_codes_follow_them() -> None:
    body = """
001 12 PAO DOCE 0,320 KG X 18,90        6,05
002 45 CHA GELADO 2 UN X 4,50           9,00
003 88 BOLO DE MILHO 1 UN X 6,00        6,00
TOTAL R$                               21,05
"""
    found = items(body, "br")
    assert [(i.desc_clean, i.product_code, i.qty, i.unit) for i in found] == [
        ("PAO DOCE", "12", None, Decimal("0.320")),
        ("CHA GELADO", "45", 2, None),
        ("BOLO DE MILHO", "88", 1, None),
    ]


def test_codes_of_taxes_between_name_and_amount_are_left_out() -> None:
    body = """
01 SOUPE DU JOUR    B       8,50
01 STEAK MAISON     B      21,00
02 BIERE PRESSION   A       7,00
TOTAL EUR                  36,50
"""
    assert [i.desc_clean for i in items(body, "be")] == ["SOUPE DU JOUR", "STEAK MAISON", "BIERE PRESSION"]
    long = """
OAT RINGS           MRJ      5.99
PLAIN BREAD                  3.49
TOTAL                        9.48
"""
    assert [i.desc_clean for i in items(long, "ca")] == ["OAT RINGS", "PLAIN BREAD"]
    once = """
VITAMIN B                    5.99
PLAIN BREAD                  3.49
TOTAL                        9.48
"""
    assert items(once, "ca")[0].desc_clean == "VITAMIN B"


def test_a_row_of_the_pump_alone_stands_between_fuel_and_its_amount() -> None:
    body = """
*000123  Super E10
  ZP 04
  42,11 l   x 2,159 EUR/l     90,92 A
SUMME                         90,92
"""
    assert priced(body, "de") == [("Super E10", Decimal("42.11"), Decimal("2.159"), Decimal("90.92"))]


def only(found: tuple[Item, ...]) -> Item:
    assert len(found) == 1
    return found[0]


def test_fuel_whose_price_names_its_measure() -> None:
    body = """
PRODUCT : PETROL
RATE/LTR : Rs 96.97
AMOUNT : Rs 1500.00
VOLUME(LTR.) : 15.47 Lt
"""
    item = only(items(body, "in"))
    assert (item.desc_clean, item.unit, item.price) == ("PETROL", Decimal("15.47"), Decimal("96.97"))


def test_an_offer_s_price_is_not_that_of_what_it_takes_off() -> None:
    body = """
NOODLES BEEF        26.50
NOODLES BEEF        26.50
NOODLES BEEF        26.50
  3 FOR $66        -13.50
TOTAL               66.00
"""
    offer = items(body, "hk")[-1]
    assert (offer.qty, offer.price, offer.total.value) == (None, None, Decimal("-13.50"))


def test_a_column_may_take_something_off() -> None:
    body = """
QTY  U/PRICE   DISC    AMOUNT
SOAP LEMON 900ML
  2    4.90    0.00      9.80
NOODLES CURRY
  3    5.20    1.50     14.10
SUB TOTAL               23.90
"""
    assert [(qty, price) for _, qty, price, _ in priced(body, "my")] == [
        (2, Decimal("4.90")),
        (3, Decimal("5.20")),
    ]


def test_short_codes_beside_long_ones() -> None:
    body = """
7702001 LECHE ENTERA      4.850
7705210 JABON LIQUIDO    18.900
4011 BANANO               3.952
TOTAL                    27.702
"""
    assert [i.product_code for i in items(body, "co")] == ["7702001", "7705210", "4011"]


def test_a_price_before_its_count_with_a_unit() -> None:
    body = """
ビール
  @218 x 2点          ¥436
牛乳                  ¥220
合計                  ¥656
"""
    assert [(i.qty, i.price) for i in items(body, "ja")] == [(2, Decimal("218")), (None, None)]


def test_days_and_batches_before_and_behind_most_names_are_left_out() -> None:
    account = """
07.06.   Zimmer Nord          2   118,00     236,00
07.06.   Mittagessen          2    16,50      33,00
08.06.   Wasser still         1     7,50       7,50
Rechnungsbetrag                              276,50
"""
    assert [i.desc_clean for i in items(account, "de")] == ["Zimmer Nord", "Mittagessen", "Wasser still"]
    visits = """
Oct 2, 2025   First visit              90.00
Oct 9, 2025   Second visit             60.00
Total                                 150.00
"""
    assert [i.desc_clean for i in items(visits, "ca")] == ["First visit", "Second visit"]
    pharmacy = """
1 COUGH TABS       DL1182  08/25  15  2.01  30.15
2 SALT SACHET      OR22    01/26   4 22.00  88.00
3 BALM RUB 25ML    VK01    11/25   1 110.00 110.00
Bill Amount                                228.15
"""
    assert [i.desc_clean for i in items(pharmacy, "in")] == ["COUGH TABS", "SALT SACHET", "BALM RUB 25ML"]


def test_a_document_s_number_is_no_price() -> None:
    body = """
BOLETA ELECTRONICA 882014
Surtidor 3  Gasolina 95
Litros 23,809   Precio 1.260
Total         $ 30.000
"""
    item = only(items(body, "cl"))
    assert (item.desc_clean, item.unit, item.price) == ("Gasolina 95", Decimal("23.809"), Decimal("1260"))


def test_fuel_with_a_whole_price_on_the_row_of_its_volume() -> None:
    body = """
レギュラー
  数量 32.10L 単価 168
  金額 5,393円
合計 5,393円
"""
    item = only(items(body, "ja"))
    assert (item.desc_clean, item.unit, item.price) == ("レギュラー", Decimal("32.10"), Decimal("168"))


@pytest.mark.parametrize("glued", ["1 UN -119,50-119,50", "-1 UN 119,50-119,50"])
def test_a_return_whose_price_touches_its_amount(glued: str) -> None:
    body = f"""
664203518 BLUSA LISTRADA {glued}
662918407 SHORT 38    1 UN  79,50  79,50
TOTAL                              -40,00
"""
    assert [(i.desc_clean, abs(i.qty), i.price, i.total.value) for i in items(body, "br")] == [
        ("BLUSA LISTRADA", 1, Decimal("119.50"), Decimal("-119.50")),
        ("SHORT 38", 1, Decimal("79.50"), Decimal("79.50")),
    ]


def test_an_amount_alone_on_a_slip_is_no_product() -> None:
    assert items("MONTANT REEL :\n        23,48 EUR\nDEBIT\n", "fr") == ()


def test_a_count_in_brackets_behind_a_name() -> None:
    body = """
Ginger Ale (x2)              8.00
Nachos                       9.50

TOTAL                       17.50
"""
    assert priced(body, "us")[0] == ("Ginger Ale", 2, None, Decimal("8.00"))


def test_a_price_behind_a_weight_may_have_a_sign_that_is_not_known() -> None:
    body = """
HRUSKY
0,520 kg * Kx 39,90/kg    20,75
ROHLIK                     3,90

CELKEM                    24,65
"""
    assert priced(body, "cz")[0] == ("HRUSKY", Decimal("0.520"), Decimal("39.90"), Decimal("20.75"))


def test_a_word_for_loyalty_is_a_name_among_products_that_need_it() -> None:
    body = """
LOYALTY CHOC BAR           8.50
OAT BISCUITS              12.00
TEA                       20.00

TOTAL                     40.50
"""
    assert [name for name, *_ in priced(body, "za")] == ["LOYALTY CHOC BAR", "OAT BISCUITS", "TEA"]


def test_two_products_of_one_price_are_two() -> None:
    body = """
Cola     2,000    9    18,000
Cider    2,000    9    18,000

TOTAL                  36,000
"""
    assert len(priced(body, "kr")) == 2


def test_a_word_for_a_quantity_between_count_and_name_is_no_part_of_it() -> None:
    body = """
2 QTY    SPRING LEEKS        3.00
CELERY ROOT                  1.45
6 QTY    CORN SALAD          9.00

TOTAL                       13.45
"""
    assert [(name, count) for name, count, *_ in priced(body, "ca")] == [
        ("SPRING LEEKS", 2),
        ("CELERY ROOT", None),
        ("CORN SALAD", 6),
    ]


def test_an_offer_below_a_product_is_not_how_it_was_bought() -> None:
    body = """
06038300017   BARN EGGS      4.29
   $4.29 ea or 2/$7.90
   1 @ $4.29 ea
06148300018   OAT DRINK      3.60

TOTAL                        7.89
"""
    assert [(count, price) for _, count, price, _ in priced(body, "ca")] == [
        (1, Decimal("4.29")),
        (None, None),
    ]


def test_short_names_and_tips_behind_list_and_article_number_are_products() -> None:
    body = """
001 1130017 PRATO SOL
1 UN 42,00(0)               42,00
002 1330018 SUCO UVA
2 UN 8,00(0)                16,00
003 9999000000019 Gorjeta da casa
1 UN 5,80(0)                 5,80

TOTAL R$                    63,80
"""
    assert [name for name, *_ in priced(body, "br")] == ["PRATO SOL", "SUCO UVA", "Gorjeta da casa"]


def test_an_account_may_end_in_a_charge() -> None:
    account = """
Date       Description      Charges    Credits
03/04/24   Room Charge       189.00
03/04/24   Occupancy Tax      22.68
03/05/24   Larch Grill        34.50
03/06/24   Visa XXXX4417                246.18
Total                        246.18     246.18
"""
    assert [i.desc_clean for i in items(account, "us")] == ["Room Charge", "Larch Grill"]


def test_a_discount_of_nothing_is_no_product() -> None:
    sale = """
1 1081971 BOLO DE IPE 1,0000 UN X 7,59          7,59
2 34805 SUCO DE CAJU  1,0000 UN X 5,89          5,89
Total de descontos/ acréscimos sobre o item     0,00
TOTAL R$                                       13,48
"""
    assert [i.desc_clean for i in items(sale, "br")] == ["BOLO DE IPE", "SUCO DE CAJU"]


def test_a_name_beside_its_labelled_code_is_no_heading() -> None:
    sale = """
BOLO DE IPE (Código: 21468)             Vl. Total
Qtde.: 2  UN: UN  Vl. Unit.: 4,99            9,98
Valor a pagar R$:                            9,98
"""
    assert items(sale, "br")[0].desc_clean.startswith("BOLO DE IPE")


def test_a_row_of_count_price_and_the_amount_again_belongs_to_the_product_above() -> None:
    body = """
Garden Peas                   5.10
   3 x 1.70                   5.10
Barley Loaf                   2.35

TOTAL                         7.45
"""
    assert priced(body, "gb") == [
        ("Garden Peas", 3, Decimal("1.70"), Decimal("5.10")),
        ("Barley Loaf", None, None, Decimal("2.35")),
    ]


def test_a_dash_before_the_count_is_no_minus() -> None:
    body = """
Garden Peas - 3 @ 1.70        5.10
Barley Loaf - 1 @ 2.35        2.35

TOTAL                         7.45
"""
    assert priced(body, "gb") == [
        ("Garden Peas", 3, Decimal("1.70"), Decimal("5.10")),
        ("Barley Loaf", 1, Decimal("2.35"), Decimal("2.35")),
    ]


def test_a_count_behind_a_name_that_ends_in_a_digit() -> None:
    body = """
Paper A4 x 2                  9.98
Cable V2 3 pc                 6.30
Rug 40 x 60                  19.00

TOTAL                        35.28
"""
    assert priced(body, "gb") == [
        ("Paper A4", 2, None, Decimal("9.98")),
        ("Cable V2", 3, None, Decimal("6.30")),
        ("Rug 40 x 60", None, None, Decimal("19.00")),
    ]


def test_a_price_below_the_count_behind_it() -> None:
    body = """
Rusks
   1.98 x 2                   3.96
Barley Loaf
   2.35 x 1                   2.35

TOTAL                         6.31
"""
    assert priced(body, "gb") == [
        ("Rusks", 2, Decimal("1.98"), Decimal("3.96")),
        ("Barley Loaf", 1, Decimal("2.35"), Decimal("2.35")),
    ]


def test_counts_with_decimals_below_the_heading_of_quantities() -> None:
    body = """
Description          Groomer      Quantity     Total
Bath                 P. Stone         1.00    $38.00
Flea tablet                          12.00    $54.00
Total                                         $92.00
"""
    assert priced(body, "us") == [
        ("Bath P. Stone", 1, None, Decimal("38.00")),
        ("Flea tablet", 12, None, Decimal("54.00")),
    ]


def test_the_pieces_of_an_offer_are_no_count_and_price() -> None:
    body = """
Bath Salts          12.00
 3 FOR 2 MIX & MATCH
Soap Bar             3.50
TOTAL               15.50
"""
    assert [(i.qty, i.price) for i in items(body, "gb")] == [(None, None), (None, None)]


def test_a_whole_price_alone_behind_its_sign() -> None:
    found = sheet(
        """
     好鄰居超商
御飯糰           2   70 TX
   @35
茶葉蛋           2   26 TX
   @13
購物袋           1    2 TX
小計                 98
悠遊卡               98
""",
        "tw",
    )
    assert [(item.qty, item.price) for item in found.items] == [(2, 35), (2, 13), (1, None)]


TICKET = """
   FONDA DEL COBRE
   Fecha 14/02/2026   Hora 21:17
   2,000 x 8.500,00
   LOCRO (21,00)                 17.000,00
   2,000 x 1.500,00
   CUBIERTO (21,00)               3.000,00
   TOTAL $                       20.000,00
"""


def test_a_charge_counted_on_the_row_above_is_a_product() -> None:
    items = read(TICKET, "ar").line_items
    assert [(item.desc_clean, item.qty) for item in items] == [
        ("LOCRO", Decimal(2)),
        ("CUBIERTO", Decimal(2)),
    ]


MARKED = """
   COMEDOR LA TETERA
   Tegucigalpa, Honduras   RTN 05019044711822
   FECHA:14/02/2026 12:52
   CANT DESCRIPCION       PRECIO   TOTAL
   4.00 TAMAL SENCILLO     25.00  100.00G
   2.00 TAMAL C/TODO       55.00  110.00G
   I.S.V. 15%            L   31.50
   TOTAL A PAGAR         L  241.50
"""


def test_a_letter_behind_what_count_and_price_make_is_no_gram() -> None:
    items = read(MARKED).line_items
    assert [(item.desc_clean, item.line_total) for item in items] == [
        ("TAMAL SENCILLO", Decimal(100)),
        ("TAMAL C/TODO", Decimal(110)),
    ]


PUMPED = """
   COPPER PETROL SRL
   14.02.2026 06:47
   MOTORINA EURO-5
   42.350 L X 21.40          906.29 A
   CAFEA
   1.000 X 22.00              22.00 A
   TOTAL LEI                 928.29
"""


def test_the_norm_of_a_fuel_is_part_of_its_name() -> None:
    assert [item.desc_clean for item in read(PUMPED, "ro").line_items] == ["MOTORINA EURO-5", "CAFEA"]


def test_a_sum_beside_the_counts_of_the_products_ends_them() -> None:
    bill = """
        CITY MEDICALS
1 CETRIZ TAB      10   1.90     19.00
2 ZINC SYRUP       1  64.00     64.00
3 GAUZE ROLL       3  15.00     45.00
Items: 3  Qty: 14              128.00
Disc 5%                         -6.40
NET AMOUNT                     121.60
"""
    found = sheet(bill, "in")
    assert [item.total.value for item in found.items] == [Decimal(19), Decimal(64), Decimal(45)]
    assert read(bill, "in").sub_total == Decimal(128)


def test_a_word_between_a_count_and_its_price_names_nothing() -> None:
    body = """
2 x Apfelschorle 0,5L
    je 1,95                    3,90 EUR
Brezel                         1,20 EUR
Wiener Paar                    4,40 EUR

SUMME                          9,50 EUR
"""
    assert priced(body, "de")[0] == ("Apfelschorle 0,5L", 2, Decimal("1.95"), Decimal("3.90"))

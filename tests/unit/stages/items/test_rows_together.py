"""Rows that belong to one product: its name, its count and price, its codes, and what was taken off."""

from __future__ import annotations

from decimal import Decimal

from tests.unit.stages.printed_sheets import names, sheet


def test_a_measure_before_a_count_names_nothing() -> None:
    found = sheet(
        """
LARCH QUICK
Order LQ 447
Toned milk
500 ml x 2                      56.00
Rock salt
1 kg x 1                        27.00
Red onions
0.95-1.05 kg x 1                34.00
Bill details
Item total                     117.00
""",
        "in",
    )
    assert names(found.items) == [
        ("Toned milk", Decimal("56.00")),
        ("Rock salt", Decimal("27.00")),
        ("Red onions", Decimal("34.00")),
    ]


def test_a_marked_amount_behind_a_count_is_not_its_price() -> None:
    found = sheet(
        """
ラーチ商店
さいたま市北区本町3-4
梅おにぎり         *140
からあげ串
   @165 x    2点   *330
合計              ¥470
""",
        "ja",
    )
    assert [(i.desc_clean, i.total.value, i.qty, i.price) for i in found.items][1] == (
        "からあげ串",
        Decimal(330),
        Decimal(2),
        Decimal(165),
    )


def test_a_price_is_no_count_though_it_stands_below_the_heading_of_counts() -> None:
    found = sheet(
        """
LARCH MARKET
상품명        단가  수량    금액
01 우유 1L
  8801115114154 2,950  2   5,900
02 라면 5입
  8801043014816 4,480  1   4,480
총 합 계                  10,380
""",
        "kr",
    )
    assert [(i.qty, i.price) for i in found.items] == [(2, 2950), (1, 4480)]


def test_a_count_below_a_priced_name_completes_it() -> None:
    found = sheet(
        """
LARCH TECHNIK
Art.Nr.  Bezeichnung           EUR
1844710  HDMI KABEL 2M          14,99
         2 Stück à 14,99        29,98
2718841  KOPFHÖRER             129,00
         SN: 4X7712K00918
Summe                          158,98
""",
        "de",
    )
    assert [(i.desc_clean, i.total.value, i.qty, i.price) for i in found.items] == [
        ("HDMI KABEL 2M", Decimal("29.98"), 2, Decimal("14.99")),
        ("KOPFHÖRER", Decimal("129.00"), None, None),
    ]


def test_an_amount_below_completes_a_counted_name_with_its_price() -> None:
    found = sheet(
        """
LEKÁREŇ LARCH
  1 ks  KVAPKY OČNÉ 10ml
                            4,59 B
  2 ks  MINERÁLKA 0,7l  1,89
                            3,78 B
  CELKOM EUR                8,37
""",
        "sk",
    )
    assert [(i.desc_clean, i.total.value, i.qty) for i in found.items] == [
        ("KVAPKY OČNÉ 10ml", Decimal("4.59"), 1),
        ("MINERÁLKA", Decimal("3.78"), 2),
    ]


def test_a_discount_with_a_minus_may_stand_before_the_amount() -> None:
    found = sheet(
        """
SIA LARCH
  Kafija
   1 gab x 3,20              3,20 A
  Rupjmaize 0,5kg
   2 gab x 1,99 -0,40        3,58 A
  KOPĀ EUR                   6,78
""",
        "lv",
    )
    assert names(found.items)[1] == ("Rupjmaize 0,5kg", Decimal("3.58"))
    assert (found.items[1].qty, found.items[1].price) == (2, Decimal("1.99"))


def test_a_measure_at_the_end_of_a_name_counts_the_amount_below() -> None:
    found = sheet(
        """
LARCH MAT
  MELK 1L                   21,90
  EPLER  0,864kg x
      kr 34,90              30,15
  Totalt                    52,05
""",
        "no",
    )
    assert names(found.items)[1] == ("EPLER", Decimal("30.15"))
    assert found.items[1].unit == Decimal("0.864")


def test_what_a_discount_leaves_is_the_amount_of_the_product_above() -> None:
    found = sheet(
        """
LARCH OUTLET
WMNS SLIM JEAN
194471182004   27/32  IND
Orig 59.90       1 @ 39.90     39.90 T
Item Disc 20.00% -7.98         31.92
GIRLS DRESS
194471201188   6X  PNK
                 1 @  9.97      9.97 T
MENS CREW TEE
194471190337   L   WHT
                 2 @ 12.50     25.00 T
Subtotal                       66.89
Total                          66.89
""",
        "us",
    )
    assert names(found.items) == [
        ("WMNS SLIM JEAN 27/32 IND", Decimal("31.92")),
        ("GIRLS DRESS 6X PNK", Decimal("9.97")),
        ("MENS CREW TEE L WHT", Decimal("25.00")),
    ]


def test_the_highest_refund_parts_no_name_from_its_amount() -> None:
    found = sheet(
        """
LARCH HOME CENTER
887480027440 HEX BOLT <A>
   4@0.42                      1.68
764661116509 CEMENT MIX <A>
   MAX REFUND VALUE $21.80/4
   4@5.45                     21.80
                 SUBTOTAL     23.48
                 TOTAL       $23.48
""",
        "us",
    )
    assert names(found.items) == [("HEX BOLT", Decimal("1.68")), ("CEMENT MIX", Decimal("21.80"))]


def test_a_discount_for_members_may_stand_above_its_amount() -> None:
    found = sheet(
        """
LARCH BISTRO
    Zupa
       1 x 24,00             24,00 B
    Kompot
       3 x 9,00              27,00 B
    Rabat 10% karta stałego klienta
                             -5,10
    RAZEM                    45,90
""",
        "pl",
    )
    assert names(found.items)[2] == ("Rabat 10% karta stałego klienta", Decimal("-5.10"))


def test_names_in_two_scripts_above_an_amount_are_one() -> None:
    found = sheet(
        """
LARCH PHARMACY
  Item /الصنف Qty  Price    Total
  COLD TABS 24
  اقراص
             2    11.30    22.60
  HAND CREAM
  كريم
             1    27.45    27.45
  Total  الإجمالي           50.05
""",
        "sa",
    )
    assert [item.desc_clean for item in found.items] == ["COLD TABS 24 اقراص", "HAND CREAM كريم"]


def test_a_telephone_above_the_first_product_is_not_its_code() -> None:
    found = sheet(
        """
LARCH DRUG MART
           (905) 555-0147
  PAIN LIQ 40S                14.99
  06563344711
  TOWELS 36                    9.49
  SUBTOTAL                    24.48
  TOTAL                       24.48
""",
        "ca",
    )
    assert [item.product_code for item in found.items] == ["06563344711", None]


def test_fuel_with_a_name_for_its_amount_is_sold_with_goods() -> None:
    found = sheet(
        """
LARCH TRIP
  PUMP# 04
  UNLEAD+     11.824G
  PRICE/GAL    $3.199
  FUEL SALE    $37.82
  1 COFFEE 20OZ           $2.29
  1 DONUT GLZD            $1.69
  SUBTOTAL               $41.80
  TAX                     $0.28
  TOTAL                  $42.08
""",
        "us",
    )
    assert names(found.items)[0] == ("UNLEAD+", Decimal("37.82"))


def test_counts_in_brackets_end_all_names() -> None:
    found = sheet(
        """
LARCH KITCHEN
   Jollof Rice (2)           N5,000
   Moi Moi (1)                 N800
   Malt 33cl (3)             N2,400
   Subtotal                  N8,200
   Total                     N8,200
""",
        "ng",
    )
    assert [(i.desc_clean, i.qty) for i in found.items] == [
        ("Jollof Rice", 2),
        ("Moi Moi", 1),
        ("Malt 33cl", 3),
    ]


def test_an_offer_is_not_what_was_bought() -> None:
    found = sheet(
        """
LARCH TRIP
  1 COFFEE 20OZ           $2.29
  1 ROLLER DOG 2/$4       $2.50
  SUBTOTAL                $4.79
  TOTAL                   $4.79
""",
        "us",
    )
    assert (found.items[0].desc_clean, found.items[0].qty) == ("COFFEE 20OZ", 1)
    assert (found.items[1].qty, found.items[1].price) == (1, None)


def test_a_place_in_the_list_may_have_the_mark_of_a_tax() -> None:
    found = sheet(
        """
ラーチ商店
東京都北区本町3-4
001※豆腐          ¥128
002※たまごL10個     ¥268
003 ラップ30cm      ¥298
合計              ¥694
""",
        "ja",
    )
    assert [item.desc_clean for item in found.items] == ["豆腐", "たまごL10個", "ラップ30cm"]


def test_the_count_above_the_first_name_makes_the_amount_below_it() -> None:
    found = sheet(
        """
LARCH BRICO
   3 x 4,90
   82447118 TASSEAU SAPIN
                             14,70 A
   75118204 VIS AGGLO
                              6,95 A
   TOTAL                     21,65
""",
        "fr",
    )
    assert (found.items[0].qty, found.items[0].price) == (3, Decimal("4.90"))


def test_a_name_with_its_count_stands_above_notes_on_it() -> None:
    found = sheet(
        """
LARCHLAGER
   Bestellnr. 304-4471182
   1 x Wasserkocher Edelstahl
   Verkauft von: Haushalt GmbH
   Zustand: Neu
                              EUR 34,99
   2 x Batterien 20 Stück
   Verkauft von: Larchlager
                              EUR 15,98
   1 x Roman: Das Haus
                              EUR 12,00
   Zwischensumme:             EUR 62,97
   Gesamtsumme:               EUR 62,97
""",
        "de",
    )
    assert [(item.desc_clean, item.qty) for item in found.items] == [
        ("Wasserkocher Edelstahl", 1),
        ("Batterien 20 Stück", 2),
        ("Roman: Das Haus", 1),
    ]


def test_parts_of_an_article_number_may_be_joined_by_points() -> None:
    found = sheet(
        """
LARCHHEM
   Draper, Utah
   Article
   404.471.18 SHELF
                             89.99 T
   703.118.20 TABLE WHT
      2 * 14.99              29.98 T
   902.447.11 BAG L
      3 * 1.49                4.47 T
   104.118.44 LAMP            9.99 F
   Subtotal                 134.43
   Total                    134.43
""",
        "us",
    )
    assert [(item.desc_clean, item.product_code) for item in found.items] == [
        ("SHELF", "404.471.18"),
        ("TABLE WHT", "703.118.20"),
        ("BAG L", "902.447.11"),
        ("LAMP", "104.118.44"),
    ]


def test_a_price_may_touch_its_word_before_a_count_and_a_marked_amount() -> None:
    found = sheet(
        """
ラーチ商店
東京都北区本町3-4
おにぎり紅鮭             *150
からあげ串 単148 3個    *444
合計                    ¥594
""",
        "ja",
    )
    assert (found.items[1].total.value, found.items[1].qty, found.items[1].price) == (444, 3, 148)


def test_sizes_and_colours_without_article_numbers_belong_to_the_names_above() -> None:
    found = sheet(
        """
MODAS LARCH
   Ref         Talla Color    Importe
   4471/182 PANTALON RECTO
     38        NEGRO           29,95
   1182/044 CAMISETA BASICA
     M         BLANCO  2x7,95  15,90
   0118/204 CINTURON
     U         MARRON          12,95
   TOTAL                       58,80
""",
        "es",
    )
    assert [(item.desc_clean, item.product_code) for item in found.items] == [
        ("PANTALON RECTO", "4471/182"),
        ("CAMISETA BASICA", "1182/044"),
        ("CINTURON", "0118/204"),
    ]


def test_a_product_with_its_code_takes_no_other_from_the_name_below() -> None:
    found = sheet(
        """
LARCHMART
  DETERGENT    003700011820      19.94 X
  HAND SOAP    068113104471
       3 AT 1 FOR 0.97            2.91 X
  COUPON 51182 003700000447       2.00-X
                SUBTOTAL         20.85
                   TOTAL         20.85
""",
        "us",
    )
    assert [(item.desc_clean, item.product_code) for item in found.items] == [
        ("DETERGENT", "003700011820"),
        ("HAND SOAP", "068113104471"),
        ("COUPON 51182", "003700000447"),
    ]


def test_a_price_with_its_unit_before_the_amount_names_nothing() -> None:
    found = sheet(
        """
LARCH HARDWARE
   12 Oak Street, Bemidji MN
   QTY UM  SKU      DESCRIPTION
   2  EA   447118   HINGE BRASS
                    @  4.29 EA      8.58
   1  EA   118204   CAULK WHITE
                    @  6.49 EA      6.49
   SUB-TOTAL                       15.07
   TOTAL                           15.07
""",
        "us",
    )
    assert [(item.desc_clean, item.qty, item.price) for item in found.items] == [
        ("HINGE BRASS", 2, Decimal("4.29")),
        ("CAULK WHITE", 1, Decimal("6.49")),
    ]

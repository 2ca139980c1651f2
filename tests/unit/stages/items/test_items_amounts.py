"""Product lines whose numbers are easily taken for each other: sizes, counts, measures and reductions."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.document import Entry, Item, Sheet
from tests.unit.stages import printed_sheets


def sheet(body: str, region: str = "gb") -> Sheet:
    return printed_sheets.sheet("\n   CORNER STORE\n  5 Mill Street\n\n" + body.strip("\n"), region)


def items(body: str, region: str = "gb") -> list[tuple[str, Decimal | None]]:
    return [(item.desc_clean, item.qty) for item in sheet(body, region).items]


def reductions(body: str) -> list[Decimal]:
    def is_one(entry: Entry) -> bool:
        return entry.weight("discount") > 0.5

    return [entry.amount.value for entry in sheet(body).entries if is_one(entry)]


def test_a_count_and_its_price_between_column_words_belong_to_the_product_below() -> None:
    body = """
OAT BISCUITS            $2.10
Qty 3 @ $1.50 each
TOMATO SOUP             $4.50
TOTAL                   $6.60
"""
    assert items(body, "nz") == [("OAT BISCUITS", None), ("TOMATO SOUP", Decimal(3))]


def test_a_size_glued_to_its_unit_is_no_count() -> None:
    body = """
CERVEZA LATA 12P        189.00
PAN DE CAJA              42.00
TOTAL                   231.00
"""
    assert items(body, "mx") == [("CERVEZA LATA 12P", None), ("PAN DE CAJA", None)]


def test_two_whole_numbers_that_do_not_make_the_amount_are_the_size_of_the_pack() -> None:
    body = """
1   HEADACHE 400 X 20       8.90
2   HAND GEL 250            5.40
TOTAL                      14.30
"""
    assert items(body) == [("HEADACHE 400 X 20", Decimal(1)), ("HAND GEL 250", Decimal(2))]


def test_a_measure_of_three_decimals_makes_the_amount_within_its_own_rounding() -> None:
    body = """
PRODUCTO      LITROS   PRECIO   IMPORTE
REGULAR       21.052    23.75    500.00
SUBTOTAL                         436.60
IVA 16%                           63.40
TOTAL                            500.00
"""
    (item,) = sheet(body, "mx").items
    assert (item.desc_clean, item.price) == ("REGULAR", Decimal("23.75"))
    assert Decimal("21.052") in (item.qty, item.unit)


def test_numbers_far_behind_the_names_are_a_column_of_counts() -> None:
    body = """
Meatballs in cream sauce          2     45.80
Lager 40cl                        3     26.70
Apple cake                        1     11.50
TOTAL                                   84.00
"""
    assert [qty for _, qty in items(body)] == [2, 3, 1]


def test_numbers_right_behind_the_names_stay_in_them() -> None:
    body = """
Socks size 42       5.80
Shirt size 39      26.70
TOTAL              32.50
"""
    assert items(body) == [("Socks size 42", None), ("Shirt size 39", None)]


def test_the_only_product_of_an_invoice_may_end_left_or_right_of_the_totals() -> None:
    body = """
Xang RON 95      Lit    20,00    21.309,09     426.182
Cong tien hang:      426.182
Tien thue GTGT:       42.618
Tong cong:           468.800
"""
    (item,) = sheet(body, "vn").items
    assert item.total.value == 426182


def test_what_takes_off_less_than_the_product_above_costs_is_a_reduction() -> None:
    body = """
CIDER 6 PACK           9.99
  XTRA CLUB           -1.00
OAT BISCUITS           2.10
TOTAL                 11.09
"""
    assert reductions(body) == [Decimal("-1.00")]


def test_reductions_of_two_products_have_the_same_name() -> None:
    body = """
CIDER 6 PACK           9.99
  XTRA CLUB           -1.00
OAT BISCUITS           2.10
  XTRA CLUB           -0.40
TOTAL                 10.69
"""
    assert reductions(body) == [Decimal("-1.00"), Decimal("-0.40")]


def test_what_was_sold_and_taken_back_is_no_reduction() -> None:
    body = """
CIDER 6 PACK           9.99
OAT BISCUITS           2.10
OAT BISCUITS          -2.10
TOTAL                  9.99
"""
    assert reductions(body) == []


def test_a_reduction_for_a_way_to_pay_stays_among_the_products() -> None:
    body = """
CIDER 6 PACK           9.99
DISCOUNT VISA         -1.00
OAT BISCUITS           2.10
TOTAL                 11.09
"""
    assert [(i.desc_clean, i.total.value) for i in _items(body)][1] == ("DISCOUNT VISA", Decimal("-1.00"))


def _items(body: str) -> tuple[Item, ...]:
    return sheet(body).items


def test_a_count_before_the_name_goes_with_the_price_behind_its_size() -> None:
    body = """
2 STEAK 300G @17.90      35.80
1 SALAD                   6.90
TOTAL                    42.70
"""
    assert items(body) == [("STEAK 300G", Decimal(2)), ("SALAD", Decimal(1))]


def test_an_offer_at_the_head_of_a_name_is_no_count() -> None:
    body = """
3 FOR 2 SHAMPOO          7.99
2 PLASTERS               3.10
TOTAL                   11.09
"""
    assert items(body)[0] == ("3 FOR 2 SHAMPOO", None)


def test_a_star_before_the_amount_is_a_mark() -> None:
    body = """
TABS 20                *  8.95
DISP FEE                  2.50
TOTAL                    11.45
"""
    assert items(body) == [("TABS 20", None), ("DISP FEE", None)]


def test_the_unit_behind_a_count_is_no_part_of_the_name() -> None:
    body = """
2    UND ANTIGRIPAL            3.00
1    CJA VENDAS               39.90
TOTAL                         42.90
"""
    assert items(body, "pe") == [("ANTIGRIPAL", Decimal(2)), ("VENDAS", Decimal(1))]


def test_petrol_may_be_called_by_its_number_alone() -> None:
    body = """
PB95 (3)   30,12l x6,49   195,48 A
KARTA                     195,48
SUMA PLN                  195,48
"""
    (item,) = sheet(body, "pl").items
    assert item.desc_clean.startswith("PB95")


def test_the_fine_price_of_a_measure_is_no_part_of_the_name() -> None:
    body = """
PRODUCTO     LITROS  PRECIO/L   IMPORTE
DIESEL e+    32,09    1,558      50,00
TOTAL                            50,00
"""
    assert [item.desc_clean for item in sheet(body, "es").items] == ["DIESEL e+"]


def test_a_small_tax_right_below_a_row_of_the_table_is_one() -> None:
    body = """
CARROTS                    25.10
BAG                         0.30
TOTAL              CHF     25.40
MWST   Satz    Umsatz     MWST
1      2.60     25.10     0.64
0      8.10      0.30     0.02
"""
    assert [row.tax for row in sheet(body, "ch").tax_rows] == [Decimal("0.64"), Decimal("0.02")]


def test_goods_that_are_brought_back_are_no_reduction() -> None:
    body = """
RETURN
Purchased on 02/03/2024

WOOL JUMPER           49.00
RUNNING SOCKS        -12.00
TOTAL                 37.00
"""
    assert reductions(body) == []


def test_what_the_prices_already_contain_is_no_product() -> None:
    body = """
CIDER 6 PACK           7.99
  REGULAR PRICE 9.99
  CARD SAVINGS        -2.00
OAT BISCUITS           2.10
SUBTOTAL              10.09
SALES TAX              0.81
TOTAL                 10.90
"""
    assert [item.desc_clean for item in sheet(body, "us").items] == ["CIDER 6 PACK", "OAT BISCUITS"]


def test_what_was_paid_by_card_shows_it_where_no_total_is_named() -> None:
    body = """
CIDER 6 PACK           7.99
  REG 9.99  CARD SAV   2.00-
OAT BISCUITS           2.10
SALES TAX              0.81
**** BALANCE          10.90
VISA                  10.90
"""
    assert [item.desc_clean for item in sheet(body, "us").items] == ["CIDER 6 PACK", "OAT BISCUITS"]


def test_a_levy_in_the_fare_is_no_tax_on_it() -> None:
    body = """
CAR PARK                44.00
CITY PARKING LEVY        3.30
TOTAL INC GST           47.30
GST                      4.30
"""
    assert [item.desc_clean for item in sheet(body, "au").items] == ["CAR PARK", "CITY PARKING LEVY"]


def test_the_price_of_an_offer_is_not_that_of_the_one_sold() -> None:
    body = """
1 OAT BISCUITS         4.50
  2/9.00
1 TOMATO SOUP          3.20
TOTAL                  7.70
"""
    assert [(item.qty, item.price) for item in sheet(body, "us").items] == [(Decimal(1), None)] * 2


def test_a_letter_before_a_count_is_a_mark_where_all_names_begin_with_a_count() -> None:
    body = """
F 1 HONEY DROPS 20CT   4.50
F 2 COTTON PADS        6.40
  1 TOMATO SOUP        3.20
TOTAL                 14.10
"""
    names = [("HONEY DROPS 20CT", Decimal(1)), ("COTTON PADS", Decimal(2)), ("TOMATO SOUP", Decimal(1))]
    assert items(body, "us") == names


def test_a_count_below_none_times_its_price_is_no_offer() -> None:
    body = """
WOOL JUMPER
   -1x9,92             -9.92
TOTAL                  -9.92
"""
    assert reductions(body) == []


def test_numbers_before_several_names_count_where_the_till_prints_no_one() -> None:
    body = """
LENTIL SOUP                 6.20
2 MINT LEMONADE             8.40
APPLE TART                  5.15
4 OAT COOKIE                7.60
FLAT WHITE                  3.35
TOTAL                      30.70
"""
    assert items(body)[1] == ("MINT LEMONADE", Decimal(2))
    assert items(body)[3] == ("OAT COOKIE", Decimal(4))


def test_numbers_before_names_that_do_not_divide_their_amounts_are_the_names() -> None:
    body = """
LENTIL SOUP                 6.20
2 MINT LEMONADE             8.45
APPLE TART                  5.15
4 OAT COOKIE                7.63
FLAT WHITE                  3.35
TOTAL                      30.78
"""
    assert items(body)[1] == ("2 MINT LEMONADE", None)


def test_numbers_of_a_list_go_on_behind_what_is_taken_off_and_stand_before_counts() -> None:
    body = """
1. 2 LENTIL SOUP           12.40
2. MINT LEMONADE            4.20
PROMO 50%                  -2.10
4. 3 OAT COOKIE             5.70
TOTAL                      20.20
"""
    found = items(body)
    assert (found[0], found[1], found[3]) == (
        ("LENTIL SOUP", Decimal(2)),
        ("MINT LEMONADE", None),
        ("OAT COOKIE", Decimal(3)),
    )


def test_short_numbers_alone_above_names_are_codes() -> None:
    body = """
4417
LENTIL SOUP TIN             1.20
5028
MINT TEA 20                 2.40
6613
OAT COOKIE                  1.90
TOTAL                       5.50
"""
    assert [item.product_code for item in sheet(body).items] == ["4417", "5028", "6613"]


def test_a_word_for_what_is_taken_back_is_no_part_of_a_name_above_its_amount() -> None:
    body = """
RETURNED LINEN TOWEL
-2 x 14.50                -29.00
WOOL SCARF
1 x 31.00                  31.00
TOTAL                       2.00
"""
    assert items(body) == [("LINEN TOWEL", Decimal(-2)), ("WOOL SCARF", Decimal(1))]


def test_amounts_one_blank_behind_their_names_make_no_column() -> None:
    body = """
Black tea, large 3.20
Scone with jam and butter 2.40
Fruit salad with cream and nuts 6.90
Milk 1.10
Total 13.60
"""
    names = ["Black tea, large", "Scone with jam and butter", "Fruit salad with cream and nuts", "Milk"]
    assert [name for name, _ in items(body)] == names


def test_the_price_before_a_reduction_is_no_product() -> None:
    body = """
RUNNING SHOES           79.99 A
REGULAR PRICE          109.99
WOOL SOCKS              10.00 A
Was                     12.00
RAINCOAT               p49.99 A
Reg. price              80.00
TOTAL                  139.98
"""
    assert [name for name, _ in items(body, "us")][:2] == ["RUNNING SHOES", "WOOL SOCKS"]
    assert "Reg. price" not in [name for name, _ in items(body, "us")]


def test_prices_before_and_after_a_reduction_name_no_product() -> None:
    body = """
TRAIL BOOTS 42
REG 89.99 SALE 64.99          64.99
Cookery book
RRP 18.00 Our Price 11.99     11.99
Wool yarn
Was 5.50 Now 4.50
3 @ 4.50                      13.50
REG COFFEE                     2.80
TOTAL                         93.28
"""
    names = ["TRAIL BOOTS 42", "Cookery book", "Wool yarn", "REG COFFEE"]
    assert [name for name, _ in items(body, "us")] == names


def test_a_regular_price_below_a_name_without_one_is_the_products() -> None:
    body = """
SCARF                   15.00
MITTENS
REGULAR PRICE           20.00
DISCOUNT                -5.00
TOTAL                   30.00
"""
    amounts = [item.total.value for item in sheet(body, "us").items]
    assert amounts == [Decimal("15.00"), Decimal("20.00"), Decimal("-5.00")]


def test_counted_articles_are_products_also_where_the_totals_stand_in_another_column() -> None:
    body = """
ITEM            QTY     U/P  DISC%     AMOUNT
9555040000014    1     4.90   0.00       4.90 S
COUGH DROPS
9555040000021    2     6.60   0.00      13.20 S
COLD RUB 40G
SUB-TOTAL        18.10
ROUNDING          0.00
TOTAL            18.10
CASH             20.00
CHANGE            1.90
"""
    assert items(body, "my") == [("COUGH DROPS", Decimal(1)), ("COLD RUB 40G", Decimal(2))]


def test_a_measure_below_an_amount_with_its_own_count_and_price_is_a_name() -> None:
    body = """
ITEM    QTY   S/PRICE    AMOUNT
4410     1     13.57      13.57
8' 2 X 3
4522     2      3.10       6.20
WALL HOOK BRASS
TOTAL                     19.77
"""
    assert items(body, "my") == [("8' 2 X 3", Decimal(1)), ("WALL HOOK BRASS", Decimal(2))]


def test_a_name_between_two_amounts_may_say_what_group_it_is_of() -> None:
    body = """
ITEM                   QTY     TOTAL
SR K00100000121- TOFU SOUP (S)
$1.70                   1      $1.70
SR K00100000135- 1 MEAT + 3 VEGE
$7.30                   1      $7.30
TOTAL AMOUNT:                  $9.00
CASH                           $9.00
"""
    names = [name for name, _ in items(body, "my")]
    assert names == ["SR K00100000121- TOFU SOUP (S)", "SR K00100000135- 1 MEAT + 3 VEGE"]


def test_the_second_row_of_a_numbered_name_may_name_a_tender() -> None:
    body = """
CASH SALES COUNTER
1. 2040-0151 GARDEN TWINE GREEN
20M
2 X 2.9000                      5.80 SR
2. 2040-0162 NOTE BOOK RULED
CARD COVER (KCB-40)
1 X 3.3000                      3.30 SR
TOTAL SALES                     9.10
CASH                           10.00
CHANGE                          0.90
"""
    assert [name for name, _ in items(body, "my")] == [
        "GARDEN TWINE GREEN 20M",
        "NOTE BOOK RULED CARD COVER (KCB-40)",
    ]


def test_an_amount_alone_below_a_count_and_a_price_is_theirs() -> None:
    body = """
Bean soup          2      7.50
                         15.00
Lime tea           3      2.20
                          6.60
Rice               1      4.00
                          4.00
TOTAL                    25.60
"""
    found = [(i.desc_clean, i.qty, i.price, i.total.value) for i in sheet(body).items]
    soup, tea, rice = Decimal("7.50"), Decimal("2.20"), Decimal("4.00")
    assert found == [
        ("Bean soup", 2, soup, 2 * soup),
        ("Lime tea", 3, tea, 3 * tea),
        ("Rice", 1, rice, rice),
    ]


def test_a_row_without_a_count_goes_on_the_name_that_has_one() -> None:
    body = """
1 Lamb hotpot           13.95
2 Pint bitter
                         9.80
1 Sticky toffee
  pudding                6.95
1 Ginger beer            3.10
TOTAL                   33.80
"""
    assert items(body) == [
        ("Lamb hotpot", 1),
        ("Pint bitter", 2),
        ("Sticky toffee pudding", 1),
        ("Ginger beer", 1),
    ]

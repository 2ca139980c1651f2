"""Products in the layouts that tills print."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.unit.stages.printed_sheets import names, products, sheet


def test_a_name_above_its_amount_belongs_to_it() -> None:
    items = products(
        """
Brown bread
                         4.00
Whole milk
                         2.50
Green apples
                         3.20
"""
    )
    assert names(items) == [
        ("Brown bread", Decimal("4.00")),
        ("Whole milk", Decimal("2.50")),
        ("Green apples", Decimal("3.20")),
    ]


def test_words_about_the_sale_name_a_charge_where_names_stand_above() -> None:
    found = sheet(
        """
LARCH KITCHEN
14, Jalan Besar
Tea (B)
1x      2.10         2.10
Coffee (B)
2x      1.60         3.20
Take Away
3x      0.20         0.60
Total                5.90
""",
        "my",
    )
    assert [item.desc_clean for item in found.items] == ["Tea (B)", "Coffee (B)", "Take Away"]


def test_a_shelf_between_a_name_and_its_amount_keeps_them_together() -> None:
    found = sheet(
        """
LARCH HARDWARE
14, Jalan Besar
Handphone holder L-037 *S
RK31 - 18/900
9086118 4 X 2.80    11.20
Curtain bar 70CM *S
LB41-62-8 - 3/36
9011811 1 X 2.10     2.10
Total               13.30
""",
        "my",
    )
    assert [item.desc_clean for item in found.items] == ["Handphone holder L-037", "Curtain bar 70CM"]


@pytest.mark.parametrize(
    "layout",
    [
        "Bread                    4.00\n  2 x 1.25\nMilk                     2.50",
        "Bread                    4.00\nMilk                     2.50\n  2 x 1.25",
    ],
    ids=["above", "below"],
)
def test_a_quantity_row_belongs_to_the_amount_it_multiplies_to(layout: str) -> None:
    bread, milk = products(layout)
    assert (bread.qty, bread.price) == (None, None)
    assert (milk.qty, milk.price, milk.total.value) == (2, Decimal("1.25"), Decimal("2.50"))


def test_a_weight_is_a_unit_not_a_quantity() -> None:
    (apples, _) = products(
        "Apples                   1.46\n  0.523 kg x 2.79/kg\nMilk                     2.50"
    )
    assert (apples.unit, apples.price, apples.qty) == (Decimal("0.523"), Decimal("2.79"), None)


def test_a_count_before_every_name_is_the_quantity() -> None:
    items = products(
        "2 Clam Chowder          17.00\n1 House Salad            8.50\n1 Iced Tea               3.25"
    )
    assert [(item.qty, item.desc_clean) for item in items] == [
        (2, "Clam Chowder"),
        (1, "House Salad"),
        (1, "Iced Tea"),
    ]


def test_a_number_in_one_name_is_no_quantity() -> None:
    items = products(
        "7 Herbs Shampoo          5.00\nBread                    4.00\nMilk                     2.50"
    )
    assert (items[0].qty, items[0].desc_clean) == (None, "7 Herbs Shampoo")


def test_a_code_on_the_row_is_the_product_code() -> None:
    (bread, milk) = products("4006381333931 Bread      4.00\n4006381333948 Milk       2.50")
    assert (bread.product_code, bread.desc_clean) == ("4006381333931", "Bread")
    assert (milk.product_code, milk.desc_clean) == ("4006381333948", "Milk")


def test_letters_behind_the_amount_are_symbols() -> None:
    (bread, milk) = products("Bread                    4.00 A\nMilk                     2.50 *")
    assert (bread.symbols, milk.symbols) == (("A",), ("*",))


def test_words_beside_a_product_are_kept_beside_it() -> None:
    (burger, tea) = products("Burger                  11.00\n  no onions\nTea                      3.25")
    assert (burger.desc_clean, burger.below) == ("Burger", ("no onions",))
    assert tea.above == ()


def test_a_discount_among_the_products_is_a_negative_product() -> None:
    items = products(
        "Bread                    4.00\nMEMBER DISCOUNT         -0.75\nMilk                     2.50"
    )
    assert names(items)[1] == ("MEMBER DISCOUNT", Decimal("-0.75"))


@pytest.mark.parametrize(
    ("printed", "values"),
    [
        ("MEMBER DISCOUNT          0.75", ["-0.75", "0.75"]),
        ("(OFFER)  1 x 0.75        0.75", ["0.75", "-0.75"]),
    ],
)
def test_a_discount_without_its_minus_is_negative_unless_it_has_a_price(
    printed: str, values: list[str]
) -> None:
    items = products(f"Bread                    4.00\n{printed}\nMilk                     2.50")
    assert [money.value for money in items[1].total.readings] == [Decimal(value) for value in values]


def test_products_with_article_numbers_may_end_right_of_the_totals() -> None:
    text = """
      CORNER STORE
12 Main Street
RECEIPT #CS0071    DATE: 24/09/2031
SALESPERSON :      TIME: 07:41:00
COUNTER:
ITEM          QTY    U/P        AMOUNT
4411662041    100    0.20        20.00
DRIED FISH A++ 10G
4411662042      1   31.70        31.70
CORN FLOUR 20X4
TOTAL QUANTITY       101
SUB-TOTAL     51.70
GST            0.00
ROUNDING       0.00
TOTAL         51.70
CASH          51.70
CHANGE         0.00
"""
    found = [(i.desc_clean, i.qty, i.total.value) for i in sheet(text, "my").items]
    assert found == [
        ("DRIED FISH A++ 10G", Decimal(100), Decimal("20.00")),
        ("CORN FLOUR 20X4", Decimal(1), Decimal("31.70")),
    ]

"""Sheets of printed receipts: zones, products in their layouts, tax tables."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.document import Item, Sheet
from receipt_engine.region import Role, load_region
from receipt_engine.stages.classify import classify
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from tests.printed import spans


def sheet(text: str, region: str = "us") -> Sheet:
    rules = load_region(region)
    return classify(parse(group(spans(text)), rules, AmountHints(None, False), None), rules)


def receipt(products: str) -> str:
    """Products between a head and a totals block."""
    block = "SUBTOTAL                99.90\nTAX                      0.10\nTOTAL                  100.00"
    return "\n".join(("      CORNER STORE", "    12 Main Street", "", products.strip("\n"), "", block))


def products(text: str, region: str = "us") -> tuple[Item, ...]:
    return sheet(receipt(text), region).items


def names(items: tuple[Item, ...]) -> list[tuple[str, Decimal]]:
    return [(item.desc_clean, item.total.value) for item in items]


def test_no_rows_are_an_empty_sheet() -> None:
    assert classify((), load_region("us")) == Sheet((), (), (), (), ())


def test_the_parts_of_a_receipt_follow_each_other() -> None:
    found = sheet(
        """
      CORNER STORE
    12 Main Street
   03/14/2024   6:42 PM
Bread                    4.00
Milk                     2.50
SUBTOTAL                 6.50
TAX                      0.50
TOTAL                    7.00
CASH                    10.00
CHANGE                   3.00
   Thank you, come again
"""
    )
    assert found.zones[:3] == ("header",) * 3
    assert found.zones[3:5] == ("items",) * 2
    assert found.zones[5:8] == ("summary",) * 3
    assert found.zones[-1] == "after"
    assert len(found.items) == 2
    roles = {entry.line: entry.role for entry in found.entries}
    assert [roles[line] for line in range(5, 10)] == ["subtotal", "tax", "total", "cash", "change"]


def test_no_row_is_both_a_product_and_part_of_the_totals_block() -> None:
    found = sheet(receipt("Bread                    4.00\nMilk                     2.50"))
    summary = {entry.line for entry in found.entries if entry.zone == "summary"}
    assert len(found.items) == 2 and len(summary) == 3
    assert not summary & {item.line for item in found.items}


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


def test_a_discount_without_its_minus_may_be_negative() -> None:
    items = products(
        "Bread                    4.00\nMEMBER DISCOUNT          0.75\nMilk                     2.50"
    )
    readings = [money.value for money in items[1].total.readings]
    assert readings[0] == Decimal("0.75")
    assert Decimal("-0.75") in readings


@pytest.mark.parametrize(
    ("below", "role"),
    [
        ("TOGI                    10.00\nOTOE                     3.60", "total"),
        ("TOTAL    6.80", "subtotal"),
    ],
)
def test_a_row_that_adds_the_products_up_is_a_total_whatever_it_is_called(below: str, role: Role) -> None:
    found = sheet(
        f"""
      TAKATAKA
Xyzzy                    3.00
Plugh                    1.00
Frotz                    2.40
KATAKA                   6.40
{below}
"""
    )
    assert len(found.items) == 3
    (added,) = [entry for entry in found.entries if entry.amount.value == Decimal("6.40")]
    assert added.zone == "summary"
    assert added.weight(role) >= 0.7


def test_a_product_that_costs_as_much_as_the_first_two_splits_nothing() -> None:
    items = products(
        "Bread                    4.00\nMilk                     2.50\nCheese                   6.50\n"
        "Apples                   1.00\nPears                    2.00\nTea                      3.00"
    )
    assert len(items) == 6


TAX_TABLE = """
      KAUFHALLE NORD
Vollmilch                5,38 A
Spülmittel               2,20 B
SUMME                    7,58
BAR                     10,00
Rückgeld                 2,42
MWST%      Netto   MwSt  Brutto
{rows}
"""


@pytest.mark.parametrize(
    "rows",
    [
        "A  7,0%     5,03   0,35   5,38\nB 19,0%     1,85   0,35   2,20",
        "A  7,0%     5,38   0,35   5,03\nB 19,0%     2,20   0,35   1,85",
        "A  7,0%     0,35   5,03   5,38\nB 19,0%     0,35   1,85   2,20",
    ],
    ids=["net tax gross", "gross tax net", "tax net gross"],
)
def test_a_tax_table_is_read_in_any_order_of_its_columns(rows: str) -> None:
    found = sheet(TAX_TABLE.format(rows=rows), "de")
    read = [(row.code, row.rate, row.net, row.tax, row.gross) for row in found.tax_rows]
    assert read == [
        ("A", 7, Decimal("5.03"), Decimal("0.35"), Decimal("5.38")),
        ("B", 19, Decimal("1.85"), Decimal("0.35"), Decimal("2.20")),
    ]
    assert len(found.items) == 2


def test_the_last_row_of_a_tax_table_may_add_it_up() -> None:
    rows = "A  7,0%     5,03   0,35   5,38\nB 19,0%     1,85   0,35   2,20\nMwSt Summe  6,88   0,70   7,58"
    found = sheet(TAX_TABLE.format(rows=rows), "de")
    assert [row.is_sum for row in found.tax_rows] == [False, False, True]
    assert {entry.role for entry in found.entries if entry.line == found.tax_rows[-1].line} == {
        "net",
        "total_tax",
        "gross",
    }


@pytest.mark.parametrize("name", ["Summe", "Gesamt", "MwSt Summe", "Xyzzy"])
def test_a_row_that_adds_up_the_columns_of_a_tax_table_is_its_sum(name: str) -> None:
    rows = f"A  7,0%     5,03   0,35   5,38\nB 19,0%     1,85   0,35   2,20\n{name:<10}  6,88   0,70   7,58"
    found = sheet(TAX_TABLE.format(rows=rows), "de")
    assert [row.is_sum for row in found.tax_rows] == [False, False, True]
    last = found.tax_rows[-1]
    assert {e.role for e in found.entries if e.line == last.line} == {"net", "total_tax", "gross"}


def test_the_number_behind_a_word_for_numbers_is_no_amount() -> None:
    found = sheet(
        """
      TIENDA
Pan                      $4.000
TOTAL                    $4.000
VISA **** 4402  AUT 771902
""",
        "cl",
    )
    assert [entry.amount.value for entry in found.entries if entry.role == "card"] == []


@pytest.mark.parametrize("name", ["2 POUR 1", "-10%"])
def test_a_negative_row_with_a_rate_or_a_multi_buy_is_a_discount(name: str) -> None:
    found = sheet(
        f"""
      SUPER MARCHE
PAIN COMPLET             2,40
JAMBON                   3,95
{name:<20}    -0,80
TOTAL                    5,55
""",
        "fr",
    )
    (reduced,) = [entry for entry in found.entries if entry.amount.value < 0]
    assert reduced.role == "discount"


def test_rows_of_products_are_no_tax_table() -> None:
    found = sheet(receipt("Bread      2.00   2.00   4.00\nMilk       1.25   1.25   2.50"))
    assert found.tax_rows == ()


def test_a_tax_table_between_total_and_tender_is_no_product() -> None:
    text = """
      TAVERNA PROVA
Pane                     8,25
Vino rosso              12,45
Formaggio                9,90
TOTALE                  30,60
Aliquota       Imposta   Imponibile
22,00%    2,25    10,20    12,45
10,00%    1,65    16,50    18,15
Contanti                30,60
"""
    found = sheet(text, "it")
    assert [item.total.value for item in found.items] == [Decimal("8.25"), Decimal("12.45"), Decimal("9.90")]
    assert [row.tax for row in found.tax_rows] == [Decimal("2.25"), Decimal("1.65")]


@pytest.mark.parametrize("name", ["Service", "City tax"])
def test_a_charge_sold_by_count_and_price_among_the_products_is_one(name: str) -> None:
    block = f"""
Room        2    60.00      120.00
{name:<10}  2     1.50        3.00
Breakfast   1    12.00       12.00
"""
    assert [item.total.value for item in products(block)] == [120, 3, 12]


@pytest.mark.parametrize(
    ("region", "row"),
    [
        ("nz", "Night Surcharge         5.00"),
        ("hk", "車資                   45.00"),
        ("sg", "Laundry Service        30.00"),
    ],
)
def test_what_only_sounds_like_a_charge_or_a_total_is_sold(region: str, row: str) -> None:
    text = f"      CITY CABS\nFare                   20.00\n{row}\nTOTAL                  {{}}\n"
    sold = Decimal(row.split()[-1])
    assert [i.total.value for i in sheet(text.format(20 + sold), region).items] == [20, sold]


def test_the_digits_that_a_card_shows_are_no_amount() -> None:
    found = sheet("      KEDAI\nSabun     9.00\nTOTAL     9.00\nVISA XXXX XXXX XXXX 3444\n", "my")
    assert 3444 not in [e.amount.value for e in found.entries]


def test_a_telephone_number_in_the_column_is_no_product() -> None:
    text = """
Cua hang An Binh
Dien thoai. 0903 776 926
Tra xanh          12.500
Tong cong         12.500
"""
    assert names(sheet(text, "vn").items) == [("Tra xanh", Decimal(12500))]


@pytest.mark.parametrize(
    ("region", "rows"),
    [
        ("gr", "Β   6,56  13,00   0,85\nΓ   2,46  24,00   0,59"),
        ("ch", "0   2.60  33.52   0.85\n1   8.10   7.87   0.59"),
    ],
)
def test_a_tax_table_whose_rates_have_no_percent_sign(region: str, rows: str) -> None:
    found = sheet(receipt("Bread                   99.90") + "\n" + rows, region)
    assert [row.tax for row in found.tax_rows] == [Decimal("0.85"), Decimal("0.59")]


def test_the_only_amount_of_a_ticket_may_be_its_total() -> None:
    found = sheet("  Seebahn\n  Bergdorf - Seestadt\n  CHF 5.20\n  inkl. 8.1% MWST\n  Billett 4004", "ch")
    assert [(e.role, e.amount.value) for e in found.entries] == [("total", Decimal("5.20"))]


def test_a_count_of_articles_before_the_total_leaves_it_the_total() -> None:
    found = sheet("  EPICERIE\nPates    4,00\nRiz      2,00\n2 ARTICLES   TOTAL   6,00 EUR", "fr")
    assert [e.role for e in found.entries if e.amount.value == 6] == ["total"]

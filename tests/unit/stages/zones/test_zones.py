"""Parts of printed receipts."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.printed import read
from tests.unit.stages.printed_sheets import names, products, receipt, sheet


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


def test_products_follow_below_the_sum_of_another_tax_rate() -> None:
    found = sheet(
        """
     HARBOUR BAKERY SDN BHD
Description       U.P   Sale      Amt(RM)
Rye loaf         2.40     3         7.20
Oat loaf         2.80     2         5.60
Total zero rated goods             12.80
Plum cake        3.50     4        14.00
Corn bun         0.75    20        15.00
Total 6% goods before GST          29.00
GST:                                1.74
Total payable:                     43.54
"""
    )
    assert [item.total.value for item in found.items] == list(
        map(Decimal, ("7.20", "5.60", "14.00", "15.00"))
    )
    assert found.zones[4] == "summary"


def test_no_row_is_both_a_product_and_part_of_the_totals_block() -> None:
    found = sheet(receipt("Bread                    4.00\nMilk                     2.50"))
    summary = {entry.line for entry in found.entries if entry.zone == "summary"}
    assert len(found.items) == 2 and len(summary) == 3
    assert not summary & {item.line for item in found.items}


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


@pytest.mark.parametrize(
    ("row", "sold"),
    [
        ("TOTAL MUESLI             3.49", True),  # less than the honey: no sum
        ("TOTAL MUESLI            25.00", False),
        ("TOTAL                    3.49", False),
        ("OFFER                   -4.50\nTOTAL MUESLI             3.00", True),
        ("OFFER                   -4.50\nTOTAL VALUE              3.49", False),  # what is left
        ("GIFT TOTAL SPA    1   8.00    8.00", True),  # a count and a price
    ],
)
def test_a_product_may_be_named_like_a_sum(row: str, sold: bool) -> None:
    found = sheet(receipt(f"HONEY                    5.99\nTEA                      2.00\n{row}"))
    assert found.zones[4 + row.count("\n")] == ("items" if sold else "summary")


def test_a_charge_with_count_and_price_is_a_product() -> None:
    result = read(
        """
   CASERITA SAC
CANT  DESCRIPCION       P.U.   TOTAL
1.00  ARROZ 5K         24.90   24.90
3.00  ATUN              6.50   19.50
1.00  BOLSA + ICBPER    0.50    0.50
OP. GRAVADA S/          38.05
IGV 18%     S/           6.85
IMPORTE TOTAL S/        44.90
EFECTIVO                50.00
""",
        "pe",
    )
    assert [item.desc_clean for item in result.line_items] == ["ARROZ 5K", "ATUN", "BOLSA + ICBPER"]


def test_a_name_that_goes_on_below_may_have_a_word_for_a_tip() -> None:
    result = read(
        """
   CORNER STORES
Sl Item Name     HSN    Qty  Rate    Amt
1  TOOR DAL     0713 2.00 168.00 336.00
2  SUGAR LOOSE   1701 1.50  44.00  66.00
3  SNACK TIP TOP
   BISC 12x50g   1905 3.00  30.00  90.00
4  SURF EXCEL    3402 1.00 210.00 210.00
Net Amount                       702.00
UPI                              702.00
""",
        "in",
    )
    assert [item.desc_clean for item in result.line_items][2] == "SNACK TIP TOP BISC 12x50g"


def test_a_name_behind_its_article_number_may_have_a_word_for_change() -> None:
    found = sheet(receipt("1103244 ORG EGGS          8.99\n1402201 CHANGE MAT BABY  18.99"))
    assert found.zones[2:4] == ("items",) * 2


def test_a_name_between_a_tax_and_a_bare_price_belongs_to_the_products() -> None:
    found = sheet(
        """
      ООО "ЛУГ"
   КАССОВЫЙ ЧЕК / ПРИХОД
1. Молоко
        2 * 80.00       =160.00
   В Т.Ч. НДС 10%        =14.55
2. Шампунь
        1 * 240.00      =240.00
   В Т.Ч. НДС 20%        =40.00
ИТОГ                    =400.00
""",
        "ru",
    )
    assert names(found.items) == [("Молоко", 160), ("Шампунь", 240)]

"""Which printed amount is the subtotal, and when there is none."""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import TaxRow
from receipt_engine.region import Role
from tests.printed import read
from tests.unit.stages.reconcile.sheets import decide, product, row, value

ITEMS = [product(0, "4.00"), product(1, "5.00")]


def test_what_products_add_up_to_without_a_word_for_it_is_the_total_and_no_subtotal() -> None:
    nameless = row(2, "subtotal", "9.00", weight=0.7, label="")
    ledger = decide([nameless, row(3, "cash", "10.00"), row(4, "change", "1.00")], ITEMS)
    assert value(ledger.total) == Decimal("9.00")
    assert ledger.subtotal is None


def test_a_printed_subtotal_that_is_also_the_total_is_both() -> None:
    ledger = decide([row(2, "subtotal", "9.00", label="SUBTOTAL"), row(3, "cash", "9.00")], ITEMS)
    assert (value(ledger.total), value(ledger.subtotal)) == (Decimal("9.00"), Decimal("9.00"))


def test_a_word_of_the_heading_above_a_product_makes_no_subtotal() -> None:
    heading = row(0, "subtotal", "4.00", zone="items", weight=0.75, label="Qty Price Subtotal")
    ledger = decide([heading, row(3, "total", "9.00")], ITEMS)
    assert ledger.subtotal is None


def test_a_total_before_taxes_of_nothing_is_a_subtotal() -> None:
    entries = [row(2, "total", "9.00"), row(3, "tax", "0.00"), row(4, "total", "9.00")]
    assert value(decide(entries, ITEMS).subtotal) == Decimal("9.00")


def test_a_total_that_a_discount_turns_into_what_is_paid_is_a_subtotal() -> None:
    entries = [row(2, "total", "9.00"), row(3, "discount", "1.50"), row(4, "total", "7.50")]
    ledger = decide(entries, ITEMS)
    assert (value(ledger.total), value(ledger.subtotal)) == (Decimal("7.50"), Decimal("9.00"))


def test_a_net_amount_below_the_rounding_of_a_total_is_no_subtotal() -> None:
    entries = [row(2, "total", "9.00"), row(3, "rounding", "0.05"), row(4, "net", "9.05", label="NETT")]
    ledger = decide([*entries, row(5, "cash", "10.00"), row(6, "change", "0.95")], ITEMS)
    assert (value(ledger.total), ledger.subtotal) == (Decimal("9.05"), None)


def test_a_total_printed_twice_is_no_subtotal() -> None:
    entries = [row(2, "total", "9.00"), row(3, "card", "9.00"), row(4, "total", "9.00")]
    assert decide(entries, ITEMS).subtotal is None


def test_a_count_of_items_with_an_amount_is_a_subtotal_when_taxes_lead_to_the_total() -> None:
    counted = row(2, "item_count", "9.00", zone="items")
    ledger = decide([counted, row(3, "tax", "0.72"), row(4, "total", "9.72")], ITEMS)
    assert value(ledger.subtotal) == Decimal("9.00")


def test_a_subtotal_of_nothing_belongs_to_a_total_of_nothing() -> None:
    free = [row(1, "subtotal", "0.00"), row(2, "tax", "0.00"), row(3, "total", "0.00")]
    assert value(decide(free, [product(0, "0.00")]).subtotal) == 0
    paid = [row(2, "subtotal", "0.00"), row(4, "total", "9.00")]
    assert decide(paid, ITEMS).subtotal is None


def test_the_net_of_the_only_rate_is_what_it_comes_to_before_tax() -> None:
    only = TaxRow(3, Decimal(19), Decimal("7.56"), Decimal("1.44"), Decimal("9.00"))
    entries = [row(2, "total", "9.00"), row(3, "net", "7.56"), row(3, "tax", "1.44")]
    assert value(decide(entries, ITEMS, [only], region="de").subtotal) == Decimal("7.56")


def test_the_nets_of_several_rates_and_their_sum_are_no_subtotal() -> None:
    first = TaxRow(3, Decimal(19), Decimal("3.36"), Decimal("0.64"), Decimal("4.00"))
    second = TaxRow(4, Decimal(7), Decimal("4.67"), Decimal("0.33"), Decimal("5.00"))
    added = TaxRow(5, None, Decimal("8.03"), Decimal("0.97"), Decimal("9.00"), is_sum=True)
    entries = [row(2, "total", "9.00")]
    for table_row in (first, second, added):
        tax: Role = "total_tax" if table_row.is_sum else "tax"
        entries.append(replace(row(table_row.line, "net", str(table_row.net)), last=False))
        entries.append(row(table_row.line, tax, str(table_row.tax)))
    ledger = decide(entries, ITEMS, [first, second, added], region="de")
    assert ledger.subtotal is None
    assert [c.value for c in ledger.taxes] == [Decimal("0.64"), Decimal("0.33")]
    assert ledger.tax == Decimal("0.97")


def test_the_net_of_goods_without_tax_is_no_subtotal_beside_another_rate() -> None:
    rows = [
        TaxRow(4, Decimal(15), Decimal("4.35"), Decimal("0.65"), Decimal("5.00")),
        TaxRow(5, Decimal(0), Decimal("4.00"), Decimal("0.00"), Decimal("4.00")),
    ]
    entries = [row(2, "total", "9.00"), row(4, "net", "4.35"), row(5, "net", "4.00")]
    assert decide(entries, ITEMS, rows, "za").subtotal is None


def test_a_group_that_adds_up_the_products_is_what_the_tax_is_added_to() -> None:
    group = row(2, None, "9.00", zone="items", label="FOOD")
    ledger = decide([group, row(3, "tax", "0.72"), row(4, "total", "9.72")], ITEMS)
    assert value(ledger.subtotal) == Decimal("9.00")


def test_a_group_beside_a_total_without_tax_is_no_subtotal() -> None:
    group = row(2, None, "9.00", zone="items", label="FOOD")
    assert decide([group, row(4, "total", "9.00")], ITEMS).subtotal is None


def test_what_a_card_slip_begins_with_is_the_subtotal_of_its_tip() -> None:
    text = """
      COPPER KETTLE
06/20/2015 06:56 PM
AMOUNT                   83.50
TIP                      14.20
TOTAL                    97.70
"""
    result = read(text, "us")
    assert (result.sub_total, result.tip, result.total) == (Decimal("83.5"), Decimal("14.2"), Decimal("97.7"))
    assert result.line_items == ()


def test_a_total_that_lost_its_point_further_down_is_not_rounded() -> None:
    text = """
      POOL HALL
Table                    58.00
Goods                     6.75
Total:64.75
Amount receivable:64 75
Payment amount:64 75
"""
    result = read(text, None)
    assert result.total == Decimal("64.75")


def test_a_gross_amount_of_a_tax_table_is_no_subtotal_when_its_other_row_is_misread() -> None:
    text = """
      KESSEL
Tee                          4,00
Kanne                       11,90
ZU ZAHLEN                   15,90
MWST     NETTO     MWST     BRUTTO
1 7.005   3,44     0,26       4,00
2 19,00% 10,21     1,90      11,90
"""
    result = read(text, "de")
    assert (result.total, result.sub_total) == (Decimal("15.9"), None)


def test_the_sum_of_the_subtotals_of_all_rates_is_the_subtotal() -> None:
    text = """
      SODA DEL PUERTO
Seco de pollo            5.00
Jugo                     1.50
SUBTOTAL 15%             6.50
SUBTOTAL 0%              0.00
SUBTOTAL SIN IMPUESTOS   6.50
IVA 15%                  0.98
VALOR TOTAL              7.48
"""
    result = read(text, "ec")
    assert (result.sub_total, result.tax, result.total) == (
        Decimal("6.5"),
        Decimal("0.98"),
        Decimal("7.48"),
    )


def test_what_service_is_added_to_is_the_subtotal_and_not_the_taxable_amount() -> None:
    text = """
      LAKE VIEW DINER
Momo            300.00
Thali           500.00
Basic Amount    800.00
Service 10%      80.00
Taxable Amount  880.00
VAT 13%         114.40
Net Amount      994.40
"""
    result = read(text, "np")
    assert (result.sub_total, result.tax, result.total) == (800, Decimal("114.4"), Decimal("994.4"))


def test_the_net_amount_below_a_discount_is_paid_and_no_subtotal() -> None:
    text = """
      WRAP CORNER
Falafel            12.00
Tabbouleh           8.00
Discount            1.50
Net Amount         18.50
Cash               20.00
Change              1.50
"""
    result = read(text, "ae")
    assert (result.sub_total, result.discount, result.total) == (None, Decimal("1.5"), Decimal("18.5"))


def test_a_card_that_pays_the_bill_and_a_tip_pays_the_total() -> None:
    text = """
      THE GULL
Hake               150.00
Chips               80.00
VATable            200.00
VAT @ 15%           30.00
BILL TOTAL         230.00
Tip                 25.00
Tendered (Card)    255.00
"""
    result = read(text, "za")
    assert (result.sub_total, result.tax, result.tip, result.total) == (200, 30, 25, 255)


def test_a_total_that_sums_the_products_before_service_tax_and_rounding_is_a_subtotal() -> None:
    added = [row(2, "total", "9.00"), row(3, "service", "0.90"), row(4, "tax", "0.69")]
    rounded = [row(5, "total", "10.59"), row(6, "rounding", "0.01"), row(7, "total", "10.60")]
    ledger = decide([*added, *rounded, row(8, "cash", "20.00"), row(9, "change", "9.40")], ITEMS)
    assert (value(ledger.total), value(ledger.subtotal)) == (Decimal("10.60"), Decimal("9.00"))


def test_the_base_of_one_of_several_rates_is_no_subtotal_for_the_gross_amount_beside_it() -> None:
    text = """
      THE GULL
Bread               6.00
Mug                12.00
TOTAL              18.00
VAT 20%   10.00   2.00  12.00
"""
    result = read(text, "gb")
    assert (result.sub_total, result.tax, result.total) == (None, 2, 18)


def test_an_amount_that_may_be_net_is_the_subtotal_when_the_tax_below_leads_to_the_total() -> None:
    entries = [row(2, "net", "8.00", weight=0.6), row(3, "tax", "1.00"), row(4, "total", "9.00")]
    ledger = decide([*entries, row(5, "tip", "1.00"), row(6, "total", "10.00")], ITEMS)
    assert value(ledger.subtotal) == Decimal("8.00")

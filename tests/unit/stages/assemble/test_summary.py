"""How products and the totals block become `lineItems` and `summaryItems`."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from receipt_engine.document import AmountReading, AmountRule, Item, Money, Sheet
from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.region import load_region
from receipt_engine.result import Result, Supplementary
from receipt_engine.stages.assemble.summary import line_items, summary_items
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.trace import Trace
from tests.printed import reading, spans
from tests.unit.stages.reconcile.sheets import decide, row


def item(**parts: Any) -> Item:
    amount = AmountReading("4.00", 6, 10, (Money(Decimal("4.00"), 0.0, AmountRule.AS_PRINTED),))
    return Item(3, (3,), **({"desc": "PEARS", "desc_clean": "Pears", "total": amount} | parts))


def read(text: str, region: str = "us") -> Result:
    return interpret(reading(text), ExtractOptions(region=region), None, Trace(keep=False))


def summary(result: Result) -> list[tuple[str | None, str | None, Decimal | None]]:
    return [(line.desc, line.line_type, line.line_total) for line in result.summary_items]


def test_a_quantity_that_is_not_printed_is_zero() -> None:
    (line,) = line_items([item()])
    assert (line.qty, line.price, line.unit, line.supplementary_line_items) == (0, None, None, None)
    assert (line.desc, line.desc_clean, line.line_total) == ("PEARS", "Pears", Decimal("4.00"))
    assert line.line_type == "Product"


def test_a_printed_one_stays_a_one() -> None:
    (line,) = line_items([item(qty=Decimal(1), price=Decimal("4.00"))])
    assert (line.qty, line.price) == (1, Decimal("4.00"))


def test_everything_known_of_a_product_is_told() -> None:
    (line,) = line_items([item(unit=Decimal("0.456"), product_code="4011", symbols=("T",), below=("ripe",))])
    assert (line.unit, line.product_code, line.symbols) == (Decimal("0.456"), "4011", ("T",))
    assert line.supplementary_line_items == Supplementary(below=("ripe",))


def test_no_words_are_null_not_empty() -> None:
    (line,) = line_items([item(desc="", desc_clean="")])
    assert (line.desc, line.desc_clean) == (None, None)


BLOCK = """
      CORNER STORE
Tea                     10.00
Rice                    10.00
SUBTOTAL                20.00
DISCOUNT                -2.00
TAX 10%                  1.80
TIP                      3.00
TOTAL                   22.80
CASH                    25.00
CHANGE                   2.20
"""


def test_the_totals_block_is_told_in_printed_order_with_its_types() -> None:
    assert summary(read(BLOCK)) == [
        ("SUBTOTAL", "SubTotal", Decimal("20.00")),
        ("DISCOUNT", None, Decimal("-2.00")),
        ("TAX 10%", "Tax", Decimal("1.80")),
        ("TIP", "Tip", Decimal("3.00")),
        ("TOTAL", "Total", Decimal("22.80")),
        ("CASH", "Cash", Decimal("25.00")),
        ("CHANGE", "Change", Decimal("2.20")),
    ]


def test_the_top_level_amounts_are_those_of_the_block() -> None:
    result = read(BLOCK)
    assert (result.sub_total, result.tax, result.tip) == (
        Decimal("20.00"),
        Decimal("1.80"),
        Decimal("3.00"),
    )
    assert (result.discounts, result.discount) == ((Decimal("2.00"),), Decimal("2.00"))
    assert (result.total, result.cash, result.change) == (
        Decimal("22.80"),
        Decimal("25.00"),
        Decimal("2.20"),
    )


def test_what_is_told_for_information_is_no_part_of_the_block() -> None:
    told = BLOCK + "YOU SAVED                2.00\nPOINTS BALANCE           320\n"
    assert summary(read(told)) == summary(read(BLOCK))


@pytest.mark.parametrize("printed", ["-2.20", "2.20", "2.20-"])
def test_change_is_positive_however_it_is_printed(printed: str) -> None:
    result = read(BLOCK.replace("CHANGE                   2.20", f"CHANGE                  {printed}"))
    assert result.change == Decimal("2.20")
    assert summary(result)[-1] == ("CHANGE", "Change", Decimal("2.20"))


def test_a_settled_balance_is_no_total() -> None:
    result = read(BLOCK + "BALANCE DUE              0.00\n")
    assert result.total == Decimal("22.80")
    assert ("BALANCE DUE", None, Decimal("0.00")) in summary(result)


def test_the_last_of_two_payments_of_a_settled_account_is_no_total() -> None:
    paid = "Deposit 2026-01-15     -2.80\nVISA                  -20.00\nBALANCE                 0.00\n"
    assert read(BLOCK[: BLOCK.index("CASH")] + paid).total == Decimal("22.80")


@pytest.mark.parametrize("told", ["GIFT CARD BALANCE         0.00", "GIFT CARD **** 4471 balance 75.00"])
def test_what_a_card_still_holds_is_no_part_of_the_block(told: str) -> None:
    block = BLOCK.replace(
        "CASH                    25.00\nCHANGE                   2.20", "GIFT CARD               22.80"
    )
    assert summary(read(block + told + "\n")) == summary(read(block))


def test_a_net_amount_on_the_way_to_the_total_is_a_subtotal() -> None:
    result = read(
        """
      BUILDERS YARD
Cement                1000.00
Bricks                1000.00
Subtotal              2000.00
Trade discount 8%     -160.00
Nett (excl VAT)       1840.00
VAT 15%                276.00
TOTAL DUE             2116.00
""",
        "za",
    )
    assert result.total == Decimal("2116.00")
    assert [kind for _, kind, total in summary(result) if total in (2000, 1840)] == ["SubTotal", "SubTotal"]


def test_the_amount_on_the_terminals_slip_is_no_line_of_the_totals() -> None:
    result = read(
        """
      CORNER STORE
Tea                     10.00
Rice                    10.00
TOTAL                   20.00
EFTPOS                  20.00

VISA XXXX XXXX XXXX 3444
TRACE 907312
AMOUNT                  20.00
TRANSACTION APPROVED
""",
        "nz",
    )
    assert summary(result) == [
        ("TOTAL", "Total", Decimal("20.00")),
        ("EFTPOS", None, Decimal("20.00")),
    ]


def test_a_small_whole_amount_with_sure_words_is_a_line_of_the_totals() -> None:
    result = read(
        """
      文具の店
えんぴつ                 120
合計                     120
お預り                   128
おつり                     8
""",
        "ja",
    )
    assert ("おつり", "Change", Decimal(8)) in summary(result)


WHOLE = """
      BOTILLERIA NORTE
Vino tinto             4.990
Bolsa                    100
Agua mineral             890
TOTAL                  5.980
REDONDEO                   0
A PAGAR                5.980
EFECTIVO               5.980
VUELTO                     0
"""


def test_the_sum_row_of_a_tax_table_is_the_total_tax() -> None:
    text = """
      FARMACIA CENTRAL
Jarabe                    59.00
Venda                    159.90
TOTAL                    218.90
EFECTIVO                 218.90
%      IMPORTE     BASE     IVA
0%       59.00    59.00    0.00
16%     159.90   137.84   22.06
TOTAL   218.90   196.84   22.06
"""
    result = read(text, "mx")
    assert [(kind, value) for _, kind, value in summary(result)][-1] == ("TotalTax", Decimal("22.06"))
    assert result.taxes == (Decimal("22.06"),) and result.tax == Decimal("22.06")


def test_short_whole_numbers_count_where_all_amounts_are_whole() -> None:
    result = read(WHOLE, "cl")
    assert [i.line_total for i in result.line_items] == [4990, 100, 890]
    assert (result.rounding, result.change) == (0, 0)


def test_a_few_pesos_of_rounding_are_read() -> None:
    text = WHOLE.replace("  0\nA PAGAR                5.980", " -7\nA PAGAR                5.973")
    result = read(
        text.replace("5.980\nVUELTO                     0", "6.000\nVUELTO                    27"), "cl"
    )
    assert (result.rounding, result.total, result.change) == (-7, 5973, 27)


def test_of_two_subtotals_the_one_that_adds_up_the_products_counts() -> None:
    result = read(
        """
      CORNER STORE
Tea                     10.00
Rice                    10.00
SUBTOTAL                20.00
DISCOUNT (10%)          -2.00
SUBTOTAL                18.00
SERVICE CHARGE           1.80
TOTAL                   19.80
""",
        "sg",
    )
    assert (result.sub_total, result.total) == (Decimal("20.00"), Decimal("19.80"))


def test_the_total_is_listed_whatever_its_words() -> None:
    result = read(
        """
      CUA HANG
Gao thom                98,000
Nuoc mam               291,000
THANH TIEN
₫389,000
""",
        "vn",
    )
    assert [(kind, value) for _, kind, value in summary(result)] == [("Total", Decimal(389000))]


def test_a_balance_that_is_what_was_paid_is_the_total() -> None:
    found = read(
        """
      CORNER GROCERY
BREAD                 3.19 F
CHEESE                8.99 T
TAX                   0.56
**** BALANCE         12.74
CASH                 20.00
CHANGE                7.26
"""
    )
    assert found.total == Decimal("12.74")
    assert summary(found)[1] == ("BALANCE", "Total", Decimal("12.74"))


def test_a_balance_below_cash_is_what_was_given_back() -> None:
    found = read(
        """
      KEDAI TEMBAGA
KOPI O                3.60
ROTI BAKAR            4.80
TOTAL                 8.40
CASH                 10.00
BALANCE               1.60
""",
        "my",
    )
    assert found.change == Decimal("1.60")
    assert summary(found)[-1] == ("BALANCE", "Change", Decimal("1.60"))


@pytest.mark.parametrize(("weight", "kind"), [(0.79, "SubTotal"), (0.8, "Total")])
def test_what_was_taken_for_the_subtotal_is_a_total_only_by_sure_words(weight: float, kind: str) -> None:
    above, total = row(3, "total", "20.00", weight=weight), row(4, "total", "18.00")
    sheet = Sheet(("summary",) * 5, ((),) * 5, (), (above, total), ())
    rows = parse(
        group(spans("A\nB\nC\nSUM        20.00\nTO PAY     18.00")), load_region("us"), AmountHints()
    )
    ledger = replace(decide([total]), subtotal=decide([above]).total)
    assert [line.line_type for line in summary_items(sheet, ledger, rows)] == [kind, "Total"]


def with_tip(weight: float, cost: float = 0.0) -> list[str | None]:
    """The line types of a block with a tip, whose words are so sure and whose amount is so badly printed."""
    tip, total = row(3, "tip", "3.00", weight=weight, cost=cost), row(4, "total", "23.00")
    sheet = Sheet(("summary",) * 5, ((),) * 5, (), (tip, total), ())
    printed = group(spans("A\nB\nC\nTIP        3.00\nTOTAL     23.00"))
    rows = parse(printed, load_region("us"), AmountHints())
    return [line.line_type for line in summary_items(sheet, decide([total]), rows)]


@pytest.mark.parametrize(("weight", "cost"), [(0.4, 2.5), (0.79, 2.5), (0.8, 3.0), (1.0, 3.0)])
def test_the_surer_the_words_the_worse_an_amount_may_be_printed(weight: float, cost: float) -> None:
    assert with_tip(weight, cost) == ["Tip", "Total"]


@pytest.mark.parametrize(("weight", "cost"), [(0.39, 0.0), (0.79, 2.6), (0.8, 3.1), (1.0, 3.1)])
def test_what_hardly_says_so_is_left_out(weight: float, cost: float) -> None:
    assert with_tip(weight, cost) == ["Total"]


def test_the_number_of_the_shop_with_the_tax_office_is_no_tax() -> None:
    result = read("CORNER STORE\n\nSoup     12.00\nTotal     12.00\nVAT     2.00\nVAT 482 207 615\n", "gb")
    assert [total for _, kind, total in summary(result) if kind == "Tax"] == [Decimal("2.00")]


def kinds(text: str, region: str = "us") -> list[tuple[str | None, str | None]]:
    """Label and line type of each row of the totals block."""
    return [(label, kind) for label, kind, _ in summary(read(text, region))]


def test_what_tax_is_added_to_is_a_subtotal_even_when_called_total() -> None:
    text = """
      NOODLE CORNER
Noodles                 11.40
Dumplings                7.90
Total 2 item(s)         19.30
City tax 10%             1.93
Grand Total             21.23
"""
    assert kinds(text) == [("Total 2 item(s)", "SubTotal"), ("City tax 10%", "Tax"), ("Grand Total", "Total")]


def test_what_only_a_discount_is_taken_off_stays_a_total() -> None:
    text = """
      NOODLE CORNER
Noodles                 11.40
Dumplings                7.90
Total                   19.30
Discount                -2.00
To Pay                  17.30
"""
    assert kinds(text, "ae") == [("Total", "Total"), ("Discount", None), ("To Pay", "Total")]


def test_the_total_is_no_tax_because_it_contains_one() -> None:
    text = """
      KEDAI SETIA
Rice                    10.60
Oil                     21.20
Total Due (GST Incl)    31.80
Cash                    40.00
Change                   8.20
GST 6%                   1.80
"""
    found = kinds(text, "my")
    assert ("Total Due (GST Incl)", "Total") in found
    assert ("GST 6%", "Tax") in found


def test_what_rounding_leads_to_is_a_total() -> None:
    text = """
      KEDAI SETIA
Rice                    10.61
Oil                     21.21
Total                   31.82
Rounding                -0.02
After Rounding          31.80
Cash                    31.80
"""
    assert kinds(text, "my")[:3] == [
        ("Total", "Total"),
        ("Rounding", None),
        ("After Rounding", "Total"),
    ]


def test_the_sum_of_the_taxes_of_state_and_city_is_the_total_tax() -> None:
    text = """
      LODGE INN
Room                   100.00
State Tax 6%             6.00
City Tax 2%              2.00
Sales Tax                8.00
Total                  108.00
"""
    found = dict(kinds(text))
    assert (found["State Tax 6%"], found["City Tax 2%"], found["Sales Tax"]) == ("Tax", "Tax", "TotalTax")


def test_what_was_sold_at_one_rate_is_no_total() -> None:
    text = """
      KEDAI SETIA
Rice                    10.00
Oil                     21.20
Total 0% goods          10.00
Total 6% goods          21.20
Total Payable           31.20
"""
    assert kinds(text, "my") == [
        ("Total 0% goods", None),
        ("Total 6% goods", None),
        ("Total Payable", "Total"),
    ]


def test_cash_given_back_is_change() -> None:
    text = BLOCK + "CASH RETURNED            2.20\n"
    assert summary(read(text))[-1] == ("CASH RETURNED", "Change", Decimal("2.20"))


def test_amounts_that_gave_a_field_are_listed_whatever_their_words() -> None:
    text = """
      BURGER HUT
Burger                   8.00
Fries                    4.00
Subtotal                12.00
                         1.08
*TO GO                  13.08
Cash                    13.08
"""
    result = read(text)
    assert result.tax == Decimal("1.08")
    assert summary(result) == [
        ("Subtotal", "SubTotal", Decimal("12.00")),
        (None, "Tax", Decimal("1.08")),
        ("TO GO", "Total", Decimal("13.08")),
        ("Cash", "Cash", Decimal("13.08")),
    ]


@pytest.mark.parametrize(
    ("printed", "label"),
    [
        ("TOTAL FOR 2 ITEMS       20.00", "TOTAL FOR 2 ITEMS"),
        ("TOTAL [2]               20.00", "TOTAL [2]"),
        ("03/11 17:42 TOTAL:      20.00", "03/11 17:42 TOTAL"),
        ("ITEMS: 2 TOTAL:         20.00", "TOTAL"),
        ("TOTAL SAVED: 0.00 TOTAL 20.00", "TOTAL"),
    ],
)
def test_the_label_is_the_text_between_the_amount_before_and_the_amount(printed: str, label: str) -> None:
    found = summary(read(f"      CORNER STORE\nTea   10.00\nRice   10.00\n{printed}\nCASH   20.00\n"))
    assert (label, "Total", Decimal("20.00")) in found


def test_each_of_two_labelled_amounts_of_a_row_is_listed() -> None:
    text = """
      CORNER STORE
Tea                     10.00
Rice                    10.00
TAX 3.17 BALANCE        23.17
CASH                    25.00
CHANGE                   1.83
"""
    assert summary(read(text))[:2] == [
        ("TAX", "Tax", Decimal("3.17")),
        ("BALANCE", "Total", Decimal("23.17")),
    ]


def test_a_row_of_a_tax_table_is_not_called_after_the_head_of_its_columns() -> None:
    text = """
      SPORTBUTIKEN
Boll                    150,00
Total                   150,00
Moms%    Moms    Netto  Totalt
25,00   30,00   120,00  150,00
"""
    assert summary(read(text, "se"))[-1] == ("25,00", "Tax", Decimal("30.00"))


def test_a_total_before_its_rounding_is_a_total() -> None:
    text = """
      KEDAI SETIA
Soup                     7.51
Subtotal                 7.51
Total Incl. GST          7.51
Rounding                -0.01
Total Rounded            7.50
Cash                     7.50
"""
    assert kinds(text, "my")[:4] == [
        ("Subtotal", "SubTotal"),
        ("Total Incl. GST", "Total"),
        ("Rounding", None),
        ("Total Rounded", "Total"),
    ]

"""Tax tables of printed receipts."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.unit.stages.printed_sheets import receipt, sheet

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


def test_rows_of_products_are_no_tax_table() -> None:
    found = sheet(receipt("Bread      2.00   2.00   4.00\nMilk       1.25   1.25   2.50"))
    assert found.tax_rows == ()


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


def test_a_table_of_whole_units_rounds_its_tax_to_one() -> None:
    shop = "茶店\n綠茶    200\n紅豆湯    24\n合計    224\n"
    found = sheet(shop + "稅率    銷售額    稅額    總額\n5%    213    11    224", "tw")
    assert [(row.rate, row.net, row.tax, row.gross) for row in found.tax_rows] == [(5, 213, 11, 224)]


def test_a_base_and_its_tax_of_two_digits_need_no_words() -> None:
    found = sheet("茶店\n綠茶    1,000\n紅豆湯    120\n合計    1,120\n5%    1,067    53", "tw")
    assert [(row.rate, row.net, row.tax) for row in found.tax_rows] == [(5, 1067, 53)]
    found = sheet("茶店\n綠茶    1,000\n紅豆湯    120\n合計    1,120\n5%    1,067    57", "tw")
    assert found.tax_rows == ()


def test_a_table_with_cents_does_not() -> None:
    shop = "KAUFHALLE\nMilch    224,00\nSUMME    224,00\n"
    found = sheet(shop + "MWST%    Netto    MwSt    Brutto\n5%    213,00    11,00    224,00", "de")
    assert not found.tax_rows or found.tax_rows[0].rate != 5


def test_two_rates_side_by_side_in_one_row() -> None:
    found = sheet(TAX_TABLE.format(rows="A 7,0%  5,03  0,35    B: 19% 1,85 0,35"), "de")
    read = [(row.rate, row.net, row.tax) for row in found.tax_rows]
    assert read == [
        (7, Decimal("5.03"), Decimal("0.35")),
        (19, Decimal("1.85"), Decimal("0.35")),
    ]


def test_rates_side_by_side_of_which_one_does_not_close_are_no_table() -> None:
    found = sheet(TAX_TABLE.format(rows="A 7,0%  5,03  0,35    B: 19% 1,85 1,10"), "de")
    assert len(found.tax_rows) < 2


@pytest.mark.parametrize(
    ("row", "taxes"),
    [
        ("7% 0,35    19% 0,35", ["0.35", "0.35"]),
        ("7% 0,35    19% 0,45", []),  # of 8,17, and 7,58 was paid
        ("19% 1,21", []),
    ],
)
def test_taxes_alone_beside_their_rates_must_be_of_the_total(row: str, taxes: list[str]) -> None:
    found = sheet(TAX_TABLE.format(rows="").replace("MWST%      Netto   MwSt  Brutto", row), "de")
    assert [tax.tax for tax in found.tax_rows] == [Decimal(tax) for tax in taxes]


def test_an_estimate_of_the_taxes_in_the_prices_is_no_tax_table() -> None:
    rows = "TOTAL R$                 41,20\nDinheiro                 41,20"
    note = "TRIBUTOS F: 5,10 (12.38%) E:7,42 (18.01%) M:0,00 (0%)"
    assert not sheet(f"PADARIA ALECRIM\nBOLO DE MILHO            41,20\n{rows}\n{note}", "br").tax_rows


def test_all_rows_below_the_heads_of_a_table_belong_to_it() -> None:
    found = sheet(
        """
      DENİZ MARKET
PEYNİR           %1     *202,00
SABUN           %20     *120,00
TOPLAM                  *322,00
KDV%   MATRAH    KDV
 1     200,00    2,00
20     100,00   20,00
""",
        "tr",
    )
    assert [(row.net, row.tax) for row in found.tax_rows] == [
        (200, 2),
        (100, 20),
    ]


def test_a_row_without_tax_above_those_with_it_begins_the_table() -> None:
    found = sheet(
        """
      HILL STORES
Feed 20kg               14.00 A
Rope                     6.15 C
     NET     VAT   GROSS
A    14.00   0.00  14.00   0.0%
C     5.00   1.15   6.15  23.0%
     19.00   1.15  20.15
Amount Due              20.15
""",
        "ie",
    )
    assert [(row.rate, row.tax, row.is_sum) for row in found.tax_rows] == [
        (0, 0, False),
        (23, Decimal("1.15"), False),
        (None, Decimal("1.15"), True),
    ]


@pytest.mark.parametrize("sums", [("", "", ""), ("15.00", "2.25", "17.25")], ids=["rates", "rates and sums"])
def test_a_table_may_have_a_column_for_each_rate(sums: tuple[str, str, str]) -> None:
    net, tax, gross = sums
    found = sheet(
        f"""
      HILL STORES
Coal                     5.25 R
Cider                   12.00 S
TOTAL                   17.25
VAT Rate     20%     5%
Net        10.00   5.00   {net}
VAT         2.00   0.25   {tax}
Gross      12.00   5.25   {gross}
""",
        "gb",
    )
    assert [row.tax for row in found.tax_rows] == [Decimal("2.00"), Decimal("0.25")]

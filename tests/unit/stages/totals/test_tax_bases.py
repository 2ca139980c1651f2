"""Taxes beside amounts that look like them: their bases, those of single products, those of other nights."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.printed import read


@pytest.mark.parametrize("word", ["Base ITBMS", "Imp. ITBMS"])
def test_of_two_amounts_at_one_rate_the_other_is_the_base(word: str) -> None:
    result = read(
        f"""
      ABARROTES LUNA
Jabon                 6.20
Arroz                 3.10
SUBTOTAL              9.30
EXENTO                3.10
{word} 7%          6.20
ITBMS 7%              0.43
TOTAL                 9.73
""",
        "pa",
    )
    assert (result.taxes, result.sub_total, result.total) == (
        (Decimal("0.43"),),
        Decimal("9.3"),
        Decimal("9.73"),
    )


def test_the_tax_of_the_only_product_at_a_rate_is_told_again_below_the_total() -> None:
    text = """
МАГАЗИН "РОСТОК"
Кефир            2 x 55,00     110,00
НДС 10%                         10,00
Хлеб             1 x 44,00      44,00
НДС 10%                          4,00
Мыло             1 x 60,00      60,00
НДС 20%                         10,00
ИТОГО                          214,00
СУММА НДС 20%                   10,00
СУММА НДС 10%                   14,00
"""
    result = read(text, "ru")
    assert result.taxes == (Decimal(10), Decimal(14))


def test_the_taxes_of_two_nights_are_all_added() -> None:
    text = """
     HILLTOP RESIDENCY
Bill Date: 05-11-2026
03-11-26  Room Tariff    2000.00
03-11-26  CGST 6%         120.00
03-11-26  SGST 6%         120.00
04-11-26  Room Tariff    2000.00
04-11-26  CGST 6%         120.00
04-11-26  SGST 6%         120.00
TOTAL                    4480.00
"""
    result = read(text, "in")
    assert (result.tax, result.total) == (480, 4480)


@pytest.mark.parametrize(
    ("heading", "amounts"),
    [
        ("Brutto        Netto     MwSt 19%", "35,70 EUR     30,00     5,70"),
        ("Brutto        Netto     MwSt", "35,70         30,00     5,70"),
        ("Netto         MwSt 19%  Brutto", "30,00 EUR     5,70      35,70"),
    ],
)
def test_amounts_below_their_headings_above_the_total_are_no_product(heading: str, amounts: str) -> None:
    text = f"""
Schneiderei Faden
Hose kürzen                         15,80
Reißverschluss                      19,90
{heading}
{amounts}
Zu zahlen                       35,70 EUR
"""
    result = read(text, "de")
    assert (result.tax, result.total, len(result.line_items)) == (Decimal("5.7"), Decimal("35.7"), 2)


def test_one_rate_beside_two_names_is_that_of_a_base_and_its_tax() -> None:
    text = """
CAFE DA PONTE
Bolo                          2,12
Sumo                          5,20
TOTAL                         7,32
IVA 6% Inc.  2,00  IVA 0,12
IVA 13% Inc. 4,60  IVA 0,60
"""
    assert read(text, "pt").tax == Decimal("0.72")


def test_a_table_at_a_rate_that_is_no_longer_in_force_is_read_by_its_heads() -> None:
    text = """
RANTARAVINTOLA OY
Keitto                       22,80
Olut                          6,40
YHTEENSÄ                     29,20
ALV-%   Brutto  Netto   Vero
14      22,80   20,00   2,80
25,5     6,40    5,10   1,30
12.3.2026 13:05
"""
    assert read(text, "fi").tax == Decimal("4.1")


@pytest.mark.parametrize("day", ["12-Jan-2019", "12-Jan-2026"])
def test_halves_of_a_tax_differ_by_a_cent_beside_its_rate(day: str) -> None:
    text = f"""
CITY MEDICOS        {day}
Syrup               330.00
Balm                110.00
Total MRP           440.00
Less discount        44.00
Net Amount          396.00
GST%  Taxable   CGST   SGST
12.0   353.57  21.21  21.22
You Saved Rs. 44.00
"""
    assert read(text, "in").tax == Decimal("42.43")  # the rate of 12 % ended in 2025


def test_an_amount_with_taxes_and_charges_is_no_subtotal() -> None:
    text = """
ROSE BAKERS
Cake                        500.00
Sum                         500.00
GST 16%                      80.00
Service Charge                1.00
Net Total                   581.00
Rounding                     -1.00
Payable                     580.00
Cash                        580.00
"""
    result = read(text, "pk")
    assert (result.total, result.sub_total) in ((Decimal(580), None), (Decimal(580), Decimal(500)))


def test_what_shows_the_net_amount_of_a_total_due_again_is_its_tax() -> None:
    sums = "Total Sales (VAT Inclusive)  672.00\nLess: VAT  72.00\nAmount Net of VAT  600.00\n"
    bill = f"ISLA INN\n2 nights Twin  672.00\n{sums}"
    result = read(f"{bill}TOTAL AMOUNT DUE  672.00", "ph")
    assert (result.tax, result.sub_total, result.discount) == (Decimal("72.00"), Decimal("600.00"), None)
    result = read(f"{bill}Less: SC DISCOUNT  120.00\nTOTAL AMOUNT DUE  480.00", "ph")
    assert (result.total, result.tax) == (Decimal("480.00"), None)

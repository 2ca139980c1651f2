"""Taxes that are kept back, charges and totals in one row, from text to Result: one habit a test."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.printed import read


@pytest.mark.parametrize(
    ("region", "base", "tax", "withheld"),
    [
        ("es", "Base imponible", "IVA 20%", "Retención IRPF 10%"),
        ("in", "Sub Total", "IGST 20%", "Less: TDS 10%"),
        ("co", "Subtotal", "IVA 20%", "Retefuente 10%"),
        ("mx", "Subtotal", "IVA 20%", "ISR Retenido"),
        ("it", "Imponibile", "IVA 20%", "Ritenuta d'acconto 10%"),
    ],
)
@pytest.mark.parametrize("sign", ["-", ""])
def test_a_tax_that_is_withheld_is_neither_tax_nor_discount(
    region: str, base: str, tax: str, withheld: str, sign: str
) -> None:
    text = f"""
    ESTUDIO QUIROGA
 Proyecto            800.00
 {base:<20}800.00
 {tax:<20}160.00
 {withheld:<24}{sign}80.00
 Total               880.00
"""
    decimal_comma = region in ("es", "it", "co")
    result = read(text.replace(".00", ",00") if decimal_comma else text, region)
    assert (result.total, result.sub_total, result.taxes) == (880, 800, (160,))
    assert result.discounts == ()
    assert result.validated_total
    assert [line.line_total for line in result.summary_items] == [800, 160, -80, 880]


@pytest.mark.parametrize(
    ("region", "label"),
    [
        ("nz", "TOTAL INCL GST 3.00"),
        ("nz", "TOTAL (INCLUDES GST OF 3.00)"),
        ("de", "Summe inkl. 19% MwSt 3.67"),
    ],
)
def test_the_tax_in_a_total_stands_before_it(region: str, label: str) -> None:
    text = f"""
    TWO RIVERS NURSERY
 Fern                             9.00
 Pot                             14.00
 {label:<32}23.00
"""
    result = read(text.replace(".", ",") if region == "de" else text, region)
    tax = Decimal("3.67" if region == "de" else "3.00")
    assert (result.total, result.taxes) == (23, (tax,))


def test_halves_of_a_tax_beside_their_sum() -> None:
    text = """
    GANGA TRADERS
 Comb               50.00
 Cold cream        200.00
 Sub Total         250.00
 CGST               18.00
 SGST               18.00
 Total             286.00
 HSN    Taxable   CGST   SGST   Tax
 3304   200.00    18.00  18.00  36.00
"""
    assert read(text, "in").taxes == (18, 18)


@pytest.mark.parametrize(
    ("region", "fee"), [("gb", "Booking fee"), ("it", "Supplemento dehors"), ("us", "Environmental levy")]
)
def test_an_amount_between_subtotal_and_total_is_a_charge(region: str, fee: str) -> None:
    text = f"""
    GALLERY CINEMA
 Adult                      9.00
 Child                      6.00
 Subtotal                  15.00
 {fee:<25}  1.40
 Total                     16.40
"""
    result = read(text.replace(".", ",") if region == "it" else text, region)
    assert (result.service_charges, result.taxes) == ((Decimal("1.40"),), ())


@pytest.mark.parametrize(
    ("region", "heads"),
    [("it", "Imponibile   IVA 22%   Totale"), ("ar", "NETO GRAVADO  IVA 22%  TOTAL")],
)
def test_one_row_of_totals_below_its_heads(region: str, heads: str) -> None:
    text = f"""
    AUTOLAVAGGIO FERRI
 Lavaggio completo              25,00
 {heads}
 20,49          4,51           25,00
"""
    result = read(text, region)
    assert (result.total, result.sub_total, result.taxes) == (25, Decimal("20.49"), (Decimal("4.51"),))
    assert [item.desc_clean for item in result.line_items] == ["Lavaggio completo"]


def test_subtotals_by_rate_are_no_taxes() -> None:
    text = """
    FARM KITCHEN
 Pie               5.00 A
 Juice             2.50 B
 Subtotal VAT A    5.00
 Subtotal VAT B    2.50
 VAT 20%           0.42
 TOTAL             7.50
"""
    result = read(text, "gb")
    assert (result.total, result.sub_total, result.taxes) == (Decimal("7.50"), None, (Decimal("0.42"),))


def test_a_voucher_is_sold_if_something_else_pays() -> None:
    text = """
    PAPETERIE AM TOR
 Gutschein         35,00
 Summe             35,00
 EC-Karte          35,00
"""
    result = read(text, "de")
    assert [item.desc_clean for item in result.line_items] == ["Gutschein"]
    assert result.payment_method == "EC-Karte"


@pytest.mark.parametrize(
    ("region", "other", "own"),
    [
        ("de", "Mietbeginn: 03.06.2024 10:00", "Rechnungsdatum: 09.06.2024"),
        ("cz", "Datum zdanitelného plnění: 03.06.2024", "Datum vystavení: 09.06.2024"),
    ],
)
def test_the_day_of_issue_is_not_that_of_supply(region: str, other: str, own: str) -> None:
    text = f"""
    PRONÁJEM BREMER
 {other}
 {own}
 Anhänger          60,00
 Total             60,00
"""
    assert (read(text, region).date or "")[:10] == "2024-06-09"


def test_a_second_tip_adds_to_the_first() -> None:
    text = """
    EL MIRADOR
 2 TACO PLATE          26.00
 1 HORCHATA             4.00
 SUBTOTAL              30.00
 SALES TAX              2.40
 AUTO GRATUITY 18%      5.40
 TOTAL                 37.80
 ADDITIONAL TIP         3.00
 GRAND TOTAL           40.80
"""
    result = read(text, "us")
    assert (result.total, result.tip) == (Decimal("40.80"), Decimal("8.40"))
    assert [line.line_total for line in result.summary_items if line.line_type == "Tip"] == [
        Decimal("5.40"),
        3,
    ]


def test_a_tax_word_in_a_name_is_no_tax_larger_than_the_products() -> None:
    text = """
    HARBOUR POST OFFICE
 1ST CLASS              1.35
 TRACKED                2.30
 PADDED BAG VAT         2.85
 TOTAL DUE TO PAY       6.50
 CASH FROM CUST        10.00
 CASH TO CUST           3.50
"""
    result = read(text, "gb")
    assert (result.total, result.taxes, result.change) == (Decimal("6.50"), (), Decimal("3.50"))
    assert [item.line_total for item in result.line_items][-1] == Decimal("2.85")


def test_a_count_of_items_is_never_negative() -> None:
    text = """
    VALLEY GROCER
 OATS                   4.20
 RICE                   3.60
 2 ITEMS SPECIAL       -0.80
 TOTAL                  7.00
 EFTPOS                 7.00
"""
    result = read(text, "au")
    assert result.discounts == (Decimal("0.80"),)


def test_a_product_named_like_a_tender_stands_before_a_discount() -> None:
    text = """
    FARMACIA DEL PONTE
 DESCRIZIONE        IVA    Prezzo
 SCIROPPO           10%      6,20
 TICKET             ES*      3,00
 CEROTTI            22%      4,10
 SCONTO                     -0,60
 TOTALE COMPLESSIVO         12,70
 Pagamento contante         12,70
"""
    result = read(text, "it")
    assert [item.desc_clean for item in result.line_items] == ["SCIROPPO", "TICKET", "CEROTTI"]


def test_a_table_of_taxes_may_begin_with_codes_of_one_digit() -> None:
    text = """
    SEEMARKT
 Butter                     4.10  0
 Seife                      6.00  1
 Total CHF                 10.10
 TWINT                     10.10
 MWST  %     Total  MWST
 0     2.6    4.10  0.10
 1     8.1    6.00  0.45
"""
    assert read(text, "ch").taxes == (Decimal("0.10"), Decimal("0.45"))


def test_a_name_read_again_loses_its_rate_too() -> None:
    text = """
    KÖŞE LOKANTASI
 3 AD X 40,00
 PİLAV           %10   *120,00
 KEBAP           %10   *210,00
 TOPLAM                *330,00
 NAKİT                 *330,00
"""
    assert [item.desc_clean for item in read(text, "tr").line_items] == ["PİLAV", "KEBAP"]


def test_a_kind_of_petrol_ends_in_no_amount() -> None:
    text = """
    STATION DU PONT
 POMPE 4  SP95-E10
 VOLUME    20.00 L
 PRIX/L     1.750 EUR
 MONTANT   35.00 EUR
 TVA 20.00%  5.83
 HT         29.17
"""
    (item,) = read(text, "fr").line_items
    assert (item.line_total, item.unit, item.price) == (35, 20, Decimal("1.750"))


def test_the_total_of_articles_is_the_total() -> None:
    text = """
    EPICERIE VERTE
 PAIN               1,60
 FROMAGE            7,40
 TOTAL 2 ARTICLES   9,00
 CARTE BANCAIRE     9,00
"""
    result = read(text, "fr")
    assert (result.total, result.sub_total) == (9, None)


def test_what_was_paid_with_stands_behind_a_word_for_paying() -> None:
    text = """
    PARKING DEL RIO
 IMPORTE          7,40
 TOTAL            7,40
 PAGADO TARJETA
"""
    assert read(text, "es").payment_method == "TARJETA"


def test_litres_and_their_price_in_one_row_above_the_amount() -> None:
    text = """
    TANKSTELLE OBERTOR
 Säule 2   Bleifrei 98
 Liter 25.40   CHF/L 1.96
                 CHF  49.78
 Wasser                2.50
 Total           CHF  52.28
 Bar             CHF  60.00
 Rueckgeld       CHF   7.72
"""
    fuel, _ = read(text, "ch").line_items
    assert (fuel.desc_clean, fuel.unit, fuel.price) == ("Bleifrei 98", Decimal("25.40"), Decimal("1.96"))


def test_made_to_measure_is_no_discount() -> None:
    text = """
    SCHREINEREI LOHMANN
 Schrank nach Maß         900,00
 Transport                 60,00
 Zu zahlen                960,00
"""
    result = read(text, "de")
    assert (result.total, result.discounts) == (960, ())

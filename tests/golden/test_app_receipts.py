"""Receipts of apps, web shops and machines, which print amounts apart from their words: one habit a test."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import LineItem, Result
from receipt_engine.trace import Trace
from tests.printed import reading


def result(text: str) -> Result:
    return interpret(reading(text), ExtractOptions(), None, Trace(keep=False))


def sold(found: Result) -> list[tuple[str | None, Decimal | None, Decimal | None]]:
    """Name, quantity and amount of each product."""
    return [_of(item) for item in found.line_items]


def _of(item: LineItem) -> tuple[str | None, Decimal | None, Decimal | None]:
    return item.desc_clean, item.qty, item.line_total


def test_products_below_a_total_that_is_printed_again_below_them() -> None:
    found = result(
        """
Kerbcab
Total £11.40
2 April 2025
Thanks for riding, Noor

Total £11.40

Trip fare £9.10
Booking fee £1.30
Airport surcharge £1.00

Subtotal £11.40

Payments
Mastercard ••3310 £11.40
02/04/2025 20:15
"""
    )
    assert [amount for _, _, amount in sold(found)] == [Decimal("9.10"), Decimal("1.30"), 1]
    assert found.total == Decimal("11.40")


def test_a_total_below_a_card_slip_that_lists_no_products() -> None:
    found = result(
        """
HARBOUR GRILL
TOTAL            £24.00
VAT 20%           £4.00
TOTAL            £24.00
VISA             £24.00
"""
    )
    assert (found.total, found.line_items) == (24, ())


def test_names_of_amounts_right_above_them() -> None:
    found = result(
        """
PARCHEGGIO DUOMO
Via Larga 9 - 43121 Parma PR
Ticket n. 118
Importo
€ 9,00
di cui IVA 22%
€ 1,62
Pagamento: Carta
"""
    )
    assert (found.total, found.tax, found.line_items) == (9, Decimal("1.62"), ())


def test_a_count_of_one_and_its_price_above_the_amount() -> None:
    found = result(
        """
Château des Pins
Commande du 03/06/2025
Billet adulte
2 x 19,00 €
38,00 €
Billet jeune
1 x 5,00 €
5,00 €

Total TTC
43,00 €
dont TVA 10%
3,91 €
"""
    )
    assert sold(found) == [("Billet adulte", 2, 38), ("Billet jeune", 1, 5)]


@pytest.mark.parametrize(("label", "total"), [("Qty: 2", "Total"), ("Quantité : 2", "Total TTC")])
def test_a_labelled_count_between_a_name_and_its_amount(label: str, total: str) -> None:
    found = result(
        f"""
Pinecrest Shop
Order Date: 10/14/2024
Wooden Bowl
{label}
$32.00
Tea Towel
Qty: 1
$9.50
Subtotal: $41.50
Shipping: $5.00
Estimated tax: $3.40
{total}: $49.90
"""
    )
    assert sold(found) == [("Wooden Bowl", 2, 32), ("Tea Towel", 1, Decimal("9.50"))]


def test_words_above_another_amount_are_its_own() -> None:
    found = result(
        """
Kerbcab
May 3, 2025

Total
$21.20

Trip fare
$16.00
Subtotal
$16.00
Wait Time
$0.50
NY State Black Car Fund
$0.60
Tips
$4.10

Payments
Visa ••••4410
$21.20
"""
    )
    assert (found.tip, found.total) == (Decimal("4.10"), Decimal("21.20"))


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("Refund confirmation", "Pinecrest Outfitters"),
        ("Reserva confirmada", "Hostal Arenas"),
        ("Bestellbestätigung", "Lampenhaus Krüger"),
        ("Conferma ordine", "Bottega Serena"),
    ],
)
def test_a_confirmation_is_no_name(heading: str, name: str) -> None:
    found = result(
        f"""
{heading}
{name}
Order 4471

Total 24,00 €
"""
    )
    assert found.establishment == name


def test_taxes_in_the_last_column_are_no_amounts_of_products() -> None:
    found = result(
        """
Küstenbahn Ost GmbH
Buchung: KX77P
Position                 Preis      MwSt 7%
Fahrschein             31,20 €       2,04 €
Sitzplatz               4,90 €       0,32 €
Summe                  36,10 €       2,36 €
"""
    )
    assert [amount for _, _, amount in sold(found)] == [Decimal("31.20"), Decimal("4.90")]
    assert found.total == Decimal("36.10")


@pytest.mark.parametrize("rows", ["SR 6%      30.00     1.80", "Standard   30.00     1.80"])
def test_a_tax_table_below_the_total_keeps_its_taxes(rows: str) -> None:
    found = result(
        f"""
HARBOUR GROCER
2 April 2025 10:15
RICE 5KG                31.80
TOTAL                   31.80
CASH                    40.00
CHANGE                   8.20
GST Summary Amount        Tax
{rows}
Total      30.00     1.80
"""
    )
    assert (found.total, found.tax) == (Decimal("31.80"), Decimal("1.80"))


def test_a_total_above_all_products_does_not_end_them() -> None:
    found = result(
        """
Forkdash
Your order with Larch Bowl
February 11, 2026
Total                        $39.73
1  Noodle Soup (Large)       $16.50
   Extra Noodles  $2.00
2  Spring Rolls              $13.00
1  Iced Tea                   $5.25
Subtotal                     $34.75
Tax                           $3.04
Delivery Fee                  $1.99
Delivery Discount            -$1.99
CA Driver Benefits            $1.94
"""
    )
    assert [amount for _, _, amount in sold(found)] == [Decimal("16.50"), Decimal("13.00"), Decimal("5.25")]
    assert found.tax == Decimal("3.04")

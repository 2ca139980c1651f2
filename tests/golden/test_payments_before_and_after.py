"""What was paid before, taken back or left to pay, from text to Result: one habit a test."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.result import Result
from tests.printed import read


def summary(result: Result) -> list[tuple[str | None, Decimal | None, str | None]]:
    return [(line.desc_clean, line.line_total, line.line_type) for line in result.summary_items]


@pytest.mark.parametrize(
    ("region", "total", "paid", "left"),
    [
        ("gb", "Total", "Deposit received", "Balance due"),
        ("us", "Invoice Total", "Less prepayment", "Balance Due"),
        ("de", "Rechnungsbetrag", "abzgl. Anzahlung vom 03.04.2024", "Noch zu zahlen"),
        ("fr", "Total TTC", "Acompte reçu", "Reste à payer"),
        ("nl", "Totaal", "Reeds betaald", "Nog te betalen"),
        ("cz", "Celkem", "Uhrazená záloha", "K úhradě"),
        ("sk", "Spolu", "Záloha", "K úhrade"),
        ("si", "Skupaj", "Predplačilo", "Za plačilo"),
        ("hr", "Ukupno", "Predujam", "Za platiti"),
        ("lt", "Iš viso", "Avansas", "Mokėti"),
        ("ua", "Всього", "Завдаток", "До сплати"),
    ],
)
@pytest.mark.parametrize("sign", ["-", ""])
def test_an_invoice_partly_paid_before_is_its_whole_total(
    region: str, total: str, paid: str, left: str, sign: str
) -> None:
    text = f"""
    KIELER SEGELMACHEREI
 Sail repair                   420.00
 Sail cover                    180.00
 {total:<30}600.00
 {paid:<36}{sign}150.00
 {left:<30}450.00
"""
    text = text if region in ("gb", "us") else text.replace(".00", ",00")
    result = read(text, region)
    assert (result.total, result.discounts, result.payment_method) == (600, (), None)
    assert summary(result)[0] == (total, 600, "Total")
    assert summary(result)[-1] == (left, 450, None)


def test_cash_for_the_rest_of_a_partly_paid_bill() -> None:
    text = """
    PENSION WALDRUHE
 Zimmer 4          240,00
 Frühstück          60,00
 Gesamtbetrag      300,00
 7,00 % MwSt        19,63
 abzgl. Anzahlung   90,00
 Noch zu zahlen    210,00
 Bar erhalten      250,00
 Rückgeld           40,00
"""
    result = read(text, "de")
    assert (result.total, result.discounts) == (300, ())
    assert (result.cash, result.change) == (250, 40)


@pytest.mark.parametrize(
    "lines",
    [
        " VAT EXEMPT ADJ      -64.29\n SC DISC 20%        -107.14",
        " LESS 12% VAT         64.29\n LESS 20% SC         107.14",
        " VAT Adj            (64.29)\n Senior Disc       (107.14)",
    ],
)
def test_the_tax_that_seniors_do_not_pay_is_taken_off_like_their_discount(lines: str) -> None:
    text = f"""
    KAINAN NI ATE BEBANG
 VAT REG TIN 310-222-145-000
 2 Bulalo            600.00
 Subtotal            600.00
{lines}
 TOTAL DUE           428.57
 CASH                500.00
 CHANGE               71.43
"""
    result = read(text)
    assert (result.total, result.sub_total, result.tax) == (Decimal("428.57"), 600, None)
    assert result.discounts == (Decimal("64.29"), Decimal("107.14"))
    assert result.service_charges == ()


@pytest.mark.parametrize(
    ("region", "row"), [("de", "PFANDBON  1,40 MINUS"), ("nl", "EMBALLAGEBON        1,40-")]
)
def test_a_voucher_for_empties_lowers_the_sum_and_does_not_pay(region: str, row: str) -> None:
    text = f"""
    FRISCHEMARKT OHLE
 Apfelsaft           2,60
 {row}
 Quark 500g          1,80
 Tomaten             3,00
 TOTAL               6,00
 VISA                6,00
"""
    result = read(text, region)
    assert [item.line_total for item in result.line_items][1] == Decimal("-1.40")
    assert len(result.line_items) == 4
    assert result.payment_method == "VISA"


def test_a_returned_article_below_another_one_is_no_discount() -> None:
    text = """
    JÄRN & FÄRG AB
 Lim 750ml           99,00
 Retur Pensel       -35,00
 Att betala          64,00
 Kort                64,00
"""
    result = read(text, "se")
    assert result.discounts == ()
    assert result.line_items[1].line_total == -35


@pytest.mark.parametrize(("asked", "method"), [("Betaald: Pin", "Pin"), ("Bezahlt: TWINT", "TWINT")])
def test_a_word_for_paying_before_a_colon_is_no_part_of_the_method(asked: str, method: str) -> None:
    region = "nl" if method == "Pin" else "ch"
    text = f"""
    WASSALON DE BEL
 Wasbeurt   EUR  7,50
 Totaal     EUR  7,50
 {asked}
"""
    assert read(text, region).payment_method == method


def test_the_card_that_paid_most_is_the_method() -> None:
    text = """
    JARDIN DES OLIVIERS
 Terreau 40L          11,90
 Rosier               58,10
 NET A PAYER          70,00
 CARTE CADEAU         25,00
 CB SANS CONTACT      45,00
"""
    assert read(text, "fr").payment_method == "CB SANS CONTACT"


def test_a_voucher_above_the_only_total_is_a_discount() -> None:
    text = """
    SAFFRON DELIVERED
 1x Dal               7.50
 2x Roti              4.00
 Subtotal            11.50
 Delivery fee         2.20
 Voucher WELCOME3    -3.00
 Rider tip            1.00
 Total               11.70
 Paid with Apple Pay
"""
    result = read(text, "gb")
    assert (result.discounts, result.tip, result.payment_method) == ((3,), 1, "Apple Pay")


def test_the_amount_charged_to_the_card_holds_the_tip() -> None:
    text = """
    THE LANTERN ALEHOUSE
 2 Cider             16.00
 1 Fish Pie          19.00
 SUBTOTAL            35.00
 HST 13%              4.55
 TOTAL               39.55
 TIP                  6.00
 CHARGED             45.55
 Paid with VISA ...2210
"""
    result = read(text, "ca")
    assert (result.total, result.tip) == (Decimal("45.55"), 6)


@pytest.mark.parametrize(
    ("region", "total", "received", "card", "method"),
    [
        ("kr", "합계금액", "받은금액", "신용카드", "신용카드"),
        ("gb", "TOTAL", "AMOUNT TENDERED", "VISA", "VISA"),
        ("br", "Valor Total R$", "Valor Pago R$", "CARTAO DE CREDITO", "CARTAO DE CREDITO"),
    ],
)
def test_what_was_received_is_no_cash_where_a_card_is_charged_with_it(
    region: str, total: str, received: str, card: str, method: str
) -> None:
    text = f"""
    PANO
 LIVRO              64
 {total}            64
 {received}         64
 {card}             64
""".replace("64", "6400" if region == "kr" else "64.00" if region == "gb" else "64,00")
    result = read(text, region)
    assert (result.cash, result.payment_method) == (None, method)


def test_an_amount_paid_is_cash_only_with_change() -> None:
    parking = "    ESTACIONAMENTO PINHAL\n Entrada: 14/03/2025 10:20:31\n Valor pago: R$ 18,00\n"
    result = read(parking, "br")
    assert (result.total, result.cash, result.payment_method) == (18, None, None)
    changed = "    PINHAL\n LIVRO 18,00\n Valor Total R$ 18,00\n Valor Pago R$ 20,00\n Troco R$ 2,00\n"
    assert (read(changed, "br").cash, read(changed, "br").change) == (20, 2)


def test_what_a_patient_pays_is_the_total() -> None:
    text = """
    푸른숲치과의원
 진료비 총액      24,000
 공단부담금       16,800
 환자부담총액      7,200
 납부할 금액       7,200
 카드              7,200
"""
    result = read(text, "kr")
    assert (result.total, result.line_items) == (7200, ())


@pytest.mark.parametrize("row", ["Tambang RM 7.20", "FARE  RM 7.20"])
def test_the_fare_is_the_total_and_what_is_left_on_the_card_is_not(row: str) -> None:
    row = row.replace("FARE", "JUMLAH TAMBANG")
    result = read(f"    LEBUHRAYA TIMUR\n KELAS 1\n 03/05/2024 08:10:44\n {row}\n BAKI KAD RM 38.80\n", "my")
    assert result.total == Decimal("7.20")


def test_a_ticket_that_shows_only_its_price_and_the_tax_in_it() -> None:
    text = """
    BERGBAHN OBERTAL
 Talstation - Gipfel
 Gültig 04.05.2024
 CHF 32.00
 inkl. 8.1% MWST  CHF 2.40
"""
    result = read(text, "ch")
    assert (result.total, result.tax, result.line_items) == (32, Decimal("2.40"), ())


@pytest.mark.parametrize(
    ("rows", "subtotal"),
    [
        ("Subtotal 80.00\nDiscount -8.00\nTotal 72.00", 80),
        ("Subtotal 80.00\nDiscount -8.00\nTax 5.76\nTotal 77.76", 80),
        ("Net 60.00\nVAT 20% 12.00\nTotal 72.00", 60),
    ],
)
def test_a_card_pays_the_tip_on_a_total_below_a_discount(rows: str, subtotal: int) -> None:
    due = Decimal(rows.rpartition(" ")[2])
    text = f"""
THE COPPER KETTLE
12 Harbor Street, Leeds LS1 4AB
2 Roast lamb 60.00
1 Pudding 20.00
{rows}
Tip 6.00
Visa {due + 6}
"""
    text = text.replace("20.00\nNet", "12.00\nNet")
    result = read(text, "gb")
    assert (result.total, result.tip, result.sub_total) == (due + 6, 6, subtotal)


def test_a_deposit_taken_off_is_no_part_of_what_a_card_pays() -> None:
    text = """
THE COPPER KETTLE
Room 2 nights 300.00
Subtotal 300.00
Tax 30.00
Total 330.00
Deposit paid -100.00
Balance due 230.00
Visa 230.00
"""
    assert read(text, "us").total == 330

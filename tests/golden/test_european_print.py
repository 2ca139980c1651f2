"""What tills of European countries print, from text to Result."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import Result
from receipt_engine.trace import Trace
from tests.printed import read, reading


def rows(result: Result) -> list[tuple[str | None, str | None, Decimal | None]]:
    return [(row.line_type, row.desc, row.line_total) for row in result.summary_items]


def test_a_word_for_paying_below_the_card_is_no_cash() -> None:
    text = """
SKLEP MALWA
ul. Krótka 8, 61-001 Poznań
CHLEB              1 * 6,00       6,00
MLEKO              1 * 4,00       4,00
SUMA PLN                         10,00
Karta VISA                       10,00
ZAPŁACONO                        10,00
"""
    result = read(text, "pl")
    assert (result.cash, result.payment_method) == (None, "VISA")
    assert [kind for kind, _, _ in rows(result)] == ["Total", None, None]


def test_taxes_of_all_letters_are_taxes() -> None:
    text = """
SKLEP MALWA
CHLEB              1 * 10,50     10,50D
PIWO               1 * 12,30     12,30A
Sprzed. opod. PTU A              12,30
Kwota A 23,00%                    2,30
Sprzed. opod. PTU D              10,50
Kwota D 5,00%                     0,50
Podatek PTU                       2,80
SUMA PLN                         22,80
"""
    result = read(text, "pl")
    assert result.taxes == (Decimal("2.30"), Decimal("0.50"))


def test_a_total_of_the_tax_at_one_rate_is_a_tax() -> None:
    text = """
ALIMENTARA MIERLA S.R.L.
PAINE                    5,00 B
BERE                    11,90 A
TOTAL LEI               16,90
TOTAL TVA A 19.00%       1,90
TOTAL TVA B 9.00%        0,41
TOTAL TVA                2,31
"""
    result = read(text, "ro")
    assert [kind for kind, _, _ in rows(result)] == ["Total", "Tax", "Tax", "TotalTax"]


def test_the_sum_of_the_goods_is_the_total_where_nothing_else_is() -> None:
    text = """
BRYGGA MAT
Melk                      22,00
Brød                      38,00
Sum 2 varer               60,00
Bank:                     60,00
MVA-grunnlag MVA-%  MVA    Sum
52,17        15%    7,83   60,00
"""
    result = read(text, "no")
    assert (result.total, result.sub_total, result.payment_method) == (60, Decimal("52.17"), "Bank")


def test_a_net_amount_that_is_the_total_is_not_before_tax() -> None:
    text = """
TORI OY
Kahvi                       5,70
Pulla                       2,28
YHTEENSÄ                    7,98
VEROTON/MAKSETTU            7,98
ALV      VEROTON   VERO  VEROLLINEN
14,00%      7,00   0,98     7,98
"""
    assert read(text, "fi").sub_total != Decimal("7.98")


@pytest.mark.parametrize(
    ("text", "region"),
    [
        (
            """
LINDE-APOTHEKE
Hustensaft            9,52  1
Zuzahlung             5,00  0
Summe EUR            14,52
Enth. USt 1: 19%      1,52
(Netto 8,00)
""",
            "de",
        ),
        (
            """
POSTLADEN AARE
Briefmarken          20.00
Schachtel            10.81
Total CHF            30.81
MWST 8.1% inkl.       0.81
Ohne MWST            20.00
""",
            "ch",
        ),
    ],
)
def test_the_base_of_one_rate_is_no_subtotal(text: str, region: str) -> None:
    result = read(text, region)
    assert result.sub_total is None
    assert len(result.taxes) == 1


def test_a_letter_before_most_names_is_the_tax_code() -> None:
    text = """
BIOLADEN AMSEL
B BUTTER                   2,79
C WEIN                     7,99
B SEMMEL  5 X   0,39       1,95
SUMME   EUR               12,73
"""
    assert [item.desc_clean for item in read(text, "at").line_items] == ["BUTTER", "WEIN", "SEMMEL"]
    menu = """
CAFE AMSEL
A LA CARTE                12,00
TAGESTELLER               11,00
KAFFEE                     3,00
SUMME                     26,00
"""
    assert read(menu, "at").line_items[0].desc_clean == "A LA CARTE"


def test_codes_in_brackets_stand_beside_headings_of_departments() -> None:
    text = """
MERCADO MELRO
MERCEARIA
(A) ARROZ AGULHA           1,39
CHARCUTARIA
(B) FIAMBRE                2,52
HIGIENE
(C) SHAMPOO                4,99
TOTAL A PAGAR              8,90
"""
    assert [item.desc_clean for item in read(text, "pt").line_items] == ["ARROZ AGULHA", "FIAMBRE", "SHAMPOO"]


def test_a_regular_price_stands_before_the_reduced_one() -> None:
    text = """
       MARKT AMSEL
Artikel        Menge Preis Aktion Total
Milch             2   1.75         3.50
Zopf              1   3.90  2.90   2.90
Total CHF                          6.40
"""
    item = read(text, "ch").line_items[1]
    assert (item.desc_clean, item.qty, item.price) == ("Zopf", 1, Decimal("2.90"))


def test_the_row_of_a_deposit_below_its_product_is_no_summary() -> None:
    text = """
MATHALLEN TRAST AB
Cola burk                     10,90
Pant                           2,00
 +PANT 2*1,00
Totalt                        12,90 SEK
"""
    assert [desc for _, desc, _ in rows(read(text, "se"))] == ["Totalt"]


def test_the_word_amount_stands_for_the_fuel_measured_above() -> None:
    text = """
STATION DU PONT
DIESEL                50,00 L
Prix unitaire         1,500 EUR/L
MONTANT               75,00 EUR
CAFE                   2,00 EUR
TOTAL                 77,00 EUR
"""
    item = read(text, "fr").line_items[0]
    assert (item.desc_clean, item.unit, item.price) == ("DIESEL", Decimal("50.00"), Decimal("1.500"))


@pytest.mark.parametrize(
    ("text", "region", "time"),
    [
        (
            """
TAXI MERLE
DATE : 04/10/2024
DEPART  : 22H14
ARRIVEE : 22H39
TOTAL         32,90 EUR
""",
            "fr",
            "22:39:00",
        ),
        (
            """
BYTAXI TROST
Dato 02.02.2024
Start 07:11   Slutt 07:34
Å betale  kr        541,00
""",
            "no",
            "07:34:00",
        ),
    ],
)
def test_a_ride_is_paid_at_its_end(text: str, region: str, time: str) -> None:
    assert (read(text, region).date or "")[11:] == time


def test_a_street_that_begins_like_a_table_is_a_street() -> None:
    text = """
POTRAVINY KOS s.r.o.
Masarykova 8, 602 00 Brno
DIČ CZ26178541
ROHLÍK             2,50
CELKEM CZK         2,50
"""
    assert read(text, "cz").address == "Masarykova 8, 602 00 Brno"


def test_a_company_s_seat_stands_above_the_address_of_its_shop() -> None:
    text = """
STACJA PALIW NR 12
PALIWA KOSOWE S.A.
09-411 PŁOCK UL. POLNA 7
80-298 GDAŃSK, UL. LEŚNA 12
NIP 774-00-01-454
PB95           10,00 l *6,49      64,90
SUMA PLN                          64,90
"""
    result = read(text, "pl")
    assert (result.establishment, result.address) == ("PALIWA KOSOWE S.A.", "80-298 GDAŃSK, UL. LEŚNA 12")


def test_the_day_of_a_charge_is_no_product_code() -> None:
    text = """
Hotel Amsel Konstanz
Datum    Leistung              Menge  Einzelpreis  Betrag EUR
07.07.   Übernachtung DZ         1       98,00        98,00
08.07.   Frühstück               2       14,50        29,00
Gesamtbetrag                                         127,00
"""
    found = [(item.desc_clean, item.product_code) for item in read(text, "de").line_items]
    assert found == [("Übernachtung DZ", None), ("Frühstück", None)]


@pytest.mark.parametrize(
    ("text", "region", "address"),
    [
        (
            """
BÄCKEREI AMSEL GmbH
Filiale 042 - Bahnhofstr. 9
35037 Marburg
Brot               4,00
Summe EUR          4,00
""",
            "de",
            "Bahnhofstr. 9, 35037 Marburg",
        ),
        (
            """
KOSARICA d.d. ZAGREB
Ilica 1a, Zagreb
OIB 62226620908
PJ 0221 Vukovarska 44, 31000 Osijek
RAČUN 88123/0221/4
Kruh               1,29
UKUPNO EUR         1,29
""",
            "hr",
            "Vukovarska 44, 31000 Osijek",
        ),
        (
            """
RADIO TAXI MIRLO
LIC. 0455 MATRICULA 4471-LKB
FECHA 19/10/2024
TOTAL EUR         15,85
""",
            "es",
            None,
        ),
        (
            """
BYTAXI TROST
Løyve nr: V-1234 Bilnr 88
Å betale  kr        541,00
""",
            "no",
            None,
        ),
        (
            """
RAIL MERLE
PARIS GARE LYON -> DIJON VILLE
Plein tarif       45,00 EUR
PRIX TOTAL        45,00 EUR
""",
            "fr",
            None,
        ),
        (
            """
PETROL MIERLA S.A.
Calea Turzii 8, Cluj-Napoca, jud. Cluj
Motorina Extra
40,00 L X 7,45           298,00 A
Apa                        6,50 B
TOTAL                    304,50
""",
            "ro",
            "Calea Turzii 8, Cluj-Napoca, jud. Cluj",
        ),
    ],
)
def test_rows_beside_an_address(text: str, region: str, address: str | None) -> None:
    assert read(text, region).address == address


def test_taxes_at_two_rates_in_one_row_are_two_rows_of_the_summary() -> None:
    text = """
OMVEX PETROL S.A.
Motorina                 298,00 A
Apa                        6,50 B
TOTAL                    304,50
TVA A 19%  47,58   TVA B 9%  0,54
"""
    assert [kind for kind, _, _ in rows(read(text, "ro"))] == ["Total", "Tax", "Tax"]


def test_a_rate_that_touches_the_name_is_left_out_like_the_others() -> None:
    text = """
FARMACIA MERLO
DOCUMENTO COMMERCIALE
PASTIGLIE FORTI 16 PZ  10%    7,90
TICKET                  ES    2,00
CREMA VISO             22%   18,50
TOTALE COMPLESSIVO           28,40
"""
    names = [item.desc_clean for item in read(text, "it").line_items]
    assert names == ["PASTIGLIE FORTI 16 PZ", "TICKET", "CREMA VISO"]


def test_a_doubtful_name_in_the_rows_of_a_product_is_no_merchant() -> None:
    page = reading("""
Chk 4421
03/04/2024 12:10
Falafel Wrap
4.49
Fries Large
2.00
Total    6.49
""")
    blurred = tuple(
        replace(span, chars=tuple(replace(char, score=0.52) for char in span.chars)) for span in page.spans
    )
    page = replace(page, spans=blurred)
    result = interpret(page, ExtractOptions(region="us"), None, Trace(keep=False))
    assert result.establishment is None

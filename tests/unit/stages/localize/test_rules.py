"""The rules by which a receipt is read: a region file's, or those made for a country that has none."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.document import Line, Quad, Word
from receipt_engine.region import load_region
from receipt_engine.stages.localize import choose_rules
from receipt_engine.stages.parse import parse
from receipt_engine.stages.parse.amounts import AmountHints
from tests.printed import read


def lines(*texts: str) -> tuple[Line, ...]:
    """Rows of one word each, one below the other."""
    quad = Quad((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    return tuple(
        Line(row, (Word(text, 1.0, quad, 0.0, 9.0 * len(text), 20.0 * row, 20.0 * row + 12),))
        for row, text in enumerate(texts)
    )


def test_a_region_file_is_taken_as_it_is() -> None:
    assert choose_rules(lines("Total 4.20"), "de") is load_region("de")


ENGLISH = ("Subtotal 31.20", "VAT 10% 3.12", "Amount due 34.32", "Change 5.68", "Thank you for shopping")
DUTCH = ("Subtotaal 31,20", "Te betalen 34,32", "Wisselgeld 5,68", "Bedankt voor uw bezoek", "Kassabon")


def test_a_language_that_is_printed_is_added_to_those_of_the_country() -> None:
    czech = lines("Dlouhá 12, Praha", *ENGLISH)
    assert choose_rules(czech, "cz").languages == ("cs", "en")
    assert choose_rules(lines("Soupe 31,20", *DUTCH), "fr").languages == ("fr", "nl")
    assert choose_rules(czech, "cz") is choose_rules(czech, "cz")


def test_a_few_foreign_words_add_no_language() -> None:
    czech = ("Mezisoučet 31,20", "DPH 10% 3,12", "K úhradě 34,32", "Vráceno 5,68", "Děkujeme za nákup")
    assert choose_rules(lines(*czech, "Thank you"), "cz") is load_region("cz")
    assert choose_rules(lines(*ENGLISH), "us") is load_region("us")


@pytest.mark.parametrize(
    ("region", "head"),
    [
        ("tr", "BAKIR LOKANTASI\nAtatürk Cad. No: 12\nÇankaya / ANKARA"),
        ("cn", "铜壶餐厅\n上海市静安区南京西路12号\n电话: 021-62881234"),
        ("hu", "Réz Kft.\n1011 Budapest, Fő utca 12.\nAdószám: 12345678-2-41"),
        ("ru", "ООО Медный котёл\nг. Москва, ул. Ленина, 12\nИНН 7707083893"),
        ("is", "Koparketill ehf\nLaugavegur 12\n101 Reykjavík"),
    ],
)
def test_a_till_with_english_words_is_read_in_every_country(region: str, head: str) -> None:
    goods = "Coffee  21.20\nSoup  10.00\nSubtotal  31.20\nVAT 10%  3.12\nTotal  34.32"
    found = read(f"{head}\n\n{goods}\nCash  40.00\nChange  5.68", region)
    assert (found.total, found.sub_total) == (Decimal("34.32"), Decimal("31.20"))
    assert (found.cash, found.change) == (Decimal("40.00"), Decimal("5.68"))
    assert len(found.line_items) == 2


def test_a_country_without_a_file_brings_no_taxes_words_or_identifiers_of_another() -> None:
    region = choose_rules(lines("Shuma 340,00"), "al")
    assert (region.code, region.currency.code, region.dates.order) == ("al", "ALL", "dmy")
    assert not (region.tax.rates or region.words or region.identifiers or region.rounding)


def test_languages_are_those_printed_before_those_of_the_country() -> None:
    french = lines("Ticket de caisse", "Sous-total 12,000", "Montant TTC 14,280", "Rendu monnaie 0,720")
    assert choose_rules(french, "tn").languages[0] == "fr"
    english = lines("Subtotal 3.10", "Amount due 3.10", "Thank you for shopping")
    assert choose_rules(english, "ge").languages == ("en",)


@pytest.mark.parametrize(
    ("code", "text", "value"),
    [
        ("am", "12 500", "12500"),
        ("ge", "1 234,50", "1234.50"),
        ("kw", "KD 1.250", "1.250"),
        ("jm", "1,234.50", "1234.50"),
    ],
)
def test_numbers_are_read_as_the_country_prints_them(code: str, text: str, value: str) -> None:
    rows = lines(f"Total {text}")
    (amount,) = parse(rows, choose_rules(rows, code), AmountHints())[0].amounts
    assert str(amount.value) == value


def test_the_same_rules_are_the_same_object() -> None:
    assert choose_rules(lines("Total 1"), "jm") is choose_rules(lines("Total 2"), "jm")


@pytest.mark.parametrize(("sign", "currency"), [("t", "TRY"), ("€", "EUR")])
def test_misread_signs_of_a_countrys_money_outweigh_a_foreign_one(sign: str, currency: str) -> None:
    goods = f"3 X KOLA  {sign}62,40\nPOĞAÇA  {sign}30,00\nTOPLAM  €92,40\nNAKİT  {sign}100,00"
    assert read(f"BAKIR LOKANTASI\nAtatürk Cad. No: 12\n06100 Ankara\n{goods}", "tr").currency == currency

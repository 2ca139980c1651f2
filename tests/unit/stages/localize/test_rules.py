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
    region = choose_rules(lines("Amount 340,00"), "kw")
    assert (region.code, region.currency.code, region.dates.order) == ("kw", "KWD", "dmy")
    assert not (region.tax.rates or region.words or region.identifiers or region.rounding)


def test_a_country_without_a_file_brings_its_own_labels_taxes_and_towns() -> None:
    region = choose_rules(lines("Gjithsej 340,00"), "xk")
    assert (region.tax.names, sorted(map(str, region.tax.percents))) == (("TVSH",), ["18", "8"])
    assert "gjithsej" in region.words["total"]
    assert "Prizren" in region.address.cities


def test_labels_of_a_country_without_a_file_are_read() -> None:
    head = "N.T. BAKRI\nRr. Agim Ramadani 12\n10000 Prishtinë\nNr. unik: 811000123"
    goods = "BUKE 2 x 0.50  1.00\nDJATHE  4.90\nGJITHSEJ  5.90\nKESH  10.00\nKUSURI  4.10"
    found = read(f"{head}\n{goods}\nTVSH E=18%  0.90\n12-03-2024 11:07")
    assert (found.currency, found.total, found.tax) == ("EUR", Decimal("5.90"), Decimal("0.90"))
    assert (found.cash, found.change) == (Decimal("10.00"), Decimal("4.10"))
    assert found.address == "Rr. Agim Ramadani 12, 10000 Prishtinë"


@pytest.mark.parametrize(("day", "currency"), [("12-02-2025", "ANG"), ("12-02-2026", "XCG")])
def test_a_country_without_a_file_may_have_changed_its_money(day: str, currency: str) -> None:
    text = (
        f"POMPA BRIEVENGAT\nSchottegatweg 12, Willemstad, Curaçao\nBenzine 40,00\nTotaal 40,00\n{day} 10:12"
    )
    assert read(text).currency == currency


def test_languages_are_those_printed_before_those_of_the_country() -> None:
    french = lines("Ticket de caisse", "Sous-total 12,000", "Montant TTC 14,280", "Rendu monnaie 0,720")
    assert choose_rules(french, "tn").languages[0] == "fr"
    english = lines("Subtotal 3.10", "Amount due 3.10", "Thank you for shopping")
    assert choose_rules(english, "ge").languages == ("en", "ru")


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

"""Letters, invoices and orders that name their customer beside the seller."""

from __future__ import annotations

import pytest

from tests.unit.stages.printed_receipts import printed

_SALE = "\n\nReparatur      1   45,00     45,00\nTotal                        45,00\n"

_SALUTED = """
Madame Odile Chaudron
22 boulevard Haut
29200 Brest

FACTURE 2024/88                     Le 04/06/2024
"""
_NAME_BEFORE_ADDRESS = "\nMenuiserie Cuivre - 3 impasse du Four - 29000 Quimper\nTel : 02 98 00 17 45\n"
_IN_COLUMNS = """
Herrn
Bernd Kessler
Kastanienweg 33
59229 Ahlen

Rechnung 10881                                 Datum: 15.05.2024
"""
_FOOT = """
Kupfergarten Linde        Tel. 02382 40551              Sparkasse Ahlen
Am Bach 5                 info@kupfergarten-linde.de    IBAN DE12 4005 0150 0000 1234 56
59227 Ahlen               USt-IdNr. DE 199 223 418
"""
_IN_WINDOW = """
FAKTURA
                                   Anders Kittel
                                   Skogsgatan 12
                                   826 61 Söderhamn
Fakturanr 44182     Fakturadatum 2024-03-04
"""
_SWEDISH_FOOT = """
Koppar Rör AB                 Telefon 0270-441 82      Org.nr 556114-4207
Slipgatan 4                   Bankgiro 441-8207
826 40 Söderhamn
"""
_SELLER_ON_THE_RIGHT = """
                                               Elektro Kupfer
Sabine Linde                                   Hafenstr. 21
Ahornweg 9                                     48153 Münster
48161 Münster                                  Tel. 0251 778120

Rechnung Nr. 2024-311                          Datum: 07.02.2024
"""
_BUYER_ON_THE_LEFT = """
INVOICE
To:                                   Kettle Plumbing Ltd
Mr D Copper                           Unit 4, Mill Lane
12 Beckside                           Ripon HG4 1QX
Thirsk                                Tel: 01765 600218
YO7 1PT                               VAT No: GB 318 4407 21
"""
_BELOW_THE_BUYER = """
Lise Kobber
Skovvej 4
5230 Odense M
                                   Malermester Kedel
                                   Havnegade 18
                                   5000 Odense C
                                   Tlf. 66 14 41 82
                                   CVR 31144207
"""
_WINDOW_BELOW_SENDER = """
                                               Malerei Kupfer GmbH
                                               Bachstr. 14
                                               26789 Leer
                                               Telefon 0491 92017
Malerei Kupfer GmbH, Bachstr. 14, 26789 Leer
Hanna Linde
Deichweg 2
26826 Weener
"""
_APART = """
                                     Carpintería Cobre
                                     C/ Herreros 7
                                     37001 Salamanca
                                     Tel. 923 214 418
Sr. D. Ignacio Valle
Avda. Portugal 118
37005 Salamanca
"""
_FROM_AND_TO = """
INVOICE                       No. 118
From:
Kettle Repairs
12 Harbor Street
Portland, OR 97201
To:
Jane Lowell
9 Elm Street
Salem, OR 97302
"""
_SIDE_BY_SIDE = """
FACTUUR
Aan:                                   Van:
Fam. Koper                             Loodgieter Ketel
Eikenlaan 44                           Kadeweg 18
3833 XM Leusden                        3831 KA Leusden
                                       033-4944182
"""
_BESIDE_THE_NAME = """
COPPER INN BY KETTLE           Copper Inn by Kettle
PORTLAND DOWNTOWN              170 Harbor Avenue
                               Portland, OR 97201

A. Marlow                      Room: 612
2210 Old Mill Ct               No. of Guests: 1
Salem OR 97302                 Clerk: 14
"""
_BELOW_AN_UNKNOWN_TOWN = """
Elektro Kessel - Inh. Uwe Kessel - Dorfstr. 18 - 17192 Kesselhagen

Frau
Gisela Baumert
Am Hang 4
17192 Waren (Müritz)
                              Elektro Kessel
                              Dorfstraße 18
                              17192 Kesselhagen
                              Tel. 039953 44711
                              12.02.2026
  Rechnung Nr. 2026-0044
"""
_PHONE_IN_THE_ROW = """
Kettle Animal Hospital
640 Route 28 Portland, OR 97201 503-555-0177
                                          Account: 4418
Rebecca Stone                             Patient: Waffles
22 Mill Rd                                Date: 3/4/2024
Salem, OR 97302
"""
_BELOW_THE_SELLER = """
Malerei Kessel
Seestrasse 14
3600 Thun

Restaurant Linde                   Rechnung Nr. 447
Dorfgasse 3                        Rechnungsdatum: 14.03.2024
3700 Spiez                         Zahlbar bis: 13.04.2024
"""
_CODE_IN_ITS_OWN_ROW = """
Copper Heating & Plumbing
Unit 6, Mill Lane
Ripon HG4 1TT
Gas Safe 441820

The Kettle Tearooms                Invoice Date 14/02/2024
18 Market Place                    Due Date 16/03/2024
Masham
HG4 4DZ
"""
_BELOW_THE_LETTERHEAD = """
Snickeri Koppar

Kaffe Kittel                       Fakturadatum 2024-03-04
Storgatan 3                        Förfallodatum 2024-04-03
794 30 Orsa
"""
_LETTERHEADS_FOOT = "\nSnickeri Koppar, Industrivägen 14, 792 50 Mora\n"
_TITLE_ABOVE = """
FAKTURA

Snickeri Koppar
Industrivägen 14
792 50 Mora
Tel 0250-447118
Fakturadatum 2024-03-04            Förfallodatum 2024-04-03
"""
_BANKS_FOOT = "\nKittel Bank, Storgatan 3, 794 30 Orsa\n"
_NO_CONTACTS = """
Copper Dental Group                    Kettle Cleaning Co.
418 Alder St                           5 Quarry Rd
Portland, OR 97201                     Portland, OR 97202
"""
_PAID_TO = "\nMake checks payable to Kettle Cleaning Co.\n"
_LOGO_WITHOUT_FORM = """
SUMINISTROS CALDERA                    FACTURA 118

Talleres Cobre S.L.                    Suministros Caldera S.L.
C/ Fragua 12                           C/ Mayor 44
26006 Logroño                          31500 Tudela
"""


@pytest.mark.parametrize(
    ("region", "head", "foot", "name", "address"),
    [
        ("fr", _SALUTED, _NAME_BEFORE_ADDRESS, "Menuiserie Cuivre", "3 impasse du Four - 29000 Quimper"),
        ("de", _IN_COLUMNS, _FOOT, "Kupfergarten Linde", "Am Bach 5, 59227 Ahlen"),
        ("se", _IN_WINDOW, _SWEDISH_FOOT, "Koppar Rör AB", "Slipgatan 4, 826 40 Söderhamn"),
        ("de", _SELLER_ON_THE_RIGHT, "", "Elektro Kupfer", "Hafenstr. 21, 48153 Münster"),
        ("gb", _BUYER_ON_THE_LEFT, "", "Kettle Plumbing Ltd", "Unit 4, Mill Lane, Ripon HG4 1QX"),
        ("dk", _BELOW_THE_BUYER, "", "Malermester Kedel", "Havnegade 18, 5000 Odense C"),
        ("de", _WINDOW_BELOW_SENDER, "", "Malerei Kupfer GmbH", "Bachstr. 14, 26789 Leer"),
        ("es", _APART, "", "Carpintería Cobre", "C/ Herreros 7, 37001 Salamanca"),
        ("us", _FROM_AND_TO, "", "Kettle Repairs", "12 Harbor Street, Portland, OR 97201"),
        ("nl", _SIDE_BY_SIDE, "", "Loodgieter Ketel", "Kadeweg 18, 3831 KA Leusden"),
        ("us", _BESIDE_THE_NAME, "", "COPPER INN BY KETTLE", "170 Harbor Avenue, Portland, OR 97201"),
        ("de", _BELOW_AN_UNKNOWN_TOWN, "", "Elektro Kessel", "Dorfstraße 18, 17192 Kesselhagen"),
        ("us", _PHONE_IN_THE_ROW, "", "Kettle Animal Hospital", "640 Route 28 Portland, OR 97201"),
        ("ch", _BELOW_THE_SELLER, "", "Malerei Kessel", "Seestrasse 14, 3600 Thun"),
        ("gb", _CODE_IN_ITS_OWN_ROW, "", "Copper Heating & Plumbing", "Unit 6, Mill Lane, Ripon HG4 1TT"),
        ("se", _BELOW_THE_LETTERHEAD, _LETTERHEADS_FOOT, "Snickeri Koppar", "Industrivägen 14, 792 50 Mora"),
        ("us", _NO_CONTACTS, _PAID_TO, "Kettle Cleaning Co.", "5 Quarry Rd, Portland, OR 97202"),
        ("us", _NO_CONTACTS, "", "Copper Dental Group", "418 Alder St, Portland, OR 97201"),
        ("es", _LOGO_WITHOUT_FORM, "", "SUMINISTROS CALDERA", "C/ Mayor 44, 31500 Tudela"),
        ("se", _TITLE_ABOVE, _BANKS_FOOT, "Snickeri Koppar", "Industrivägen 14, 792 50 Mora"),
    ],
)
def test_the_sellers_name_and_address(region: str, head: str, foot: str, name: str, address: str) -> None:
    merchant = printed(region, head.strip("\n") + _SALE + foot).merchant
    assert merchant.name is not None and merchant.name.value == name
    assert merchant.address is not None and merchant.address.value == address


_MAIL = """
From: Kettle Tea Co <orders@kettletea.example>
To: Ana Petersen <ana.p@mail.example>
Date: 11 Mar 2024

Hi Ana,
Thanks for your purchase.
"""
_CONFIRMED = """
Hello Jonas,
Your order from Kettle Goods is confirmed.
Order number: KG-99213
Date: 2024-05-11
"""
_ORDERED = """
Beste Femke,
Bedankt voor je bestelling bij Webwinkel Ketel!
Bestelnummer 441820
"""
_DELIVERED_IN_NL = """
Afleveradres
Femke Koper
Lindelaan 8
9401 RT Assen
Webwinkel Ketel, Kadeweg 44, 8011 CW Zwolle
"""
_COMMANDE = """
Bonjour Odile,
Merci pour votre commande chez La Ferme du Four
Commande 44182   04/03/2024
"""
_DELIVERED_IN_FR = """
Adresse de livraison
Odile Cordier
3 place Haute
56000 Vannes
La Ferme du Four
Route de Vannes
56250 Elven
"""


@pytest.mark.parametrize(
    ("region", "head", "foot", "name", "address"),
    [
        ("gb", _MAIL, "", "Kettle Tea Co", None),
        ("us", _CONFIRMED, "", "Kettle Goods", None),
        ("nl", _ORDERED, _DELIVERED_IN_NL, "Webwinkel Ketel", "Kadeweg 44, 8011 CW Zwolle"),
        ("fr", _COMMANDE, _DELIVERED_IN_FR, "La Ferme du Four", "Route de Vannes, 56250 Elven"),
    ],
)
def test_the_seller_of_an_order(region: str, head: str, foot: str, name: str, address: str | None) -> None:
    merchant = printed(region, head.strip("\n") + _SALE + foot).merchant
    assert merchant.name is not None and merchant.name.value == name
    assert (merchant.address.value if merchant.address else None) == address


def test_a_shop_with_a_salutation_for_its_name_is_no_customer() -> None:
    head = "MADAME CHAUDRON\n3 rue Haute\n75009 Paris\nTel 01 45 00 17 45"
    foot = "\nSiege social : 8 rue Basse 75010 Paris\n"
    merchant = printed("fr", head + _SALE + foot).merchant
    assert merchant.name is not None and merchant.name.value == "MADAME CHAUDRON"
    assert merchant.address is not None and merchant.address.value == "3 rue Haute, 75009 Paris"


def test_a_card_slip_with_the_same_town_at_the_end_has_no_customer() -> None:
    head = (
        "Beleg 7\n                 Kupfer Buch\n                 Weststr. 2\n                 33104 Nordborn"
    )
    foot = "\nKUPFER BUCH\nWeststr. 2\n33104 Nordborn\n"
    merchant = printed("de", head + _SALE + foot).merchant
    assert merchant.name is not None and merchant.name.value == "Kupfer Buch"

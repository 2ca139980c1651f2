"""Invoices whose seller stands beside the buyer or the number and the date."""

from __future__ import annotations

import pytest

from tests.unit.stages.merchant.merchant_contexts import merchant_of, segments_of

_TAIL = "\n\nReparatur      1   45,00     45,00\nTotal                        45,00\n"

_BESIDE_NUMBERS = """
Kettle Repairs                       Invoice # 10882
12 Harbor Street                     Date: 05/12/2024
Portland, OR 97201                   Terms: Net 30
"""
_BESIDE_BUYER = """
Sprzedawca:                        Nabywca:
Serwis Kotłów Lipa                 Jan Polny
ul. Polna 7                        ul. Leśna 3
05-500 Piaseczno                   05-501 Piaseczno
"""
_ITALIAN = """
Idraulica Rame S.r.l.                   Spett.le
Via Milano 12 - 20900 Monza (MB)        Verdi Mario
P.IVA 01234567890                       Via Roma 3
Tel. 039 555018                         20052 Vignate (MI)
"""
_DUTCH = """
Ketelmaker Koper                     Factuurnummer: 2024188
Dorpsstraat 5                        Factuurdatum: 12-03-2024
1511 HC Oostzaan                     Klantnummer: 44
"""
_LETTER = """
Kupfer Bürotechnik GmbH · Industriestr. 7 · 70565 Stuttgart

Schreinerei Linde                    Rechnung
Herrn Peter Linde                    Rechnungs-Nr.: 2024-0188
Waldweg 3                            Kundennummer: 10221
72070 Tübingen                       Datum: 14.05.2024
"""
_SENDER = """
Drechslerei Ulme - Am Bachufer 9 - 99423 Weimar

Familie
Rosa Tannert                         Kunden-Nr.: 7731
Birkenweg 2                          Datum: 14.05.2024
99425 Weimar
"""
_LABELS_AND_VALUES = """
Elverket Norr AB                          FAKTURA
Slipgatan 3                               Fakturanummer     20417
903 61 Umeå                               Fakturadatum      2024-02-09
                                          Förfallodatum     2024-03-10
"""
_CITY_ALONE = """
Maple Street Dental
Patient statement                            Statement Date: 03/14/2024
45 Maple Street, Ste 2                       Account #: 51093
Danbury, CT 06810
"""
_CUSTOMER_NUMBER = """
Kettle Plumbing                              Invoice No:   INV-3308
PO Box 61                                    Due Date:     21 Jun 2024
Gosford NSW 2250                             Customer No:  K 77
Ph 02 5550 6101
"""
_BUYER_WITHOUT_POSTCODE = """
CLIENTE                        VENDEDOR
Hostal El Ciprés               Cerrajería Caldera SAS
Calle 8 # 3-19                 Carrera 41 # 17-22
Cali                           Medellín
NIT 900.442.118-3              NIT 901.118.442-6
"""
_TO_AND_SUPPLIED_BY = """
To:                            Supplied by:
Larch Lodge                    Kettle Sign Works
Kisumu                         Moi Avenue 14, Nairobi
"""
_FLUSH_RIGHT = """
Kettle Dental Studio                             STATEMENT OF ACCOUNT
410 W Harbor St                            Statement Date: 04/11/2024
Portland OR 97201                          Account No:         002271
"""
_TOWN_WITHOUT_NUMBER = """
Herrería Caldera                           Cliente:
Calle Roble 9                              Juan Prado
Tel. 0341 555 0144                         Calle Sauce 40
Rosario, Santa Fe
"""
_TITLE_AND_NUMBER = """
FACTURA                                   Nº  B/0117-24
EMISOR                          CLIENTE
Marta Caldera Ruiz              Talleres Sauce S.L.
Calle Roble 9                   Calle Olmo 4
41001 Sevilla                   41002 Sevilla
"""
_BUYER_LEFT_OF_CONTACTS = """
Fam. Linde                             Kessel Heizungsbau
Am Bach 3                              Gewerbering 18
26721 Emden                            26725 Emden
                                       Tel. 04921 55018
                                       USt-IdNr. DE811907980
"""
_DANISH_SHOP_AND_COMPANY = """
Café Kedlen                            Kobber VVS ApS
Havnegade 4                            Slipvej 18
5700 Svendborg                         5750 Ringe
                                       Tlf. 62 55 01 18
"""
_POSTCODES_ALONE = """
Copper Estates Ltd                     Kettle Signs Ltd
22 Church Lane                         14 Station Approach
Wells                                  Yeovil
BA5 2PU                                BA20 1TR
                                       www.kettlesigns.example
"""
_TITLE_IN_THE_MIDDLE = """
Kettle Joinery                  Invoice  2231              Bill to
Unit 2 Quarry Lane              Date     12/03/2024        Mrs A. Copper
Skipton BD23 1AA                Due      11/04/2024        22 Church Lane
Tel 01756 555 018                                          Wells BA5 2PU
"""
_TOWN_OF_THE_DATE = """
FAKTURA nr 44/02/2024                  Piaseczno, 23.02.2024
Sprzedawca:                            Nabywca:
Serwis Lipa                            Jan Polny
ul. Polna 7                            ul. Leśna 3
05-500 Piaseczno                       05-501 Piaseczno
"""
_LABELS_WITHOUT_COLON = """
Klant                                  Leverancier
Bakkerij Linde                         Drukkerij Koper
Kerkplein 4                            Industrieweg 21
9300 Aalst                             2800 Mechelen
"""


@pytest.mark.parametrize(
    ("region", "head", "name", "address"),
    [
        ("de", _BUYER_LEFT_OF_CONTACTS, "Kessel Heizungsbau", "Gewerbering 18, 26725 Emden"),
        ("dk", _DANISH_SHOP_AND_COMPANY, "Kobber VVS ApS", "Slipvej 18, 5750 Ringe"),
        ("gb", _POSTCODES_ALONE, "Kettle Signs Ltd", "14 Station Approach, Yeovil, BA20 1TR"),
        ("gb", _TITLE_IN_THE_MIDDLE, "Kettle Joinery", "Unit 2 Quarry Lane, Skipton BD23 1AA"),
        ("pl", _TOWN_OF_THE_DATE, "Serwis Lipa", "ul. Polna 7, 05-500 Piaseczno"),
        ("be", _LABELS_WITHOUT_COLON, "Drukkerij Koper", "Industrieweg 21, 2800 Mechelen"),
        ("us", _BESIDE_NUMBERS, "Kettle Repairs", "12 Harbor Street, Portland, OR 97201"),
        ("pl", _BESIDE_BUYER, "Serwis Kotłów Lipa", "ul. Polna 7, 05-500 Piaseczno"),
        ("it", _ITALIAN, "Idraulica Rame S.r.l", "Via Milano 12 - 20900 Monza (MB)"),
        ("nl", _DUTCH, "Ketelmaker Koper", "Dorpsstraat 5, 1511 HC Oostzaan"),
        ("de", _SENDER, "Drechslerei Ulme", "Am Bachufer 9 - 99423 Weimar"),
        ("se", _LABELS_AND_VALUES, "Elverket Norr AB", "Slipgatan 3, 903 61 Umeå"),
        ("us", _CITY_ALONE, "Maple Street Dental", "45 Maple Street, Ste 2, Danbury, CT 06810"),
        ("au", _CUSTOMER_NUMBER, "Kettle Plumbing", "PO Box 61, Gosford NSW 2250"),
        ("co", _BUYER_WITHOUT_POSTCODE, "Cerrajería Caldera", "Carrera 41 # 17-22, Medellín"),
        ("ke", _TO_AND_SUPPLIED_BY, "Kettle Sign Works", "Moi Avenue 14, Nairobi"),
        ("us", _FLUSH_RIGHT, "Kettle Dental Studio", "410 W Harbor St, Portland OR 97201"),
        ("ar", _TOWN_WITHOUT_NUMBER, "Herrería Caldera", "Calle Roble 9, Rosario, Santa Fe"),
        ("es", _TITLE_AND_NUMBER, "Marta Caldera Ruiz", "Calle Roble 9, 41001 Sevilla"),
        ("de", _LETTER, "Kupfer Bürotechnik GmbH", "Industriestr. 7 · 70565 Stuttgart"),
    ],
)
def test_the_sellers_column(region: str, head: str, name: str, address: str) -> None:
    merchant = merchant_of(head.strip("\n") + _TAIL, region)
    assert merchant.name is not None and merchant.name.value.startswith(name)
    assert merchant.address is not None and merchant.address.value == address


@pytest.mark.parametrize(
    ("region", "rows", "name"),
    [
        ("ja", ["株式会社みなと設計 御中", "川原木工所"], "川原木工所"),
        ("ja", ["川原木工所", "いつもありがとうございます。"], "川原木工所"),
        ("kr", ["푸른설비 귀중", "   가온목공"], "가온목공"),
    ],
)
def test_whoever_has_an_honorific_is_the_customer_and_a_sentence_is_no_name(
    region: str, rows: list[str], name: str
) -> None:
    merchant = merchant_of("\n".join(rows) + "\n\n100      100\n100      100\n", region)
    assert merchant.name is not None and merchant.name.value == name


def test_the_name_below_a_phrase_for_the_customer_is_not_the_merchants() -> None:
    head = (
        "Pearmint\nReceipt\nACCOUNT           BILLED TO\nr.moss@post.test  Rhea Moss\nDATE              9 Fir"
    )
    name = merchant_of(head + "\nMay 3, 2024\n\nPro plan    9.99\nTOTAL    9.99\n", "us").name
    assert name is not None and name.value == "Pearmint"


def test_the_country_in_a_companys_name_is_no_address() -> None:
    merchant = merchant_of(
        "Pearmint\nReceipt from Pearmint Ireland\n\nPro plan    9.99\nTotal    9.99\n", "ie"
    )
    assert merchant.address is None


@pytest.mark.parametrize("time", ["8:51 PM\n", "8:51 PM   "])
def test_where_a_ride_began_and_ended_is_no_address_of_the_merchant(time: str) -> None:
    stops = f"{time}77 Alder Way, Chicago, IL 60605\n{time}12 W Birch St, Chicago, IL 60607\n"
    merchant = merchant_of("Pearcab\n\nTrip fare    9.99\nTotal    9.99\nAmex 1003    9.99\n" + stops, "us")
    assert merchant.address is None


def test_labels_with_their_values_stay_in_rows() -> None:
    head = (
        "Room No. :      1204\nArrival :       Monday\nDeparture :     Friday\nSoup    12.00\nTOTAL   12.00"
    )
    segments, _ = segments_of(head)
    assert [own.run.row for own in segments] == sorted(own.run.row for own in segments)

"""Rows of the head that look like a name or an address and are of another kind."""

from __future__ import annotations

import pytest

from tests.printed import read

SEAT_ABOVE = """
FARMACIA KETTLE
KETTLE DEL NORTE SA DE CV
MATRIZ: BLVD LAS TORRES 700 OTE
MONTERREY NL CP 64010
EXPEDIDO EN: CALLE HIDALGO 114 PTE
COL. CENTRO MONTERREY NL CP 64000
TICKET 0044100  CAJA 2
14/03/2024 20:17
ASPIRINA 500      28.50
TOTAL             28.50
"""

SEAT_BESIDE_COMPANY = """
KETTLE TOOLS
Unit 3, Mill Wharf, Leeds LS11 5PS
Kettle Tools Ltd. Reg Office: 4 Garden Row, Leeds LS1 5HD
09/03/2024 10:12
Drill 8mm         4.49
TOTAL             4.49
"""

FAMILY = """
Gasthof
Zum Kessel
Familie Huber
Dorfstr. 9 83730 Fischbachau
22.06.2024 13:14
2x Braten    31,80
Summe        31,80
"""

LABELLED = """
QUÁN CƠM BÀ NĂM
ĐC: 77 Lê Văn Sỹ, P.10, Q. Phú Nhuận, TP.HCM
15/03/2024 11:50
Cơm sườn      55,000
Tổng cộng     55,000
"""

TRIP = """
KETTLE TAXIS
028 9055 0100
RECEIPT
Date  14/2/24
From  Central Station
To    City Airport
Fare  £12.50
"""

HALL = """
KETTLE CINEMA 6
Auditorium 3        Row C Seat 9
Adult                 13.50
TOTAL                 13.50
04/06/2024   7:15 PM
"""

TERMINAL = """
KETTLE CAR WASH
8800 FOOTHILL BLVD
TUJUNGA CA 91042
TERM ID 0021    BATCH 000411
SALE
AMOUNT            $24.00
TOTAL             $24.00
03/29/24  14:20:11
"""

CUT_NAME = """
POSTO KETTLE COMERCIO DE
COMBUSTIVEIS LTDA
CNPJ: 08.772.331/0001-60
ROD BR 116 KM 412, ZONA RURAL
GASOLINA C COMUM          130,19
Valor a Pagar R$          130,19
17/05/2024 08:22:10
"""

ACTIVITY = """
Sociedad Hotelera Kettle Ltda.
Giro: Hotel y restaurante
Costanera 1180, Puerto Varas
12-01-2024
Alojamiento 2 noches       120.000
Total                      120.000
"""

THANKED = """
Store Mgr: Ann Lee    802-555-0109
GROCERY
  Oats 42oz             5.99
**** BALANCE            5.99
CASH                    6.00
CHANGE                  0.01
03/11/24 16:41
Thank you for shopping at
KETTLE STREET MARKET
"""

INVOCATION = """
|| Shree Ganeshay Namah ||
HOTEL KETTLE (PURE VEG)
Station Road, Opp. Bus Stand, Nashik
22-03-24
1 Thali Special   180.00
Total             180.00
"""

ONLINE_ORDER = """
kettleoutfitters.example
Order Confirmation
Order #KO-229184          Placed Feb 3, 2024

Ship to                    Bill to
Ann Dorsey                 Ann Dorsey
41 Larch Rd                41 Larch Rd
Keene, NH 03431            Keene, NH 03431

Trail shoe W8     1    89.00
Subtotal               89.00
Order total            89.00

Kettle Outfitters, Inc. 700 Commerce Way, Ste 300, Reno, NV 89502
"""

STAFF_BEHIND_DATE = """
KETTLE HARDWARE
880 STATE RTE 9 LAKE GEORGE NY
04/22/24 8:05AM JIM   553   SALE
NAILS 16D 1LB     1 EA   4.49
TOTAL                    4.49
"""

FOOTER = """
Cashier: 04 ANN
2/17/2024 8:33 AM      Chk 18
  1 COFFEE           2.50
 Subtotal            2.50
 Total               2.50
** KETTLE DINER **
900 MAIN STREET
ROCKFORD, MI
616-555-0189
"""

LETTER = """
Stadtwerke Kessel GmbH · Werkstraße 1 · 77743 Neuried

Herrn                             Kundenservice 07807 555-0
Karl Berger                       Kundennummer 20118
Rheinstraße 18                    Vertragskonto 88213
77743 Neuried                     Datum 15.01.2024

Jahresrechnung Strom  Nr. 4000118822
Arbeitspreis            612,10
Rechnungsbetrag EUR     612,10
"""

OWNER = """
HOSTINEC KOTLÍK
Jan Novák
Náměstí 14, 592 31 Nové Město na Moravě
IČO: 11822044
2x Kofola 0,5         90,00
Celkem Kč             90,00
12.3.2024 12:15
"""

TAX_STATUS = """
EL CALDERO
Ruta 2 Km 113 - Chascomús - Pcia. de Buenos Aires
Responsable Monotributo
Fecha: 03/02/2024
2 Parrillada p/2       28.000,00
TOTAL $                28.000,00
"""

STREET_OF_COUNTRY = """
DROGARIA KETTLE LTDA ME
CNPJ:11.822.044/0001-18
AV BRASIL,2218 - LJ 3  CENTRO
LONDRINA/PR CEP:86010-000 FONE:(43)3355-0182
DANFE NFC-e
DIPIRONA 500MG 10CP    1 UN x 6,99    6,99
VALOR TOTAL R$              6,99
18/04/2024 19:02:11
"""

ONE_ROW = """
KETTLE TOOLS LLC 1189 S Bascom Ave, San Jose, CA 95128
03/11/24 16:41
Hammer                  5.99
TOTAL                   5.99
"""

QUOTED = """
ABARROTES KETTLE
"La tiendita de la esquina"
Calle 5 de Mayo #18 Centro
San Miguel de Allende, Gto.
12/02/23 19:44   Nota de venta
2 HUEVO KG       90.00
TOTAL            90.00
"""

LISTED = """
CAFETERIA KETTLE SPA
RUT 76.118.220-3
RESTAURANTES, CAFES Y OTROS ESTABLECIMIENTOS
AV PROVIDENCIA 1182 LOCAL 4
12/05/2023 09:33:20    CAJA 01
CAPUCCINO             2.900
TOTAL                 2.900
"""

FANTASY = """
RAZON SOCIAL: LOPEZ MARIA ELENA
NOMBRE FANTASIA: KIOSCO LA PAVA
AV RIVADAVIA 8118 - CABA
FECHA 12/08/23  HORA 21:02
ALFAJOR             900,00
TOTAL               900,00
"""

IN_CHARGE = """
KETTLE LUMBER
3600 RT 46 PARSIPPANY,NJ 07054
(973)555-0150  STORE MGR JOE RUSSO
06/11/22 10:41 AM
DECK SCREW 5LB       31.98
TOTAL                31.98
"""

PROPRIETORS = """
KETTLE & THYME
Scottish Kitchen
Proprietors: A & M Fraser
4 Grassmarket Edinburgh EH1 2JX
14-Aug-22 20:12
1 Venison Pie           16.50
TOTAL                   16.50
"""

TRADING_AS = """
Kettle Seafood
Kelp Holdings 44 CC t/a
Harbour Road, Hout Bay
Cape Town 7806
2022/12/27 13:40
Hake & chips   2   198.00
TOTAL              198.00
"""


TITLE_BELOW = """
SIÊU THỊ ẤM TRÀ
12 Tô Hiến Thành, P.15, Q.10, TP. Hồ Chí Minh
HÓA ĐƠN BÁN LẺ
15/12/2023 20:11
Gạo             189.000
Tổng cộng       189.000
"""

NUMBER_BELOW = """
CAFE KETTLE S.A.S.
NIT 800.555.111-2
Calle 85 # 11-53 Bogota
Factura de Venta No. POS-10234
Fecha: 20/07/2023 8:14 p.m.
Cafe              5.000
Total             5.000
"""

NAME_BELOW = """
ОАО "Чайник"
г.Минск, пр-т Независимости, 84
Кефир 1л
 1 х 2,19          2,19
Батон нарезной
 2 х 1,35          2,70
ИТОГО              4,89
"""


@pytest.mark.parametrize(
    ("text", "region", "address"),
    [
        (SEAT_ABOVE, "mx", "CALLE HIDALGO 114 PTE, COL. CENTRO MONTERREY NL CP 64000"),
        (SEAT_BESIDE_COMPANY, "gb", "Unit 3, Mill Wharf, Leeds LS11 5PS"),
        (FAMILY, "de", "Dorfstr. 9 83730 Fischbachau"),
        (LABELLED, "vn", "77 Lê Văn Sỹ, P.10, Q. Phú Nhuận, TP.HCM"),
        (TRIP, "gb", None),
        (HALL, "us", None),
        (TERMINAL, "us", "8800 FOOTHILL BLVD, TUJUNGA CA 91042"),
        (ONLINE_ORDER, "us", "700 Commerce Way, Ste 300, Reno, NV 89502"),
        (STAFF_BEHIND_DATE, "us", "880 STATE RTE 9 LAKE GEORGE NY"),
        (FOOTER, "us", "900 MAIN STREET, ROCKFORD, MI"),
        (LETTER, "de", "Werkstraße 1 · 77743 Neuried"),
        (OWNER, "cz", "Náměstí 14, 592 31 Nové Město na Moravě"),
        (TAX_STATUS, "ar", "Ruta 2 Km 113 - Chascomús - Pcia. de Buenos Aires"),
        (STREET_OF_COUNTRY, "br", "AV BRASIL,2218 - LJ 3 CENTRO, LONDRINA/PR CEP:86010-000"),
        (QUOTED, "mx", "Calle 5 de Mayo #18 Centro, San Miguel de Allende, Gto."),
        (PROPRIETORS, "gb", "4 Grassmarket Edinburgh EH1 2JX"),
        (TRADING_AS, "za", "Harbour Road, Hout Bay, Cape Town 7806"),
        (ONE_ROW, "us", "1189 S Bascom Ave, San Jose, CA 95128"),
        (TITLE_BELOW, "vn", "12 Tô Hiến Thành, P.15, Q.10, TP. Hồ Chí Minh"),
        (NUMBER_BELOW, "co", "Calle 85 # 11-53 Bogota"),
        (NAME_BELOW, "by", "г.Минск, пр-т Независимости, 84"),
    ],
)
def test_the_address_ends_at_rows_of_another_kind(text: str, region: str, address: str | None) -> None:
    assert read(text, region).address == address


@pytest.mark.parametrize(
    ("text", "region", "name"),
    [
        (CUT_NAME, "br", "POSTO KETTLE COMERCIO DE COMBUSTIVEIS LTDA"),
        (ACTIVITY, "cl", "Sociedad Hotelera Kettle Ltda."),
        (THANKED, "us", "KETTLE STREET MARKET"),
        (ONLINE_ORDER, "us", "Kettle Outfitters, Inc."),
        (FOOTER, "us", "KETTLE DINER"),
        (LETTER, "de", "Stadtwerke Kessel GmbH"),
        (ONE_ROW, "us", "KETTLE TOOLS LLC"),
        (LISTED, "cl", "CAFETERIA KETTLE SPA"),
        (FANTASY, "ar", "KIOSCO LA PAVA"),
        (IN_CHARGE, "us", "KETTLE LUMBER"),
        (INVOCATION, "in", "HOTEL KETTLE (PURE VEG)"),
    ],
)
def test_the_name_is_no_row_of_another_kind(text: str, region: str, name: str) -> None:
    assert read(text, region).establishment == name

"""Tables of invoices: columns of units, rates, taxes and gross amounts, names of two rows, and their sums."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.result import Result
from tests.printed import read


def _items(result: Result) -> list[tuple[str | None, Decimal | None, Decimal | None, Decimal | None]]:
    return [(item.desc_clean, item.qty, item.price, item.line_total) for item in result.line_items]


POLISH = """
Sprzedawca:                              Nabywca:
Tartak Jodła Sp. z o.o.                  Stolarnia Dąb
ul. Leśna 4                              ul. Polna 9
34-400 Nowy Targ                         33-300 Nowy Sącz
FAKTURA VAT nr 31/2024
Data wystawienia: 2024-02-05
Lp. Nazwa towaru          J.m.  Ilość  Cena netto  Wartość netto  VAT  Kwota VAT  Wartość brutto
1   Deska świerkowa       szt.  3      20,00       60,00          23%  13,80      73,80
2   Klamka mosiężna
    z zamkiem             szt.  4      10,00       40,00          23%  9,20       49,20
                          Razem:                   100,00              23,00      123,00
                          W tym                    100,00         23%  23,00      123,00
Do zapłaty: 123,00 PLN
"""


def test_a_sum_above_the_rates_that_it_adds_up_is_no_second_tax() -> None:
    result = read(POLISH, "pl")
    assert (result.total, result.sub_total) == (Decimal("123.00"), Decimal("100.00"))
    assert result.taxes == (Decimal("23.00"),)


def test_only_the_first_row_of_a_name_begins_with_its_number() -> None:
    assert _items(read(POLISH, "pl")) == [
        ("Deska świerkowa", Decimal(3), Decimal("20.00"), Decimal("73.80")),
        ("Klamka mosiężna z zamkiem", Decimal(4), Decimal("10.00"), Decimal("49.20")),
    ]


HUNGARIAN = """
Eladó:                               Vevő:
Lombhulló Kft.                       Pataki Antal
9400 Sopron, Fő tér 2.               9700 Szombathely, Ady tér 1.
Adószám: 11223344-2-08
Megnevezés            Menny.   Egységár   Nettó ár   ÁFA    ÁFA érték   Bruttó ár
Kerti szék fa         2 db     4 000      8 000      27%    2 160       10 160
Asztal összecsukható  1 db     12 000     12 000     27%    3 240       15 240
Összesen:                                 20 000            5 400       25 400
Fizetendő: 25 400 Ft
"""


def test_products_with_their_own_taxes_are_no_tax_table_where_money_has_no_cents() -> None:
    result = read(HUNGARIAN, "hu")
    assert (result.total, result.sub_total, result.tax) == (Decimal(25400), Decimal(20000), Decimal(5400))
    assert _items(result) == [
        ("Kerti szék fa", Decimal(2), Decimal(4000), Decimal(10160)),
        ("Asztal összecsukható", Decimal(1), Decimal(12000), Decimal(15240)),
    ]


ROMANIAN = """
BRADUL VERDE SRL
Str. Morii nr. 3, Brasov
CIF: RO14399840
FACTURA Nr. 204   Data: 12.03.2024
Nr.  Denumirea produselor      U.M.  Cant.  Pret unitar   Valoare    Valoare
crt.                                        (fara TVA)    (fara TVA) TVA
1    Scandura brad             buc   10     15,00         150,00     28,50
2    Lac incolor
     bidon 5 l                 buc   2      25,00         50,00      9,50
                                     Total                200,00     38,00
                                     Total de plata       238,00 RON
"""


def test_the_last_column_may_be_the_tax_that_the_total_adds() -> None:
    result = read(ROMANIAN, "ro")
    assert (result.total, result.sub_total, result.tax) == (Decimal(238), Decimal(200), Decimal(38))
    assert _items(result) == [
        ("Scandura brad", Decimal(10), Decimal("15.00"), Decimal("150.00")),
        ("Lac incolor bidon 5 l", Decimal(2), Decimal("25.00"), Decimal("50.00")),
    ]


SPANISH = """
CARPINTERÍA OLMEDO, S.L.                       FACTURA
C/ Real, 8                                     Nº: 2024/017
47001 Valladolid                               Fecha: 11/03/2024
CONCEPTO                          CANT.   PRECIO    DTO    IMPORTE
Puerta de pino                    2,00    80,00     10%    144,00
Montaje                           1,00    56,00     0%     56,00
Base imponible      % IVA      Cuota IVA      TOTAL FACTURA
200,00              21         42,00          242,00 €
"""


def test_a_rate_without_its_sign_shows_the_row_of_base_tax_and_total() -> None:
    result = read(SPANISH, "es")
    assert (result.total, result.sub_total, result.tax) == (Decimal(242), Decimal(200), Decimal(42))


def test_a_discount_and_a_tax_stand_between_price_and_amount() -> None:
    result = read(
        """
Salon Lipa d.o.o.
Cara Lazara 4, Novi Sad
RAČUN br. 12/2024
R.br. Naziv               J.m.  Kol.  Cena bez PDV  Rabat  Osnovica   PDV%  Iznos PDV  Ukupno
1     Stolica bukva       kom   2     5.000,00      10%    9.000,00   20    1.800,00   10.800,00
2     Sto hrast           kom   1     20.000,00     0%     20.000,00  20    4.000,00   24.000,00
                                Ukupno osnovica                       29.000,00
                                Ukupno PDV                             5.800,00
                                ZA UPLATU                             34.800,00 RSD
""",
        "rs",
    )
    assert _items(result) == [
        ("Stolica bukva", Decimal(2), Decimal(5000), Decimal(10800)),
        ("Sto hrast", Decimal(1), Decimal(20000), Decimal(24000)),
    ]


def test_the_price_without_the_tax_of_a_rate_beside_it_is_the_price() -> None:
    result = read(
        """
Pihakone Oy
Rantatie 2
20100 Turku
LASKU
Tuote               Määrä   Yks.   à-hinta    ALV %   Yhteensä
Nurmikon leikkuu    3,00    h      40,00      24      148,80
Ruohonsiemen        0,50    kg     20,00      24      12,40
Veroton hinta yhteensä                                130,00
ALV 24 %                                               31,20
Maksettava yhteensä                                   161,20
""",
        "fi",
    )
    assert [(item.desc_clean, item.price) for item in result.line_items] == [
        ("Nurmikon leikkuu", Decimal("40.00")),
        ("Ruohonsiemen", Decimal("20.00")),
    ]


def test_the_unit_behind_a_count_is_no_part_of_the_name_and_a_count_no_list_number() -> None:
    result = read(
        """
PINAR MOBİLYA LTD. ŞTİ.
Lale Sok. No:4 06100 ANKARA
Sıra  Mal Hizmet      Miktar   Birim Fiyat  İskonto  KDV Oranı  KDV Tutarı  Mal Hizmet Tutarı
1     Dolap 80x80     4 Adet   200,00 TL    5%       %20        152,00 TL   760,00 TL
2     Raf             2 Adet   120,00 TL    0%       %20        48,00 TL    240,00 TL
                                               Mal Hizmet Toplam Tutarı    1.000,00 TL
                                               Hesaplanan KDV(%20)           200,00 TL
                                               Ödenecek Tutar              1.200,00 TL
""",
        "tr",
    )
    assert _items(result) == [
        ("Dolap 80x80", Decimal(4), Decimal(200), Decimal(760)),
        ("Raf", Decimal(2), Decimal(120), Decimal(240)),
    ]

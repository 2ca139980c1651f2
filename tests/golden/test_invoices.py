"""Bills of craftsmen, hotels and garages, from text to Result."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import Result
from receipt_engine.trace import Trace
from tests.printed import reading

CRAFTSMAN = """
Malerbetrieb Ottersen
Meisterbetrieb seit 1981
Gewerbepark 6
24941 Flensburg
                                 Rechnungsdatum: 11.03.2024
Rechnung Nr. 24-0077
Pos.  Bezeichnung       Menge   Einheit  Einzelpreis  Gesamtpreis
1     Wandfarbe         3,00    Eim.     41,00        123,00
2     Arbeitszeit       5,50    Std.     48,00        264,00
Nettobetrag                                           387,00 EUR
zzgl. 19 % MwSt.                                       73,53 EUR
Rechnungsbetrag                                       460,53 EUR
Zahlbar bis 25.03.2024. Bei Zahlung bis 18.03.2024 2 % Skonto (9,21 EUR).
"""

HOTEL = """
Pension Seeblick GmbH
Uferweg 3
17419 Ahlbeck
Herrn
Jonas Weidner
Weidner Planung AG
Kaiserstr. 40
60311 Frankfurt
RECHNUNG Nr. 5512             Ahlbeck, 09.08.2023
Zimmer: 4   Anreise: 06.08.2023   Abreise: 09.08.2023
06.08.2023 Einzelzimmer              72,00
06.08.2023 Minibar                   12,00
07.08.2023 Einzelzimmer              72,00
07.08.2023 Minibar                   11,30
08.08.2023 Einzelzimmer              72,00
Gesamtbetrag                        239,30
"""


def read(text: str, region: str) -> Result:
    return interpret(
        reading(text), ExtractOptions(region=region, document_type="auto"), None, Trace(keep=False)
    )


def test_tax_that_is_added_makes_the_total_of_the_net_amount() -> None:
    result = read(CRAFTSMAN, "de")
    assert (result.total, result.sub_total) == (Decimal("460.53"), Decimal("387.00"))
    assert result.taxes == (Decimal("73.53"),)


def test_what_may_be_taken_off_by_some_day_is_no_discount() -> None:
    assert read(CRAFTSMAN, "de").discounts == ()


def test_hours_and_their_price_stand_in_columns() -> None:
    item = read(CRAFTSMAN, "de").line_items[1]
    assert (item.desc_clean, item.qty, item.price) == ("Arbeitszeit", Decimal("5.5"), Decimal("48.00"))


def test_the_year_of_foundation_is_no_address() -> None:
    assert read(CRAFTSMAN, "de").address == "Gewerbepark 6, 24941 Flensburg"


def test_the_addressee_of_a_bill_is_not_the_merchant() -> None:
    result = read(HOTEL, "de")
    assert result.establishment == "Pension Seeblick GmbH"
    assert result.address == "Uferweg 3, 17419 Ahlbeck"


def test_prices_behind_the_days_of_a_stay_are_no_times() -> None:
    result = read(HOTEL, "de")
    assert [str(i.line_total) for i in result.line_items] == ["72.00", "12.00", "72.00", "11.30", "72.00"]
    assert result.date == "2023-08-09 00:00:00"


def test_a_column_of_reductions_stands_between_price_and_amount() -> None:
    text = """
TALLERES PEDRAZA S.L.
Calle Alta 4, 39008 Santander
FACTURA Nº 2024/0031      Cliente: Obras Lera S.A.
Fecha: 06/02/2024         Fecha vto.: 07/03/2024
Concepto            Cant.   Precio    Dto.   Importe
Bujias               4       7,50     20,00    24,00
Revision             1      30,00      0,00    30,00
Base imponible                                 54,00
IVA 21%                                        11,34
TOTAL FACTURA                                  65,34
"""
    result = read(text, "es")
    assert result.document_type == "Invoice"
    assert [(i.desc_clean, i.qty, i.price) for i in result.line_items] == [
        ("Bujias", Decimal(4), Decimal("7.50")),
        ("Revision", Decimal(1), Decimal("30.00")),
    ]


def test_a_label_in_the_column_beside_is_no_part_of_the_address() -> None:
    text = """
Sandbergs El AB                  FAKTURA
Hantverkaregatan 9               Fakturanr: 20417
721 30 Västerås                  Fakturadatum: 2024-05-06
Montering            2 h    600,00    1 200,00
Att betala SEK                        1 200,00
"""
    assert read(text, "se").address == "Hantverkaregatan 9, 721 30 Västerås"


def test_one_decimal_is_how_a_till_prints_beside_a_total_with_its_sign() -> None:
    text = """
HARBOUR NOODLE CAFE
1 Fish Ball Noodle        48.0
1 Iced Tea                20.0
1 Beef Noodle             62.0
Sub Total                130.0
10% Service Chg           13.0
Total                HK$ 143.0
"""
    result = read(text, "hk")
    kinds = [i.line_type for i in result.summary_items]
    assert (result.sub_total, result.total) == (Decimal(130), Decimal(143))
    assert kinds == ["SubTotal", "ServiceCharge", "Total"]


def test_a_count_in_katakana_is_followed_by_its_price() -> None:
    text = """
      スーパー青葉
緑茶600ml  2コX158       ¥316
食パン                  ¥140
合計                   ¥456
"""
    item = read(text, "ja").line_items[0]
    assert (item.desc_clean, item.qty, item.price) == ("緑茶600ml", Decimal(2), Decimal(158))


def test_what_was_not_collected_is_no_means_of_payment() -> None:
    text = """
TRATTORIA DEL PONTE
DOCUMENTO COMMERCIALE
PIZZA 10%                     9,00
BIRRA 22%                     5,00
TOTALE COMPLESSIVO           14,00
Pagamento contante            0,00
Pagamento elettronico        14,00
Non riscosso                  0,00
"""
    assert read(text, "it").payment_method != "Non riscosso"


def test_a_count_with_its_unit_stands_behind_its_price() -> None:
    text = """
      NORRA LIVS
Mjölk 3%     15,90   2 st    31,80
Bröd                         24,00
Totalt                       55,80
"""
    item = read(text, "se").line_items[0]
    assert (item.desc_clean, item.qty, item.price) == ("Mjölk 3%", Decimal(2), Decimal("15.90"))


def test_a_name_before_weight_and_price_is_that_of_the_amount_below() -> None:
    text = """
IPER GIARDINI S.P.A.
DOCUMENTO COMMERCIALE
PANE COMUNE 4%          1,85
BANANE 0,932kg x 1,79/kg
4%                      1,67
TOTALE COMPLESSIVO      3,52
"""
    result = read(text, "it")
    item = result.line_items[1]
    assert (item.desc_clean, item.unit, item.price) == ("BANANE", Decimal("0.932"), Decimal("1.79"))
    assert result.expense_type != "Services/Beauty"


def test_numbers_behind_the_day_of_a_sale_are_no_telephone() -> None:
    text = """
E-Markt Petersen KG
Ostring 44
24143 Kiel
VOLLMILCH         0,99 B
BANANEN           1,43 B
SUMME     EUR     2,42
15.02.24  10:05  4417 02 0081
"""
    assert read(text, "de").phone_number is None


def test_a_price_behind_a_is_no_part_of_the_name() -> None:
    text = """
Cafe Lindenhof
Inh. Erika Paulsen
Am Markt 3, 29525 Uelzen
2 x Milchkaffee a 3,60      7,20
1 x Rührei                  4,50
Gesamtbetrag            EUR 11,70
"""
    result = read(text, "de")
    assert result.line_items[0].desc_clean == "Milchkaffee"
    assert result.address == "Am Markt 3, 29525 Uelzen"


def test_a_number_with_a_label_of_its_own_is_not_that_of_the_title_above() -> None:
    text = """
BRASSERIE DE MARKT
Grote Markt 21, 8000 BRUGGE
2 STOOFVLEES          22,50     45,00
TOTAAL  EUR                     45,00
BTW-KASTICKET
VSC: AVBE01234567
"""
    options = ExtractOptions(region="be", custom_fields=("ReceiptNumber",))
    assert not interpret(reading(text), options, None, Trace(keep=False)).custom_fields


SENDER = """
Elektro Brandt GmbH               Rechnung
Elektro Brandt GmbH, Hellweg 12, 44787 Bochum
Frau Petra Lohmann                Rechnungsnummer   2024-1187
Am Kanal 5                        Rechnungsdatum    02.05.2024
44801 Bochum                      Fälligkeitsdatum  16.05.2024
                                  Leistungsdatum    24.04.2024
Menge  Beschreibung               Einzelpreis     Betrag
1      FI-Schutzschalter             64,90         64,90 €
Gesamtbetrag                                       64,90 €
"""


def test_the_sender_of_a_letter_stands_before_the_street() -> None:
    result = read(SENDER, "de")
    assert result.address == "Hellweg 12, 44787 Bochum"


def test_a_bill_with_a_day_to_pay_by_is_an_invoice_of_the_day_it_was_written() -> None:
    result = read(SENDER, "de")
    assert (result.document_type, result.date) == ("Invoice", "2024-05-02 00:00:00")


def test_paid_by_card_is_not_cash() -> None:
    text = """
HOTEL BELVEDERE S.R.L.
Pernottamento doppia    3    110,00   330,00
TOTALE FATTURA EUR                    330,00
Pagato con carta                      330,00
"""
    assert read(text, "it").payment_method != "CASH"


def test_a_name_with_count_and_price_stands_above_what_they_make() -> None:
    text = """
BRICO CENTRUM NV
VERF WIT 10L       39,99 D
ROLLER SET 2 x 8,49
                   16,98 D
SCHROEVEN           4,50 D
TOTAAL             61,47
"""
    item = read(text, "be").line_items[1]
    assert (item.desc_clean, item.qty, item.price) == ("ROLLER SET", Decimal(2), Decimal("8.49"))
    assert item.line_total == Decimal("16.98")


#: Columns of rate, net and gross amount; the date of issue below that of the taxed delivery.
WITH_TAX_COLUMNS = """
Kotlárna Havran s.r.o.
Dlouhá 12
390 01 Tábor
Datum uskut. plnění: 6. 5. 2025
Datum vystavení: 7. 5. 2025

Položka              Množství    J. cena     DPH    Základ       Celkem
Konvice měděná       3 ks        400,00      21%    1 200,00     1 452,00
Poklice              5 ks        100,00      21%    500,00         605,00
Základ                                                           1 700,00
DPH 21%                                                            357,00
Celkem k úhradě                                                  2 057,00 Kč
"""

#: A closing phrase in the left half of the sums, and a column of rates without a percent sign.
WITH_THANKS = """
Copper Kettle Works
12 Harbour Street, Poole BH15 1AA

Invoice Date: 14 May 2025

Description               Qty    Unit Price    VAT %    Amount
Copper kettle             2      45.00         20.0     90.00
Brass lid                 3      12.50         20.0     37.50

Thank you for your business!             SUBTOTAL      127.50
                                         VAT 20%        25.50
                                         TOTAL         153.00
"""

#: Whole prices in thousands, a rate between price and amount, and a tax that the customer withholds.
WITH_WITHHOLDING = """
CALDERERÍA EL COBRE S.A.S.
NIT 900.771.204-5
Calle 9 No. 4-31, Cali, Valle
Fecha: 2025-05-14

Ítem  Código   Descripción         Cant   Vr. Unitario    IVA %    Vr. Total
1     00771    Tetera cobre        20     3.500           19       70.000
2     00772    Filtro 3x30         6      12.400          19       74.400

                                          Subtotal               $ 144.400
                                          IVA 19%                $ 27.436
                                          Retefuente 2,5%       -$ 3.610
                                          Total a pagar          $ 168.226
"""


def test_columns_of_net_and_gross_amounts_leave_quantity_and_price() -> None:
    result = read(WITH_TAX_COLUMNS, "cz")
    assert [(i.qty, i.price, i.line_total) for i in result.line_items] == [
        (3, Decimal("400.00"), Decimal("1452.00")),
        (5, Decimal("100.00"), Decimal("605.00")),
    ]
    assert result.date == "2025-05-07 00:00:00"
    assert result.total == Decimal("2057.00")


def test_thanks_beside_the_subtotal_leave_it_a_subtotal_and_rates_are_no_codes() -> None:
    result = read(WITH_THANKS, "gb")
    assert result.sub_total == Decimal("127.50")
    assert [(i.qty, i.price, i.product_code) for i in result.line_items] == [
        (2, Decimal("45.00"), None),
        (3, Decimal("12.50"), None),
    ]


def test_what_the_customer_withholds_is_no_tax_of_the_invoice() -> None:
    result = read(WITH_WITHHOLDING, "co")
    assert result.taxes == (Decimal(27436),)
    assert result.total == Decimal(168226)
    assert [(i.desc_clean, i.qty, i.price) for i in result.line_items] == [
        ("Tetera cobre", 20, Decimal(3500)),
        ("Filtro 3x30", 6, Decimal(12400)),
    ]

from __future__ import annotations

import pytest

from tests.unit.stages.printed_receipts import printed, value

_SHOP = "BOTTEGA ALTA\nVia Verdi 3\n\n{line}\n\nCoffee      12,00\nTOTAL       12,00\n{after}\n"


@pytest.mark.parametrize(
    ("code", "line", "number"),
    [
        ("gb", "Receipt No: 5864-5373   Till 4", "5864-5373"),
        ("gb", "TAX INVOICE  INV0074318", "INV0074318"),
        ("de", "Beleg 104477   Ticket-Nr. 0052 7316 48", "104477"),
        ("ch", "RECHNUNG 2025-007364", "2025-007364"),
        ("fr", "Heure : 22:26:38 N° : 7061-8375", "7061-8375"),
        ("br", "Cupom.: 618345   PDV: 07", "618345"),
        ("co", "FACTURA POS KT4 N. 0053826", "0053826"),
        ("pe", "Factura: B001-52457710", "B001-52457710"),
        ("pe", "F038-00517296", "F038-00517296"),
        ("pe", "BOLETA DE VENTA ELECTRONICA\nBA14-00288714\nCaja: 012  Ticket: 9983", "BA14-00288714"),
        ("vn", "Ký hiệu: 1C24TAA   Số: 00004471", "00004471"),
        ("gr", "ΑΡ. ΑΠΟΔΕΙΞΗΣ: G0778007", "G0778007"),
        ("hk", "單據 O1858157", "O1858157"),
        ("ja", "伝票番号：5750-2366", "5750-2366"),
        ("my", "BILL NO: 4410\nSCAN FOR E-INVOICE REQUEST\nREF Z1R27I4W-2F3R", "4410"),
        ("id", "NO: 66905797   MEJA: 25", "66905797"),
        ("se", "Kvittonummer: 0264-5-41873", "0264-5-41873"),
        ("my", "RESIT CASH SALE   #CS-38416", "CS-38416"),
        ("be", "26.09.2024 11:38 K2 #0574", "0574"),
        ("pl", "DOK.#00263971", "00263971"),
        ("pl", "Nr zamówienia: 55\nNr rachunku: 20718", "20718"),
        ("se", "Könummer 47\nKvittonr 20718", "20718"),
        ("ke", "Namba ya oda: 155   Namba ya risiti: 20718", "20718"),
    ],
)
def test_the_number_behind_its_label(code: str, line: str, number: str) -> None:
    assert value(printed(code, _SHOP.format(line=line, after="")).contacts.receipt_number) == number


def test_an_order_behind_a_title_leaves_the_title_without_a_number() -> None:
    text = _SHOP.format(line="TAX INVOICE   Order 88   25/01/26 19:30", after="")
    assert value(printed("au", text).contacts.receipt_number) is None


def test_a_number_below_its_label() -> None:
    text = _SHOP.format(line="FACTURA ELECTRONICA\nF038-00517296", after="")
    assert value(printed("pe", text).contacts.receipt_number) == "F038-00517296"


@pytest.mark.parametrize(
    ("code", "rows", "number"),
    [
        ("be", ["                    FACTUUR", "Kade 21             Nummer: 2026/0662"], "2026/0662"),
        ("ar", ["ALTA S.R.L.      B  FACTURA", "Av. Alta 447  COD.6 N° 0003-00044718"], "0003-00044718"),
        ("de", ["Gutschrift / Retoure                 Beleg-Nr. G-26-0118"], "G-26-0118"),
        ("gb", ["CREDIT NOTE", "Credit note no: CN-0218"], "CN-0218"),
        ("br", ["RECIBO DE HOSPEDAGEM Nº 1182"], "1182"),
    ],
)
def test_numbers_at_the_right_of_a_letterhead(code: str, rows: list[str], number: str) -> None:
    text = _SHOP.format(line="\n".join(rows), after="")
    assert value(printed(code, text).contacts.receipt_number) == number


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("gb", "Original receipt 4418-0772"),
        ("de", "Urspr. Beleg 818672"),
        ("ja", "元レシート No0426"),
        ("cn", "原小票号 0426"),
        ("cl", "CALLE MAYOR N° 116, ANTOFAGASTA"),
        ("se", "Returkvitto, ursprungligt kvitto 20718"),
        ("se", "RUN NUMBER : 000000738214"),
        ("gb", "Return with receipt in 28 days"),
    ],
)
def test_other_numbers_are_not_the_receipts(code: str, line: str) -> None:
    assert value(printed(code, _SHOP.format(line=line, after="")).contacts.receipt_number) is None


def test_the_data_of_a_card_slip_is_no_receipt_number() -> None:
    after = "VISA XXXXXXXXXXXX6138\nAUTH 482915\nREF QHTPLM7C-BX36\nTVR: 0080008000"
    assert value(printed("my", _SHOP.format(line="SALE", after=after)).contacts.receipt_number) is None


def test_the_paper_comes_before_order_and_transaction() -> None:
    text = _SHOP.format(line="Order No 31\nTrans No 884120\nReceipt No 1177", after="")
    assert value(printed("gb", text).contacts.receipt_number) == "1177"

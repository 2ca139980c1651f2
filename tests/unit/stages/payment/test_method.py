from __future__ import annotations

import pytest

from tests.printed import read
from tests.unit.stages.printed_receipts import printed

_SALE = "LITTLE HARBOUR STORE\n\nSoup        12.00\nTOTAL       12.00\n{lines}\n"


@pytest.mark.parametrize(
    ("code", "lines", "method"),
    [
        ("gb", "VISA DEBIT ****6185     12.00", "VISA"),
        ("us", "AMEX     12.00", "American Express"),
        ("us", "MC XXXXXXXXXXXX9017     12.00", "Mastercard"),
        ("hk", "微信支付 WE CHAT PAY     12.00", "WE CHAT"),
        ("th", "พร้อมเพย์     12.00", "พร้อมเพย์"),
        ("my", "TUNAI     20.00\nBAKI     8.00", "CASH"),
        ("sg", "Payment: Card Tendered     12.00\nNETS     12.00", "NETS"),
        ("ch", "Geg. EC-Cash CHF     12.00\nMAESTRO ************0449", "MAESTRO"),
        ("co", "Pago Tarjeta     12.00\nDATAFONO     12.00", "DATAFONO"),
        ("ar", "QR MODO     12,00", "QR MODO"),
        ("es", "Pagament: TARGETA", "TARGETA"),
        ("in", "MODE : CASH", "CASH"),
        ("il", "אמצעי תשלום: מזומן", "CASH"),
        ("fr", "Réglé en espèces", "CASH"),
        ("it", "PAGATO CONTANTI", "CASH"),
        ("it", "PAGAMENTO ELETTRONICO     12,00", "PAGAMENTO ELETTRONICO"),
        ("cl", "Dcto Convenio     -500\nRedcompra     11.500", "Redcompra"),
        ("fr", "CARTE BANCAIRE\n************4471\nMONTANT REEL     12,00", "CARTE BANCAIRE"),
        ("cl", "REDCOMPRA DEBITO     12.000\nVISA **** 5517  AUT 640283", "VISA"),
        ("au", "EFTPOS     12.00\nVISA DEBIT", "VISA"),
        ("ja", "クレジット支払     1,200\nJCB", "JCB"),
        ("it", "PagoBANCOMAT     12,00", "PagoBANCOMAT"),
        ("se", "Swish     12,00", "Swish"),
        ("us", "DEBIT     12.00\nMASTERCARD", "Mastercard"),
        ("cl", "PAGO CON TARJETA     12.000\nREDCOMPRA", "REDCOMPRA"),
        ("uy", "TARJETA     12,00\nOCA", "OCA"),
        (
            "es",
            "TARJETA BANCARIA     12,00\nTARJ. BANCARIA: **** 4410\nImporte: 12,00 MASTERCARD",
            "Mastercard",
        ),
        ("uy", "EFECTIVO", "CASH"),
        ("se", "Mottaget Kontokort     12,00\nKORTKÖP\nMASTERCARD ****4402", "Mastercard"),
        ("pl", "KARTA     12,00\nROZLICZENIE PŁATNOŚCI     12,00", "KARTA"),
        ("de", "VISAKARTE\nKartenart: VISA     12,00", "VISA"),
        ("vn", "Thanh toán bằng: MOMO     12.000", "MOMO"),
        ("us", "CREDIT CARDS TENDER     12.00", "CREDIT CARDS TENDER"),
        ("us", "Electronic Cards Tendered     12.00", "Electronic Cards Tendered"),
        ("us", "PAYMENT METHOD: Cash", "CASH"),
        ("in", "Payment method Credit Card", "Credit Card"),
        ("us", "Credit Card Type: MASTER", "Mastercard"),
        ("lv", "SK. NAUDA     12.00", "CASH"),
        ("cz", "EC/MC     12,00", "Mastercard"),
        ("sk", "EC/MC     12,00", "Mastercard"),
        ("nl", "PINNEN     12,00\nKaart: xxxxxxxxxxxxxxx6612", "PINNEN"),
        ("es", "TARJETA     12,00\nTARJ. BANCARIA: **** **** 6612\nImporte: 12,00     Visa Debit", "VISA"),
        ("it", "PAGAMENTO ELETTR.     12,00", "PAGAMENTO ELETTR"),
        ("no", "Bank:     12,00", "Bank"),
        ("es", "PAGO: TARJETA     12,00\n****4471", "TARJETA"),
        ("hr", "Način plaćanja: gotovina", "CASH"),
        ("de", "elec.-cash     12,00", "elec.-cash"),
        ("fr", "TICKET RESTAURANT     9,00\nESPECES     4,00\nRENDU     1,00", "TICKET RESTAURANT"),
    ],
)
def test_how_was_paid(code: str, lines: str, method: str) -> None:
    found = printed(code, _SALE.format(lines=lines)).payment.method
    assert found is not None
    assert found.value == method


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("gb", "We accept VISA and Mastercard"),
        ("gb", "Thank you"),
        ("gb", "Cash discount 2.00"),
        ("cz", "Využijte své poukázky i kupony našeho klubu"),
        ("gb", "Present your vouchers at every branch by Sunday"),
    ],
)
def test_what_was_not_paid_with(code: str, lines: str) -> None:
    assert printed(code, _SALE.format(lines=lines)).payment.method is None


@pytest.mark.parametrize(
    ("code", "product"),
    [
        ("us", "Chang (2@4.00)       8.00"),  # a beer, no change
        ("fr", "1 x DIVERS     8.00     8.00"),  # other articles, not Diners
        ("pl", "KURCZAK GOTOWA     8,00"),  # cooked chicken, not "gotówka"
        ("us", "Signature MC  2 x 4.00     8.00"),  # a cake, not Mastercard
    ],
)
def test_words_in_products_are_no_tender(code: str, product: str) -> None:
    found = printed(code, f"HARBOUR STORE\n\n{product}\nSoup        12.00\nTOTAL       20.00\n")
    assert found.payment.method is None


def test_a_scheme_in_the_legal_name_paid_nothing() -> None:
    text = "GREEN LANTERN\nUNIT OF : HARBOUR DINERS LLP.\n12 Dock Street\n\nSoup     12.00\nTOTAL     12.00\n"
    assert printed("in", text).payment.method is None


def test_a_word_below_a_tender_that_another_row_names_is_no_card() -> None:
    text = _SALE.format(lines="Details of goods\nSoda\n1.00 4.00 4.00\nSlice Orange\n1.00 8.00 8.00")
    assert printed("in", text + "Payment method Credit Card\n").payment.method.value == "Credit Card"  # type: ignore[union-attr]


def test_a_product_is_no_tender() -> None:
    text = (
        "STORE\n\nBIN LINERS 30L      84.00\nMASKER 50PCS      16.00\nTOTAL      100.00\nCASH      100.00\n"
    )
    found = printed("in", text).payment.method
    assert found is not None
    assert found.value == "CASH"


@pytest.mark.parametrize("name", ["CAFFE MAESTRO", "HARBOUR DINER", "DISCOVER BOOKS"])
def test_a_scheme_in_the_merchants_name_paid_nothing(name: str) -> None:
    text = f"{name}\n12 Dock Street\nAnnapolis, MD 21401\n\nSoup        12.00\nTOTAL       12.00\n"
    assert printed("us", text).payment.method is None


def test_part_of_a_name_behind_an_apostrophe_is_no_tender() -> None:
    text = (
        "KEDAI ROTI BULAN\n7, Jalan Mawar\nBandar Sri D'Sara, 52000 Kuala Lumpur\n\nRoti 12.00\nTOTAL 12.00\n"
    )
    assert printed("my", text).payment.method is None


def test_a_word_for_paying_may_follow_a_wallet() -> None:
    text = "Kissa Tanpopo\n\nコーヒー   ¥480\n合計   ¥480\nPayPay支払   ¥480\n"
    assert (read(text, "ja").payment_method or "").startswith("PayPay")

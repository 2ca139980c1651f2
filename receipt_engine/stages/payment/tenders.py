"""Words that say that a card was used, but not which."""

from __future__ import annotations

import re

#: Phrases that say that a card was used, not which.
_GENERIC = frozenset(
    [
        "card",
        "credit",
        "creditcard",
        "debitcard",
        "cardpayment",
        "cardpaid",
        "paidbycard",
        "payment",
        "payments",
        "paymentmethod",
        "paymenttype",
        "paymentmode",
        "modeofpayment",
        "paidby",
        "paidvia",
        "paymode",
        "tendertype",
        "tenderdetail",
        "chargetotal",
        "charge",
        "purchase",
        "account",
        "tap",
        "wallet",
        "transfer",
        "cardsale",
        "creditsale",
        "cardtotal",
        "cardamount",
        "contactless",
        "chipcard",
        "zahlungsart",
        "zahlart",
        "bezahltmit",
        "bezahlung",
        "mediodepago",
        "formadepago",
        "formadepagamento",
        "modedepaiement",
        "cardtendered",
        "totalcard",
        "credittend",
        "completed",
        "cardcharge",
        "noncash",
        "zahlung",
        "karte",
        "kartenzahlung",
        "kreditkarte",
        "debitkarte",
        "bankkarte",
        "carte",
        "cartebancaire",
        "cartebleue",
        "cartecredit",
        "cartededebit",
        "cb",
        "tarjeta",
        "tarjetas",
        "tarjetacredito",
        "tarjetadecredito",
        "tarjetadebito",
        "tarjetadedebito",
        "targeta",
        "tarj",
        "tarjbancaria",
        "tarjcredito",
        "tarjdebito",
        "tarjetabancaria",
        "credito",
        "debito",
        "cartao",
        "cartaocredito",
        "cartaodecredito",
        "cartaodebito",
        "cartaodedebito",
        "carta",
        "cartadicredito",
        "cartadidebito",
        "pagamentoelettronico",
        "elettronico",
        "kort",
        "kortbetalning",
        "bankkort",
        "kaart",
        "betaalkaart",
        "bankkaart",
        "kad",
        "kadkredit",
        "kaddebit",
        "kartu",
        "kartukredit",
        "kartudebit",
        "the",
        "thetindung",
        "quetthe",
        "karta",
        "بطاقة",
        "البطاقة",
        "クレジット",
        "カード",
        "信用卡",
        "卡付",
        "καρτα",
    ]
)
#: Words (letters alone) that ask how was paid.
_LABEL = re.compile(
    r"(?:payment|paid|pay|zahl|bezahl|medio|forma|mode|tender|charge|purchase|account|pagament|pagamento|pago|paiement|"
    r"reglement|betaal|betal|pembayaran|bayar|cara|hinhthuc|thanhtoan|sposob|forma|metod|metodo|支払|付款|支付方式|πληρωμ|"
    r"nanpom)"
)


def is_generic(phrase: str) -> bool:
    """Whether a phrase only says that a card was used: "tarjeta", "pago tarjeta", "payment card"."""
    if phrase in _GENERIC:
        return True
    label = _LABEL.match(phrase)
    rest = phrase[label.end() :] if label else ""
    for link in ("", "con", "com", "by", "mit", "par", "met", "with", "de", "avec", "in"):
        if rest.startswith(link) and (rest[len(link) :] in _GENERIC or not rest):
            return label is not None
    return False


def asks_how(phrase: str) -> bool:
    """Whether a phrase (letters alone) asks how was paid: "forma de pago", "payment"."""
    return _LABEL.match(phrase) is not None

"""Whether the document is a receipt or an invoice: rows and the sheet in, a `Found` out.

Decides by what the document calls itself, whether it addresses a customer or asks to be paid by a day, and
whether cash was handed over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.document import Found, ParsedLine, RoleMatch, Sheet
from receipt_engine.vocabulary.normalise import count_letters, letters

#: Least share of a row's letters that a title has.
_TITLE_SHARE = 0.35
#: Phrases (letters alone) that address a customer: what an invoice has and a till receipt has not.
_ADDRESSED = (
    "billto",
    "soldto",
    "shipto",
    "billingaddress",
    "customername",
    "customeraddress",
    "attention",
    "attn",
    "guestname",
    "guest",
    "paymentterms",
    "termsnet",
    "duedate",
    "remitto",
    "folio",
    "arrival",
    "departure",
    "checkin",
    "checkout",
    "nights",
    "purchaseorder",
    "rechnungsdatum",
    "leistungszeitraum",
    "huesped",
    "cliente",
    "client",
    "kundennr",
    "facturea",
    "comprador",
    "ruccomprador",
    "rutcomprador",
    "adquirente",
    "adquiriente",
    "rechnungsempfanger",
    "arrivo",
    "partenza",
    "spettle",
    "nabywca",
    "nguoimuahang",
    "hotennguoimua",
    "donvimuahang",
    "buyer",
    "senores",
    "anreise",
    "abreise",
    "arrive",
    "depart",
    "ngayden",
    "ngaydi",
)
#: Words for the day by which to pay.
_DUE_DAYS = (
    "falligkeitsdatum",
    "falligam",
    "falligbis",
    "zahlbarbis",
    "duedate",
    "echeance",
    "dateecheance",
    "datedecheance",
    "forfallodatum",
    "vervaldatum",
    "fechadevencimiento",
)
#: What only a bill has, right before a colon anywhere on a row, and as a phrase of the language.
_BEFORE_COLON = frozenset(
    (*_ADDRESSED, *_DUE_DAYS, "fechavto", "vencimiento", "faelligam", "scadenza", "kunde")
)
_DUE = frozenset((*_DUE_DAYS, "rechnungsdatum"))
_MOST_WORDS = 3
#: A customer with a name: "Customer: Paul", not "Customer copy" or a number.
_CUSTOMER = re.compile(r"^\W*customer\s*:\s*(?!walk|cash|guest|copy)[^\W\d_]{2}", re.IGNORECASE)
_TILL = frozenset(("cash", "change"))
#: A label with its number: "Factura: 0012345" is a receipt's number as often as an invoice's.
_NUMBERED = re.compile(r"\d{3}")
#: "Guests: 4" counts covers.
_COVERS = re.compile(r"^(?:guests?|clients?|clientes?)\W*\d*\W*$", re.IGNORECASE)


def find_document_type(rows: Sequence[ParsedLine], sheet: Sheet) -> Found:
    """ "Receipt" or "Invoice", by what the document calls itself, whom it addresses and how it was paid."""
    titled, lines = _titles(rows, sheet)
    addressed = [
        index
        for index, parsed in enumerate(rows)
        if _addresses(parsed.text, sheet.zones[index]) or _is_due(sheet.roles[index])
    ]
    due = any(_is_due(roles) for roles in sheet.roles)
    score = -0.6 + titled + min(1.0, 0.5 * len(addressed) + 0.2 * due)
    if any(e.role in _TILL and e.zone in ("summary", "after") for e in sheet.entries):
        score -= 0.3
    value = "Invoice" if score > 0 else "Receipt"
    confidence = min(0.95, 0.55 + 0.25 * abs(score))
    return Found(value, round(confidence, 3), tuple(sorted({*lines, *addressed})), f"score {score:.2f}")


def _titles(rows: Sequence[ParsedLine], sheet: Sheet) -> tuple[float, list[int]]:
    """How strongly the document calls itself an invoice (a receipt: below zero), and the rows that do."""
    score = 0.0
    lines: list[int] = []
    for index, parsed in enumerate(rows):
        total = max(1, count_letters(parsed.text))
        for match in sheet.roles[index]:
            if len(match.phrase) / total < _TITLE_SHARE:
                continue
            numbered = _NUMBERED.search(parsed.text, match.end) is not None
            if match.role == "invoice" and match.weight >= 0.5:
                strength = (0.5 if numbered else 0.95) * match.weight
                strength *= 0.3 if sheet.zones[index] == "after" else 1.0
                score += 0.2 if lines else strength
                lines.append(index)
            elif match.role == "receipt" and match.weight >= 0.8 and sheet.zones[index] == "header":
                score -= 0.3 if numbered else 0.8
    return score, lines


def _addresses(text: str, zone: str) -> bool:
    """Whether a row names the customer or asks to pay later."""
    named = letters(text).startswith(_ADDRESSED) or _CUSTOMER.match(text) is not None
    return zone != "after" and (
        (named and _COVERS.match(text) is None) or any(map(_ends_with_label, text.split(":")[:-1]))
    )


def _is_due(roles: Sequence[RoleMatch]) -> bool:
    """Whether a row says by when to pay, or when the bill was written."""
    return any(match.phrase in _DUE for match in roles)


def _ends_with_label(text: str) -> bool:
    """Whether the last words before a colon address a customer or ask to pay later."""
    words = text.split()
    return any(letters(" ".join(words[-n:])) in _BEFORE_COLON for n in range(1, _MOST_WORDS + 1))

"""Whether the document is a receipt or an invoice."""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import Found, ParsedLine, Sheet
from receipt_engine.stages.merchant.words import count_letters, letters

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
)
_TILL = frozenset(("cash", "change"))


def document_type(rows: Sequence[ParsedLine], sheet: Sheet) -> Found:
    """ "Receipt" or "Invoice", by what the document calls itself, whom it addresses and how it was paid."""
    score = -0.6
    lines: list[int] = []
    for index, parsed in enumerate(rows):
        total = max(1, count_letters(parsed.text))
        for match in sheet.roles[index]:
            covers = len(match.phrase) / total
            if match.role == "invoice" and match.weight >= 0.5 and covers >= 0.35:
                score += 0.9 * match.weight if not lines else 0.2
                lines.append(index)
            elif (
                match.role == "receipt"
                and match.weight >= 0.8
                and covers >= 0.35
                and sheet.zones[index] == "header"
            ):
                score -= 0.8
    text = [letters(parsed.text) for parsed in rows]
    addressed = [i for i, t in enumerate(text) if t.startswith(_ADDRESSED) and sheet.zones[i] != "after"]
    score += min(1.0, 0.5 * len(addressed))
    if any(e.role in _TILL and e.zone in ("summary", "after") for e in sheet.entries):
        score -= 0.5
    value = "Invoice" if score > 0 else "Receipt"
    confidence = min(0.95, 0.55 + 0.25 * abs(score))
    return Found(value, round(confidence, 3), tuple(sorted({*lines, *addressed})), f"score {score:.2f}")

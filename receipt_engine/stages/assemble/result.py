"""Builds the Result: one function a group of fields, no decision that is not made elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from receipt_engine.document import (
    Barcode,
    Chosen,
    DateChoice,
    Details,
    Found,
    Ledger,
    ParsedLine,
    RegionGuess,
    Sheet,
)
from receipt_engine.options import ExtractOptions
from receipt_engine.result import VALIDATED, Result
from receipt_engine.stages.assemble.confidence import (
    amount_features,
    date_features,
    found_features,
    is_proved,
    probability,
    total_features,
)
from receipt_engine.stages.assemble.evidence import evidence
from receipt_engine.stages.assemble.printed_codes import checked
from receipt_engine.stages.assemble.summary import line_items, summary_items

_ZERO = Decimal(0)


def assemble(
    rows: tuple[ParsedLine, ...],
    sheet: Sheet,
    ledger: Ledger,
    details: Details,
    date: DateChoice | None,
    currency: Found | None,
    regions: Sequence[RegionGuess],
    barcodes: Sequence[Barcode],
    options: ExtractOptions,
) -> Result:
    """The contract object; every field of it, null where nothing was found."""
    fields = {
        **_who(details, options),
        **_when(date),
        **_money(ledger, rows),
        "currency": currency.value if currency else None,
        "barcodes": tuple((b.data, b.kind) for b in checked(barcodes, rows)),
        "line_items": line_items(ledger.items),
        "summary_items": summary_items(sheet, ledger, rows),
    }
    if options.evidence:
        fields["evidence"] = {
            **evidence(rows, ledger, details, date, currency, regions),
            "features": _features(rows, ledger, details, date),
        }
    return Result(**fields)


def _features(
    rows: tuple[ParsedLine, ...], ledger: Ledger, details: Details, date: DateChoice | None
) -> dict[str, dict[str, float]]:
    """What each confidence was computed from: the input of `scripts/fit_confidence.py`."""
    found = {"total": total_features(ledger, rows)} if ledger.total else {}
    if ledger.subtotal is not None:
        subtotal = ledger.subtotal
        found["subTotal"] = amount_features(ledger, "subTotal", subtotal, rows)
    if date is not None:
        found["date"] = date_features(date)
    if details.merchant.name is not None:
        found["establishment"] = found_features(details.merchant.name)
    return found


def _who(details: Details, options: ExtractOptions) -> dict[str, Any]:
    merchant, contacts, payment = details.merchant, details.contacts, details.payment
    asked = {"receipt": "Receipt", "invoice": "Invoice"}.get(options.document_type)
    return {
        "establishment": _text(merchant.name),
        "establishment_confidence": _found("establishment", merchant.name),
        "validated_establishment": merchant.validated,
        "address": _text(merchant.address),
        "address_norm": details.address_parts,
        "phone_number": _text(contacts.phone),
        "url": _text(contacts.url),
        "payment_method": _text(payment.method),
        "document_type": asked or details.document_type.value,
        "expense_type": _text(details.expense_type),
        "custom_fields": {
            key: found.value
            for key, found in _custom_fields(details).items()
            if found is not None and key in options.custom_fields
        },
    }


def _custom_fields(details: Details) -> dict[str, Found | None]:
    """Name of every custom field that is known → its value."""
    return {
        "VATNumber": details.contacts.tax_number,
        "ReceiptNumber": details.contacts.receipt_number,
        "CardLast4Digits": details.payment.card_digits,
        "Country": details.contacts.country,
    }


def _text(found: Found | None) -> str | None:
    return found.value if found else None


def _found(kind: str, found: Found | None) -> float | None:
    if found is None:
        return None
    return probability(kind, found_features(found), proved=False)


def _when(date: DateChoice | None) -> dict[str, Any]:
    if date is None:
        return {}
    time = date.time or "00:00:00"
    confidence = probability("date", date_features(date), proved=False)
    return {"date": f"{date.date} {time}", "date_iso": f"{date.date}T{time}", "date_confidence": confidence}


def _money(ledger: Ledger, rows: tuple[ParsedLine, ...]) -> dict[str, Any]:
    total = ledger.total
    total_confidence = None
    if total is not None:
        features = total_features(ledger, rows)
        total_confidence = probability("total", features, proved=is_proved(ledger, "total", total))
    subtotal_confidence = _confidence("subTotal", ledger.subtotal, ledger, rows)
    discount = sum((c.value for c in ledger.discounts), _ZERO) if ledger.discounts else None
    return {
        "total": total.value if total else None,
        "total_confidence": total_confidence,
        "validated_total": total_confidence is not None and total_confidence >= VALIDATED,
        "sub_total": ledger.subtotal.value if ledger.subtotal else None,
        "sub_total_confidence": subtotal_confidence,
        "validated_sub_total": subtotal_confidence is not None and subtotal_confidence >= VALIDATED,
        "tax": ledger.tax,
        "taxes": tuple(c.value for c in ledger.taxes),
        "taxes_confidence": _confidences("taxes", ledger.taxes, ledger, rows),
        **_one("tip", ledger.tip, ledger, rows),
        "service_charges": tuple(c.value for c in ledger.services),
        "service_charge_confidences": _confidences("serviceCharges", ledger.services, ledger, rows),
        "discount": discount,
        "discounts": tuple(c.value for c in ledger.discounts),
        "discount_confidences": _confidences("discounts", ledger.discounts, ledger, rows),
        **_one("rounding", ledger.rounding, ledger, rows),
        **_one("cash", ledger.cash, ledger, rows),
        **_one("change", ledger.change, ledger, rows),
    }


def _one(name: str, chosen: Chosen | None, ledger: Ledger, rows: tuple[ParsedLine, ...]) -> dict[str, Any]:
    return {
        name: chosen.value if chosen else None,
        f"{name}_confidence": _confidence(name, chosen, ledger, rows),
    }


def _confidences(
    field: str, chosen: Sequence[Chosen], ledger: Ledger, rows: tuple[ParsedLine, ...]
) -> tuple[float, ...]:
    return tuple(_confidence(field, c, ledger, rows) or 0.0 for c in chosen)


def _confidence(
    field: str, chosen: Chosen | None, ledger: Ledger, rows: tuple[ParsedLine, ...]
) -> float | None:
    if chosen is None:
        return None
    features = amount_features(ledger, field, chosen, rows)
    return probability("amount", features, proved=is_proved(ledger, field, chosen))

"""Builds the Result with one function per group of fields; all decisions are made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from receipt_engine.document import (
    ZERO,
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
from receipt_engine.stages.assemble.confidence import Confidence, all_confidences, as_evidence
from receipt_engine.stages.assemble.evidence import evidence, tax_table
from receipt_engine.stages.assemble.printed_codes import repair_cut_codes
from receipt_engine.stages.assemble.summary import line_items, summary_items

_Sure = Mapping[str, Confidence | list[Confidence]]


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
    """The contract object with all its fields, None where nothing was found."""
    sure = all_confidences(ledger, details, date, rows, regions)
    fields = {
        **_who(details, sure, options),
        **_when(date, sure),
        **_money(ledger, sure),
        "currency": currency.value if currency else None,
        "barcodes": tuple((b.data, b.kind) for b in repair_cut_codes(barcodes, rows)),
        "line_items": line_items(ledger.items),
        "summary_items": summary_items(sheet, ledger, rows),
    }
    if options.evidence:
        fields["evidence"] = {
            **evidence(rows, ledger, details, date, currency, regions),
            "confidence": {
                field: [as_evidence(c) for c in found] if isinstance(found, list) else as_evidence(found)
                for field, found in sure.items()
            },
            "taxTable": tax_table(sheet, ledger),
        }
    return Result(**fields)


def _who(details: Details, sure: _Sure, options: ExtractOptions) -> dict[str, Any]:
    merchant, contacts, payment = details.merchant, details.contacts, details.payment
    asked = {"receipt": "Receipt", "invoice": "Invoice"}.get(options.document_type)
    return {
        "establishment": _text(merchant.name),
        "establishment_confidence": _one_of("establishment", sure),
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
    """Name of every known custom field → its value."""
    return {
        "VATNumber": details.contacts.tax_number,
        "ReceiptNumber": details.contacts.receipt_number,
        "CardLast4Digits": details.payment.card_digits,
        "Country": details.contacts.country,
    }


def _text(found: Found | None) -> str | None:
    return found.value if found else None


def _one_of(field: str, sure: _Sure) -> float | None:
    """The confidence in a field; None when it was not found."""
    found = sure.get(field)
    return found.probability if isinstance(found, Confidence) else None


def _each_of(field: str, sure: _Sure) -> tuple[float, ...]:
    """The confidences in the values of a field, in order."""
    found = sure.get(field, [])
    return tuple(c.probability for c in found) if isinstance(found, list) else ()


def _when(date: DateChoice | None, sure: _Sure) -> dict[str, Any]:
    if date is None:
        return {}
    return {
        "date": date.iso.replace("T", " "),
        "date_iso": date.iso,
        "date_confidence": _one_of("date", sure),
    }


def _money(ledger: Ledger, sure: _Sure) -> dict[str, Any]:
    total, subtotal = _one_of("total", sure), _one_of("subTotal", sure)
    return {
        "total": _value(ledger.total),
        "total_confidence": total,
        "validated_total": total is not None and total >= VALIDATED,
        "sub_total": _value(ledger.subtotal),
        "sub_total_confidence": subtotal,
        "validated_sub_total": subtotal is not None and subtotal >= VALIDATED,
        "tax": ledger.tax,
        "taxes": tuple(c.value for c in ledger.taxes),
        "taxes_confidence": _each_of("taxes", sure),
        "tip": ledger.tip.value + sum((c.value for c in ledger.further_tips), ZERO) if ledger.tip else None,
        "tip_confidence": _one_of("tip", sure),
        "service_charges": tuple(c.value for c in ledger.services),
        "service_charge_confidences": _each_of("serviceCharges", sure),
        "discount": sum((c.value for c in ledger.discounts), ZERO) if ledger.discounts else None,
        "discounts": tuple(c.value for c in ledger.discounts),
        "discount_confidences": _each_of("discounts", sure),
        "rounding": _value(ledger.rounding),
        "rounding_confidence": _one_of("rounding", sure),
        "cash": _value(ledger.cash),
        "cash_confidence": _one_of("cash", sure),
        "change": _value(ledger.change),
        "change_confidence": _one_of("change", sure),
    }


def _value(chosen: Chosen | None) -> Decimal | None:
    return chosen.value if chosen else None

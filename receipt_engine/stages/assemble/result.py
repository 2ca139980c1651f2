"""Builds the Result with one function per group of fields; all decisions but one are made elsewhere.

Interleaved 2 of 5 codes are checked against the digits that are printed beside their bars. The start and stop
patterns of this symbology are so short that a code cut by a fold or a tear decodes as a shorter one. Tills
print the digits above or below the bars: when these contain the decoded digits and more, bars were lost. The
code then gets the printed number if that was read without doubt, else it is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

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
    Word,
)
from receipt_engine.options import ExtractOptions
from receipt_engine.result import VALIDATED, Result
from receipt_engine.stages.assemble.confidence import Confidence, all_confidences, as_evidence
from receipt_engine.stages.assemble.evidence import evidence, tax_table
from receipt_engine.stages.assemble.summary import line_items, summary_items

_Sure = Mapping[str, Confidence | list[Confidence]]
_KIND = "Interleaved 2 of 5"
_LEAST_DIGITS = 6
#: Maximum distance of the digits from the bars, in text heights.
_NEAR = 1.6
#: Minimum character score of a digit that was read without doubt.
_SURE = 0.97
#: Maximum gap between groups of digits of one number, in text heights.
_WITHIN = 1.5
#: Application identifiers in brackets are not in the bars: "(01)".
_IDENTIFIER = re.compile(r"\(\d{2,4}\)")
_MARKS = re.compile(r"[\s*.\-]")


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


def repair_cut_codes(codes: Sequence[Barcode], rows: Sequence[ParsedLine]) -> tuple[Barcode, ...]:
    """The codes, in order; those that were cut short are repaired or left out."""
    return tuple(code for code in (_checked(code, rows) for code in codes) if code is not None)


def _checked(code: Barcode, rows: Sequence[ParsedLine]) -> Barcode | None:
    if code.kind != _KIND:
        return code
    for words in _numbers_beside(code, rows):
        digits = _digits(words)
        if code.data == digits:
            return code
        if code.data in digits:
            return replace(code, data=digits) if _is_sure(words) and len(digits) % 2 == 0 else None
    return code


def _numbers_beside(code: Barcode, rows: Sequence[ParsedLine]) -> Iterator[list[Word]]:
    """Runs of all-digit words right above or below the bars."""
    for row in rows:
        run: list[Word] = []
        for word in row.line.words:
            if run and (not _is_number(word) or word.left - run[-1].right > _WITHIN * word.height):
                yield from _beside(code, run)
                run = []
            if _is_number(word):
                run.append(word)
        yield from _beside(code, run)


def _is_number(word: Word) -> bool:
    return re.fullmatch(r"[\d*().\-]*\d[\d*().\-]*", word.text) is not None


def _beside(code: Barcode, run: list[Word]) -> Iterator[list[Word]]:
    if not run or len(_digits(run)) < max(_LEAST_DIGITS, len(code.data)):
        return
    left, right = run[0].quad.top_left[0], run[-1].quad.top_right[0]
    xs = [x for x, _ in code.quad.points]
    if right < min(xs) or left > max(xs):
        return
    near = _NEAR * max(word.quad.height for word in run)
    ys = [y for _, y in code.quad.points]
    middle = run[len(run) // 2].quad.center[1]
    if min(ys) - near <= middle <= max(ys) + near:
        yield run


def _digits(run: Sequence[Word]) -> str:
    return _MARKS.sub("", _IDENTIFIER.sub("", " ".join(word.text for word in run)))


def _is_sure(run: Sequence[Word]) -> bool:
    """Whether every character was read without doubt and none is empty."""
    return all(char.text and char.score >= _SURE for word in run for char in word.chars)

"""Defines the scored fields: where the Result has them and the rule by which they are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any

from benchmarks.datasets.sample import Label, Value
from benchmarks.scoring import rules

#: A Result in the API contract's spelling, decoded from JSON.
ResultDict = Mapping[str, Any]


class Verdict(Enum):
    RIGHT = "right"
    WRONG = "wrong"  # another value
    MISSING = "missing"  # no value, but the receipt has one
    SPURIOUS = "spurious"  # a value, but the receipt has none


@dataclass(frozen=True, slots=True)
class FieldKind:
    """rule: how values compare. confidence: the Result's key for the confidence, if there is one."""

    rule: rules.Rule
    confidence: str | None = None


#: Canonical name → kind, in the order of the report.
FIELDS: dict[str, FieldKind] = {
    "total": FieldKind(rules.same_amount, "totalConfidence"),
    "date": FieldKind(rules.same_date, "dateConfidence"),
    "time": FieldKind(rules.same_time, "dateConfidence"),
    "dateTime": FieldKind(rules.same_moment, "dateConfidence"),
    "establishment": FieldKind(rules.same_name, "establishmentConfidence"),
    "subTotal": FieldKind(rules.same_amount, "subTotalConfidence"),
    "tax": FieldKind(rules.same_amount),
    "taxes": FieldKind(rules.same_amounts),
    "tip": FieldKind(rules.same_amount, "tipConfidence"),
    "serviceCharges": FieldKind(rules.same_amounts),
    "discount": FieldKind(rules.same_amount),
    "discounts": FieldKind(rules.same_amounts),
    "rounding": FieldKind(rules.same_amount, "roundingConfidence"),
    "cash": FieldKind(rules.same_amount, "cashConfidence"),
    "change": FieldKind(rules.same_amount, "changeConfidence"),
    "currency": FieldKind(rules.same_text),
    "paymentMethod": FieldKind(rules.same_text),
    "address": FieldKind(rules.same_address),
    "phoneNumber": FieldKind(rules.same_phone),
    "url": FieldKind(rules.same_text),
    "barcodes": FieldKind(rules.same_barcodes),
    "documentType": FieldKind(rules.same_text),
    "expenseType": FieldKind(rules.same_text),
    "itemCount": FieldKind(rules.same_amount),
    "addressNorm": FieldKind(rules.same_text),
    "addressNorm.building": FieldKind(rules.same_code),
    "addressNorm.number": FieldKind(rules.same_code),
    "addressNorm.street": FieldKind(rules.same_code),
    "addressNorm.suburb": FieldKind(rules.same_code),
    "addressNorm.city": FieldKind(rules.same_code),
    "addressNorm.state": FieldKind(rules.same_code),
    "addressNorm.postcode": FieldKind(rules.same_code),
    "addressNorm.country": FieldKind(rules.same_code),
}
#: Parts of the Result's date, ``YYYY-MM-DD hh:mm:ss``.
_MOMENT = {"date": slice(0, 10), "time": slice(11, 19), "dateTime": slice(0, 19)}
_CUSTOM = FieldKind(rules.same_code)
_TAX_NUMBER = FieldKind(rules.same_tax_number)


def is_scored(field: str) -> bool:
    """Whether a label is scored as a field; False for labels that belong to one protocol only."""
    return field in FIELDS or field.startswith("customFields.")


def kind(field: str) -> FieldKind:
    return _TAX_NUMBER if field == "customFields.VATNumber" else FIELDS.get(field, _CUSTOM)


def answer(result: ResultDict, field: str) -> Value:
    """The Result's value of a field; None or () when it has none."""
    if field in _MOMENT:
        return None if result.get("date") is None else str(result["date"])[_MOMENT[field]]
    if field == "itemCount":
        return Decimal(len(result["lineItems"])) if result.get("lineItems") else None
    group, _, part = field.partition(".")
    if part:
        return _plain((result.get(group) or {}).get(part))
    if field == "addressNorm":
        return str(result[field]) if result.get(field) else None
    return _plain(result.get(field))


def _plain(value: Any) -> Value:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list):
        if value and isinstance(value[0], list):
            return tuple((str(data), str(kind)) for data, kind in value)
        return tuple(Decimal(str(entry)) for entry in value)
    return Decimal(str(value))


def confidence(result: ResultDict, field: str) -> float | None:
    """The confidence that the Result states for a field, if any."""
    key = kind(field).confidence
    value = result.get(key) if key else None
    return None if value is None else float(value)


def judge(label: Label, field: str, given: Value, *, strict: bool = False) -> Verdict | None:
    """The verdict on an answer. None: the strict score does not count this label (see `Label.has_main`)."""
    if strict and not label.has_main:
        return None
    rule = rules.contains_name if label.contained else kind(field).rule
    accepted = (label.main,) if strict else label.accepted
    verdicts = [_compare(rule, expected, given, strict) for expected in accepted]
    return Verdict.RIGHT if Verdict.RIGHT in verdicts else verdicts[0]


def _compare(rule: rules.Rule, expected: Value, given: Value, strict: bool) -> Verdict:
    wanted, found = _present(expected), _present(given)
    if not wanted:
        return Verdict.SPURIOUS if found else Verdict.RIGHT
    if not found:
        return Verdict.MISSING
    return Verdict.RIGHT if rule(expected, given, strict) else Verdict.WRONG


def _present(value: Value) -> bool:
    """Lists of only zero amounts count as empty, since the contract's lists omit such rows."""
    if isinstance(value, tuple):
        return any(isinstance(entry, tuple) or entry != 0 for entry in value)
    return value is not None and value != ""

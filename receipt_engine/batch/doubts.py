"""Finds the fields of a result that a person should check."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from receipt_engine.result import Result

#: The interface calls values reliable from this confidence on.
RELIABLE = 0.9
#: Fields that every receipt has: a missing one was overlooked.
_ALWAYS = ("establishment", "date", "total")
#: Confidence of a missing value in a field that every receipt has.
_MISSING = 0.2

Value = str | Decimal | None


class Doubt(NamedTuple):
    """A field that may be wrong. field: its name in the interface, "taxes[1]" in a list; value: None when
    nothing was read; confidence: that this is right."""

    field: str
    value: Value
    confidence: float


def doubts(result: Result, below: float = RELIABLE) -> list[Doubt]:
    """The fields whose confidence is lower than `below`, the lowest first."""
    found = [d for d in confidences(result) if d.confidence < below]
    return sorted(found, key=lambda d: d.confidence)


def is_doubtful(result: Result) -> bool:
    """Whether the merchant, the date or the total is missing or unreliable."""
    return any(doubt.field in _ALWAYS for doubt in doubts(result))


def confidences(result: Result) -> list[Doubt]:
    """Every field that has a confidence, or should have a value, in the order of the interface."""
    single: list[tuple[str, Value, float | None]] = [
        ("establishment", result.establishment, result.establishment_confidence),
        ("date", result.date, result.date_confidence),
        ("total", result.total, result.total_confidence),
        ("subTotal", result.sub_total, result.sub_total_confidence),
        ("tip", result.tip, result.tip_confidence),
        ("rounding", result.rounding, result.rounding_confidence),
        ("cash", result.cash, result.cash_confidence),
        ("change", result.change, result.change_confidence),
    ]
    several = [
        ("taxes", result.taxes, result.taxes_confidence),
        ("serviceCharges", result.service_charges, result.service_charge_confidences),
        ("discounts", result.discounts, result.discount_confidences),
    ]
    found = [
        Doubt(name, value, _MISSING if confidence is None else confidence)
        for name, value, confidence in single
        if confidence is not None or name in _ALWAYS
    ]
    return found + [
        Doubt(f"{name}[{i}]", value, confidence)
        for name, values, sureness in several
        for i, (value, confidence) in enumerate(zip(values, sureness, strict=True))
    ]

"""Formats a result for the page of one upload: fields and lines as text, in the result's order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_NESTED = frozenset({"lineItems", "summaryItems", "evidence"})
#: Arrays whose confidence field is not named after the array with "Confidence" appended.
_CONFIDENCES = {"serviceCharges": "serviceChargeConfidences", "discounts": "discountConfidences"}
_DECIMALS = 2


@dataclass(frozen=True)
class FieldRow:
    """A field with a value. confidence: 0 to 1, for lists the lowest; None when the field has none.

    read: the engine's value when a person corrected it, else None.
    """

    name: str
    value: str
    confidence: float | None
    validated: bool
    read: str | None = None


@dataclass(frozen=True)
class LineRow:
    """A line of the receipt. Amounts as text, empty when the line has none."""

    description: str
    quantity: str
    price: str
    amount: str
    type: str


def field_rows(result: Mapping[str, Any], corrected: Mapping[str, Any]) -> list[FieldRow]:
    """Returns every field with a value, merged with its confidence and validation flag."""
    rows = []
    for name, value in result.items():
        own = "onfidence" in name or name.startswith("validated") or name == "dateISO"
        if name in corrected:
            rows.append(FieldRow(name, _shown(corrected[name]), None, False, _shown(value)))
            continue
        if name in _NESTED or own or _empty(value):
            continue
        confidence = result.get(_CONFIDENCES.get(name, f"{name}Confidence"))
        lowest = min(confidence) if isinstance(confidence, list) and confidence else confidence
        flag = result.get(f"validated{name[0].upper()}{name[1:]}", False)
        rows.append(FieldRow(name, _text(value), lowest or None, bool(flag)))
    return rows


def line_rows(result: Mapping[str, Any]) -> list[LineRow]:
    """Returns the line items, then the lines of the totals block."""
    return [
        LineRow(
            line.get("descClean") or line.get("desc") or "",
            f"{line['qty']:g}" if line.get("qty") else "",
            amount_text(line.get("price")),
            amount_text(line.get("lineTotal")),
            line.get("lineType") or "",
        )
        for line in (*result.get("lineItems", ()), *result.get("summaryItems", ()))
    ]


def _empty(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(item is None for item in value.values())
    return value in (None, [])


def _shown(value: Any) -> str:
    return "" if _empty(value) else _text(value)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return amount_text(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_text(item)}" for name, item in value.items() if item is not None)
    return ", ".join(_text(item) for item in value)


def amount_text(value: float | None) -> str:
    """Formats an amount with at least two decimals; None as empty text."""
    if value is None:
        return ""
    _, _, decimals = repr(value).partition(".")
    return f"{value:.{max(_DECIMALS, len(decimals))}f}"

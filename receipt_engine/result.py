"""The result of an extraction: every field of the interface's Result table, in its order, always present.

Amounts are `decimal.Decimal` in major units; JSON writes them as plain numbers (12.3, never 12.299999).
Confidences are probabilities from 0 to 1 and null exactly when their field is null.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Confidence = Annotated[float, Meta(ge=0, le=1)]
LineType = Literal[
    "Total", "SubTotal", "Tax", "TotalTax", "Cash", "Change", "Tip", "ServiceCharge", "Product"
]

#: Confidence from which a value counts as proved by arithmetic or by a second independent reading.
VALIDATED = 0.99


class AddressNorm(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of an address; any may be null."""

    building: str | None = None
    number: str | None = None
    street: str | None = None
    suburb: str | None = None
    city: str | None = None
    state: str | None = None
    postcode: str | None = None
    country: str | None = None


class Supplementary(msgspec.Struct, frozen=True, kw_only=True):
    """Lines near an item that could not be resolved into its description."""

    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()


class LineItem(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One product line, or one line of the totals block with its lineType.

    qty is 0 when no quantity is printed, 1 only when a 1 is printed. unit is a printed weight or volume.
    """

    desc: str | None = None
    desc_clean: str | None = None
    line_total: Decimal | None = None
    price: Decimal | None = None
    qty: Decimal | None = None
    unit: Decimal | None = None
    product_code: str | None = None
    symbols: tuple[str, ...] = ()
    supplementary_line_items: Supplementary | None = None
    line_type: LineType | None = None


class Result(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What was read from one picture. See the module for amounts and confidences."""

    establishment: str | None = None
    establishment_confidence: Confidence | None = None
    validated_establishment: bool = False
    date: str | None = None
    date_iso: str | None = msgspec.field(default=None, name="dateISO")
    date_confidence: Confidence | None = None
    total: Decimal | None = None
    total_confidence: Confidence | None = None
    validated_total: bool = False
    sub_total: Decimal | None = None
    sub_total_confidence: Confidence | None = None
    validated_sub_total: bool = False
    tax: Decimal | None = None
    taxes: tuple[Decimal, ...] = ()
    taxes_confidence: tuple[Confidence, ...] = ()
    tip: Decimal | None = None
    tip_confidence: Confidence | None = None
    service_charges: tuple[Decimal, ...] = ()
    service_charge_confidences: tuple[Confidence, ...] = ()
    discount: Decimal | None = None
    discounts: tuple[Decimal, ...] = ()
    discount_confidences: tuple[Confidence, ...] = ()
    rounding: Decimal | None = None
    rounding_confidence: Confidence | None = None
    cash: Decimal | None = None
    cash_confidence: Confidence | None = None
    change: Decimal | None = None
    change_confidence: Confidence | None = None
    currency: str | None = None
    payment_method: str | None = None
    address: str | None = None
    address_norm: AddressNorm | None = None
    phone_number: str | None = None
    url: str | None = None
    barcodes: tuple[tuple[str, str], ...] = ()
    expense_type: str | None = None
    document_type: Literal["Receipt", "Invoice"] | None = None
    custom_fields: dict[str, str] = {}
    line_items: tuple[LineItem, ...] = ()
    summary_items: tuple[LineItem, ...] = ()
    evidence: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET

    def to_json(self) -> str:
        """The result as JSON text."""
        return _encoder.encode(self).decode()

    def to_dict(self) -> dict[str, Any]:
        """The result as plain dicts, lists, strings and numbers, as `json.loads` would give it."""
        decoded: dict[str, Any] = msgspec.json.decode(_encoder.encode(self))
        return decoded

    @staticmethod
    def from_json(text: str | bytes) -> Result:
        """The inverse of `to_json`; raises msgspec.DecodeError when the text is not a Result."""
        return _decoder.decode(text)


#: Changes with the schema: the first number when a program made for the old one could fail, else the second.
SCHEMA_VERSION = "1.0"

_encoder = msgspec.json.Encoder(decimal_format="number")
_decoder = msgspec.json.Decoder(Result)


def json_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of the output of `to_json`: every key is required, except `evidence`.

    Its `$id` names `SCHEMA_VERSION`.
    """
    (reference,), definitions = msgspec.json.schema_components([Result])
    for definition in definitions.values():
        definition["required"] = [name for name in definition["properties"] if name != "evidence"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:receipt-engine:schema:result:{SCHEMA_VERSION}",
        **reference,
        "$defs": _loosen(definitions),
    }


def _loosen(node: Any) -> Any:
    """Turns decimals into numbers: msgspec describes them as strings, but the encoder here writes numbers."""
    if isinstance(node, dict):
        if node.get("format") == "decimal":
            return {"type": "number"} | {k: v for k, v in node.items() if k not in {"type", "format"}}
        return {key: _loosen(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_loosen(value) for value in node]
    return node

"""Collects the printed values as the contract's Result object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from receipt_engine.result import AddressNorm, LineItem, LineType, Result

#: Keys of the Result that depend on the reader, not on the receipt.
_READER = ("Confidence", "Confidences", "expenseType", "validated")


def squeeze(text: str) -> str:
    """The text with single spaces only."""
    return " ".join(text.split())


@dataclass(slots=True)
class Book:
    """The truth of one receipt while it is printed. others: further accepted values of a key; unknown: keys
    on which careful readers may differ, left out of the labels."""

    values: dict[str, Any] = field(default_factory=dict)
    items: list[LineItem] = field(default_factory=list)
    summary: list[LineItem] = field(default_factory=list)
    taxes: list[Decimal] = field(default_factory=list)
    service: list[Decimal] = field(default_factory=list)
    discounts: list[Decimal] = field(default_factory=list)
    barcodes: list[tuple[str, str]] = field(default_factory=list)
    custom: dict[str, str] = field(default_factory=dict)
    others: dict[str, list[Any]] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)

    def set(self, name: str, value: Any, *others: Any) -> None:
        """Sets a field by its Python name, with other accepted values."""
        self.values[name] = value
        for other in others:
            self.also(name, other)

    def also(self, name: str, value: Any) -> None:
        """Adds one more accepted value."""
        if value != self.values.get(name) and value not in self.others.setdefault(name, []):
            self.others[name].append(value)

    def total_line(self, desc: str, amount: Decimal, kind: LineType | None) -> None:
        """Adds a line of the totals block."""
        self.summary.append(LineItem(desc=squeeze(desc) or None, line_total=amount, line_type=kind))

    def product(
        self,
        desc: str,
        clean: str,
        total: Decimal,
        *,
        price: Decimal | None = None,
        qty: Decimal | None = None,
        unit: Decimal | None = None,
        sku: str | None = None,
        symbols: Sequence[str] = (),
    ) -> None:
        """Adds a product line; only printed values are given."""
        self.items.append(
            LineItem(
                desc=squeeze(desc) or None,
                desc_clean=squeeze(clean),
                line_total=total,
                price=price,
                qty=qty if qty is not None else Decimal(0),
                unit=unit,
                product_code=sku,
                symbols=tuple(symbols),
                line_type="Product",
            )
        )

    def result(self) -> Result:
        """The contract object, without confidences."""
        values = dict(self.values)
        address_norm = values.pop("address_norm", None)
        taxes = [tax for tax in self.taxes if tax]
        discount = sum(self.discounts, Decimal(0)) if self.discounts else None
        return Result(
            **values,
            address_norm=AddressNorm(**address_norm) if address_norm else None,
            taxes=tuple(taxes),
            service_charges=tuple(self.service),
            discount=discount,
            discounts=tuple(self.discounts),
            barcodes=tuple(self.barcodes),
            custom_fields=self.custom,
            line_items=tuple(self.items),
            summary_items=tuple(self.summary),
        )

    def label(self) -> dict[str, Any]:
        """The object of labels.jsonl: the Result without the reader's own keys, plus ``X_any`` keys."""
        names = dict(_spellings())
        label = {
            key: value
            for key, value in self.result().to_dict().items()
            if not key.endswith(_READER[:2]) and not key.startswith(_READER[2:])
        }
        for name in self.unknown:
            label.pop(names[name], None)
        if any(tax == 0 for tax in self.taxes):
            self.others["taxes"] = [list(self.taxes)]
        for name, values in self.others.items():
            if values and name not in self.unknown:
                label[f"{names[name]}_any"] = [_plain(value) for value in values]
        return label


def _spellings() -> list[tuple[str, str]]:
    return list(zip(Result.__struct_fields__, Result.__struct_encode_fields__, strict=True))


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return value

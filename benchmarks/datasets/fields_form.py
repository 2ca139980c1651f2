"""Converts label rows with separate keys: ``fields``, ``lineItems``, ``region``, ``note``.

`X_any` lists every acceptable value of `X`; when `X` is present, the strict score still requires `X`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.datasets.rows import Row, amount, label_value, optional_amount
from benchmarks.datasets.sample import ItemLabel, Label, Sample

#: Key in a label file → canonical field.
NAMES = {
    "establishment": "establishment",
    "address": "address",
    "phone": "phoneNumber",
    "phoneNumber": "phoneNumber",
    "url": "url",
    "total": "total",
    "subTotal": "subTotal",
    "tax": "tax",
    "taxes": "taxes",
    "tip": "tip",
    "serviceCharges": "serviceCharges",
    "discount": "discount",
    "discounts": "discounts",
    "rounding": "rounding",
    "cash": "cash",
    "change": "change",
    "currency": "currency",
    "paymentMethod": "paymentMethod",
    "numItems": "itemCount",
    "vatNumber": "customFields.VATNumber",
    "receiptNo": "customFields.ReceiptNumber",
}
#: Keys for the date and time of the sale, which yield labels for date, time and both together.
MOMENT = ("date_iso", "time_iso")
_LISTS = {"taxes", "serviceCharges", "discounts"}


def sample(row: Row, dataset: str, folder: Path, extra: Mapping[str, Label] | None = None) -> Sample:
    """A row as a Sample; `extra` labels replace those of the same name."""
    notes = tuple(str(row[key]) for key in ("note", "label_fix", "label_noise") if row.get(key))
    return Sample(
        id=str(row["id"]),
        dataset=dataset,
        image=folder / str(row["image"]),
        region=row.get("region") or None,
        fields={**labels(row.get("fields") or {}), **(extra or {})},
        items=items(row),
        notes=notes,
    )


def labels(fields: Mapping[str, Any]) -> dict[str, Label]:
    """The labels of a ``fields`` object under their canonical names."""
    found: dict[str, Label] = {}
    for key, name in NAMES.items():
        label = _label(fields, key)
        if label is not None:
            found[name] = label
    found.update(_moment(fields))
    return found


def _label(fields: Mapping[str, Any], key: str) -> Label | None:
    others = tuple(label_value(value) for value in fields.get(f"{key}_any", ()))
    if key not in fields:
        return Label.any_of(others) if others else None
    value = fields[key]
    if isinstance(value, list) and key not in _LISTS:  # several are printed; any of them is accepted
        return Label.of(*(label_value(entry) for entry in value), *others)
    return Label.of(label_value(value), *others)


def _moment(fields: Mapping[str, Any]) -> dict[str, Label]:
    """Labels for the date, the time, and both together, from ``date_iso`` and ``time_iso``."""
    date, _, time = str(fields.get("date_iso", "")).partition("T")
    time = str(fields.get("time_iso") or time)
    dates = [date, *map(str, fields.get("date_iso_any", ()))]
    times = [time, *map(str, fields.get("time_iso_any", ()))]
    found: dict[str, Label] = {}
    if date:
        found["date"] = Label.of(*dates)
    if time:
        found["time"] = Label.of(*times)
    if date and time:
        found["dateTime"] = Label.of(*(f"{day} {hour}" for day in dates for hour in times))
    return found


def items(row: Row) -> tuple[ItemLabel, ...] | None:
    """The product lines, or None when they are unlabelled or incomplete."""
    entries = row.get("lineItems")
    if entries is None:
        return None
    if any(entry.get("lineTotal") is None or not entry.get("desc") for entry in entries):
        return None
    return tuple(
        ItemLabel(
            descs=(str(entry["desc"]),),
            line_total=amount(entry["lineTotal"]),
            qty=optional_amount(entry.get("qty")),
            price=optional_amount(entry.get("price")),
        )
        for entry in entries
    )

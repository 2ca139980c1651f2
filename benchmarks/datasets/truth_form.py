"""Converts label rows whose ``truth`` is a full Result object as the API contract spells it.

An absent key is not scored; null or [] means that the receipt has none, and any value is wrong.
`X_any` lists other accepted values of `X`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.datasets.rows import Row, amount, label_value, optional_amount
from benchmarks.datasets.sample import ItemLabel, Label, Sample, SummaryLabel

#: Fields scored as they are; date, addressNorm and customFields are split into parts.
PLAIN = (
    "establishment",
    "address",
    "phoneNumber",
    "url",
    "total",
    "subTotal",
    "tax",
    "taxes",
    "tip",
    "serviceCharges",
    "discount",
    "discounts",
    "rounding",
    "cash",
    "change",
    "currency",
    "paymentMethod",
    "documentType",
    "expenseType",
    "barcodes",
)


def sample(row: Row, dataset: str, image: Path, identifier: str | None = None) -> Sample:
    """A row as a Sample of one image."""
    truth: Mapping[str, Any] = row["truth"]
    note = row.get("notes") or row.get("note")
    return Sample(
        id=identifier or str(row["id"]),
        dataset=dataset,
        image=image,
        region=row.get("region") or None,
        fields=labels(truth),
        items=_items(truth.get("lineItems")),
        summary=_summary(truth.get("summaryItems")),
        notes=(str(note),) if note else (),
    )


def labels(truth: Mapping[str, Any]) -> dict[str, Label]:
    """The labels of a truth object under their canonical names."""
    found = {name: _label(truth, name) for name in PLAIN if name in truth}
    if "date" in truth:
        found.update(_moment(truth))
    if truth.get("addressNorm", {}) is None:
        found["addressNorm"] = Label.of(None)
    for group in ("addressNorm", "customFields"):
        for part, value in (truth.get(group) or {}).items():
            found[f"{group}.{part}"] = Label.of(label_value(value))
    return found


def _label(truth: Mapping[str, Any], name: str) -> Label:
    others = tuple(label_value(value) for value in truth.get(f"{name}_any", ()))
    return Label.of(label_value(truth[name]), *others)


def _moment(truth: Mapping[str, Any]) -> dict[str, Label]:
    label = _label(truth, "date")
    moments = [None if value is None else str(value) for value in label.accepted]
    if moments[0] is None:
        return {"date": Label.of(*moments), "dateTime": Label.of(*moments)}
    dates = [moment and moment[:10] for moment in moments]
    times = [moment and (moment[11:] or "00:00:00") for moment in moments]
    return {"date": Label.of(*dates), "time": Label.of(*times), "dateTime": label}


def _items(entries: Any) -> tuple[ItemLabel, ...] | None:
    if entries is None or any(entry.get("lineTotal") is None for entry in entries):
        return None
    return tuple(
        ItemLabel(
            descs=tuple(dict.fromkeys(str(entry[k]) for k in ("descClean", "desc") if entry.get(k))),
            line_total=amount(entry["lineTotal"]),
            qty=optional_amount(entry.get("qty")),
            price=optional_amount(entry.get("price")),
            unit=optional_amount(entry.get("unit")),
            product_code=entry.get("productCode"),
        )
        for entry in entries
    )


def _summary(entries: Any) -> tuple[SummaryLabel, ...] | None:
    if entries is None:
        return None
    return tuple(
        SummaryLabel(entry.get("lineType"), amount(entry["lineTotal"]), str(entry.get("desc") or ""))
        for entry in entries
        if entry.get("lineTotal") is not None
    )

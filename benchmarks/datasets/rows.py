"""Reads `labels.jsonl` files and turns their plain values into label values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.datasets.sample import Value

Row = Mapping[str, Any]
LABELS = "labels.jsonl"


class LabelError(Exception):
    """A label file is missing or has a line that cannot be used; the message names the place."""


def read_rows(folder: Path) -> list[Row]:
    """The objects of ``labels.jsonl`` in file order. Numbers with a decimal point are `Decimal`."""
    path = folder / LABELS
    if not path.is_file():
        raise LabelError(f"{path} does not exist; name a folder that holds a {LABELS}.")
    rows: list[Row] = []
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line, parse_float=Decimal)
            except json.JSONDecodeError as error:
                raise LabelError(f"{path}:{number}: {error}") from error
            if not isinstance(row, dict) or "id" not in row:
                raise LabelError(f"{path}:{number}: expected an object with an id.")
            rows.append(row)
    return rows


def amount(value: Any) -> Decimal:
    """A label's number as an amount of money."""
    return Decimal(str(value))


def amounts(values: Iterable[Any]) -> tuple[Decimal, ...]:
    return tuple(amount(value) for value in values)


def optional_amount(value: Any) -> Decimal | None:
    return None if value is None else amount(value)


def label_value(value: Any) -> Value:
    """A JSON label value (text, number, list of numbers, list of pairs, null) as a `Value`."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list):
        if value and isinstance(value[0], list):
            return tuple((str(data), str(kind)) for data, kind in value)
        return amounts(value)
    return amount(value)

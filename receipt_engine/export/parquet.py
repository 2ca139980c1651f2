"""Writes Parquet: one record per receipt, with products and taxes nested. Needs the extra `parquet`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import ROUND_HALF_UP, Decimal
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from receipt_engine.batch.row import Row
from receipt_engine.errors import OptionError
from receipt_engine.export.columns import ITEMS, RECEIPTS, TAXES, Column, Table, Value

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH = 5000
#: Precision and scale of money: eleven digits before the point, four after it.
_DIGITS, _PLACES = 15, 4
_STEP = Decimal(1).scaleb(-_PLACES)
#: Columns that nested records leave out, since the receipt around them has them.
_SHARED = frozenset(("file", "page", "receipt", "merchant", "date", "currency"))


def check() -> None:
    """Raises OptionError when the extra is not installed."""
    if find_spec("pyarrow") is None:
        raise OptionError("Parquet needs one more package: pip install 'receipt-engine[parquet]'.")


def write(path: Path, rows: Callable[[], Iterable[Row]]) -> None:
    """Writes `rows`, `_BATCH` at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    source = iter(rows())
    with pq.ParquetWriter(path, _schema(pa)) as writer:
        while batch := list(islice(source, _BATCH)):
            writer.write_table(table(batch))


def table(rows: Iterable[Row]) -> pa.Table:
    """The records of `rows`; the schema does not depend on them."""
    import pyarrow as pa

    return pa.Table.from_pylist([_record(row) for row in rows], schema=_schema(pa))


def _record(row: Row) -> dict[str, Any]:
    (receipt,) = RECEIPTS.records(row)
    found = _named(RECEIPTS, receipt)
    # Replaces the number of products.
    found["items"] = [_own(ITEMS, values) for values in ITEMS.records(row)]
    found["taxes"] = [_own(TAXES, values) for values in TAXES.records(row)]
    return found


def _named(table: Table, values: Iterable[Value]) -> dict[str, Any]:
    return {c.key: _value(c, v) for c, v in zip(table.columns, values, strict=True)}


def _own(table: Table, values: Iterable[Value]) -> dict[str, Any]:
    return {key: value for key, value in _named(table, values).items() if key not in _SHARED}


def _value(column: Column, value: Value) -> Any:
    if isinstance(value, Decimal) and column.kind in ("money", "number"):
        return value.quantize(_STEP, ROUND_HALF_UP)
    return value


def _schema(pa: Any) -> Any:
    types = {
        "file": pa.string(),
        "text": pa.string(),
        "count": pa.int32(),
        "number": pa.decimal128(_DIGITS, _PLACES),
        "money": pa.decimal128(_DIGITS, _PLACES),
        "moment": pa.timestamp("s"),
        "share": pa.float64(),
    }

    def fields(table: Table, without: Iterable[str]) -> list[Any]:
        return [(c.key, types[c.kind]) for c in table.columns if c.key not in without]

    return pa.schema(
        [
            *fields(RECEIPTS, {"items"}),
            ("items", pa.list_(pa.struct(fields(ITEMS, _SHARED)))),
            ("taxes", pa.list_(pa.struct(fields(TAXES, _SHARED)))),
        ]
    )

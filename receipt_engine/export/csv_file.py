"""Writes CSV: one line per receipt, for spreadsheets and other programs."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from receipt_engine.batch.row import Row
from receipt_engine.export.columns import RECEIPTS, Value

#: A spreadsheet treats a cell that begins like this as a formula; signed numbers are not formulas.
_FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d\s().,/-]*\Z)")


def write(path: Path, rows: Callable[[], Iterable[Row]]) -> None:
    """Writes `rows` in UTF-8, with the byte order mark by which Excel recognises it."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.writer(file)
        table.writerow(column.key for column in RECEIPTS.columns)
        for row in rows():
            table.writerows([_cell(value) for value in record] for record in RECEIPTS.records(row))


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    return no_formula(value) if isinstance(value, str) else str(value)


def no_formula(text: str) -> str:
    """The text, quoted if a spreadsheet would treat it as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text

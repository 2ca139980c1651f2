"""Writes a workbook for Excel and LibreOffice with the sheets Receipts, Items, Taxes and To check.

Dates are dates, amounts are numbers with their currency, and file names link to the images.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from datetime import datetime
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from receipt_engine.batch.row import Row
from receipt_engine.errors import OptionError
from receipt_engine.export.columns import ITEMS, RECEIPTS, TAXES, TO_CHECK, Column, Table, Value

_TABLES: Final = (RECEIPTS, ITEMS, TAXES, TO_CHECK)
_HEADING = {"bold": True, "bottom": 1, "bg_color": "#EEF2F6"}
_LINK = {"font_color": "#1F5FA8", "underline": 1}
_DOUBTFUL = {"bg_color": "#FCE8C8"}
_RELIABLE = 0.9
#: Limits of the format: rows and characters; links are limited as well, further names stay plain text.
_MOST_ROWS = 1_048_576
_MOST_CHARACTERS = 32_767
_MOST_LINKS = 60_000


def write(path: Path, rows: Callable[[], Iterable[Row]]) -> None:
    """Writes `rows`; raises OptionError when there are more than a sheet holds."""
    # Imported here: other formats do not need it.
    import xlsxwriter

    # No text of a receipt is converted to a formula, a link or a number.
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    # Built in memory, where its cells are anyway: on a full disk the library raises its own error class.
    whole = BytesIO()
    with xlsxwriter.Workbook(whole, {**plain, "remove_timezone": True, "in_memory": True}) as book:
        sheets = [_Sheet(book, table, path.absolute().parent) for table in _TABLES]
        for row in rows():
            currency = row.found.currency if row.found else None
            for sheet in sheets:
                for record in sheet.table.records(row):
                    sheet.add(record, currency)
        for sheet in sheets:
            sheet.finish()
    path.write_bytes(whole.getbuffer())


class _Sheet:
    """One sheet while it is being filled."""

    def __init__(self, book: Any, table: Table, folder: Path) -> None:
        self.table = table
        self._book = book
        self._folder = folder
        self._formats: dict[str, Any] = {}
        self._sheet = book.add_worksheet(table.name)
        self._row = 0
        self._links = 0
        self._sheet.freeze_panes(1, 1)
        for at, column in enumerate(table.columns):
            self._sheet.set_column(at, at, column.width)
            self._sheet.write_string(0, at, column.title, self._format("heading", _HEADING))

    def add(self, record: Iterable[Value], currency: str | None) -> None:
        self._row += 1
        if self._row >= _MOST_ROWS:
            raise OptionError(f"More than {_MOST_ROWS} rows do not fit on a sheet; write CSV or Parquet.")
        for at, (column, value) in enumerate(zip(self.table.columns, record, strict=True)):
            if value is not None:
                self._cell(at, column, value, currency)

    def finish(self) -> None:
        last = len(self.table.columns) - 1
        self._sheet.autofilter(0, 0, max(1, self._row), last)
        for at, column in enumerate(self.table.columns):
            if column.kind == "share" and self._row:
                doubtful = self._format("doubtful", _DOUBTFUL)
                rule = {"type": "cell", "criteria": "between", "minimum": 0, "maximum": _RELIABLE - 1e-9}
                blank = {"type": "blanks", "stop_if_true": True}
                self._sheet.conditional_format(1, at, self._row, at, blank)
                self._sheet.conditional_format(1, at, self._row, at, {**rule, "format": doubtful})

    def _cell(self, at: int, column: Column, value: Value, currency: str | None) -> None:
        if isinstance(value, datetime):
            pattern = "yyyy-mm-dd" if value.time() == datetime.min.time() else "yyyy-mm-dd hh:mm"
            self._sheet.write_datetime(
                self._row, at, value, self._format(pattern, {"num_format": pattern, "align": "left"})
            )
        elif column.kind == "money" and isinstance(value, Decimal):
            pattern = _money(value, currency)
            self._sheet.write_number(
                self._row, at, float(value), self._format(pattern, {"num_format": pattern})
            )
        elif column.kind == "share":
            self._sheet.write_number(
                self._row, at, float(str(value)), self._format("0.0%", {"num_format": "0.0%"})
            )
        elif column.kind == "file" and self._links < _MOST_LINKS:
            self._link(at, str(value))
        elif isinstance(value, str):
            self._sheet.write_string(self._row, at, value[:_MOST_CHARACTERS])
        else:
            self._sheet.write_number(self._row, at, float(value or 0))

    def _link(self, at: int, name: str) -> None:
        """The image's name with a link to it, relative to the workbook so that both can be moved together."""
        if not Path(name).is_file():
            self._sheet.write_string(self._row, at, name)
            return
        self._links += 1
        try:
            target = Path(os.path.relpath(name, self._folder)).as_posix()
        except ValueError:  # on another drive
            target = Path(name).absolute().as_posix()
        link = self._format("link", _LINK)
        self._sheet.write_url(self._row, at, f"external:{quote(target, safe='/:')}", link, name)

    def _format(self, name: str, properties: dict[str, Any]) -> Any:
        if name not in self._formats:
            self._formats[name] = self._book.add_format(properties)
        return self._formats[name]


def _money(value: Decimal, currency: str | None) -> str:
    """A number format with the printed number of decimals and the currency code."""
    exponent = value.as_tuple().exponent
    places = max(0, -exponent) if isinstance(exponent, int) else 0
    digits = "#,##0" + ("." + "0" * places if places else "")
    return f'{digits} "{currency}"' if currency and currency.isalpha() else digits

"""Exports an account's uploads as a table: CSV, or an Excel workbook.

Texts from receipts are untrusted, so neither format lets one be interpreted as a formula.
"""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Iterable
from typing import Any

import xlsxwriter

from receipt_engine.service.dashboard.history import UploadRow

_FIELDS = (
    *("establishment", "date", "total", "subTotal", "tax", "tip", "discount", "currency", "paymentMethod"),
    *("address", "phoneNumber", "documentType", "expenseType", "totalConfidence", "validatedTotal"),
)
COLUMNS = ("uploaded", "token", "state", *_FIELDS, "corrected")
#: Characters that spreadsheets treat as the start of a formula (OWASP, "CSV injection").
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(uploads: Iterable[UploadRow]) -> bytes:
    """Returns CSV in UTF-8 with a byte order mark, without which Excel reads it as Latin-1."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for upload in uploads:
        writer.writerow([_harmless(value) for value in _values(upload)])
    return text.getvalue().encode("utf-8-sig")


def to_workbook(uploads: Iterable[UploadRow]) -> bytes:
    """Returns an Excel workbook with one sheet, amounts as numbers."""
    target = io.BytesIO()
    plain = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(target, plain) as book:
        sheet = book.add_worksheet("Uploads")
        sheet.freeze_panes(1, 0)
        sheet.write_row(0, 0, COLUMNS, book.add_format({"bold": True}))
        for number, upload in enumerate(uploads, 1):
            for column, value in enumerate(_values(upload)):
                if value is not None:
                    sheet.write(number, column, value)
    return target.getvalue()


def _values(upload: UploadRow) -> list[Any]:
    moment = datetime.datetime.fromtimestamp(upload.created_at / 1000, datetime.UTC)
    own = (moment.strftime("%Y-%m-%d %H:%M:%S"), upload.token, upload.state)
    return [*own, *(upload.result.get(name) for name in _FIELDS), " ".join(upload.corrected)]


def _harmless(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value

"""Writes files that accounting programs import: one booking per receipt.

A receipt without a date, a total or a currency cannot be booked, and a duplicate is not booked twice: both
are named in comments, or left out where a format has none. Doubtful receipts are marked.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from receipt_engine.batch.doubts import is_doubtful
from receipt_engine.batch.row import Row
from receipt_engine.export.csv_file import no_formula

Rows = Callable[[], Iterable[Row]]

#: The interface's code for China's currency → its ISO code, which accounting programs expect.
_ISO = {"RMB": "CNY"}
_CASH = "cash"


class Booking(NamedTuple):
    """One receipt as a booking. category: "Meals/Coffee", "" when unknown; doubtful: a person should check
    it; key: identifies the receipt, the same in every export."""

    day: date
    merchant: str
    total: Decimal
    currency: str
    category: str
    cash: bool
    doubtful: bool
    file: str
    key: str


def bookings(rows: Iterable[Row]) -> Iterator[Booking | str]:
    """The bookings in the order of `rows`; for a row that is not booked, a text with the reason."""
    for row in rows:
        result = row.found
        if result is None:
            yield f"{row.file}: could not be read"
        elif row.duplicate:
            yield f"{row.file}: {row.duplicate.why} as {row.duplicate.of}"
        elif result.date_iso is None or result.total is None or result.currency is None:
            yield f"{row.file}: no date, total or currency was found"
        else:
            yield Booking(
                date.fromisoformat(result.date_iso[:10]),
                _one_line(result.establishment or "Unknown"),
                result.total,
                _ISO.get(result.currency, result.currency),
                result.expense_type or "",
                (result.payment_method or "").casefold() == _CASH,
                is_doubtful(result),
                row.file,
                f"{(row.sha256 or '')[:16]}-{row.page}-{row.receipt}",
            )


def not_booked(rows: Iterable[Row]) -> Iterator[str]:
    """The rows that are not booked, each with the reason."""
    return (found for found in bookings(rows) if isinstance(found, str))


def write_beancount(path: Path, rows: Rows) -> None:
    """Writes a beancount file with the accounts it needs; doubtful receipts are flagged with "!"."""
    found = list(bookings(rows()))
    booked = sorted((b for b in found if isinstance(b, Booking)), key=lambda b: b.day)
    lines = []
    if booked:
        accounts = sorted({a for b in booked for a in (_account(b.category), _paid_from(b))})
        lines += [f"{booked[0].day} open {account}" for account in accounts]
    for b in booked:
        lines += [
            "",
            f'{b.day} {"!" if b.doubtful else "*"} "{_quoted(b.merchant)}" ""',
            f'  file: "{_quoted(b.file)}"',
            f'  receipt: "{b.key}"',
            f"  {_account(b.category)}  {b.total} {b.currency}",
            f"  {_paid_from(b)}",
        ]
    lines += ["", *(f"; not booked: {_one_line(text)}" for text in found if isinstance(text, str))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_journal(path: Path, rows: Rows) -> None:
    """Writes a journal for hledger and ledger; doubtful receipts are pending ("!")."""
    with path.open("w", encoding="utf-8") as file:
        for b in bookings(rows()):
            if isinstance(b, str):
                file.write(f"; not booked: {_one_line(b)}\n\n")
                continue
            name = b.merchant.replace(";", ",").replace("|", "/")
            file.write(
                f"{b.day} {'!' if b.doubtful else '*'} {name}  "
                f"; file: {_one_line(b.file)}, receipt: {b.key}\n"
                f"    {_account(b.category)}  {b.total} {b.currency}\n"
                f"    {_paid_from(b)}\n\n"
            )


#: Heading → its role in the configuration of Firefly III's data importer.
FIREFLY_ROLES = {
    "date": "date_transaction",
    "amount": "amount",
    "currency": "currency-code",
    "description": "description",
    "merchant": "opposing-name",
    "category": "category-name",
    "notes": "note",
    "receipt": "external-id",
}


def write_firefly(path: Path, rows: Rows) -> None:
    """Writes CSV for Firefly III's data importer: withdrawals are negative; columns: `FIREFLY_ROLES`."""
    records = (
        (
            b.day,
            -b.total,
            b.currency,
            b.merchant,
            b.merchant,
            b.category,
            f"{b.file}{' (to check)' if b.doubtful else ''}",
            b.key,
        )
        for b in bookings(rows())
        if isinstance(b, Booking)
    )
    _write_csv(path, tuple(FIREFLY_ROLES), records)


#: Fields of Odoo's model hr.expense, as its import names them.
ODOO_FIELDS = ("id", "name", "date", "total_amount_currency", "currency_id", "payment_mode", "description")


def write_odoo(path: Path, rows: Rows) -> None:
    """Writes CSV for the import of Odoo's expenses. The expense category (product_id) and the employee are
    the importer's own records: choose them there."""
    records = (
        (
            f"receipt_engine.receipt_{b.key.replace('-', '_')}",
            b.merchant,
            b.day,
            b.total,
            b.currency,
            "own_account" if b.cash else "company_account",
            f"{b.category or 'Unknown'}; {b.file}{'; to check' if b.doubtful else ''}",
        )
        for b in bookings(rows())
        if isinstance(b, Booking)
    )
    _write_csv(path, ODOO_FIELDS, records)


def _write_csv(path: Path, head: tuple[str, ...], records: Iterable[tuple[object, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(head)
        for record in records:
            table.writerow([no_formula(value) if isinstance(value, str) else value for value in record])


def _account(category: str) -> str:
    """ "Meals/Coffee" as an account of both ledgers: "Expenses:Meals:Coffee"."""
    parts = (re.sub(r"[^A-Za-z0-9]+", "-", part).strip("-") for part in category.split("/"))
    named = [part[0].upper() + part[1:] for part in parts if part]
    return ":".join(("Expenses", *(named or ["Unknown"])))


def _paid_from(booking: Booking) -> str:
    return "Assets:Cash" if booking.cash else "Liabilities:Card"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _one_line(text: str) -> str:
    return " ".join(text.split())

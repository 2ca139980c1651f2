"""Defines the tables: receipts, their products, their taxes, and the fields that a person should check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from receipt_engine.batch.doubts import doubts, is_doubtful
from receipt_engine.batch.row import Row
from receipt_engine.result import Result

#: file: name of the image; money: in the receipt's currency; share: 0 to 1.
Kind = Literal["file", "text", "count", "number", "money", "moment", "share"]
Value = str | int | float | Decimal | datetime | None


class Column(NamedTuple):
    """key: its name in CSV and Parquet; title: its heading in a workbook; width: in characters."""

    key: str
    title: str
    kind: Kind
    width: int = 12


class Table(NamedTuple):
    """A table: its name, its columns, and the records of one row of a results file."""

    name: str
    columns: tuple[Column, ...]

    def records(self, row: Row) -> Iterator[Sequence[Value]]:
        """The values of the columns, once for each line that the row fills in this table."""
        return _RECORDS[self.name](row)


_WHERE = (
    Column("file", "File", "file", 28),
    Column("page", "Page", "count", 6),
    Column("receipt", "Receipt", "count", 8),
)
_WHAT = (Column("merchant", "Merchant", "text", 28), Column("date", "Date", "moment", 17))

RECEIPTS = Table(
    "Receipts",
    (
        *_WHERE,
        *_WHAT,
        Column("total", "Total", "money"),
        Column("currency", "Currency", "text", 9),
        Column("subtotal", "Subtotal", "money"),
        Column("tax", "Tax", "money"),
        Column("tip", "Tip", "money"),
        Column("service", "Service", "money"),
        Column("discount", "Discount", "money"),
        Column("rounding", "Rounding", "money"),
        Column("payment", "Payment", "text"),
        Column("expense_type", "Expense type", "text", 20),
        Column("document_type", "Document", "text", 10),
        Column("address", "Address", "text", 40),
        Column("phone", "Phone", "text", 16),
        Column("items", "Items", "count", 7),
        Column("merchant_confidence", "Merchant confidence", "share", 12),
        Column("date_confidence", "Date confidence", "share", 12),
        Column("total_confidence", "Total confidence", "share", 12),
        Column("to_check", "To check", "text", 9),
        Column("duplicate_of", "Duplicate of", "text", 28),
        Column("error", "Error", "text", 40),
        Column("sha256", "SHA-256", "text", 16),
    ),
)
ITEMS = Table(
    "Items",
    (
        *_WHERE,
        *_WHAT,
        Column("line", "Line", "count", 6),
        Column("description", "Description", "text", 36),
        Column("quantity", "Quantity", "number", 9),
        Column("unit", "Weight or volume", "number", 9),
        Column("price", "Unit price", "money"),
        Column("amount", "Amount", "money"),
        Column("currency", "Currency", "text", 9),
        Column("code", "Code", "text", 16),
        Column("symbols", "Symbols", "text", 8),
    ),
)
TAXES = Table(
    "Taxes",
    (
        *_WHERE,
        *_WHAT,
        Column("rate", "Rate %", "number", 8),
        Column("base", "Base", "money"),
        Column("tax", "Tax", "money"),
        Column("gross", "Gross", "money"),
        Column("currency", "Currency", "text", 9),
        Column("code", "Code", "text", 8),
    ),
)
TO_CHECK = Table(
    "To check",
    (
        *_WHERE,
        Column("field", "Field", "text", 18),
        Column("value", "Value read", "text", 32),
        Column("confidence", "Confidence", "share", 12),
        Column("why", "Why", "text", 60),
    ),
)


def moment(text: str | None) -> datetime | None:
    """`dateISO` of a Result as a date and time."""
    return None if text is None else datetime.fromisoformat(text)


def _where(row: Row) -> tuple[Value, ...]:
    return row.file, row.page, row.receipt


def _what(result: Result) -> tuple[Value, ...]:
    return result.establishment, moment(result.date_iso)


def _receipts(row: Row) -> Iterator[Sequence[Value]]:
    result = row.found
    duplicate = row.duplicate.of if row.duplicate else None
    if result is None:
        nothing = (None,) * (len(RECEIPTS.columns) - len(_WHERE) - 4)
        failure = row.failure.message if row.failure else None
        yield *_where(row), *nothing, "yes", duplicate, failure, row.sha256
        return
    yield (
        *_where(row),
        *_what(result),
        result.total,
        result.currency,
        result.sub_total,
        result.tax,
        result.tip,
        sum(result.service_charges, Decimal(0)) if result.service_charges else None,
        result.discount,
        result.rounding,
        result.payment_method,
        result.expense_type,
        result.document_type,
        result.address,
        result.phone_number,
        len(result.line_items),
        result.establishment_confidence,
        result.date_confidence,
        result.total_confidence,
        "yes" if is_doubtful(result) else None,
        duplicate,
        None,
        row.sha256,
    )


def _items(row: Row) -> Iterator[Sequence[Value]]:
    result = row.found
    for number, item in enumerate(result.line_items if result else (), 1):
        assert result is not None
        yield (
            *_where(row),
            *_what(result),
            number,
            item.desc_clean or item.desc,
            item.qty or None,  # 0: none is printed
            item.unit,
            item.price,
            item.line_total,
            result.currency,
            item.product_code,
            " ".join(item.symbols) or None,
        )


def _taxes(row: Row) -> Iterator[Sequence[Value]]:
    result = row.found
    if result is None:
        return
    for tax in tax_rows(result):
        figures = (tax.rate, tax.base, tax.tax, tax.gross)
        yield *_where(row), *_what(result), *figures, result.currency, tax.code


class TaxRow(NamedTuple):
    """One tax rate of a receipt. rate: in percent; base: amount before tax; None where unknown."""

    rate: Decimal | None
    base: Decimal | None
    tax: Decimal | None
    gross: Decimal | None = None
    code: str | None = None


def tax_rows(result: Result) -> list[TaxRow]:
    """The rows of the tax table with their rates (with evidence only), else the tax amounts alone."""
    evidence: dict[str, Any] = result.evidence or {}
    places = _places(result)
    table = [
        TaxRow(
            rate=_decimal(entry.get("rate")),
            base=_decimal(entry.get("base"), places),
            tax=_decimal(entry.get("tax"), places),
            gross=_decimal(entry.get("gross"), places),
            code=entry.get("code"),
        )
        for entry in evidence.get("taxTable", ())
    ]
    return table or [TaxRow(None, None, tax) for tax in result.taxes]


def _places(result: Result) -> int:
    """Number of decimals that a receipt prints on its amounts: numbers in evidence have lost it."""
    exponents = (amount.as_tuple().exponent for amount in (result.total, *result.taxes) if amount is not None)
    return max((-exponent for exponent in exponents if isinstance(exponent, int)), default=0)


def _decimal(value: float | None, places: int = 0) -> Decimal | None:
    """The number as it is written, with at least that many decimals."""
    if value is None:
        return None
    exact = Decimal(str(value))
    written = exact.as_tuple().exponent
    return exact if not isinstance(written, int) or -written >= places else round(exact, places)


def _to_check(row: Row) -> Iterator[Sequence[Value]]:
    result = row.found
    if result is None:
        yield *_where(row), "file", None, 0.0, row.failure.message if row.failure else None
        return
    if row.duplicate:
        why = f"{row.duplicate.why} as {row.duplicate.of}"
        yield *_where(row), "duplicate", None, None, why
    for doubt in doubts(result):
        value = None if doubt.value is None else str(doubt.value)
        why = "nothing was found" if value is None else "read with low confidence"
        yield *_where(row), doubt.field, value, doubt.confidence, why


_RECORDS = {
    RECEIPTS.name: _receipts,
    ITEMS.name: _items,
    TAXES.name: _taxes,
    TO_CHECK.name: _to_check,
}

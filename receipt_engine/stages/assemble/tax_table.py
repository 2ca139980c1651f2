"""`evidence.taxTable`: every tax with its rate and what it is taken of."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.document import Chosen, Ledger, Sheet, TaxRow

Row = dict[str, float | str | None]


def tax_table(sheet: Sheet, ledger: Ledger) -> list[Row]:
    """rate in percent, base before tax, tax, gross and code of the taxes that were decided, in the receipt's
    order, and of the printed rows without tax. None where a figure is neither printed nor follows from
    printed ones."""
    printed = [row for row in sheet.tax_rows if not row.is_sum]
    found = [
        (chosen.entry.line if chosen.entry else len(ledger.taxes), _row(chosen, printed, ledger))
        for chosen in ledger.taxes
    ]
    if any(_of(chosen, printed) for chosen in ledger.taxes):
        found += [(row.line, _printed(row)) for row in printed if row.tax == 0]
    return [row for _, row in sorted(found, key=lambda pair: pair[0])]


def _of(chosen: Chosen, printed: Sequence[TaxRow]) -> TaxRow | None:
    """The printed row of a tax, None when it stands outside a table."""
    line = chosen.entry.line if chosen.entry else None
    return next((row for row in printed if row.line == line and row.tax == chosen.value), None)


def _row(chosen: Chosen, printed: Sequence[TaxRow], ledger: Ledger) -> Row:
    row = _of(chosen, printed)
    if row is not None:
        return _printed(row)
    rate = chosen.entry.percent if chosen.entry else None
    base = _proved_base(chosen.value, rate, ledger)
    gross = None if base is None else base + chosen.value
    return _figures(rate, base, chosen.value, gross, None)


def _proved_base(tax: Decimal, rate: Decimal | None, ledger: Ledger) -> Decimal | None:
    """What a tax outside a table is taken of: the subtotal, or the total without it, where the rate of that
    is the tax to the printed digit."""
    if not rate:
        return None
    candidates = [ledger.subtotal.value] if ledger.subtotal else []
    candidates += [ledger.total.value - tax] if ledger.total else []
    digit = Decimal(1).scaleb(int(tax.as_tuple().exponent))
    return next((base for base in candidates if abs(base * rate / 100 - tax) <= digit / 2), None)


def _printed(row: TaxRow) -> Row:
    base, gross = row.net, row.gross
    if base is None and gross is not None:
        base = gross - row.tax
    elif gross is None and base is not None:
        gross = base + row.tax
    return _figures(row.rate, base, row.tax, gross, row.code)


def _figures(
    rate: Decimal | None, base: Decimal | None, tax: Decimal, gross: Decimal | None, code: str | None
) -> Row:
    return {
        "rate": None if rate is None else float(rate),
        "base": None if base is None else float(base),
        "tax": float(tax),
        "gross": None if gross is None else float(gross),
        "code": code,
    }

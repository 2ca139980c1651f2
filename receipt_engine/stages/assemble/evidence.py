"""Builds `evidence` of the contract: the place of each value, the rule that read it, its runners-up, and
every tax with its rate and base.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Any

from receipt_engine.arithmetic.products import product_rounding
from receipt_engine.document import (
    Chosen,
    DateChoice,
    Details,
    Equation,
    Found,
    Item,
    Ledger,
    ParsedLine,
    RegionGuess,
    Sheet,
    TaxRow,
    decimals_of,
)

_Rows = tuple[ParsedLine, ...]


class _Product(StrEnum):
    """Texts in the evidence of a line item."""

    LINE = "product"
    REPAIRED = "misread, repaired"
    EQUATION = "quantity × price = amount"
    QUANTITY = "quantity"
    PRICE = "price"
    AMOUNT = "amount"


def evidence(
    rows: _Rows,
    ledger: Ledger,
    details: Details,
    date: DateChoice | None,
    currency: Found | None,
    regions: Sequence[RegionGuess],
) -> dict[str, Any]:
    """The evidence as plain JSON values. "fields": name → boxes, text, rule, runners-up; "equations",
    "repairs" and "regions" are lists."""
    found = {
        "establishment": details.merchant.name,
        "address": details.merchant.address,
        "phoneNumber": details.contacts.phone,
        "url": details.contacts.url,
        "paymentMethod": details.payment.method,
        "documentType": details.document_type,
        "expenseType": details.expense_type,
        "currency": currency,
    }
    fields: dict[str, Any] = {n: _of_found(rows, f) for n, f in found.items() if f is not None}
    fields |= {n: _of_chosen(rows, c) for n, c in _single(ledger).items() if c is not None}
    fields |= {n: [_of_chosen(rows, c) for c in cs] for n, cs in _several(ledger).items() if cs}
    if ledger.items:
        fields["lineItems"] = [_of_item(rows, item) for item in ledger.items]
    if date is not None:
        fields["date"] = _of_found(rows, date)
    if ledger.total is not None and "total" in fields:
        fields["total"]["runnersUp"] = [[_number(c.value), round(c.cost, 2)] for c in ledger.runners_up]
    return {
        "fields": fields,
        "equations": list(map(_of_equation, ledger.equations)),
        "repairs": _repairs(ledger),
        "regions": [
            {"code": g.code, "probability": round(g.probability, 4), "evidence": list(g.evidence)}
            for g in regions[:3]
        ],
    }


def _of_equation(equation: Equation) -> dict[str, Any]:
    return {
        "name": equation.kind.value,
        "terms": [[term.text, _number(term.value)] for term in equation.terms],
        "residual": _number(equation.residual),
        "verdict": equation.verdict,
    }


def _single(ledger: Ledger) -> dict[str, Chosen | None]:
    return {
        "total": ledger.total,
        "subTotal": ledger.subtotal,
        "tip": ledger.tip,
        "rounding": ledger.rounding,
        "cash": ledger.cash,
        "change": ledger.change,
    }


def _several(ledger: Ledger) -> dict[str, tuple[Chosen, ...]]:
    return {"taxes": ledger.taxes, "serviceCharges": ledger.services, "discounts": ledger.discounts}


def _amounts(ledger: Ledger) -> list[tuple[str, Chosen]]:
    """(field, amount) of every decided amount."""
    one = [(name, c) for name, c in _single(ledger).items() if c is not None]
    return one + [(name, c) for name, cs in _several(ledger).items() for c in cs]


def _number(value: Decimal) -> float:
    return float(round(value, 4))


def _of_chosen(rows: _Rows, chosen: Chosen) -> dict[str, Any]:
    if chosen.entry is None:
        return {"boxes": [], "text": None, "rule": "computed", "runnersUp": []}
    readings = chosen.entry.amount.readings
    taken = next((m for m in readings if abs(m.value) == abs(chosen.value)), readings[0])
    repaired = chosen.printed is not None and abs(taken.value) != abs(chosen.value)
    how = "misread, repaired" if repaired else "with rounding" if chosen.unrounded is not None else taken.rule
    return _place(rows, (chosen.entry.line,)) | {
        "rule": f"{chosen.entry.role or 'unnamed'}: {how}",
        "runnersUp": [[_number(m.value), round(m.cost, 2)] for m in readings if repaired or m is not taken],
    }


def _of_item(rows: _Rows, item: Item) -> dict[str, Any]:
    """A line item's rows, the rule that read its amount, and its quantity × price equation if both are
    printed."""
    readings = item.total.readings
    taken = next((m for m in readings if m.value == item.total.value), None)
    count = item.qty if item.qty else item.unit
    equation = None
    if item.price is not None and count:
        residual = count * item.price - item.total.value
        most = max(product_rounding(count, item.price), _last_place(item.total.value))
        equation = {
            "name": _Product.EQUATION.value,
            "terms": [
                [_Product.QUANTITY.value, _number(count)],
                [_Product.PRICE.value, _number(item.price)],
                [_Product.AMOUNT.value, _number(item.total.value)],
            ],
            "residual": _number(residual),
            "verdict": "proved" if abs(residual) <= most else "contradicted",
        }
    return _place(rows, item.lines) | {
        "rule": ": ".join((_Product.LINE, taken.rule if taken else _Product.REPAIRED)),
        "runnersUp": [[_number(m.value), round(m.cost, 2)] for m in readings if m is not taken],
        "equation": equation,
    }


def _last_place(value: Decimal) -> Decimal:
    """One unit in the last place of an amount, at most 1: the rounding of a product without cents."""
    return Decimal(1).scaleb(-max(0, decimals_of(value)))


def _of_found(rows: _Rows, found: Found | DateChoice) -> dict[str, Any]:
    return _place(rows, found.lines) | {
        "rule": found.rule,
        "runnersUp": [[value, round(score, 4)] for value, score in found.runners_up],
    }


def _place(rows: _Rows, lines: Sequence[int]) -> dict[str, Any]:
    boxes = []
    for line in lines:
        quads = [word.quad.points for word in rows[line].line.words]
        xs = [x for quad in quads for x, _ in quad]
        ys = [y for quad in quads for _, y in quad]
        boxes.append([round(min(xs), 1), round(min(ys), 1), round(max(xs), 1), round(max(ys), 1)])
    return {"boxes": boxes, "text": " / ".join(rows[line].text for line in lines)}


def _repairs(ledger: Ledger) -> list[dict[str, Any]]:
    repairs: list[dict[str, Any]] = [
        {"field": name, "before": _number(c.printed), "after": _number(c.value)}
        for name, c in _amounts(ledger)
        if c.printed is not None
    ]
    for item in ledger.items:
        cheapest = min(item.total.readings, key=lambda m: m.cost)
        if cheapest.value != item.total.value:
            repairs.append(
                {"field": item.desc, "before": _number(cheapest.value), "after": _number(item.total.value)}
            )
    return repairs


Row = dict[str, float | str | None]


def tax_table(sheet: Sheet, ledger: Ledger) -> list[Row]:
    """The decided taxes, and the printed table rows with zero tax, in the receipt's order.

    Each row has the rate in percent, the base before tax, the tax, the gross amount and the code; None where
    a figure is neither printed nor follows from printed ones.
    """
    printed = [row for row in sheet.tax_rows if not row.is_sum]
    found = [
        (chosen.entry.line if chosen.entry else len(ledger.taxes), _row(chosen, printed, ledger))
        for chosen in ledger.taxes
    ]
    if any(_of(chosen, printed) for chosen in ledger.taxes):
        found += [(row.line, _printed(row)) for row in printed if row.tax == 0]
    return [row for _, row in sorted(found, key=lambda pair: pair[0])]


def _of(chosen: Chosen, printed: Sequence[TaxRow]) -> TaxRow | None:
    """The printed table row of a tax; None when it stands outside a table."""
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
    """The base of a tax outside a table: the subtotal, or the total less the tax, where the rate gives the
    tax to the printed digit; else None."""
    if not rate:
        return None
    candidates = [ledger.subtotal.value] if ledger.subtotal else []
    candidates += [ledger.total.value - tax] if ledger.total else []
    digit = Decimal(1).scaleb(-decimals_of(tax))
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

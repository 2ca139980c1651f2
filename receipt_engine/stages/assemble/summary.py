"""Builds `lineItems` and `summaryItems` of the contract."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.document import ZERO, Entry, Item, Ledger, ParsedLine, Sheet, says
from receipt_engine.region import Role
from receipt_engine.result import LineItem, LineType, Supplementary
from receipt_engine.scoring.certainty import SURE, WEAK
from receipt_engine.vocabulary import has_term

_LINE_TYPES: dict[Role, LineType | None] = {
    "total": "Total",
    "gross": "Total",
    "subtotal": "SubTotal",
    "net": "SubTotal",
    "tax": "Tax",
    "total_tax": "TotalTax",
    "cash": "Cash",
    "change": "Change",
    "tip": "Tip",
    "service": "ServiceCharge",
    "discount": None,
    "rounding": None,
    "card": None,
    "deposit": None,
    "balance": None,
}
_TENDERS: frozenset[Role] = frozenset(("cash", "change", "card"))
#: Maximum reading cost of an amount, and of a confidently named one: small whole numbers are seldom amounts.
_MAX_COST = 2.5
_MAX_COST_OF_CALLED = 3.0
#: The masked digits of a card, and how many rows around the amount that a card slip repeats they may be.
_HIDDEN_DIGITS = re.compile(r"[*Xx•]{4} ?\d{4}\b")
_NEAR = 6
#: Characters that tills print around a label: "* TOTAL =", "(TAX".
_SIGNS = " :.-*=("


def line_items(items: Sequence[Item]) -> tuple[LineItem, ...]:
    """Products in printed order."""
    return tuple(
        LineItem(
            desc=item.desc or None,
            desc_clean=item.desc_clean or None,
            line_total=item.total.value,
            price=item.price,
            qty=item.qty if item.qty is not None else ZERO,
            unit=item.unit,
            product_code=item.product_code,
            symbols=item.symbols,
            supplementary_line_items=(
                Supplementary(above=item.above, below=item.below) if item.above or item.below else None
            ),
            line_type="Product",
        )
        for item in items
    )


def summary_items(sheet: Sheet, ledger: Ledger, rows: Sequence[ParsedLine]) -> tuple[LineItem, ...]:
    """The totals block in printed order: one item per row; rows of a tax table give their tax."""
    item_rows = {item.line for item in ledger.items}
    table = {row.line: row for row in sheet.tax_rows}
    found: dict[int, LineItem] = {}
    decided = _decided(ledger)
    for entry in sheet.entries:
        role = entry.role
        if role not in _LINE_TYPES or entry.line in item_rows or entry.zone == "header":
            continue
        limit = _MAX_COST_OF_CALLED if entry.weight(role) >= SURE else _MAX_COST
        if not _is_total(entry, ledger) and (
            entry.weight(role) < WEAK or entry.amount.readings[0].cost > limit
        ):
            continue
        if _is_on_slip(entry, sheet, ledger, rows):
            continue
        if entry.line in table:
            if role not in ("tax", "total_tax"):
                continue
            role = "total_tax" if table[entry.line].is_sum else role
        elif not entry.last:
            continue
        if _is_change(entry, ledger):
            role = "change"
        if role == "balance" and not (_is_total(entry, ledger) or _settles(entry, sheet, ledger)):
            continue
        if role in _TENDERS and _is_told(entry, role, ledger):
            continue
        if role in ("tax", "total_tax") and _is_registration(entry, ledger):
            continue
        value = decided.get((entry.line, entry.amount.start), entry.amount.value)
        if role == "discount":
            value = -abs(value)
        line_type = None if _is_settled(entry, ledger) else _line_type(entry, role, ledger)
        found[entry.line] = LineItem(
            desc=_label(entry, rows) or None,
            desc_clean=_label(entry, rows) or None,
            line_total=abs(value) if role == "change" else value,
            qty=ZERO,
            symbols=entry.amount.symbols,
            line_type=line_type,
        )
    return tuple(found[line] for line in sorted(found))


def _is_on_slip(entry: Entry, sheet: Sheet, ledger: Ledger, rows: Sequence[ParsedLine]) -> bool:
    """Whether a total only repeats the amount paid, on the card slip below the payment."""
    total = ledger.total
    if entry.role not in ("total", "subtotal", "gross") or total is None or total.entry is None:
        return False
    first = total.entry.line + 1
    if entry.line < first or abs(entry.amount.value) != abs(total.value):
        return False
    card = any(m.role == "card" for found in sheet.roles[first : entry.line] for m in found)
    near = rows[max(first, entry.line - _NEAR) : entry.line + _NEAR]
    return card and any(
        has_term(row.text, "slip_data", "terminal_number") or _HIDDEN_DIGITS.search(row.text) for row in near
    )


def _settles(entry: Entry, sheet: Sheet, ledger: Ledger) -> bool:
    """Whether a balance of zero says that nothing of the receipt is left to pay."""
    return _is_settled(entry, ledger) and not _is_of_card(entry, sheet)


def _is_of_card(entry: Entry, sheet: Sheet) -> bool:
    """Whether a balance belongs to a card or a loyalty account, not the receipt: its row says so, or begins
    with the same word as the row of a card payment."""
    if says(sheet.roles[entry.line], ["card", "loyalty"], WEAK):
        return True
    named = entry.label.split()[:1]
    return any(e.role == "card" and e.label.split()[:1] == named for e in sheet.entries if e is not entry)


def _is_told(entry: Entry, role: Role, ledger: Ledger) -> bool:
    """Whether a row that names a means of payment is no payment: it states a card's balance, or a number of
    the card slip."""
    chosen = (ledger.cash, ledger.change, ledger.card)
    if any(c is not None and c.entry is entry for c in chosen):
        return False
    if max(entry.weight("balance"), entry.weight("loyalty")) >= WEAK:
        return True
    if entry.zone == "items":
        return True  # text of a promotion among the products
    total = ledger.total.value if ledger.total else None
    return role == "card" and total is not None and abs(entry.amount.value) > abs(total)


def _is_registration(entry: Entry, ledger: Ledger) -> bool:
    """Whether the number beside a tax's name is too large for a tax: "VAT 482 207 615" is the shop's number
    with the tax office."""
    whole = not entry.amount.decimals and entry.amount.currency is None
    return whole and ledger.total is not None and entry.amount.value > abs(ledger.total.value)


def _is_settled(entry: Entry, ledger: Ledger) -> bool:
    """Whether a row below the total says that nothing is left to pay: "BALANCE DUE 0.00" is no total."""
    total = ledger.total
    paid = total is not None and total.entry is not None and total.entry.line < entry.line
    return paid and entry.amount.value == 0 and entry.role in ("total", "balance")


def _is_change(entry: Entry, ledger: Ledger) -> bool:
    """Whether a balance, or an amount called total, is the change."""
    change = ledger.change.entry if ledger.change else None
    return entry.role in ("balance", "total") and entry is change


def _is_total(entry: Entry, ledger: Ledger) -> bool:
    total = ledger.total.entry if ledger.total else None
    return total is not None and total.line == entry.line and total.amount.start == entry.amount.start


def _line_type(entry: Entry, role: Role, ledger: Ledger) -> LineType | None:
    """The line type of a row.

    A net amount is a subtotal if it was chosen as one or the total stands below; else it has no type. The
    chosen total is a total even where its words name a subtotal, net amount or balance. The chosen subtotal
    is a total only if its words confidently say so ("SUM" above a discount).
    """
    total = ledger.total.entry if ledger.total else None
    chosen = ledger.subtotal.entry if ledger.subtotal else None
    if (
        _is_total(entry, ledger)
        and role in ("subtotal", "net", "balance")
        and (chosen is None or chosen.line != entry.line)
    ):
        return "Total"
    if role == "net" and (chosen is None or chosen.line != entry.line):
        return "SubTotal" if total is not None and entry.line < total.line else None
    if role == "total" and chosen is entry and not _is_total(entry, ledger) and entry.weight(role) < SURE:
        return "SubTotal"
    return _LINE_TYPES[role]


def _decided(ledger: Ledger) -> dict[tuple[int, int], Decimal]:
    """(row, offset) → the value that reconciliation decided, which may differ from the printed one; totals
    before rounding."""
    chosen = [ledger.total, ledger.subtotal, ledger.tip, ledger.rounding, ledger.cash, ledger.change]
    chosen += [*ledger.taxes, *ledger.services]
    return {
        (c.entry.line, c.entry.amount.start): c.value if c.unrounded is None else c.unrounded
        for c in chosen
        if c is not None and c.entry is not None
    }


def _label(entry: Entry, rows: Sequence[ParsedLine]) -> str:
    """The row's text before its first amount."""
    parsed = rows[entry.line]
    if entry.role == "balance" and any(c.isalpha() for c in entry.label):
        return entry.label  # "TAX .56 BAL 17.74"
    first = parsed.amounts[0].start if parsed.amounts else len(parsed.text)
    return parsed.text[:first].strip(_SIGNS) or entry.label

"""Builds `lineItems` and `summaryItems` of the contract."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from receipt_engine.document import (
    ZERO,
    AmountReading,
    Chosen,
    Entry,
    Item,
    Ledger,
    ParsedLine,
    RoleMatch,
    Sheet,
    says,
)
from receipt_engine.region import TAXES, TENDERS, Role
from receipt_engine.result import LineItem, LineType, Supplementary
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE, SURE, WEAK
from receipt_engine.stages.assemble.line_types import LINE_TYPES, is_chosen, is_settled, line_type
from receipt_engine.vocabulary import has_term
from receipt_engine.vocabulary.normalise import count_letters

#: Row and offset of an amount → what reconciliation decided about it.
_Decided = Mapping[tuple[int, int], Chosen]

#: Maximum reading cost of an amount, and of a confidently named one: small whole numbers are seldom amounts.
_MAX_COST = 2.5
_MAX_COST_OF_CALLED = 3.0
#: The masked digits of a card, and how many rows around the amount that a card slip repeats they may be.
_HIDDEN_DIGITS = re.compile(r"[*Xx•]{4} ?\d{4}\b")
_NEAR = 6
#: Characters that tills print around a label: "* TOTAL =", "(TAX".
_SIGNS = " :.-*=("
#: Letters of a word; fewer may be a unit or a code.
_WORD = 3


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
    """The totals block in printed order: every amount with its own label, and every amount that gave a field
    of the Result; rows of a tax table give their tax."""
    item_rows = {item.line for item in ledger.items}
    details = {line for item in ledger.items for line in item.lines}  # "+DEPOSIT 2*1.00"
    sums = {row.line for row in sheet.tax_rows if row.is_sum}
    decided = _decided(ledger)
    entries = _with_unnamed_total(sheet, ledger)
    found: dict[tuple[int, int], LineItem] = {}
    for entry in entries:
        place = (entry.line, entry.amount.start)
        of_item = entry.line in item_rows or (entry.line in details and entry.role == "deposit")
        if of_item or not _is_listed(entry, sheet, ledger, decided):
            continue
        if _is_on_slip(entry, sheet, ledger, rows):
            continue
        role = "total_tax" if entry.line in sums and entry.role == "tax" else entry.role
        kind = line_type(entry, role, ledger, sheet)
        chosen = decided.get(place)
        found[place] = _line(
            entry,
            kind,
            chosen,
            label(entry, sheet, rows[entry.line]),
            takes_off=any(chosen is c for c in ledger.discounts),
        )
    return tuple(found[place] for place in sorted(found))


def _line(
    entry: Entry, kind: LineType | None, chosen: Chosen | None, text: str, *, takes_off: bool
) -> LineItem:
    """takes_off: the amount was chosen as a discount."""
    value = entry.amount.value
    if chosen is not None:  # which may differ from the printed one; totals before rounding
        value = chosen.value if chosen.unrounded is None else chosen.unrounded
    if entry.role in ("discount", "withheld") or takes_off:
        value = -abs(value)
    return LineItem(
        desc=text or None,
        desc_clean=text or None,
        line_total=abs(value) if kind == "Change" else value,
        qty=ZERO,
        symbols=entry.amount.symbols,
        line_type=kind,
    )


def _is_listed(entry: Entry, sheet: Sheet, ledger: Ledger, decided: _Decided) -> bool:
    """Whether an amount is a line of the totals block."""
    role = entry.role
    if any(is_chosen(entry, tax) for tax in ledger.taxes):
        return True
    if any(row.line == entry.line for row in sheet.tax_rows):
        if role not in TAXES and not is_chosen(entry, ledger.total):
            return False
    elif not _has_own_label(entry, sheet):
        return False
    if (entry.line, entry.amount.start) in decided:
        return True
    if role not in LINE_TYPES or entry.zone == "header":
        return False
    if role == "discount" and entry.zone == "items" and not says(sheet.roles[entry.line], [role], POSSIBLE):
        return False  # the price of an option in brackets: "Extra shot ($1.00)"
    limit = _MAX_COST_OF_CALLED if entry.weight(role) >= SURE else _MAX_COST
    if entry.weight(role) < WEAK or entry.amount.readings[0].cost > limit:
        return False
    if role in TAXES and _exceeds_total(entry, ledger):
        return False
    if role == "balance" and not _settles(entry, sheet, ledger):
        return False
    return role not in TENDERS or not _is_told(entry, role, ledger)


def _has_own_label(entry: Entry, sheet: Sheet) -> bool:
    """Whether an amount ends its row, or it and the next one have different labels: "TAX .93 TOTAL 45.44"."""
    if entry.last:
        return True
    behind = [e for e in sheet.entries if e.line == entry.line and e.amount.start > entry.amount.start]
    pair = (entry, min(behind, key=lambda e: e.amount.start)) if behind else ()
    named = all(has_letters(e.label) and e.certainty >= LIKELY for e in pair)
    return named and len({e.role for e in pair}) > 1 and entry.role not in ("net", "gross")


def _with_unnamed_total(sheet: Sheet, ledger: Ledger) -> list[Entry]:
    """The entries; where the payment was chosen as the total, the last amount above it that has no known
    words and equals it is the total: "TO GO 14.20", "CASH 14.20"."""
    paid = ledger.total.entry if ledger.total else None
    if ledger.total is None or paid is None or paid.role not in TENDERS:
        return list(sheet.entries)
    above = [
        e
        for e in sheet.entries
        if e.line < paid.line
        and e.last
        and e.role is None
        and e.zone == "summary"
        and e.amount.value == ledger.total.value
    ]
    return [e.claiming("total", SURE) if e in above[-1:] else e for e in sheet.entries]


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
    """Whether a balance says what of the receipt is left to pay: nothing, or the total less the payments
    above."""
    if _is_of_card(entry, sheet):
        return False
    return is_settled(entry, ledger) or _is_rest(entry, sheet, ledger)


def _is_rest(entry: Entry, sheet: Sheet, ledger: Ledger) -> bool:
    total = ledger.total
    if total is None or total.entry is None or entry.amount.value == total.value:
        return False
    between = (e for e in sheet.entries if total.entry.line < e.line < entry.line and e.last)
    paid = sum((abs(e.amount.value) for e in between if e.role in ("cash", "card")), ZERO)
    return total.value - paid == entry.amount.value


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
    if entry.weight("balance", "loyalty") >= WEAK:
        return True
    if entry.zone == "items":
        return True  # text of a promotion among the products
    return role == "card" and _exceeds_total(entry, ledger)


def _exceeds_total(entry: Entry, ledger: Ledger) -> bool:
    """Whether an amount is larger than the total: beside a tax or a card it is a number of theirs."""
    return ledger.total is not None and abs(entry.amount.value) > abs(ledger.total.value)


def _decided(ledger: Ledger) -> _Decided:
    """(row, offset) → what reconciliation decided about the amount printed there."""
    chosen = [ledger.total, ledger.subtotal, ledger.tip, ledger.rounding, ledger.cash, ledger.change]
    chosen += [*ledger.taxes, *ledger.services]
    chosen += [c for c in ledger.discounts if c.entry is not None and c.entry.zone != "items"]
    return {(c.entry.line, c.entry.amount.start): c for c in chosen if c is not None and c.entry is not None}


def label(entry: Entry, sheet: Sheet, row: ParsedLine) -> str:
    """The text of the row that belongs to an amount: all before it, without columns of amounts and without
    amounts that have their own label; else the text behind it, else the words of the row above or below."""
    if entry.role in TAXES and any(r.line == entry.line for r in sheet.tax_rows):
        columns = [e.amount.start for e in sheet.entries if e.line == entry.line and e.roles]
        return row.text[: min(columns)].strip(_SIGNS)
    roles = sheet.roles[entry.line]
    start = _own_start(entry, roles, row)
    before = row.text[start : _columns_start(entry, row)].strip(_SIGNS)
    if has_letters(before) or "%" in before:
        return before
    end = min((a.start for a in row.amounts if a.start >= entry.amount.end), default=len(row.text))
    if any(entry.amount.end <= m.start < end for m in roles):
        return row.text[entry.amount.end : end].strip(_SIGNS)
    return entry.label.strip(_SIGNS) if has_letters(entry.label) else before


def has_letters(text: str) -> bool:
    """Whether a text contains letters."""
    return any(c.isalpha() for c in text)


def _own_start(entry: Entry, roles: tuple[RoleMatch, ...], row: ParsedLine) -> int:
    """Where the label begins: behind the last amount to the left that is followed by words. A count has a
    label of its own only if the words behind it name this amount: in "ITEMS: 2 TOTAL: 40.00", not in "TOTAL
    2 ITEMS 40.00"."""
    for amount in reversed(_before(entry, row)):
        between = [m.role for m in roles if amount.end <= m.start < entry.amount.start]
        ahead = [m.role for m in roles if m.end <= amount.start]
        named = entry.role in between and bool(ahead) and ahead[-1] != entry.role
        words = count_letters(row.text[amount.end : entry.amount.start])
        if named or (amount.is_plausible and (between or words >= _WORD)):
            return amount.end
    return 0


def _columns_start(entry: Entry, row: ParsedLine) -> int:
    """Where the columns of amounts directly to the left of an amount begin, or the amount itself."""
    start = entry.amount.start
    for amount in reversed(_before(entry, row)):
        if not amount.is_plausible or row.text[amount.end : start].strip():
            break
        start = amount.start
    return start


def _before(entry: Entry, row: ParsedLine) -> list[AmountReading]:
    """The amounts to the left, from left to right."""
    return [amount for amount in row.amounts if amount.end <= entry.amount.start]

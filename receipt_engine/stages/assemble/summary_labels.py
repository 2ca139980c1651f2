"""Finds the label of each amount in the totals block."""

from __future__ import annotations

from receipt_engine.document import AmountReading, Entry, ParsedLine, RoleMatch, Sheet
from receipt_engine.region import TAXES
from receipt_engine.vocabulary.normalise import count_letters

#: Characters that tills print around a label: "* TOTAL =", "(TAX".
_SIGNS = " :.-*=("
#: Letters of a word; fewer may be a unit or a code.
_WORD = 3


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
    end = _next_start(entry, row)
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


def _next_start(entry: Entry, row: ParsedLine) -> int:
    return min((a.start for a in row.amounts if a.start >= entry.amount.end), default=len(row.text))

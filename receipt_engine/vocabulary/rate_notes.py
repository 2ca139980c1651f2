"""Finds tax rates noted in brackets between a price and an amount: "2  4.50 (VAT 5%)  9.00".

They refer to the price; the row is a line item.
"""

from __future__ import annotations

import re

from receipt_engine.document import ParsedLine

_BRACKETS = re.compile(r"\([^()]*\)")


def rate_notes(row: ParsedLine) -> list[tuple[int, int]]:
    """Returns the (start, end) offsets of such notes in the row's text."""
    if not row.percents or "(" not in row.text:
        return []
    money = [amount for amount in row.amounts if amount.is_plausible]
    return [
        (match.start(), match.end())
        for match in _BRACKETS.finditer(row.text)
        if any(match.start() < percent.start < match.end() for percent in row.percents)
        and any(amount.end <= match.start() for amount in money)
        and any(amount.start >= match.end() for amount in money)
    ]

"""Numbers that are no amounts because words before them announce another number."""

from __future__ import annotations

import re

from receipt_engine.document import AmountReading, LabelledRow
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import SURE

#: The hidden digits of a card.
_MASK = re.compile(r"(?:[*•]{2,}|[*•] +|[xX]{3,})$")
#: One mark before a number may also be that of a tax ("SANDWICH *298").
_MARK = re.compile(r"[*•]$")
#: Words that a number follows which is no amount.
_NUMBERED: frozenset[Role] = frozenset(("footer", "receipt_number", "tax_id", "phone", "cashier"))
#: Names of a document, behind which a long number is its own ("BOLETA ELECTRONICA 882014").
_DOCUMENTS: frozenset[Role] = frozenset(("receipt", "invoice"))
_LONG_NUMBER = 5


def is_announced(row: LabelledRow, amount: AmountReading) -> bool:
    """Whether a whole number is the open end of a card's, or follows a word for numbers ("AUTH 771902")."""
    if amount.decimals or amount.currency is not None:
        return False
    before = row.text[: amount.start].rstrip(" .:#-")
    if _MASK.search(before) or (_MARK.search(before) and any(m.role == "card" for m in row.roles)):
        return True
    last = [m.role for m in row.roles if m.weight >= SURE and m.end == len(before)]
    long = amount.raw.isdigit() and len(amount.raw) >= _LONG_NUMBER
    return any(role in _NUMBERED or (long and role in _DOCUMENTS) for role in last)

"""Amounts whose decimal point was read as another small mark: "28:00", "3-36".

Alone such numbers are times, ranges or parts of a code. They are amounts where they end their row in the
column in which other rows end in amounts with cents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import AmountReading, AmountRow, AmountRule, Money, says
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.columns.row_amounts import as_amount_row
from receipt_engine.stages.columns.whole_amounts import HABIT_COST
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

_MARKED = re.compile(r"(?<![^\s$€£])(\d{1,4}) ?[:;-] ?(\d{2})(?= ?[A-Z*]{0,2}$)")
#: Digits behind the point in such a column.
_CENTS = 2
#: How far, as a share of the text's width, amounts of one column may end from each other.
_ALIGNED = 0.03
#: Rows with such words end in money.
_SUMS: frozenset[Role] = frozenset(
    ("total", "subtotal", "net", "gross", "tax", "total_tax", "cash", "card", "change", "tip", "service")
)
#: Rows with such words end in times and numbers.
_OTHERS: frozenset[Role] = frozenset(
    ("date", "not_date", "time", "phone", "fax", "receipt_number", "tax_id", "cashier", "header", "footer")
)


def with_misread_points(rows: Sequence[AmountRow]) -> tuple[AmountRow, ...]:
    """The rows, those that end so in the column of amounts with them as their amounts."""
    found = [(at, mark) for at, row in enumerate(rows) if (mark := _marked(row)) is not None]
    if all(
        rows[at].times and not says(rows[at].roles, _SUMS, LIKELY) for at, _ in found
    ):  # "Order taken 12:30"
        return tuple(rows)
    edges = [
        row.line.place(a.start, a.end)[1]
        for row in rows
        if (a := row.amount) is not None and a.decimals == _CENTS and a.is_plausible
    ]
    width = max(row.line.right for row in rows) - min(row.line.left for row in rows)
    mended = list(rows)
    for at, mark in found:
        edge = rows[at].line.place(mark.start(), mark.end())[1]
        if any(abs(edge - other) < _ALIGNED * width for other in edges):
            mended[at] = _mended(rows[at], mark)
    return tuple(mended)


def _marked(row: AmountRow) -> re.Match[str] | None:
    """Such a number at the end of a row that names something and has no date, and before it at most the
    price of one."""
    mark = _MARKED.search(row.text)
    if mark is None or row.dates or any(a.is_plausible and a.end > mark.start() for a in row.amounts):
        return None
    if says(row.roles, _OTHERS, LIKELY):
        return None
    return mark if count_letters(row.text[: mark.start()]) >= SHORTEST_NAME else None


def _mended(row: AmountRow, mark: re.Match[str]) -> AmountRow:
    value = Decimal(f"{mark[1]}.{mark[2]}")
    amount = AmountReading(
        mark.group(),
        mark.start(),
        mark.end(),
        (Money(value, HABIT_COST, AmountRule.PAGE_HABIT),),
        decimals=_CENTS,
    )
    others = (a for a in row.amounts if a.end <= mark.start())
    return as_amount_row(replace(row, amounts=(*others, amount)))

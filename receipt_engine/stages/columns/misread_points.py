"""Amounts whose decimal point was read as another small mark: "28:00", "3-36".

On their own such numbers are times, ranges or parts of a code. They are amounts where they end their row in
the column in which other rows end in amounts with cents.
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
#: Digits after the decimal point in such a column.
_CENTS = 2
#: Tolerance for the right edges of one column's amounts, as a share of the text's width.
_ALIGNED = 0.03
#: Roles of rows that end in an amount of money.
_SUMS: frozenset[Role] = frozenset(
    ("total", "subtotal", "net", "gross", "tax", "total_tax", "cash", "card", "change", "tip", "service")
)
#: Roles of rows that end in a time or another number.
_OTHERS: frozenset[Role] = frozenset(
    ("date", "not_date", "time", "phone", "fax", "receipt_number", "tax_id", "cashier", "header", "footer")
)


def with_misread_points(rows: Sequence[AmountRow]) -> tuple[AmountRow, ...]:
    """The rows; where such a number ends a row in the column of amounts, it becomes the row's amount."""
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
    """The match of such a number at the end of a row, or None. The row has words before the number, no date
    and no plausible amount that reaches into the number."""
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

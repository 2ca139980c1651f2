"""Amounts whose decimal point was read as another small mark or lost: "28:00", "3-36", "CHANGE 40" for .40.

On their own such numbers are times, ranges or parts of a code. They are amounts where they end their row in
the column in which other rows end in amounts with cents. Two digits behind the word for a tax or the change
may be cents; only the sums can tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import AmountReading, AmountRow, AmountRule, Money, says, text_width
from receipt_engine.region import SUMS, TAXES, TENDERS, Role
from receipt_engine.scoring.certainty import LIKELY, SURE
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
_SUMS: frozenset[Role] = SUMS | TENDERS | {"tip", "service"}
#: Roles of rows that end in a time or another number.
_OTHERS: frozenset[Role] = frozenset(
    ("date", "not_date", "time", "phone", "fax", "receipt_number", "tax_id", "cashier", "header", "footer")
)
#: Cents without their point, behind a word for an amount that may be less than one; the cost of that reading.
_COINS = re.compile(r"(?<!\S)\d{2}$")
_SMALL: frozenset[Role] = TAXES | {"change"}
_LOST_POINT = 3.1


def with_misread_points(rows: Sequence[AmountRow]) -> tuple[AmountRow, ...]:
    """The rows; where such a number ends a row in the column of amounts, it becomes the row's amount."""
    found = [(at, mark) for at, row in enumerate(rows) if (mark := _marked(row)) is not None]
    if all(rows[at].times and not says(rows[at].roles, _SUMS, LIKELY) for at, _ in found):
        found = []  # "Order taken 12:30"
    coins = [(at, mark) for at, row in enumerate(rows) if (mark := _coins(row)) is not None]
    if not found and not coins:
        return tuple(rows)
    edges = [
        row.edge(a)
        for row in rows
        if (a := row.amount) is not None and a.decimals == _CENTS and a.is_plausible
    ]
    near = _ALIGNED * text_width(rows)
    mended = list(rows)
    for mend, marks in ((_mended, found), (_with_cents, coins)):
        for at, mark in marks:
            edge = rows[at].line.place(mark.start(), mark.end())[1]
            if any(abs(edge - other) < near for other in edges):
                mended[at] = mend(rows[at], mark)
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
    money = Money(Decimal(f"{mark[1]}.{mark[2]}"), HABIT_COST, AmountRule.PAGE_HABIT)
    amount = AmountReading(mark.group(), *mark.span(), (money,), decimals=_CENTS)
    others = (a for a in row.amounts if a.end <= mark.start())
    return as_amount_row(replace(row, amounts=(*others, amount)))


def _coins(row: AmountRow) -> re.Match[str] | None:
    """The match of two digits that end a row, right behind a sure word for a tax or the change, or None."""
    mark = _COINS.search(row.text)
    if mark is None or row.dates or row.percents or any(map(str.isdigit, row.text[: mark.start()])):
        return None
    named = any(
        m.role in _SMALL and m.weight >= SURE and not any(map(str.isalnum, row.text[m.end : mark.start()]))
        for m in row.roles
    )
    return mark if named else None


def _with_cents(row: AmountRow, mark: re.Match[str]) -> AmountRow:
    """The row, whose last digits may also be cents."""
    cents = Money(Decimal(f"0.{mark.group()}"), _LOST_POINT, AmountRule.LOST_POINT)
    whole = next((a for a in row.amounts if a.end == mark.end()), None)
    amount = AmountReading(mark.group(), *mark.span(), (cents,))
    if whole is not None:
        readings = sorted((cents, *whole.readings), key=lambda money: money.cost)
        amount = replace(whole, readings=tuple(readings))
    return as_amount_row(replace(row, amounts=(*(a for a in row.amounts if a is not whole), amount)))

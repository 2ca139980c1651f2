"""Amounts whose point or digits were misread: "28:00", "3-36", "4 50", "lO.8O", "CHANGE 40" for .40.

On their own such numbers are times, ranges, counts or parts of a code. They are amounts where they end their
row in the column in which other rows end in amounts with cents. Two digits behind the word for a tax or the
change may be cents; only the sums can tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import AmountReading, AmountRow, AmountRule, Money, says, text_width
from receipt_engine.region import SUMS, TAXES, TENDERS, Role
from receipt_engine.scoring.certainty import LIKELY, SURE
from receipt_engine.scoring.costs import ACCEPTED
from receipt_engine.stages.columns.row_amounts import ALIGNED, as_amount_row
from receipt_engine.stages.columns.whole_amounts import HABIT_COST
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

_MARKED = re.compile(r"(?<![^\s$€£])(\d{1,4})(?: ?[:;-] ?| (?=0))(\d{2})(?= ?[A-Z*]{0,2}$)")
#: Digits after the decimal point in such a column.
_CENTS = 2
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
    marked = [(at, amount) for at, row in enumerate(rows) if (amount := _marked(row)) is not None]
    if all(rows[at].times and not says(rows[at].roles, _SUMS, LIKELY) for at, _ in marked):
        marked = []  # "Order taken 12:30"
    others = (
        (at, amount) for at, row in enumerate(rows) if (amount := _doubtful(row) or _coins(row)) is not None
    )
    found = [*marked, *others]
    if not found:
        return tuple(rows)
    edges = [
        row.edge(a)
        for row in rows
        if (a := row.amount) is not None and a.decimals == _CENTS and a.is_plausible
    ]
    near = ALIGNED * text_width(rows)
    mended = list(rows)
    for at, amount in found:
        edge = rows[at].edge(amount)
        if any(abs(edge - other) < near for other in edges):
            before = (a for a in rows[at].amounts if a.end <= amount.start)
            mended[at] = as_amount_row(replace(rows[at], amounts=(*before, amount)))
    return tuple(mended)


def _marked(row: AmountRow) -> AmountReading | None:
    """Such a number at the end of a row as an amount, or None. The row has words before the number, no date
    and no plausible amount that reaches into the number."""
    mark = _MARKED.search(row.text)
    if mark is None or any(a.is_plausible and a.end > mark.start() for a in row.amounts):
        return None
    if not _is_named(row, mark.start()):
        return None
    money = Money(Decimal(f"{mark[1]}.{mark[2]}"), HABIT_COST, AmountRule.PAGE_HABIT)
    return AmountReading(mark.group(), *mark.span(), (money,), decimals=_CENTS)


def _doubtful(row: AmountRow) -> AmountReading | None:
    """The amount with cents that ends a row as a likely one, if on its own it is doubtful; or None."""
    amount = row.amounts[-1] if row.amounts else None
    if amount is None or amount.is_plausible or amount.decimals != _CENTS or ":" in amount.raw:
        return None
    if not (amount.cost <= ACCEPTED or " " in amount.raw) or not _is_named(row, amount.start):
        return None
    first, *others = amount.readings
    return replace(amount, readings=(replace(first, cost=HABIT_COST), *others))


def _is_named(row: AmountRow, start: int) -> bool:
    """Whether words other than those for a time or a number, or the price of one, stand before an offset."""
    if row.dates or says(row.roles, _OTHERS, LIKELY):
        return False
    priced = any(a.is_plausible and a.decimals and a.end <= start for a in row.amounts)
    return priced or count_letters(row.text[:start]) >= SHORTEST_NAME


def _coins(row: AmountRow) -> AmountReading | None:
    """The two digits that end a row right behind a sure word for a tax or the change, also as cents; or
    None."""
    mark = _COINS.search(row.text)
    if mark is None or row.dates or row.percents or any(map(str.isdigit, row.text[: mark.start()])):
        return None
    if not any(
        m.role in _SMALL and m.weight >= SURE and not any(map(str.isalnum, row.text[m.end : mark.start()]))
        for m in row.roles
    ):
        return None
    cents = Money(Decimal(f"0.{mark.group()}"), _LOST_POINT, AmountRule.LOST_POINT)
    whole = next((a for a in row.amounts if a.end == mark.end()), None)
    if whole is None:
        return AmountReading(mark.group(), *mark.span(), (cents,))
    readings = sorted((cents, *whole.readings), key=lambda money: money.cost)
    return replace(whole, readings=tuple(readings))

"""Short whole numbers on a page whose amounts have no decimals: "REDONDEO -3", "VUELTO 0", "BOLSA 95 1".

Alone such a number is more often a count or a code. It is an amount where the page's other amounts are whole
and either a word of the totals block stands right before it, a tax code of letters right behind it ("55TX"),
or it ends in the amounts' column.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from receipt_engine.document import HABIT, AmountReading, AmountRow, AmountRule
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import SURE
from receipt_engine.stages.columns.amount_column import ALIGNED

#: Costliest readings of a number of any length, and of one of three digits or more.
_SHORT = 3.6
_LONG = 2.0
HABIT_COST = 0.9
#: Letters and digits of a tax code behind an amount.
_MAX_CODE = 2
_MIN_DIGITS = 3
#: What may be as small as a few coins.
_SMALL: frozenset[Role] = frozenset(("rounding", "change", "discount", "tip"))

#: Amounts with new costs, by row and offset.
RepricedAmounts = dict[tuple[int, int], AmountReading]


def whole_amounts(
    rows: Sequence[AmountRow],
    finals: Sequence[tuple[int, AmountReading]],
) -> RepricedAmounts:
    """The amounts, by row and offset, that the page's habit makes likely; finals are each row's last one."""
    sure = [(i, a) for i, a in finals if a.is_plausible]
    if len(sure) < HABIT or any(a.decimals for _, a in sure):
        return {}
    edges = [rows[i].line.place(a.start, a.end)[1] for i, a in sure]
    width = max(r.line.right for r in rows) - min(r.line.left for r in rows)
    found: RepricedAmounts = {}
    for i, row in enumerate(rows):
        if row.dates:
            continue
        found |= {(i, a.start): _likely(a) for a in _nothing_at_a_rate(row)}
        amount = _last(row)
        if amount is None:
            continue
        cost = amount.cost
        edge = row.line.place(amount.start, amount.end)[1]
        aligned = sum(abs(edge - other) < ALIGNED * width for other in edges) >= HABIT
        named = cost <= _SHORT and _is_named(row, amount)
        coded = cost <= _SHORT and any(len(code) > 1 for code in amount.symbols)
        if named or coded or (aligned and cost <= _LONG and _digits(amount) >= _MIN_DIGITS):
            found[i, amount.start] = _likely(amount)
    return found


def _last(row: AmountRow) -> AmountReading | None:
    """The row's last number that is no tax code, when it is not yet likely an amount."""
    for amount in reversed(row.amounts):
        behind = sum(c.isalnum() for c in row.text[amount.end :])
        if amount.is_plausible or behind > _MAX_CODE:
            return None
        if behind or amount is row.amounts[0] or not is_tax_code(row, amount):
            return amount
    return None


def _nothing_at_a_rate(row: AmountRow) -> tuple[AmountReading, ...]:
    """The noughts of a tax table's row ("0% 10.290 0")."""
    if not row.percents or not any(a.is_plausible for a in row.amounts):
        return ()
    behind = row.percents[0].end
    return tuple(a for a in row.amounts if a.start >= behind and a.raw == "0")


def is_tax_code(row: AmountRow, amount: AmountReading) -> bool:
    """Whether a single digit stands behind another number, as tax codes do."""
    return _digits(amount) == 1 and row.text[: amount.start].rstrip()[-1:].isdigit()


def _digits(amount: AmountReading) -> int:
    return sum(c.isdigit() for c in amount.raw)


def _is_named(row: AmountRow, amount: AmountReading) -> bool:
    return any(
        m.role in _SMALL
        and m.weight >= SURE
        and m.end <= amount.start
        and not any(c.isalnum() for c in row.text[m.end : amount.start])
        for m in row.roles
    )


def _likely(amount: AmountReading) -> AmountReading:
    first = amount.readings[0]
    money = replace(first, cost=min(first.cost, HABIT_COST), rule=AmountRule.PAGE_HABIT)
    return replace(amount, readings=(money, *amount.readings[1:]))

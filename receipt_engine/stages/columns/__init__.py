"""Decides which number of each row is its amount.

In: the labelled rows. Out: the same rows with their amounts, whose readings are costed by how the page as a
whole prints amounts (decimals or none, a currency sign before each). Decides which number ends a row as its
amount and which of these stand in the page's amount column. Numbers that a preceding word marks as something
else ("AUTH 771902") are not amounts, nor are the taxes in a column behind them, as tickets for trains print
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import ZERO, AmountReading, AmountRow, LabelledRow
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.stages.columns.misread_points import with_misread_points
from receipt_engine.stages.columns.page_style import with_page_style
from receipt_engine.stages.columns.row_amounts import (
    as_amount_row,
    in_column,
    is_announced,
    is_counted_above,
    is_detail,
)

__all__ = ["find_columns"]
#: Amounts of a row with a price and its tax.
_PAIR = 2


def find_columns(rows: Sequence[LabelledRow]) -> tuple[AmountRow, ...]:
    """The rows with their amounts."""
    priced = with_misread_points(with_page_style([as_amount_row(row) for row in rows]))
    priced = without_tax_column(priced)
    inside = in_column(priced)
    return tuple(
        replace(
            row,
            likely=tuple(a for a in row.likely if not is_announced(row, a)),
            counted=row.counted or (at > 0 and is_counted_above(priced[at - 1], row)),
            in_column=inside[at]
            and row.amount is not None
            and not is_announced(row, row.amount)
            and not is_detail(priced, at),
        )
        for at, row in enumerate(priced)
    )


def without_tax_column(rows: Sequence[AmountRow]) -> tuple[AmountRow, ...]:
    """The rows; where the last heading above two columns of amounts names a tax and both columns add up to
    the amounts of a total, the amount of each of these rows is the first of the two: "Seat 4.90 0.32". Below
    a total, and where rows have rates, such columns are a tax table. A sum whose tax a total below adds keeps
    both.
    """
    found = list(rows)
    for at, row in enumerate(rows):
        if row.amount is not None and row.names_total:
            break
        if not _heads_tax(rows[max(0, at - 1) : at + 1]):
            continue
        end = at + 1
        while end < len(rows) and (_is_priced_and_taxed(rows[end]) or _is_wrapped(rows[end])):
            end += 1
        block = [place for place in range(at + 1, end) if not _is_wrapped(rows[place])]
        if not _adds_up([rows[place] for place in block]):
            continue
        price, tax = _pair(rows[block[-1]])
        added = any(price + tax == a.value for below in rows[end:] if below.names_total for a in below.likely)
        for place in block[:-1] if added else block:
            found[place] = _without_last(rows[place])
    return tuple(found)


def _heads_tax(rows: Sequence[AmountRow]) -> bool:
    """Whether a row, perhaps with the one above it, has headings, the last of which names a tax."""
    words = [m for row in rows if not row.amounts for m in row.roles]
    heads = [m.role for m in words if m.weight >= POSSIBLE and m.role in ("column", "tax", "total")]
    own = [m for m in rows[-1].roles if m.weight >= LIKELY and not rows[-1].amounts]
    last = [m.role for m in own if m.start == max(m.start for m in own)]
    return len(heads) >= _PAIR and "tax" in last and heads[0] != "tax"


def _is_wrapped(row: AmountRow) -> bool:
    """Whether a row is the first of a name that goes on below: it has words, and no amount with decimals. Or
    it numbers the columns."""
    plain = not any(a.decimals for a in row.amounts) and not row.percents and not row.names_total
    return plain and not _is_priced_and_taxed(row)


def _is_priced_and_taxed(row: AmountRow) -> bool:
    if len(row.likely) < _PAIR or not all(map(_is_money, row.likely[-_PAIR:])):
        return False
    price, tax = _pair(row)
    plain = not row.percents or len(row.likely) > _PAIR  # beside a rate, with the price of one
    return 0 <= _PAIR * tax < price and plain and row.amount is row.likely[-1]


def _is_money(amount: AmountReading) -> bool:
    """Whether a number has decimals, or parted thousands as the money of a currency without decimals."""
    return amount.decimals > 0 or not amount.raw.isdigit()


def _pair(row: AmountRow) -> tuple[Decimal, Decimal]:
    """The last two amounts of a row."""
    price, tax = row.likely[-_PAIR:]
    return price.value, tax.value


def _adds_up(rows: Sequence[AmountRow]) -> bool:
    """Whether the last row is labelled as a total and adds up both amounts of those above it."""
    if len(rows) < _PAIR or not rows[-1].names_total:
        return False
    prices, taxes = zip(*map(_pair, rows[:-1]), strict=True)
    return (sum(prices, ZERO), sum(taxes, ZERO)) == _pair(rows[-1])


def _without_last(row: AmountRow) -> AmountRow:
    """The row without its last amount."""
    *likely, last = row.likely
    amounts = tuple(a for a in row.amounts if a.end <= last.start)
    return replace(row, amounts=amounts, likely=tuple(likely), amount=likely[-1])

"""Which amounts stand in the page's amount column."""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.arithmetic.products import is_likely, multiplies_to
from receipt_engine.document import AmountRow, QuantityReading, QuantityRule
from receipt_engine.vocabulary.normalise import count_letters

#: Letters of the shortest name.
_MIN_NAME = 2
#: How far, as a share of the text's width, amounts of one column may end from each other.
ALIGNED = 0.05


def in_column(rows: Sequence[AmountRow]) -> tuple[bool, ...]:
    """For every row, whether its amount ends where most others end; those of tip guides stand in no column.

    The column is the right edge that gathers the most amounts; amounts a little to its left (a tax code
    or a minus stands behind others) belong to it.
    """
    edges = [_edge(row) for row in rows]
    found = [e for e in edges if e is not None]
    if not found:
        return tuple(False for _ in rows)
    left = min(row.line.left for row in rows)
    right = max(row.line.right for row in rows)
    width = max(1.0, right - left)

    def support(edge: float) -> float:
        return sum(1 for e in found if abs(e - edge) < 0.06 * width) + 0.3 * (edge - left) / width

    center = max(found, key=support)
    return tuple(
        e is not None
        and (center - 0.2 * width < e < center + 0.15 * width + row.line.height or _is_sold(row))
        for row, e in zip(rows, edges, strict=True)
    )


def _is_sold(row: AmountRow) -> bool:
    """Whether a name, a count with its sign and a price stand before an amount that they multiply to: a
    product's, wherever it ends."""
    amount = row.amount
    return amount is not None and any(
        quantity.rule is not QuantityRule.PRODUCT
        and quantity.end <= amount.start
        and multiplies_to(quantity, amount)
        and count_letters(row.text[: quantity.start]) >= _MIN_NAME
        for quantity in row.quantities
    )


def _edge(row: AmountRow) -> float | None:
    """Where the row's likely amount ends."""
    amount = row.amount
    if row.guide or amount is None or not is_likely(row, amount):
        return None
    return row.line.place(amount.start, amount.end)[1]


def _ends_row(row: AmountRow, quantity: QuantityReading) -> bool:
    """Whether a count of several ends the row with its price."""
    return (
        quantity.price_end is not None and quantity.value > 1 and not row.text[quantity.price_end :].strip()
    )


def is_detail(rows: Sequence[AmountRow], at: int) -> bool:
    """Whether a row is nothing but a count and a price that multiply to the amount right above or below, or
    ends with those of an amount that stands alone below ("ROLLER SET 2 x 8,49" above "16,98")."""
    row = rows[at]
    below = rows[at + 1].amount if at + 1 < len(rows) else None
    alone = below is not None and not any(map(str.isalnum, rows[at + 1].text[: below.start]))
    if (
        alone
        and below is not None
        and any(_ends_row(row, q) and multiplies_to(q, below) for q in row.quantities)
    ):
        return True
    for quantity in row.quantities:
        rest = row.text[: quantity.start] + row.text[quantity.end :]
        if quantity.unit_price is None or any(c.isalnum() for c in rest):
            continue
        for other in (*rows[max(0, at - 1) : at], *rows[at + 1 : at + 2]):
            amount = other.amount
            if amount is not None and multiplies_to(quantity, amount) and other.text[: amount.start].strip():
                return True
    return False

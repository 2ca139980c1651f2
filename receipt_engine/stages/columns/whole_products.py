"""Products in whole amounts above a total with cents: "DAL FRY 2 120 240", "TOTAL 240.00".

Tills of countries whose prices are whole print them as they were typed in, and the totals with two decimals.
Alone such a number is a count or a code; together they are amounts when they add up to the first total.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from receipt_engine.arithmetic.products import is_product_of
from receipt_engine.document import ZERO, AmountReading, AmountRow
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.scoring.costs import DOUBTFUL
from receipt_engine.stages.columns.amount_column import ALIGNED

#: Rows of products, and rows without a number between two of them, at most.
_MAX_ROWS = 60
_MAX_BETWEEN = 2
#: Products that add up by themselves; fewer need their quantity and price.
_MIN_SUM = 3
_TOTALS: frozenset[Role] = frozenset(("subtotal", "total"))
#: Rows with such words are no products, whatever their numbers.
_OTHERS: frozenset[Role] = frozenset(
    ("date", "time", "phone", "fax", "tax_id", "receipt_number", "cashier", "item_count", "column")
)

_Final = tuple[int, AmountReading]


def whole_products(rows: Sequence[AmountRow]) -> list[_Final]:
    """The last numbers of the rows that add up to the first total, with their rows; none when they do not."""
    below = next((i for i, row in enumerate(rows) if _is_total(row)), None)
    if below is None:
        return []
    total = rows[below].amount
    assert total is not None
    found: list[_Final] = []
    running = ZERO
    for index, amount in _column(rows, below):
        found.insert(0, (index, amount))
        running += whole_value(amount)
        if running >= total.value:
            break
    if running != total.value or not running:
        return []
    return found if len(found) >= _MIN_SUM or all(_is_counted(rows[i], a) for i, a in found) else []


def whole_value(amount: AmountReading) -> Decimal:
    """The amount's digits as one whole number."""
    return Decimal("".join(c for c in amount.raw if c.isdecimal()) or "0")


def _column(rows: Sequence[AmountRow], below: int) -> Iterator[_Final]:
    """The numbers that end the rows above one, upwards, as long as they end in one column."""
    width = max(row.line.right for row in rows) - min(row.line.left for row in rows)
    edge: float | None = None
    between = 0
    for index in range(below - 1, max(-1, below - 1 - _MAX_ROWS), -1):
        row = rows[index]
        amount = _last_number(row)
        right = row.line.place(amount.start, amount.end)[1] if amount is not None else 0.0
        if amount is None or (edge is not None and abs(right - edge) > ALIGNED * width):
            between += 1
            if between > _MAX_BETWEEN or any(a.is_plausible for a in row.amounts):
                return
            continue
        edge = right if edge is None else edge
        between = 0
        yield index, amount


def _last_number(row: AmountRow) -> AmountReading | None:
    """A whole number that ends a row about nothing but what was sold."""
    if not row.amounts or any(date.cost < DOUBTFUL for date in row.dates[:1]):
        return None
    if any(m.role in _OTHERS and m.weight >= LIKELY for m in row.roles):
        return None
    last = row.amounts[-1]
    plain = last.raw.isdecimal() and last.currency is None and not row.text[last.end :].strip(" .-|")
    return last if plain and not row.text[: last.start][-1:].isalnum() else None


def _is_counted(row: AmountRow, amount: AmountReading) -> bool:
    """Whether a quantity and a price before the amount multiply to it."""
    return is_product_of([whole_value(a) for a in row.amounts if a.end <= amount.start], whole_value(amount))


def _is_total(row: AmountRow) -> bool:
    """Whether an amount with cents is called a total or a subtotal."""
    amount = row.amount
    if amount is None or not amount.is_plausible or not amount.decimals:
        return False
    return any(m.role in _TOTALS and m.weight >= LIKELY and m.start < amount.start for m in row.roles)

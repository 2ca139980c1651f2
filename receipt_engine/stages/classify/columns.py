"""Which amounts stand in the page's amount column."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from decimal import Decimal

from receipt_engine.document import AmountReading, ParsedLine, QuantityReading

#: Cost up to which an amount is taken for one when the column is looked for.
PLAUSIBLE = 1.5
#: Letters of a tax code, and what else may follow an amount on its row.
_MAX_CODE = 4
_ROUNDING = Decimal("0.011")
_HALF = Decimal("0.5")
#: Decimals from which a quantity is a measure.
_MEASURED = 3
#: From here amounts are also printed without cents.
_LARGE = 1000
_COUNT = re.compile(r"(?<![\w.,/-])(\d{1,2})(?![\w.,%/-])")


def plausible(parsed: ParsedLine) -> tuple[AmountReading, ...]:
    """The row's amounts that are amounts by their looks or by what they multiply; else its last one."""
    found = tuple(a for a in parsed.amounts if is_plausible(parsed, a))
    return found or parsed.amounts[-1:]


def is_plausible(parsed: ParsedLine, amount: AmountReading) -> bool:
    """Whether it looks like an amount, or a quantity and a price before it multiply to it ("2 x 9.00 18.00
    G", where the letter is a tax code and no gram)."""
    if amount.readings[0].cost < PLAUSIBLE:
        return True
    return amount.decimals > 0 and any(q.end <= amount.start and fits(q, amount) for q in parsed.quantities)


def fits(quantity: QuantityReading, amount: AmountReading) -> bool:
    """Whether quantity × unit price is one of the amount's readings."""
    if quantity.unit_price is None:
        return False
    product = abs(quantity.value * quantity.unit_price / quantity.per)
    most = product_rounding(quantity.value, quantity.unit_price)
    if not amount.decimals and product >= _LARGE:
        most += _HALF  # large amounts without cents are rounded to units
    return any(abs(product - abs(m.value)) <= most for m in amount.readings)


def product_rounding(quantity: Decimal, price: Decimal) -> Decimal:
    """How far quantity × price may be from the printed amount: a cent, and what a measure of three decimals
    was rounded by."""
    decimals = -int(quantity.as_tuple().exponent)
    return _ROUNDING + (abs(price) * _HALF.scaleb(-decimals) if decimals >= _MEASURED else 0)


def row_amount(parsed: ParsedLine) -> AmountReading | None:
    """The row's last plausible amount, when nothing but a tax code, a rate or a mark follows it."""
    found = plausible(parsed)
    if not found:
        return None
    end = found[-1].end
    rate = next((p for p in parsed.percents if p.start >= end), None)
    if rate is not None and not parsed.text[end : rate.start].strip():
        end = rate.end
    rest = parsed.text[end:].strip(" *#:|.-")
    return found[-1] if len(rest) <= _MAX_CODE else None


def is_counted(parsed: ParsedLine) -> bool:
    """Whether a count and a price are printed before an amount that they multiply to."""
    amount = row_amount(parsed)
    if amount is None or parsed.percents or not _like_money(amount):
        return False
    text = parsed.text[: amount.start]
    prices = [
        a
        for a in parsed.amounts
        if a.end <= amount.start and _like_money(a) and a.readings[0].cost < PLAUSIBLE
    ]
    counts = [m for m in _COUNT.finditer(text) if not any(p.start <= m.start() < p.end for p in prices)]
    return any(p.value * Decimal(m.group(1)) == amount.value != 0 for p in prices for m in counts)


def _like_money(amount: AmountReading) -> bool:
    """Whether it has decimals, or thousands or a currency where there are none."""
    return amount.decimals > 0 or amount.currency is not None or not amount.raw.isdigit()


def in_column(rows: Sequence[ParsedLine], apart: Collection[int] = ()) -> tuple[bool, ...]:
    """For every row, whether its last amount is plausible and ends where most others end. apart: indices of
    rows whose amounts stand in no column.

    The column is the right edge that gathers the most amounts; amounts a little to its left (a tax code
    or a minus stands behind others) belong to it.
    """
    edges: list[tuple[float, float] | None] = []
    for at, parsed in enumerate(rows):
        amount = row_amount(parsed) if at not in apart else None
        if amount is None or not is_plausible(parsed, amount):
            edges.append(None)
        else:
            edges.append((parsed.line.place(amount.start, amount.end)[1], parsed.line.height))
    found = [e for e in edges if e is not None]
    if not found:
        return tuple(False for _ in rows)
    left = min(p.line.left for p in rows)
    right = max(p.line.right for p in rows)
    width = max(1.0, right - left)

    def support(edge: float) -> float:
        return sum(1 for e, _ in found if abs(e - edge) < 0.06 * width) + 0.3 * (edge - left) / width

    center = max((e for e, _ in found), key=support)
    return tuple(e is not None and center - 0.2 * width < e[0] < center + 0.15 * width + e[1] for e in edges)


def _ends_row(parsed: ParsedLine, quantity: QuantityReading) -> bool:
    """Whether a count of several ends the row with its price."""
    return (
        quantity.price_end is not None
        and quantity.value > 1
        and not parsed.text[quantity.price_end :].strip()
    )


def is_detail(rows: Sequence[ParsedLine], at: int) -> bool:
    """Whether a row is nothing but a count and a price that multiply to the amount right above or below, or
    ends with those of an amount that stands alone below ("ROLLER SET 2 x 8,49" above "16,98")."""
    parsed = rows[at]
    below = row_amount(rows[at + 1]) if at + 1 < len(rows) else None
    alone = below is not None and not any(map(str.isalnum, rows[at + 1].text[: below.start]))
    if (
        alone
        and below is not None
        and any(_ends_row(parsed, q) and fits(q, below) for q in parsed.quantities)
    ):
        return True
    for quantity in parsed.quantities:
        rest = parsed.text[: quantity.start] + parsed.text[quantity.end :]
        if quantity.unit_price is None or any(c.isalnum() for c in rest):
            continue
        for other in (at - 1, at + 1):
            amount = row_amount(rows[other]) if 0 <= other < len(rows) else None
            if amount is not None and fits(quantity, amount) and rows[other].text[: amount.start].strip():
                return True
    return False

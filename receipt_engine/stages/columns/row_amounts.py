"""The amount that ends a row, seen by itself."""

from __future__ import annotations

import re
from decimal import Decimal

from receipt_engine.arithmetic.products import is_likely, multiplies_to
from receipt_engine.document import AmountReading, AmountRow, LabelledRow

#: Letters of a tax code, and what else may follow an amount on its row.
_MAX_CODE = 4
#: Columns of nutrition behind a price ("$9.50 620 21 54 38"): two whole numbers or more.
_NUTRITION = re.compile(r"\d{1,4}(?: +\d{1,4})+")
_COUNT = re.compile(r"(?<![\w.,/-])(\d{1,2})(?![\w.,%/-])")


def as_amount_row(row: LabelledRow) -> AmountRow:
    """The row with its amount, not yet compared with the rest of the page."""
    likely = tuple(a for a in row.amounts if is_likely(row, a)) or row.amounts[-1:]
    amount = _last(row, likely)
    return AmountRow(
        line=row.line,
        text=row.text,
        amounts=row.amounts,
        percents=row.percents,
        quantities=row.quantities,
        dates=row.dates,
        times=row.times,
        roles=row.roles,
        guide=row.guide,
        amount=amount,
        likely=likely,
        counted=amount is not None and _is_counted(row, amount),
    )


def _last(row: LabelledRow, likely: tuple[AmountReading, ...]) -> AmountReading | None:
    """The last likely amount, when nothing but a tax code, a rate or a mark follows it."""
    if not likely:
        return None
    end = likely[-1].end
    rate = next((p for p in row.percents if p.start >= end), None)
    if rate is not None and not row.text[end : rate.start].strip(" ("):
        end = rate.end
    rest = row.text[end:].strip(" *#:|.-)")
    priced = likely[-1].currency is not None and likely[-1].decimals > 0
    behind = len(rest) <= _MAX_CODE or (priced and _NUTRITION.fullmatch(rest) is not None)
    return likely[-1] if behind else None


def _is_counted(row: LabelledRow, amount: AmountReading) -> bool:
    """Whether a count and a price are printed before an amount that they multiply to."""
    if row.percents:
        return False
    if any(q.end <= amount.start and q.value != 1 and multiplies_to(q, amount) for q in row.quantities):
        return True
    if not _like_money(amount):
        return False
    prices = [a for a in row.amounts if a.end <= amount.start and _like_money(a) and a.is_plausible]
    counts = [
        m
        for m in _COUNT.finditer(row.text[: amount.start])
        if not any(p.start <= m.start() < p.end for p in prices)
    ]
    return any(p.value * Decimal(m.group(1)) == amount.value != 0 for p in prices for m in counts)


def _like_money(amount: AmountReading) -> bool:
    """Whether it has decimals, or thousands or a currency where there are none."""
    return amount.decimals > 0 or amount.currency is not None or not amount.raw.isdigit()

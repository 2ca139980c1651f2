"""Reads the headings above the products' columns: what stands below them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations
from typing import Literal

from msgspec.structs import replace

from receipt_engine.document import (
    MEASURED,
    AmountRow,
    LabelledRow,
    QuantityReading,
    QuantityRule,
    decimals_of,
)
from receipt_engine.scoring.certainty import POSSIBLE
from receipt_engine.vocabulary import find_terms
from receipt_engine.vocabulary.normalise import count_letters

#: How much nearer to the heading of quantities than the other number one must be to be the quantity.
_NEARER = 0.5
#: A count as tills print it that also sell by weight.
_COUNT = re.compile(r"[1-9]\d{0,2}[.,]0{1,3}")
#: The largest count of a product; a larger number is a price, even where print is shifted below its headings.
_MOST = 999
#: The parts of an hour, a metre or a portion that are sold.
_TENTH, _QUARTER = Decimal("0.1"), Decimal("0.25")
#: A number without decimals, apart from words.
_WHOLE = re.compile(r"(?<![\w.,/-])\d{1,5}(?![\w.,/%-])")
#: Distance in row heights of the middles of a heading and of a number below it, which ends or begins with it.
_BELOW = 2.0
#: Rules that take two numbers for quantity and price by their product alone, whatever their order.
_BY_PRODUCT = frozenset((QuantityRule.PRODUCT, QuantityRule.COLUMNS))


def heads(row: LabelledRow) -> bool:
    """Whether a row has column headings: two or more, or one and a word for quantity."""
    sure = [m.role for m in row.roles if m.weight >= POSSIBLE]
    columns = sure.count("column")
    counts = "quantity" in sure or "item_count" in sure
    return not row.amounts and (columns >= 2 or (columns == 1 and counts))


def names_tax(row: LabelledRow) -> bool:
    """Whether one of a row's headings is that of a tax."""
    return any(m.role == "tax" and m.weight >= POSSIBLE for m in row.roles)


def quantity_heading(rows: Sequence[AmountRow]) -> float | None:
    """The middle of the heading of quantities, as a place on the page; None without one."""
    for row in rows:
        found = (
            next((t for t in find_terms(row.text) if t.term == "quantity_label"), None)
            if heads(row)
            else None
        )
        if found is not None:
            return _middle(row, found.start, found.end)
    return None


def names_units(row: LabelledRow) -> bool:
    """Whether one of a row's headings is that of a column of units."""
    return heads(row) and any(term.term == "unit_heading" for term in find_terms(row.text))


def as_headed(
    row: AmountRow, quantity: QuantityReading | None, heading: float | None
) -> QuantityReading | None:
    """The row's quantity; with its price exchanged for it if the heading of quantities is above that. Without
    one, a number below the heading that makes the amount with a price in whole units ("2  45  40  80.00"), or
    a whole number with decimals, where no price is printed: "Nail trim  2.00  18.00"."""
    if heading is not None and (quantity is None or quantity.unit_price is None):
        return _headed(row, heading) or quantity or _below(row, heading)
    if quantity is None or heading is None or quantity.rule not in _BY_PRODUCT:
        return quantity
    if quantity.kind != "count" and _is_below(row, quantity.start, quantity.end, heading):
        return replace(quantity, kind=_kind(row, quantity))
    start, end, price = quantity.price_start, quantity.price_end, quantity.unit_price
    if start is None or end is None or price is None or quantity.unit is not None:
        return quantity
    end = next((a.end for a in row.amounts if a.start == start), end)  # without a discount behind it
    own = abs(_middle(row, quantity.start, quantity.end) - heading)
    other = abs(_middle(row, start, end) - heading)
    if other >= _NEARER * own or price > _MOST:
        return quantity
    turned = replace(
        quantity,
        raw=row.text[start:end],
        start=start,
        end=end,
        value=price,
        unit_price=quantity.value,
        price_start=quantity.start,
        price_end=quantity.end,
    )
    return replace(turned, kind=_kind(row, turned))


def _kind(row: AmountRow, pair: QuantityReading) -> Literal["count", "weight"]:
    """What a number below the heading is, by its decimals, its price's and the unit behind it: tenths and
    quarters, of an hour or a portion, come from no scale or pump."""
    measured = pair.unit_price is not None and decimals_of(pair.unit_price) >= MEASURED
    part = decimals_of(pair.value) < MEASURED and 0 in (pair.value % _TENTH, pair.value % _QUARTER)
    weighed = measured or not part or count_letters(row.text[pair.end : pair.price_start]) > 0
    return "weight" if pair.value % 1 and weighed else "count"


def _headed(row: AmountRow, heading: float) -> QuantityReading | None:
    """The number below the heading and a price in whole units behind it that make the amount."""
    amount = row.amount
    if amount is None:
        return None
    for count, price in combinations(_WHOLE.finditer(row.text, 0, amount.start), 2):
        value, each = Decimal(count.group()), Decimal(price.group())
        if count_letters(row.text[price.end() : amount.start]):
            continue  # a size: "1 Sake 180 ml  180.00"
        if value * each == amount.value != 0 and _is_below(row, *count.span(), heading):
            return QuantityReading(
                count.group(), count.start(), price.start(), value, "count", None, 0.3,
                QuantityRule.COLUMNS, each, Decimal(1), *price.span(),
            )  # fmt: skip
    return None


def _below(row: AmountRow, heading: float) -> QuantityReading | None:
    """The number right before a row's amount, or before the name of one without, as a count, if it stands
    below the heading of quantities."""
    number = row.amounts[-2] if len(row.amounts) > 1 else next(iter(row.amounts), None)
    if number is None or (number is row.amounts[-1] and (row.amount is not None or number.start)):
        return None
    if _COUNT.fullmatch(number.raw) is None or row.text[: number.start].endswith("@ "):
        return None
    if not _is_below(row, number.start, number.end, heading):
        return None
    value = number.value.to_integral_value()
    return QuantityReading(
        number.raw, number.start, number.end, value, "count", None, 0.3, QuantityRule.LABEL
    )


def _is_below(row: LabelledRow, start: int, end: int, heading: float) -> bool:
    return abs(_middle(row, start, end) - heading) < _BELOW * row.line.height


def _middle(row: LabelledRow, start: int, end: int) -> float:
    left, right = row.line.place(start, end)
    return (left + right) / 2

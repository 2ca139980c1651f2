"""Reads what counts and prices a row's amount: its quantity, else numbers that end its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from receipt_engine.document import AmountReading, AmountRow, QuantityReading, RoleMatch
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.items.rows.quantities import row_values
from receipt_engine.stages.items.rows.words import trailing_count, trailing_price, trailing_product

#: A count alone beside a code, perhaps with its sign: "2", "1x", "*1".
_ONLY_COUNT = re.compile(r"(?:[xX×*] ?)?(-?[1-9]\d?)(?: ?[xX×*])?")


class Values(NamedTuple):
    """What counts and prices a row's amount. tail: a whole number after the words, perhaps from a column of
    quantities, with its left and right edge. text: the row's text without the values that end it."""

    text: str
    qty: Decimal | None = None
    price: Decimal | None = None
    unit: Decimal | None = None
    tail: tuple[Decimal, float, float] | None = None


def read_values(
    parsed: AmountRow,
    amount: AmountReading | None,
    quantity: QuantityReading | None,
    text: str,
    roles: Sequence[RoleMatch],
) -> Values:
    """The values of the row; whole numbers that end the text only where nothing else counts the amount."""
    qty, price, unit = row_values(parsed, amount, quantity)
    if amount is not None and qty is None and unit is None:
        return _trailing_values(parsed, amount, price, text, roles)
    count = trailing_count(text) if quantity is None and qty is not None else None
    return Values(text[: count[1]] if count is not None and count[0] == qty else text, qty, price, unit)


def _trailing_values(
    parsed: AmountRow, amount: AmountReading, price: Decimal | None, text: str, roles: Sequence[RoleMatch]
) -> Values:
    """The values that end the text of a row whose amount has no quantity of its own."""
    if (found := trailing_product(text, amount.value)) is not None:
        return Values(text[: found[2]], found[0], found[1])
    if (only := _ONLY_COUNT.fullmatch(text.strip())) is not None:
        return Values("", Decimal(only.group(1)), price)
    if (end_of_words := trailing_price(text, amount.value)) is not None:
        return Values(text[:end_of_words], price=amount.value)
    if (count := trailing_count(_before_code(text, roles))) is not None:
        return Values(text, price=price, tail=(count[0], *parsed.line.place(count[1], count[2])))
    return Values(text, price=price)


def _before_code(text: str, roles: Sequence[RoleMatch]) -> str:
    """The text before a tax code that ends it, in a column between the quantity and the amount."""
    code = next((m for m in roles if m.role == "tax" and m.weight < LIKELY), None)
    return text[: code.start] if code is not None and not text[code.end :].strip() else text

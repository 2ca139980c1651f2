"""Checks whether quantity × unit price = amount."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations

from receipt_engine.document import AmountReading, ParsedLine, QuantityReading, QuantityRule, decimals_of

_ROUNDING = Decimal("0.011")
_HALF = Decimal("0.5")
#: A quantity with at least this many decimals is measured (a weight, say), not counted.
_MEASURED = 3
#: Amounts of at least this size may be printed without cents.
_LARGE = 1000


def multiplies_to(quantity: QuantityReading, amount: AmountReading) -> bool:
    """Whether quantity × unit price is one of the amount's readings."""
    if quantity.unit_price is None:
        return False
    product = abs(quantity.value * quantity.unit_price / quantity.per)
    most = product_rounding(quantity.value, quantity.unit_price)
    if not amount.decimals and product >= _LARGE:
        most += _HALF  # large amounts without cents are rounded to units
    return any(abs(product - abs(m.value)) <= most for m in amount.readings)


def product_rounding(quantity: Decimal, price: Decimal) -> Decimal:
    """The tolerance of quantity × price: a cent, plus the rounding of a measured quantity (three or more
    decimals)."""
    decimals = decimals_of(quantity)
    return _ROUNDING + (abs(price) * _HALF.scaleb(-decimals) if decimals >= _MEASURED else 0)


def is_likely(row: ParsedLine, amount: AmountReading) -> bool:
    """Whether a number is probably an amount: it looks like one, or a quantity and price before it multiply
    to it ("2 x 9.00 18.00 G", where the letter is a tax code and no gram; "13 x 2 26", where the small
    number is an amount)."""
    if amount.is_plausible:
        return True
    whole = not any(other.decimals for other in row.amounts)
    return any(
        (amount.decimals > 0 or (whole and q.rule is not QuantityRule.PRODUCT))
        and q.end <= amount.start
        and multiplies_to(q, amount)
        for q in row.quantities
    )


def is_product_of(numbers: Sequence[Decimal], amount: Decimal) -> bool:
    """Whether two of the numbers, in any order, multiply to the amount.

    >>> is_product_of([Decimal(2), Decimal(170)], Decimal(340)), is_product_of([Decimal(170)], Decimal(340))
    (True, False)
    """
    return any(first * second == amount for first, second in combinations(numbers, 2))

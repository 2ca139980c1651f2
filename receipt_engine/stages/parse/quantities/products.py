"""Finds quantities that a row proves by arithmetic: of three numbers one is the product of the others.

Also defines the signs between a quantity and its unit price or its total: "x", "@", "for", "単価".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from receipt_engine.document import (
    MEASURED,
    AmountReading,
    AmountRule,
    QuantityReading,
    QuantityRule,
    decimals_of,
)
from receipt_engine.scoring.costs import ACCEPTED
from receipt_engine.vocabulary.terms import term_phrases
from receipt_engine.vocabulary.units import UnitPattern


class PriceSigns(NamedTuple):
    """Patterns of signs beside a price.

    times: between a quantity and its unit price or total. per: between the number of units that a price is
    for and that price ("@ 1 lb /0.58", "@ 2 for 5.00"). label: between a multiplication sign and the price
    ("2個 X 単158", "(2 X @148)"). bundles: words before the price of all units together.
    """

    times: re.Pattern[str]
    per: re.Pattern[str]
    label: re.Pattern[str]
    bundles: frozenset[str]


@cache
def price_signs() -> PriceSigns:
    """The signs, with the words of every language."""
    bundles = term_phrases("bundle_price")
    prices = term_phrases("each_price")
    words = "|".join(
        # Where a word touches the number, it is a size: "POT 6PO 12.99".
        "(?<![0-9])" * (len(word) > 1 and word in prices) + re.escape(word) + "(?= )" * (len(word) > 1)
        for word in (*bundles, *prices)
    )
    each = "|".join(map(re.escape, sorted(prices, key=len, reverse=True)))
    close = "|".join(re.escape(word) for word in term_phrases("each_price") if word > "\u3000")
    times = re.compile(
        r" ?(?:(?P<word>[^\W\d_]{2,12}|[\u3040-\u9fff])\.? )?"
        rf"(?P<sign>[xX*@]|(?i:{words})|/(?=[$€£]|[0-9]+[.,][0-9]{{2}}(?![0-9])))"
        rf"(?: |(?=[^\w\s]|[0-9]|{close}))"
    )
    per = re.compile(
        rf" ?(?P<per>[0-9]{{1,3}}) ?(?:[^\W\d_]{{1,3}} ?)?(?:/ ?|(?i:{'|'.join(map(re.escape, bundles))}) )"
    )
    return PriceSigns(times, per, re.compile(rf"(?: |@|(?i:{each}))*"), frozenset(bundles))


#: More than a tank takes.
_MOST_LITRES = 100
#: Rows with more numbers are no item rows.
_MAX_NUMBERS = 12
#: The text after a unit that belongs to a price rather than to a weight or volume ("1,99/kg").
_PRICE_OF = re.compile(r" ?/")


class _Number(NamedTuple):
    """One number of a row. value: as an amount; times: as a quantity; marked: a currency stands at it;
    money: it is probably an amount."""

    start: int
    end: int
    value: Decimal
    times: Decimal
    decimals: int
    marked: bool
    money: bool


def products(
    line: str, text: str, amounts: Sequence[AmountReading], units: UnitPattern
) -> Iterator[QuantityReading]:
    """The quantities of a row whose quantity, price and total are printed in that order, or price first.

    A span that may hold both a quantity and a price ("2 521.74") is tried whole and split.
    """
    if not 2 <= len(amounts) <= _MAX_NUMBERS:
        return
    whole = [_number(amount) for amount in amounts]
    yield from _in_row(text, whole, units)
    for index, amount in enumerate(amounts[:-1]):
        parts = _split(line, amount)
        if parts is not None:
            yield from _in_row(text, [*parts, *whole[index + 1 : index + 2]], units)
    count, price = whole[0], whole[-2]
    if not line[: count.start].strip() and count.times > 1 and not price.marked and len(whole) > 2:
        # "3 SOUP 200 600.00": the unit price is printed without its cents.
        yield from _in_row(text, [count, price._replace(value=price.times, money=True), whole[-1]], units)


def _in_row(text: str, numbers: Sequence[_Number], units: UnitPattern) -> Iterator[QuantityReading]:
    for (first, second), (_, total) in pairwise(pairwise(numbers)):
        if not total.money or not total.value:
            continue
        counted = is_scaled(first.times, second.value), is_scaled(second.times, first.value)
        measured = counted[1] if any(counted) else _is_measured(text, second.end, units)
        for quantity, price in ((second, first), (first, second))[:: 1 if measured else -1]:
            if not _is_product(quantity, price, total):
                continue
            dashed = text.startswith("- ", quantity.start) and total.value > 0  # "SOUP - 2 @ 4.50  9.00"
            count = abs(quantity.times) if dashed else quantity.times
            whole = count == count.to_integral_value() and (any(counted) or not measured)
            yield QuantityReading(
                text[quantity.start : quantity.end], quantity.start, quantity.end, count,
                "count" if whole else "weight", None,
                0.1 if measured or quantity is first else 0.2, QuantityRule.PRODUCT,
                abs(price.value), Decimal(1), price.start, price.end,
            )  # fmt: skip
            break


def is_scaled(number: Decimal, price: Decimal) -> bool:
    """Whether a number beside a price is printed as scales print it: a count ("2.000"; no price has three
    zeros), or a weight below one ("0.250"; no tank takes as many litres as the price)."""
    small = 0 < number < 1 and price >= _MOST_LITRES
    return decimals_of(number) >= MEASURED and (small or number % 1 == 0)


def _is_measured(text: str, end: int, units: UnitPattern) -> bool:
    unit = units.after(text, end)
    return unit is not None and unit.kind != "other" and not _PRICE_OF.match(text, unit.end)


def _is_product(quantity: _Number, price: _Number, total: _Number) -> bool:
    if not price.money or quantity.marked or not quantity.times:
        return False
    if price.decimals == 0 and abs(quantity.times) > abs(price.value):
        return False  # of two whole numbers the price is the larger
    if price.decimals == 0 < total.decimals == quantity.decimals and quantity.start < price.start:
        return False  # "1.98 x 2  3.96": the price comes first
    half_a_step = Decimal("0.5").scaleb(-total.decimals)
    if quantity.decimals >= MEASURED:
        half_a_step += abs(price.value) * Decimal("0.5").scaleb(-quantity.decimals)
    return abs(abs(quantity.times * price.value) - abs(total.value)) <= half_a_step


def _number(amount: AmountReading) -> _Number:
    best = amount.readings[0]
    plain = next(
        (m.value for m in amount.readings if m.rule is AmountRule.WHOLE and m.start is None), best.value
    )
    return _Number(
        amount.start,
        amount.end,
        best.value,
        plain,
        amount.decimals,
        amount.currency is not None,
        best.cost <= ACCEPTED,
    )


def _split(line: str, amount: AmountReading) -> tuple[_Number, _Number] | None:
    """Quantity and price of a span with a reading that starts later than the others; None without one."""
    later = next((m for m in amount.readings if m.start is not None and m.start > amount.start), None)
    if later is None or later.start is None or amount.currency is not None:
        return None
    head = line[amount.start : later.start].strip()
    if not head.lstrip("-").isdigit():
        return None
    count = Decimal(head)
    decimals = decimals_of(later.value)
    quantity = _Number(amount.start, amount.start + len(head), count, count, 0, False, False)
    return quantity, _Number(later.start, amount.end, abs(later.value), later.value, decimals, False, True)

"""Finds the count or measure of a product row by arithmetic: with a price, it makes the amount."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from msgspec.structs import replace

from receipt_engine.arithmetic.products import product_rounding
from receipt_engine.document import (
    MEASURED,
    AmountReading,
    ParsedLine,
    QuantityReading,
    QuantityRule,
    decimals_of,
)
from receipt_engine.vocabulary import term_at_end
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.units import is_abbreviated

#: A unit price with three to five decimals, of electricity or screws.
_FINE_PRICE = re.compile(r"\d{1,3}[.,]\d{3,5}")
_ROUNDING = Decimal("0.011")
#: From this count on, the rounding of the price of one shows in the amount: "FLYERS 100 0.73 73.14".
_MANY = 10
_HALF = Decimal("0.5")
#: Numbers that may be a count or measure; text allowed between one and its price: unit, sign, bracket.
_NUMBER = re.compile(r"(?<![\w.,/-])-?\d{1,5}(?:[.,]\d{1,3})?(?=[xX×]? |[^\w.,%/-]|$)")
_BETWEEN = re.compile(r"[ (@]*[^\W\d_]{0,5}[ .)@*×à:-]{0,4}")
#: The regular price, in a column before the reduced one.
_REGULAR = re.compile(r" +(\d{1,4})[.,](\d{2}) +")
_TIMES = re.compile(r"(?:[@*×]|\b[xàaá]) *$")
#: A discount in percent or money, in a column after the price, perhaps before the rate of the tax.
_OFF = re.compile(r" *-?(\d{1,3}(?:[.,]\d{1,2})?) ?%?(?: +\d{1,2}(?:[.,]\d{1,2})? ?%)? *")
#: The rate of the tax, in a column between the price and the amount.
_RATE = re.compile(r" +\d{1,2}(?:[.,]\d{1,2})? ?%? +")
#: The whole rate of a discount or tax, in a column of its own.
_WHOLE_RATE = re.compile(r"(?<=[ %])[1-9]\d?(?=[ %])")
#: The smallest amount beside others of a currency without decimals; smaller numbers may be rates.
_LEAST_WHOLE = 100
#: The largest amount with tax, as a multiple of the amount without.
_WITH_TAX = Decimal("1.3")
#: Costs of a count or measure and a price that make the amount: words between the two, words on both sides of
#: the number (as of a size), a count after its price, a discount; and the highest total cost.
_APART, _AMONG, _BEHIND, _LESS, _MOST = 0.3, 0.5, 0.2, 0.2, 0.9


class _Factor(NamedTuple):
    """A number of the row that may be a count, measure or price. known: the parser's reading with a unit."""

    value: Decimal
    start: int
    end: int
    known: QuantityReading | None = None

    @property
    def kind(self) -> Literal["count", "weight", "volume"]:
        if self.known is not None:
            return self.known.kind
        return "volume" if decimals_of(self.value) >= MEASURED and self.value % 1 else "count"


def made_of(
    parsed: ParsedLine, amount: AmountReading, usable: Sequence[QuantityReading]
) -> QuantityReading | None:
    """The cheapest pair of number and price before the amount that multiplies to it, in any order and with
    any text between: "2x Soup 4.50 9.00", "0,10 2x 0,20", "6,50 hrs 52,00 338,00", "5 8,90 10,00 40,05"."""
    prices = [
        _Factor(
            Decimal(a.raw.replace(",", "."))
            if amount.decimals and _FINE_PRICE.fullmatch(a.raw)
            else abs(a.value),
            a.start,
            a.end,
        )
        for a in parsed.amounts
        if a.end <= amount.start
        and (a.is_plausible or a.decimals or _FINE_PRICE.fullmatch(a.raw) or _is_of_one(parsed.text, a.start))
    ]
    known = [
        _Factor(q.value, q.start, q.end, q)
        for q in usable
        if q.end <= amount.start and (q.unit_price is None or (q.price_start or 0) >= q.end)
    ]
    plain = [
        _Factor(Decimal(m.group().replace(",", ".")), *m.span())
        for m in _NUMBER.finditer(parsed.text, 0, amount.start)
    ]
    found = [
        (cost, reading)
        for price in prices
        for factor in (*known, *plain)
        if (made := _pair(parsed, amount, factor, price)) is not None
        for cost, reading in (made,)
    ]
    return min(found, key=lambda pair: pair[0], default=(0.0, None))[1]


def _is_of_one(text: str, start: int) -> bool:
    """Whether a word for the price of one touches a number: "単148 3個  444"."""
    return text[:start][-1:].isalpha() and term_at_end(text[:start], "each_price") is not None


def _pair(
    parsed: ParsedLine, amount: AmountReading, factor: _Factor, price: _Factor
) -> tuple[float, QuantityReading] | None:
    """(cost, quantity) of a number and a price that make the amount; None if they do not."""
    text, known = parsed.text, factor.known
    if (factor.start < price.end and price.start < factor.end) or not factor.value or not price.value:
        return None
    if decimals_of(factor.value) and (not decimals_of(price.value) or price.value == 1):
        return None
    first = factor.end <= price.start
    between = text[factor.end : price.start] if first else text[price.end : factor.start]
    beside = _BETWEEN.fullmatch(between) is not None or (first and _is_regular(between, price.value))
    signed = count_letters(between) == 0 or _TIMES.search(between) is not None
    if known is None and not beside and factor.kind != "count":
        return None
    if known is None and factor.value == 1 and not decimals_of(factor.value) and not (beside and signed):
        return None
    most = _ROUNDING if factor.kind == "count" else product_rounding(factor.value, price.value)
    if known is None and beside and first and signed and factor.kind == "count" and factor.value >= _MANY:
        most = max(most, factor.value * _HALF.scaleb(-decimals_of(price.value)))
    made = abs(factor.value) * price.value
    left = _left(parsed, made, price, amount) if first else (made,)
    fits = [at for at, value in enumerate(left) if abs(value - abs(amount.value)) <= most]
    if not fits:
        return None
    words_before = any(map(str.isalpha, text[: factor.start]))
    words_behind = any(map(str.isalpha, between if first else text[factor.end : amount.start]))
    among = words_before and words_behind and not beside
    cost = _APART * (not beside) + _AMONG * among + _BEHIND * (not first) + _LESS * (fits[0] > 0)
    column = (_OFF.match if fits[0] else _RATE.fullmatch)(text, price.end, amount.start)
    reading = _as_reading(text, factor, price, column.end() if first and column is not None else price.end)
    reading = replace(reading, start=price.start, end=price.start) if among else reading
    return (cost, reading) if cost <= _MOST else None


def _as_reading(text: str, factor: _Factor, price: _Factor, price_end: int) -> QuantityReading:
    """The number and its price as a quantity."""
    known, end = factor.known, factor.end
    named = known is not None and not is_short(known) and bool(text[known.end : price.start].strip())
    if known is not None and named:  # the unit is part of the name: "2 glasses of wine"
        end = factor.start + len(known.raw.partition(" ")[0])
    return QuantityReading(
        text[factor.start : factor.end], factor.start, end, factor.value, factor.kind,
        known.unit if known is not None else None, 0.3, QuantityRule.COLUMNS,
        price.value, Decimal(1), price.start, price_end,
    )  # fmt: skip


def _is_regular(between: str, price: Decimal) -> bool:
    """Whether the text between count and price is a higher price, which was reduced: "1  3.90  2.90"."""
    regular = _REGULAR.fullmatch(between)
    return regular is not None and Decimal(f"{regular[1]}.{regular[2]}") > price


def _left(parsed: ParsedLine, whole: Decimal, price: _Factor, amount: AmountReading) -> tuple[Decimal, ...]:
    """The product of count and price, and the possible values after a discount column past the price: in
    money or percent ("3  5.20  1.50  14.10"), or as the percentage that is paid; or after a column of taxes
    ("2  6.00  2.40  14.40") or their rate ("2  6.00  20  14.40"), or the amount with tax behind the product,
    perhaps reduced ("2  6.00  12.00  14.40"). whole: the product."""
    others = [
        o
        for o in parsed.amounts
        if price.end <= o.start and o.end <= amount.start
        if o.decimals or (not amount.decimals and o.value >= _LEAST_WHOLE)
    ]
    taxes = [o.value for o in others if 0 < 2 * o.value < whole]
    less = [abs(o.value) for o in others if 0 < abs(o.value) < price.value]
    off = _OFF.fullmatch(parsed.text, price.end, amount.start) if price.end < amount.start else None
    if off is not None:
        number = Decimal(off[1].replace(",", "."))
        less += [number, whole * number / 100, whole * (100 - number) / 100]
    rates = [Decimal(found.group()) for found in _WHOLE_RATE.finditer(parsed.text, price.end, amount.start)]
    reduced = [whole, *(whole * (100 - rate) / 100 for rate in rates)]
    taxed = [abs(amount.value)] if any(o.value in reduced for o in others) else []
    return (
        whole,
        *(whole - value for value in less),
        *reduced[1:],
        *(whole + value for value in taxes),
        *(whole * (100 + rate) / 100 for rate in rates),
        *(value for value in taxed if whole < value <= _WITH_TAX * whole),
    )


def is_short(quantity: QuantityReading) -> bool:
    """Whether the unit is an abbreviation: a whole word after a name is a pack size ("9 ROLL")."""
    unit = quantity.unit or ""
    return len(unit) <= 2 or is_abbreviated(unit)

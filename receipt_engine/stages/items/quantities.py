"""How many or how much of it a product row tells, and at which price."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.arithmetic.products import multiplies_to, product_rounding
from receipt_engine.document import MEASURED, ZERO, AmountReading, ParsedLine, QuantityReading, QuantityRule
from receipt_engine.stages.items.words import blank
from receipt_engine.vocabulary.units import is_abbreviated, measures_size

_TIMES_COUNT = re.compile(r"[xX]-?\d{1,2}")
_COUNT = re.compile(r"(?<![\w.,/-])(-?\d{1,3})(?:\.0{1,3})?(?![\w.,%/-])")
_ROUNDING = Decimal("0.011")
#: A pack: so many of a size that is no price.
_GLUED_SIZE = re.compile(r"\d{1,3}[xX](?:0?[.,]\d{1,3}|\d{1,4}(?:[.,]\d)?)[^\W\d_]{0,2}(?![\w.,])")
#: Decimals of a printed weight or volume, and how much may stand between it and its price.
_MAX_BETWEEN = 6
#: A count with its unit that ends a text, and all that is printed between a price and an amount.
_COLUMN_COUNT = re.compile(r"(?<![\w.,/-])(\d{1,3}(?:[.,]\d{1,3})?)(?: ?([^\W\d_]{1,5})\.?)? *$")
_OFF = re.compile(r" *(?:-?(\d{1,3}(?:[.,]\d{1,2})?) ?%?)? *")


def row_quantity(parsed: ParsedLine, amount: AmountReading | None) -> QuantityReading | None:
    """The quantity whose arithmetic fits the amount, else the cheapest one with a price, else a count."""
    usable = [q for q in parsed.quantities if q.cost < 2.5 and not _is_mark(q, amount)]
    if amount is not None:
        for quantity in usable:
            if quantity.unit_price is not None and multiplies_to(quantity, amount):
                return quantity
        multiplied = (
            _counted_first(usable, amount)
            or _multiplied(parsed, amount)
            or _measured(parsed, amount, usable)
            or _priced_before(parsed, amount, usable)
            or _in_columns(parsed, amount)
        )
        if multiplied is not None:
            return multiplied
        if amount.value < 0:  # "3 FOR 66  -13.50" names an offer
            usable = [q for q in usable if q.per == 1]
    usable = [q for q in usable if q.unit_price is None or not _is_size(parsed, amount, q)]
    with_price = [q for q in usable if q.unit_price is not None]
    if with_price:
        return min(with_price, key=lambda q: q.cost)
    counts = (q for q in usable if q.kind == "count" and q.rule is QuantityRule.UNIT)
    priced = next((q for q in counts if _price_of(parsed, amount, q) is not None), None)
    if priced is not None:
        return priced
    text = parsed.text[: amount.start] if amount is not None else parsed.text
    prices = [(a.start, a.end) for a in parsed.amounts if a.end <= len(text) and (a.decimals or a.currency)]
    text = blank(text, prices)
    return next((q for q in usable if q.end <= len(text) and _is_counted(text, q)), None)


def _is_mark(quantity: QuantityReading, amount: AmountReading | None) -> bool:
    """Whether a star between a number and the row's amount marks the amount ("TABS 20 * 48.95")."""
    return (
        amount is not None
        and quantity.rule is QuantityRule.STARRED_PRICE
        and quantity.price_start == amount.start
    )


def _counted_first(usable: Sequence[QuantityReading], amount: AmountReading) -> QuantityReading | None:
    """The count before the name whose price stands behind a size: "2 STEAK 300G @179.90  359.80"."""
    lead = next((q for q in usable if q.rule is QuantityRule.LEADING), None)
    for sized in usable:
        if lead is None or sized.kind == "count" or sized.price_start is None or sized.price_end is None:
            continue
        counted = replace(
            lead,
            start=sized.price_start,
            end=sized.price_end,
            rule=QuantityRule.COUNTED_FIRST,
            unit_price=sized.unit_price,
            price_start=sized.price_start,
            price_end=sized.price_end,
        )
        if multiplies_to(counted, amount):
            return counted
    return None


def _is_size(parsed: ParsedLine, amount: AmountReading | None, quantity: QuantityReading) -> bool:
    """Whether two numbers beside an amount with decimals that they do not multiply to are how it is packed:
    whole ones ("TABLETS 400 X 20  389.00"), or behind the name without blanks and cents ("PILS 20x0,5")."""
    if amount is None or not amount.decimals or quantity.price_start is None:
        return False
    if _GLUED_SIZE.match(parsed.text, quantity.start) and any(
        map(str.isalpha, parsed.text[: quantity.start])
    ):
        return True
    price = next((a for a in parsed.amounts if a.start == quantity.price_start), None)
    return price is not None and price.raw.isdigit() and price.currency is None


def _multiplied(parsed: ParsedLine, amount: AmountReading) -> QuantityReading | None:
    """A measure and a price before the amount that multiply to it, whatever is read between them."""
    before = [a for a in parsed.amounts if a.end <= amount.start and a.decimals > 0 and a.value > 0]
    for first, second in pairwise(before):
        between = parsed.text[first.end : second.start]
        measured = first.decimals == MEASURED and len(between) <= _MAX_BETWEEN
        if measured and abs(first.value * second.value - abs(amount.value)) <= product_rounding(
            first.value, second.value
        ):
            start, end = first.start, second.end
            return QuantityReading(
                parsed.text[start:end],
                start,
                end,
                first.value,
                "volume",
                None,
                0.5,
                QuantityRule.MULTIPLIED,
                second.value,
            )
    return None


def _measured(
    parsed: ParsedLine, amount: AmountReading, quantities: Sequence[QuantityReading]
) -> QuantityReading | None:
    """A weight or volume with its unit, and a price on either side of it, that multiply to the amount."""
    for quantity in quantities:
        if quantity.kind == "count" or quantity.unit_price is not None or quantity.end > amount.start:
            continue
        for price in parsed.amounts:
            if price.end > amount.start or not price.decimals or price.value <= 0:
                continue
            between = parsed.text[min(price.end, quantity.end) : max(price.start, quantity.start)]
            if len(between) <= _MAX_BETWEEN and (
                abs(quantity.value * price.value - abs(amount.value))
                <= product_rounding(quantity.value, price.value)
            ):
                start, end = min(quantity.start, price.start), max(quantity.end, price.end)
                raw = parsed.text[start:end]
                return replace(quantity, raw=raw, start=start, end=end, unit_price=price.value)
    return None


def _priced_before(
    parsed: ParsedLine, amount: AmountReading, quantities: Sequence[QuantityReading]
) -> QuantityReading | None:
    """A count behind its price, where what they make follows ("0,10 2x 0,20")."""
    for quantity in quantities:
        if quantity.kind != "count" or (quantity.price_start or 0) < amount.start:
            continue
        for price in parsed.amounts:
            if (
                price.end <= quantity.start
                and price.decimals
                and quantity.value * price.value == amount.value
            ):
                raw = parsed.text[price.start : amount.start].rstrip()
                return QuantityReading(
                    raw, price.start, price.start + len(raw), quantity.value, "count", quantity.unit, 0.3,
                    QuantityRule.PRICE_FIRST, price.value, Decimal(1), price.start, price.end,
                )  # fmt: skip
    return None


def _in_columns(parsed: ParsedLine, amount: AmountReading) -> QuantityReading | None:
    """Count, unit, price and what is taken off, in percent or money, as invoices print them in columns:
    "6,50 hrs 52,00 338,00", "5 8,90 10,00 40,05"."""
    for price in parsed.amounts:
        off = _OFF.fullmatch(parsed.text, price.end, amount.start) if price.end < amount.start else None
        found = _COLUMN_COUNT.search(parsed.text, 0, price.start)
        if off is None or found is None or not price.decimals or price.value <= 0:
            continue
        count, less = (Decimal((group or "0").replace(",", ".")) for group in (found[1], off[1]))
        whole = count * price.value
        made = min(abs(value - amount.value) for value in (whole * (100 - less) / 100, whole - less))
        if made <= _ROUNDING and (off[1] is not None or _has_unit(found)):
            start, end = found.start(1), max(price.end, off.end(1))
            return QuantityReading(
                parsed.text[start:end], start, end, count, "count", None, 0.3, QuantityRule.COLUMNS,
                price.value, Decimal(1), price.start, price.end,
            )  # fmt: skip
    return None


def _has_unit(found: re.Match[str]) -> bool:
    """Whether a count has decimals, or a unit behind it that is no size of what is sold."""
    unit = found[2]
    return not found[1].isdigit() or (
        found[1] != "1" and unit is not None and unit not in ("x", "X") and not measures_size(unit)
    )


def _is_counted(text: str, quantity: QuantityReading) -> bool:
    """Whether a count without a price is one of the row's, not a part of the name ("SOCKS 5PK")."""
    if quantity.kind != "count" or quantity.rule is QuantityRule.LEADING:
        return False
    before = text[: quantity.start].rstrip()[-1:]
    behind = before.isdigit() and quantity.value > 0  # a size and a count of what is brought back: "42 -1 pc"
    if before == "(" or (behind and not _TIMES_COUNT.fullmatch(quantity.raw.strip())):
        return False
    if quantity.rule is not QuantityRule.UNIT:
        return True
    first, last = not text[: quantity.start].strip(), not text[quantity.end :].strip(" :.*-")
    return (first or (last and is_short(quantity))) and " " in quantity.raw.strip()


def is_short(quantity: QuantityReading) -> bool:
    """Whether the unit is an abbreviation: a whole word behind a name is how it is packed ("9 ROLL")."""
    unit = quantity.unit or ""
    return len(unit) <= 2 or is_abbreviated(unit)


def _taken_off(
    others: Sequence[AmountReading], price: AmountReading, amount: AmountReading
) -> tuple[Decimal, ...]:
    """Nothing, and what a column between price and amount may take off ("3  5.20  1.50  14.10")."""
    found = (o.value for o in others if price.end <= o.start and o.end <= amount.start and o.decimals)
    return (ZERO, *(value for value in found if 0 < value < price.value))


def _price_of(parsed: ParsedLine, amount: AmountReading | None, count: QuantityReading) -> Decimal | None:
    """The price that a count ("2x Soup 4.50 9.00", "Milk 4.50 2 pcs 9.00") multiplies to the amount."""
    if amount is None:
        return None
    for price in parsed.amounts:
        apart = price.end <= amount.start and (count.end <= price.start or price.end <= count.start)
        if apart and price.decimals and abs(count.value * price.value - amount.value) <= _ROUNDING:
            return abs(price.value)
    return None


def _is_price(quantity: QuantityReading, amount: AmountReading | None) -> bool:
    """Whether what stands before the sign is the unit price, and the count behind it was not read: in
    "3.29 x  6.58" the row's amount is twice the price."""
    if amount is None or quantity.end < amount.end or quantity.unit_price != amount.value:
        return False
    parted = quantity.value != quantity.value.to_integral_value()
    return (
        parted
        and quantity.value.as_tuple().exponent == -amount.decimals
        and amount.value % quantity.value == 0
    )


def row_values(
    parsed: ParsedLine, amount: AmountReading | None, quantity: QuantityReading | None
) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
    """(quantity, unit price, weight or volume) of the row."""
    if quantity is not None:
        if quantity.kind == "count":
            if _is_price(quantity, amount):
                return None, quantity.value, None
            return quantity.value, quantity.unit_price or _price_of(parsed, amount, quantity), None
        return None, quantity.unit_price, quantity.value
    if amount is None:
        return None, None, None
    others = [a for a in parsed.amounts if a is not amount and a.is_plausible]
    for match in _COUNT.finditer(parsed.text[: amount.start]):
        count = Decimal(match.group(1))
        for other in others:
            if other.start <= match.start() < other.end or count == 0:
                continue
            taken_off = _taken_off(others, other, amount)
            if min(abs(count * other.value - less - amount.value) for less in taken_off) <= _ROUNDING:
                return count, abs(other.value), None
    repeated = any(o.end <= amount.start and o.value == amount.value and o.decimals for o in others)
    return None, (amount.value if repeated else None), None

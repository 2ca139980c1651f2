"""Finds the spans of a product row that are amounts and quantities rather than words, or the number of a pump
beside the name of a fuel: "Pump 3 Diesel", "Diesel pump 3"."""

from __future__ import annotations

import re
from decimal import Decimal

from receipt_engine.document import (
    MEASURED,
    AmountReading,
    AmountRow,
    QuantityReading,
    QuantityRule,
    decimals_of,
)
from receipt_engine.region import Role
from receipt_engine.stages.items.rows.factors import is_short
from receipt_engine.stages.items.rows.quantities import GLUED_SIZE
from receipt_engine.stages.items.rows.words import PER_UNIT
from receipt_engine.vocabulary import find_terms, term_at_start
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.rate_notes import rate_notes
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

_BRACKETED_UNIT = re.compile(r" *\([^\W\d_]{1,5}\.?\) *[xX×*@] *")
_UNIT = re.compile(r" *[^\W\d_]{1,5}\. *| *[^\W\d_]{1,3} *")
#: Columns of numbers, of which some may be misread: three at least.
_COLUMNS = re.compile(r"((?: +(?:-?\d{1,3}|\w{1,2})){2,}) +(-?\d{1,3}) *")
#: Signs between a count or measure and its price.
_TIMES = frozenset("xX×*@")
#: Most digits of a count.
_COUNT_DIGITS = 3
#: Roles that a word for a pump or a till may have.
PUMP_ROLES: frozenset[Role] = frozenset(("header", "cashier"))
#: Fewest letters of a fuel.
_FUEL = 3
_PUMP_NUMBER = re.compile(r"\.?:? ?\d{1,2}(?!\d)")
#: Text between the number of a pump and the product or its volume: "Pump 3 Diesel", "ТРК 3 АИ-95", "Pump 3
#: 98E10", "Pump 3 41.20 L".
_BEFORE_FUEL = re.compile(r"[ :.-]+(?=[^\W\d_]{3}|[^\W\d_]{2}-?\d{2}\b|\d{2}E\d|\d{1,3}[.,]\d{2})")
#: A short name of a fuel before a pump: "АИ-95".
_GRADE = re.compile(r"\W*[^\W\d_]{1,2}-?\d{2}\W*")


def holes(
    parsed: AmountRow, amount: AmountReading | None, quantity: QuantityReading | None
) -> list[tuple[int, int]]:
    """Spans of the row's text that are amounts or a quantity. amount, quantity: the row's own."""
    holes = [
        (a.start, a.end)
        for a in parsed.amounts
        if _is_money(a, amount)
        and not (amount is None and a.currency is None and parsed.text[a.end : a.end + 1].isalpha())
        and not (_is_first(a, parsed) or _is_among_words(a, parsed))
        and not (_is_size(a, parsed, amount) or _is_named_number(a, parsed, amount, quantity))
    ]
    holes += rate_notes(parsed)
    if amount is None:  # a measure whose price is on the next row: "APPLES 0,864kg x"
        holes += [(q.start, q.end) for q in parsed.quantities if parsed.text[q.end :].strip() in _TIMES]
    holes += _numbers_behind_price(parsed, amount, quantity)
    if quantity is not None and quantity.unit_price is not None:
        rest = PER_UNIT.match(parsed.text, quantity.end)
        start, end = quantity.start, rest.end() if rest else quantity.end
        if quantity.rule is QuantityRule.NAMED_PRICE and quantity.price_start is not None:
            holes.append((start, start + len(quantity.raw.split()[0])))
            start = quantity.price_start
        holes.append((start, end))
        if quantity.price_start is not None and _is_unit(parsed.text, end, quantity.price_start):
            holes.append((end, quantity.price_start))
        if quantity.price_start is not None and quantity.price_end is not None:
            end = quantity.price_end
            columns = parsed.text[end : amount.start] if amount is not None else ""
            if any(map(str.isdigit, columns)) and not count_letters(columns):
                end += len(columns)  # of a rate, a tax, a net amount
            holes.append((quantity.price_start, end))
    elif quantity is not None and quantity.kind == "count" and not _is_inside(parsed, amount, quantity):
        # An abbreviated unit goes with the count ("2 pcs"); a whole word is a name ("2 glasses of wine").
        number = quantity.raw.partition(" ")[0]
        end = quantity.end if is_short(quantity) else quantity.start + len(number)
        holes.append((quantity.start, end))
    return holes


def _numbers_behind_price(
    parsed: AmountRow, amount: AmountReading | None, quantity: QuantityReading | None
) -> list[tuple[int, int]]:
    """The span of further columns between a price and the row's amount, but not of its count: delivery notes
    print the numbers delivered, taken back and sold: "RYE LOAF 2.30 10 8 0 2 4.60"."""
    if amount is None or not amount.decimals:
        return []
    price = next((a for a in parsed.amounts if a.decimals == amount.decimals), amount)
    columns = _COLUMNS.fullmatch(parsed.text, price.end, amount.start) if price.start else None
    if columns is None:
        return []
    counts = quantity is None and Decimal(columns[2]) * price.value == amount.value
    return [columns.span(1 if counts else 0)]


def _is_inside(parsed: AmountRow, amount: AmountReading | None, quantity: QuantityReading) -> bool:
    """Whether a number with its mark stands between words whose amount is on another row: "50PK 16X CDR"."""
    before, behind = parsed.text[: quantity.start], parsed.text[quantity.end :]
    return amount is None and any(map(str.isalpha, before)) and any(map(str.isalpha, behind))


def _is_unit(text: str, start: int, end: int) -> bool:
    """Whether a short word between a count and its price is the unit: in brackets before a sign ("2 (each)
    x"), or the name being before the count."""
    if start >= end or _BRACKETED_UNIT.fullmatch(text, start, end) is not None:
        return start < end
    return count_letters(text[:start]) >= SHORTEST_NAME and _UNIT.fullmatch(text, start, end) is not None


def _is_first(amount: AmountReading, parsed: AmountRow) -> bool:
    """Whether plain digits begin the row, as a code before a name does, or a price that its name touches:
    "3000원할인"."""
    behind = parsed.text[amount.end : amount.end + 2]
    plain = len(amount.raw) > _COUNT_DIGITS and amount.raw.isdigit() and behind.strip()[:1].isalpha()
    touched = amount.currency is not None and behind[:1].isalpha()
    return (plain or touched) and not parsed.text[: amount.start].strip()


def _is_among_words(amount: AmountReading, parsed: AmountRow) -> bool:
    """Whether a few plain digits stand between words, like a strength or size: "TABLETS 500 FORTE"."""
    before, behind = parsed.text[: amount.start].rstrip(), parsed.text[amount.end :].lstrip()
    plain = amount.raw.isdigit() and amount.currency is None and len(amount.raw) <= _COUNT_DIGITS
    return plain and before[-2:].isalpha() and behind[:2].isalpha()


def _is_size(number: AmountReading, parsed: AmountRow, amount: AmountReading | None) -> bool:
    """Whether a number with its unit is a product's size ("Beer 0,5l"): scales print three decimals. With a
    unit of counts it is one beside the row's amount ("Water 1.51 ea  3.70"), else a price ("2.50 each").
    So is one in a pack ("Water 6x1.5l")."""
    if any(pack.start() < number.start < pack.end() for pack in GLUED_SIZE.finditer(parsed.text)):
        return True
    return any(
        (q.kind != "count" or (q.value % 1 and amount is not None))
        and q.unit is not None
        and q.unit_price is None
        and decimals_of(q.value) < MEASURED
        and q.start <= number.start < q.end
        for q in parsed.quantities
    )


def _is_named_number(
    found: AmountReading, parsed: AmountRow, amount: AmountReading | None, quantity: QuantityReading | None
) -> bool:
    """Whether a number is a size before the price ("Water 600 2 x 4900", "2 Beer 0,3 3,10 6,20"), or alone,
    or one digit behind a word, after a name whose amount is on another row. A number of one or more with
    decimals is a price instead."""
    if amount is None and found.raw[0].isalpha() and found.raw[-2:-1] in (" ", "-") and found.start:
        return True  # a fuel's norm: "DIESEL EURO 6", whose amount is on another row
    size = found.raw.isdigit() or (0 < found.value < 1 and not found.raw.startswith("-"))
    if not size or found.currency is not None:
        return False
    if quantity is not None and quantity.unit_price is not None and quantity.price_start is not None:
        taken = quantity.start <= found.start < quantity.end
        return not taken and found.end <= quantity.price_start
    behind = [a for a in parsed.amounts if a.start >= found.end and a is not amount]
    priced = amount is not None and any(a.value == amount.value for a in behind)
    if amount is not None and quantity is None and not behind and _is_strength(found, parsed.text, amount):
        return True
    return not found.raw.isdigit() and (priced or (amount is None and not behind and quantity is None))


def _is_strength(found: AmountReading, text: str, amount: AmountReading) -> bool:
    """Whether a few digits right behind a word are no price of the amount, which they do not divide:
    "IBUPROFEN 400  1.990" where money has no cents."""
    few = found.raw.isdigit() and len(found.raw) <= _COUNT_DIGITS and 1 < found.value < amount.value
    beside = text[: found.start].endswith(" ") and text[: found.start - 1][-2:].isalpha()
    return few and beside and amount.value % found.value != 0


def _is_money(other: AmountReading, amount: AmountReading | None) -> bool:
    """Whether `other` looks like money; beside an amount with decimals, a whole number does not."""
    if other is amount:
        return True
    if not other.is_plausible:
        return False
    return amount is None or other.decimals > 0 or amount.decimals == 0


def is_pump(text: str) -> bool:
    """Whether a row only says where fuel was sold ("Pump 03").

    >>> is_pump("Pump 03"), is_pump("Pump 03 Diesel")
    (True, False)
    """
    end = _pump_end(text)
    return end is not None and not any(map(str.isalnum, text[end:]))


def pump_beside_fuel(text: str) -> tuple[int, int] | None:
    """The offsets of a pump and its number before a fuel or its volume, or behind it at the row's end.

    >>> pump_beside_fuel("Pump 3 Diesel"), pump_beside_fuel("Diesel pump 3"), pump_beside_fuel("Pump 3")
    ((0, 6), (7, 13), None)
    """
    end = _pump_end(text)
    if end is not None:
        return (0, end) if _BEFORE_FUEL.match(text, end) else None
    for word in find_terms(text):
        number = _PUMP_NUMBER.fullmatch(text, word.end) if word.term == "pump" else None
        before = text[: word.start]
        if number is not None and (count_letters(before) >= _FUEL or _GRADE.fullmatch(before)):
            return word.start, number.end()
    return None


def _pump_end(text: str) -> int | None:
    """The end offset of a pump's number at the start of a row, or None."""
    pump = term_at_start(text, "pump")
    number = _PUMP_NUMBER.match(text, pump.end) if pump is not None else None
    return number.end() if number is not None else None

"""Adds the readings of an amount that the recogniser kept as alternatives of its characters.

Where print is worn, a digit is read as another one of the same shape and the right one is the recogniser's
second choice: "8.60" read as 8.50. Sums can then choose it. A currency sign among the alternatives of a first
digit is nearly always what was printed ("$3.81" read as 83.81): a printed digit hardly ever resembles one.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import AmountReading, AmountRule, Char, Line, Money
from receipt_engine.scoring.costs import ACCEPTED

#: Probability from which a currency sign among the alternatives of the first digit counts, the cost of that
#: reading, and the cost added to all readings that take it for a digit.
_SIGN_SEEN = 0.02
_SIGN = 0.3
_NO_SIGN = 1.5
#: Most readings kept, as in the amounts' own.
_MAX_READINGS = 6


def with_alternatives(amount: AmountReading, line: Line) -> AmountReading:
    """The amount with readings in which one digit is the recogniser's alternative; itself without any.

    A reading costs as many nats more than the cheapest one as its digit is less likely than the digit chosen.
    """
    chars = list(line.chars(amount.start, amount.end))
    if "".join(char.text for char in chars) != amount.raw or not any(char.alternatives for char in chars):
        return amount
    digits = [at for at, char in enumerate(chars) if char.text.isascii() and char.text.isdigit()]
    if int("".join(chars[at].text for at in digits) or 0) != abs(amount.value).scaleb(amount.decimals):
        return amount  # the cheapest reading leaves out a part, or takes letters for digits
    signed = _with_sign(amount, chars, digits)
    if signed is not None:
        return signed
    known = {money.value for money in amount.readings}
    more = [money for money in _other_digits(amount, chars, digits) if money.value not in known]
    return _ranked(amount, more) if more else amount


def _ranked(amount: AmountReading, more: Sequence[Money]) -> AmountReading:
    """The amount with these readings among its own, the cheapest first."""
    readings = sorted((*amount.readings, *more), key=lambda money: money.cost)
    return replace(amount, readings=tuple(readings[:_MAX_READINGS]))


def _other_digits(amount: AmountReading, chars: Sequence[Char], digits: Sequence[int]) -> Iterator[Money]:
    """The readings with one other digit, for each alternative that is not too unlikely."""
    best = amount.readings[0]
    for place, at in enumerate(digits):
        char = chars[at]
        unit = Decimal(1).scaleb(len(digits) - 1 - place - amount.decimals)
        for text, probability in char.alternatives:
            if not (len(text) == 1 and text.isascii() and text.isdigit() and text != char.text):
                continue
            more = math.log(char.score / probability)
            value = abs(best.value) + (int(text) - int(char.text)) * unit
            if more <= ACCEPTED and value:
                value = -value if best.value < 0 else value
                yield Money(value, round(best.cost + max(0.0, more), 2), AmountRule.OTHER_DIGIT)


def _with_sign(amount: AmountReading, chars: Sequence[Char], digits: Sequence[int]) -> AmountReading | None:
    """The amount behind the currency sign that its first digit was misread for; None if it is no sign."""
    if amount.currency is not None or len(digits) - amount.decimals < 2 or not amount.decimals:
        return None
    first = chars[digits[0]]
    sign = next((text for text, p in first.alternatives if p >= _SIGN_SEEN and _is_currency_sign(text)), None)
    if sign is None or digits[0]:
        return None
    best = amount.readings[0]
    rest = int("".join(chars[at].text for at in digits[1:]))
    value = Decimal(rest).scaleb(-amount.decimals)
    if not value:
        return None
    other = Money(value, round(best.cost + _SIGN, 2), AmountRule.SIGN_AS_DIGIT, amount.start + 1)
    plain = [replace(m, cost=round(m.cost + _NO_SIGN, 2)) for m in amount.readings if m.value != value]
    return _ranked(replace(amount, readings=(other,), currency=sign), plain)


def _is_currency_sign(text: str) -> bool:
    return len(text) == 1 and unicodedata.category(text) == "Sc"

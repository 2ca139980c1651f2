"""Adds the readings of an amount or a date that the recogniser kept as alternatives of its characters.

Where print is worn, a digit is read as another one of the same shape and the right one is the recogniser's
second choice: "8.60" read as 8.50, "14/62/2026" for 14/02/2026, "03/15/2013" for a day of 2018. Sums can then
choose it; or the calendar, a second print of the day or a weekday. A currency sign among the alternatives of
a first digit is nearly always what was printed ("$3.81" read as 83.81): a printed digit hardly ever resembles
one.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from msgspec.structs import replace

from receipt_engine.document import AmountReading, AmountRule, Char, DateDigits, DateReading, Line, Money
from receipt_engine.region import Region
from receipt_engine.scoring.costs import ACCEPTED
from receipt_engine.stages.parse.dates import find_dates

#: Probability from which a currency sign among the alternatives of the first digit counts, the cost of that
#: reading, and the cost added to all readings that take it for a digit.
_SIGN_SEEN = 0.02
_SIGN = 0.3
_NO_SIGN = 1.5
#: Most readings kept, as in the amounts' own.
_MAX_READINGS = 6
#: Fewest digits of a row with a date, most alternatives tried, and most characters of a time behind a date.
_FEWEST_DIGITS, _MOST_TRIED, _TIME = 4, 8, 12
#: Cost of a date where the row as read has none.
_UNSEEN = 0.5


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


class _Edit(NamedTuple):
    """Another reading of `length` characters. cost: how much less likely it is than they are, in nats; alone:
    the same once they are ruled out."""

    at: int
    length: int
    text: str
    cost: float
    alone: float


def with_other_dates(
    line: Line, own: tuple[DateReading, ...], region: Region, default_order: str | None
) -> tuple[DateReading, ...]:
    """The dates of a row with those in which one character is the recogniser's alternative.

    own: the dates of the row as read. Where it has one, only its own characters are tried; the day may then
    gain a time that a misread digit hides.
    """
    text = line.text
    if sum(map(str.isdigit, text)) < _FEWEST_DIGITS:
        return own
    sure = [d for d in own if d.cost <= ACCEPTED]
    edits = [e for e in _edits(line) if not sure or any(d.start <= e.at < d.end + _TIME for d in sure)]
    found: dict[str, DateReading] = {}
    for edit in sorted(edits, key=lambda e: e.cost)[:_MOST_TRIED]:
        longer = len(edit.text) - edit.length
        edited = text[: edit.at] + edit.text + text[edit.at + edit.length :]
        for day in find_dates(edited, region, default_order=default_order):
            start, end = (at - longer * (at > edit.at) for at in (day.start, day.end))
            rivals = [d for d in sure if d.start < end and start < d.end]
            same = [d.has_time for d in rivals if d.iso[:10] == day.iso[:10]]
            apart = not start <= edit.at < end or (sure and not rivals)
            if day.cost > ACCEPTED or apart or (same and any(same) >= day.has_time):
                continue
            cost = round(day.cost + (edit.cost if rivals and not same else edit.alone + _UNSEEN), 2)
            other = replace(day, start=start, end=end, cost=cost, digits=DateDigits.OTHER)
            found[day.iso[:10]] = min(found.get(day.iso[:10], other), other, key=lambda d: d.cost)
    return (*own, *found.values())


def _edits(line: Line) -> Iterator[_Edit]:
    """The alternatives of the row's characters that are not too unlikely, and no blank."""
    offset = 0
    for word in line.words:
        at = offset
        for char in word.chars if "".join(c.text for c in word.chars) == word.text else ():
            for text, probability in char.alternatives:
                cost = math.log(max(1.0, char.score / probability))
                if len(text) <= 1 and text not in (char.text, " ") and cost <= ACCEPTED:
                    alone = math.log(max(1.0, (1 - char.score) / probability))
                    yield _Edit(at, len(char.text), text, cost, alone)
            at += len(char.text)
        offset += len(word.text) + 1

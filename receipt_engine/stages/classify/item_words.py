"""The words of a product row: what remains when amounts, quantities and codes are taken out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

#: Brackets around nothing but signs and a unit: what is left of "(2 @ 3.50 /ea)".
_EMPTY_BRACKETS = re.compile(r"[(\[](?:[\s@xX×*/.,:=$€£-]|\b(?:ea|each|per)\b)*[)\]]")
#: What is left of a unit price: "/kg", "€/kg".
PER_UNIT = re.compile(r" ?(?:[^\W\d_]{1,3}|[€$£]) ?/ ?[^\W\d_]{1,3}(?![^\W_])|/ ?[^\W\d_]{1,3}(?![^\W_])")
_LOOSE_SIGN = re.compile(r"^(?:[*=|:]+ ?|[xX×@/.,-]+(?= |$) ?)+|(?:(?:^| )[xX×@]+|[ :.*@/=|,-])+$")
_SIGNED_COUNT = re.compile(r"^(\d{1,3}) ?[xX×*](?: (?=\S)|(?=[^\W\d_]{2}))")
_LEADING_COUNT = re.compile(r"^(\d{1,3}) +(?=\S*[^\W\d_]|\W?\d{1,2} [^\W\d_]|\W [^\W\d_])")
_GLUED_COUNT = re.compile(r"^(\d{1,2})-?(?=[^\W\d_]{4})")
_LIST_NUMBER = re.compile(r"^(\d{1,2})[.)] ?(?=[^\W\d_]{2})")
_TRAILING = re.compile(r"(?<=\S)[ ]+(-?\d{1,3})\s*$")
_TWO_TRAILING = re.compile(r"(?<=\S)[ ]+(\d{1,5})[ ]+(\d{1,5})\s*$")


class Lead(NamedTuple):
    """A number at the start of the words, and the words without it. sure: a sign says that it counts."""

    number: Decimal
    rest: str
    sure: bool = False


def blank(text: str, holes: Iterable[tuple[int, int]]) -> str:
    """The text with the holes filled with spaces, so that offsets stay."""
    for start, end in holes:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def tidy(text: str) -> str:
    """Words with single spaces, without loose signs at the ends and brackets around nothing.

    >>> tidy("Lager  ( @  /ea) x"), tidy("Soap Lux -")
    ('Lager', 'Soap Lux')
    """
    text = re.sub(r"\s+", " ", _EMPTY_BRACKETS.sub(" ", text)).strip()
    return _LOOSE_SIGN.sub("", text).strip()


def leading_count(words: str, *, glued: bool = False) -> Lead | None:
    """A count at the start of the words. glued: also "2Burger" and "2-Burger".

    >>> leading_count("2 x 7Up"), leading_count("1 26.Soup")
    (Lead(number=Decimal('2'), rest='7Up', sure=True), Lead(number=Decimal('1'), rest='26.Soup', sure=False))
    """
    match = _SIGNED_COUNT.match(words)
    sure = match is not None
    match = match or _LEADING_COUNT.match(words) or (_GLUED_COUNT.match(words) if glued else None)
    return Lead(Decimal(match.group(1)), words[match.end() :], sure) if match else None


def list_number(words: str) -> Lead | None:
    """A number of the list itself: "3. Soup", or as bare as a count."""
    match = _LIST_NUMBER.match(words)
    if match is not None:
        return Lead(Decimal(match.group(1)), words[match.end() :], True)
    return leading_count(words)


def trailing_count(text: str) -> tuple[Decimal, int, int] | None:
    """A small whole number after the words, with its offsets: perhaps of a column of quantities."""
    match = _TRAILING.search(text)
    return (Decimal(match.group(1)), match.start(1), match.end(1)) if match else None


def trailing_product(text: str, amount: Decimal) -> tuple[Decimal, Decimal, int] | None:
    """Two whole numbers after the words that multiply to the amount: (the smaller, the larger, offset)."""
    match = _TWO_TRAILING.search(text)
    if match is None:
        return None
    first, second = Decimal(match.group(1)), Decimal(match.group(2))
    if first * second != abs(amount) or not first:
        return None
    return min(first, second), max(first, second), match.start(1)

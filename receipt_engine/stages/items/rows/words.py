"""Cleans the words of a product row that remain without amounts, quantities and codes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from receipt_engine.vocabulary import find_terms, term_at_start
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.units import names_pack

_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
#: Characters left between brackets when a count and its price are removed.
_SIGNS = frozenset(" \t@xX×*/.,:=$€£-")
#: The rest of a unit price: "/kg", "€/kg", "EUR/m2"; not the second of two words, "WATER / TEA", or a word
#: behind a short one for "with", "without" or "for": "TEA w/ ice", "CAFE c/ gel".
PER_UNIT = re.compile(
    r" ?(?:(?<![^\W\d_])(?![CPSWcpsw] ?/)[^\W\d_]{1,3}|[€$£]) ?/ ?[^\W\d_]{1,3}[23]?(?![^\W_])"
    r"|/(?!(?<=[^\W\d_] /) )(?<!(?<![^\W_])[CPSWcpsw]/) ?[^\W\d_]{1,3}[23]?(?![^\W_])"
)
_LOOSE_SIGN = re.compile(
    r"^(?:[*＊※=|:>»•·]+ ?|[xX×@/.,+-]+(?= |$) ?)+|(?:(?:^| )(?:[xX×@+]+|à|á|a)|[ :.*＊※@/=|,-])+$"
)
#: A capital right after the name, where no count was removed, is its cut-off next word.
_CUT_WORD = re.compile(r"[^\W\d_a-z] X ?$")
#: A letter that touches the name but not the count begins the name: "2 XIAO", but "2xCola".
_SIGNED_COUNT = re.compile(r"^(\d{1,3})(?: ?[xX×*] (?=\S)|(?:[xX]| ?[×*])(?=[^\W\d_]{2})| x(?=[^\W\d_a-z]))")
_LEADING_COUNT = re.compile(
    r"^(-?\d{1,3}) +(?=\S*[^\W\d_]|\W?\d{1,3}(?:[.)\"”″]|/\d)? [^\W\d_]|\W [^\W\d_])"  # "1 1/2 Club"
)
_SECOND_NUMBER = re.compile(r" +\d")
_BRACKETED_COUNT = re.compile(r"^\((\d{1,2})\) ?(?=[^\W\d_])")  # "(2) BEANS"
_HYPHENED_COUNT = re.compile(r"^(\d{1,2})-(?=[^\W\d_]{3})")
_GLUED_COUNT = re.compile(r"^(\d{1,2})(?=[^\W\d_]{4})")
#: A count of one that was read as a letter or bar.
_STROKE = re.compile(r"^[Il|] +(?=[^\W\d_]{2})")
_TIMES = re.compile(r"(?<=\S)(?: ?× ?(\d{1,3})| \([xX] ?(\d{1,3})\))$")
_BRACKETED = re.compile(r"(?<=\S) \((\d{1,2})()\)$")
_ZERO = re.compile(r"(?<![\w.,])0(?=[^\W\d_]{3})|(?<=[^\W\d_])0(?=[^\W\d_])|(?<=[^\W\d_]{3})0(?![\w.,])")
_ONE = re.compile(r"(?<=[a-z])1+(?=[a-z])|(?<=[a-z]{2})1+(?!\w)")
_WORD = re.compile(r"[^\W_]+")
#: "3. Soup", "3. 2 Soup", "003 Soup"; with the mark of a reduced tax: "003※豆腐".
_LIST_NUMBER = re.compile(
    r"^(?:(\d{1,2})[.)](?: ?(?=[^\W\d_]{2})| (?=-?\d{1,5} +\S*[^\W\d_]))|(0\d{1,2})(?: +|※ ?)(?=\S))"
)
#: A count, perhaps with an East Asian unit character after it.
_TRAILING = re.compile(r"(?<=\S)[ ]+(-?\d{1,3})[\u3040-\u9fff\uac00-\ud7af]?\s*$")
_LAST_NUMBER = re.compile(r"(?<=\S)[ ]+(\d{2,5})\s*$")
_TWO_TRAILING = re.compile(r"(?<=\S)[ ]+(\d{1,5})[ ]+(\d{1,5})\s*$")


class Lead(NamedTuple):
    """A number at the start of the words, and the words without it. sure: a mark (x, .) follows."""

    number: Decimal
    rest: str
    sure: bool = False


def blank_out(text: str, holes: Iterable[tuple[int, int]]) -> str:
    """The text with the holes (start, end) replaced by spaces, so that offsets stay."""
    for start, end in holes:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def tidy(text: str) -> str:
    """Words with single spaces, without loose signs at the ends and without empty brackets.

    >>> tidy("Lager  ( @  /ea) x"), tidy("Soap Lux -")
    ('Lager', 'Soap Lux')
    """
    text = _BRACKETS.sub(lambda found: " " if _is_empty(found[1]) else found[0], text)
    words = " ".join(text.split())
    cut = _CUT_WORD.search(text)
    return _LOOSE_SIGN.sub("", words if cut is None else words[:-2]).strip() + (" X" if cut else "")


def _is_empty(text: str) -> bool:
    """Whether only signs and words for "each" are left: "( @ /ea)"."""
    found = (m for m in find_terms(text) if m.term in ("apiece", "each_price"))
    words = [(m.start, m.end) for m in found if m.end - m.start > 1]  # "(A)" may be part of a name
    return _SIGNS.issuperset(blank_out(text, words))


def leading_count(words: str, *, glued: bool = False) -> Lead | None:
    """A count at the start of the words. glued: also "2Burger", and "I Burger" for a one.

    >>> leading_count("2 x 7Up"), leading_count("1 26.Soup")
    (Lead(number=Decimal('2'), rest='7Up', sure=True), Lead(number=Decimal('1'), rest='26.Soup', sure=False))
    """
    match = _SIGNED_COUNT.match(words)
    sure = match is not None
    match = match or _plain_count(words) or _HYPHENED_COUNT.match(words) or _BRACKETED_COUNT.match(words)
    if match is None and glued:
        match = _GLUED_COUNT.match(words)
        stroke = _STROKE.match(words)
        if stroke is not None:
            return Lead(Decimal(1), words[stroke.end() :])
    if match is not None and (label := term_at_start(words[match.end() :], "quantity_label")) is not None:
        named = words[match.end() + label.end :]
        if named[:1].isspace() and count_letters(named) > 1:  # "2 QTY SPRING ONIONS"
            return Lead(Decimal(match.group(1)), named.lstrip(" -"), sure=True)
    return Lead(Decimal(match.group(1)), words[match.end() :], sure) if match else None


def _plain_count(words: str) -> re.Match[str] | None:
    """A number before a name, unless it begins an offer or the size of a pack: "3 for 2 Shampoo", "50 CT
    NAPKINS"."""
    match = _LEADING_COUNT.match(words)
    if match and names_pack(words[match.end() :].split(" ", 1)[0]):
        return None
    offer = term_at_start(words[match.end() :], "bundle_price", "each_price") if match else None
    return None if match and offer and _SECOND_NUMBER.match(words, match.end() + offer.end) else match


def repair_digits(words: str) -> str:
    """Words with digits replaced by the letters that they were misread from; numbers, sizes and codes stay.

    >>> repair_digits("Van111a C0la 0range"), repair_digits("B12 500ML 0W-20 7UP 10X10")
    ('Vanllla Cola Orange', 'B12 500ML 0W-20 7UP 10X10')
    """
    return _WORD.sub(lambda match: _mended(match.group()), words)


def _mended(word: str) -> str:
    letters = count_letters(word)
    if letters == len(word) or letters < 3:
        return word
    if {c for c in word if c.isdigit()} - {"0", "1"}:
        return word
    small = sum(c.islower() for c in word) > 1
    word = _ONE.sub(lambda match: "l" * len(match.group()), word) if small else word
    return _ZERO.sub(lambda match: "o" if small and match.start() else "O", word)


def times(words: str, *, bracketed: bool = False) -> tuple[Decimal, str] | None:
    """(count, name) for a count with its sign after the name ("Cola×2", "Cola (x2)"), or None. bracketed:
    with brackets alone, "Cola (2)"."""
    match = (_BRACKETED if bracketed else _TIMES).search(words)
    return (Decimal(match.group(1) or match.group(2)), words[: match.start()].rstrip()) if match else None


def list_number(words: str) -> Lead | None:
    """A list number before the name: "3. Soup", "003 Soup", or bare like a count."""
    match = _LIST_NUMBER.match(words)
    if match is not None:
        return Lead(Decimal(match.group(1) or match.group(2)), words[match.end() :], True)
    return leading_count(words)


def trailing_count(text: str) -> tuple[Decimal, int, int] | None:
    """(number, start, end) of a small whole number after the words, perhaps from a column of quantities."""
    match = _TRAILING.search(text)
    return (Decimal(match.group(1)), match.start(1), match.end(1)) if match else None


def trailing_price(text: str, amount: Decimal) -> int | None:
    """The offset at which the words end before a whole number that repeats the amount, as the unit price.

    >>> trailing_price("Garlic Soap 70", Decimal(70)), trailing_price("Soap 7", Decimal(7))
    (11, None)
    """
    match = _LAST_NUMBER.search(text)
    return match.start() if match is not None and Decimal(match.group(1)) == abs(amount) else None


def trailing_product(text: str, amount: Decimal) -> tuple[Decimal, Decimal, int] | None:
    """Two whole numbers after the words that multiply to the amount: (the smaller, the larger, offset); the
    price of a gift is the second ("FREE MUG 1 0")."""
    match = _TWO_TRAILING.search(text)
    if match is None:
        return None
    first, second = Decimal(match.group(1)), Decimal(match.group(2))
    if first * second != abs(amount) or not first:
        return None
    low, high = sorted((first, second)) if second else (first, second)
    return low, high, match.start(1)

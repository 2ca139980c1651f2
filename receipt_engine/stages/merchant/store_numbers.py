"""Recognises and removes store numbers: "Corner Deli #42", "Store 5451", "Cafe 0418"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from receipt_engine.region import Term
from receipt_engine.vocabulary import has_term, is_term, lowered, term_at_start, term_pattern
from receipt_engine.vocabulary.brands import brand_named, is_brand, telling_brand
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME
from receipt_engine.vocabulary.trades import is_trade_word, trade_share

#: Ornaments that tills print around a name.
ORNAMENTS = " \t*=~_+|<>•·.,:;-–—#^`´'\"“”„«»/\\"
#: Above this share of trade words, words with a number are a branch, not a street with its house number.
_TRADE = 0.9
#: Words that stand before the number of a store or a till.
_PLACES: tuple[Term, ...] = ("store", "till", "unit")
_MARKED = re.compile(r"[#№]|[^\W\d_]{2}")
_SIGN_OF_NUMBER = re.compile("[#№]")
#: A number of a store without a sign; the blank before a long one may be lost.
_BARE = r"(?:\s+\(?\d{4,8}\)?|(?<=[^\W\d_]{4})(?:0\d{3}|\d{5})\d{0,3})\s*$"
_BARE_BEHIND = re.compile(_BARE)
_MARKED_INSIDE = re.compile(r"(.*[^\W\d_]\S*)\s+[#№]\s?\d{2,6}\s+[^\W\d_][^\d#№]*")
_NUMBER_LAST = re.compile(r"\d\W*$")
_LONG_NUMBER_FIRST = re.compile(r"^\W*\d{5,}\s+(?=[^\W\d_]{3})")
_ANY_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")
_ONE_DIGIT = re.compile(r"\W*[#№] ?\d\W*")
_PLACE_FIRST = re.compile(r"\s+([^\W\d_]{3,})(?![^\W\d_])")
#: The number of a branch, behind a word for one: with the branch's name behind it, or letters before it.
_BRANCH = re.compile(r"\W*(?:n\W*)?\d{2,5}[\s:,-]+[^\d,]*[^\W\d_]{3}[^\d,]*|\W+[^\W\d_]{1,3} \d{2,5}")
#: Perhaps other words, and a number behind them.
_NUMBER_LAST = re.compile(r"[^\d,]{0,40}\d{1,8}\W*")
#: A row that names a shop: a word and a name in quotation marks, or a name and a number ("0418", "B418").
_SHOP = re.compile(
    r"""(?P<shop>[^\W\d_]+) ?["„“«](?P<quoted>[^"„”“«»]+)["”“»]"""
    r"""|(?P<name>[^\W\d_][^"\d#№]*?)(?: ?[#№ ] ?[A-Z]?\d{2,5}|\d{4,5})"""  # the blank may be lost
)
_LAST_WORD = re.compile(r" (\w+)[.:]?$")
#: Fewest letters of a word that a shop shares with its company, and digits of a number without a sign.
_SHARED, _DIGITS = 5, 3


# The patterns hold the words of all languages for a store, so each is compiled when first needed. They search
# `lowered` texts.


@cache
def _behind() -> re.Pattern[str]:
    """A store's number behind its name."""
    store, number = term_pattern("store"), term_pattern("number")
    return re.compile(
        rf"[\s,\-(]*(?:{_place()}\s*)?(?:[#№]|{number}\.?)\s*[a-z]{{0,3}}-?\d(?:\s?\d){{0,7}}\)?\s*$"
        rf"|{_BARE}|\s+{store}\s*[#№]?\s*\d{{1,8}}\s*$"
    )


@cache
def _before() -> re.Pattern[str]:
    """A store's number before its name."""
    store = term_pattern("store")
    return re.compile(rf"^\W*(?:{store})?\s?[#№]\s?\d+[\s:,\-]+")


@cache
def _alone() -> re.Pattern[str]:
    """The number of a store or a till alone in the row, perhaps behind its state: "Store # NV-0418"."""
    number = term_pattern("number")
    return re.compile(rf"^\W*{_place()}\s?(?:(?:[#№:]|{number})[\s.:#]*(?:[a-z]{{2,3}}-)?\d+|\d{{3,}})\W*$")


@cache
def _sign() -> re.Pattern[str]:
    """A store with a sign for its number, anywhere in a text."""
    store, number = term_pattern("store"), term_pattern("number")
    return re.compile(rf"{store}\W{{0,3}}(?:[#№]|{number})|\(\W?[#№]|[#№]\s?0\d")


@cache
def _words() -> re.Pattern[str]:
    """One or two words and a number."""
    number = term_pattern("number")
    return re.compile(rf"^\W*[^\W\d_]+(?: [^\W\d_]+)?\s*(?:[#№]|{number}\.?)?\s*\d{{1,6}}\W*$")


def _place() -> str:
    return term_pattern(*_PLACES)


def without_store_number(name: str) -> str:
    """The name without a store's number before and behind it, and without the branch behind a marked number:
    "Corner Deli #042 Elko NV". The last number stays if too little is left. The word for a store before it
    stays if it is part of a chain's name ("The Kettle Store #418") or tells a small firm's trade. A chain's
    whole name keeps its number ("Super 99")."""
    if is_brand(name):
        return name
    first = _before().match(lowered(name)) if "#" in name or "№" in name else None
    if first is not None:
        name = name[first.end() :]
    inside = _MARKED_INSIDE.fullmatch(name) if "#" in name or "№" in name else None
    if inside is not None and count_letters(inside[1]) >= SHORTEST_NAME:
        return inside[1]
    name = _LONG_NUMBER_FIRST.sub("", name)
    last = _number_behind(name)
    shorter = "" if last is None else name[: last.start()]
    place = _PLACE_FIRST.match(name, len(shorter))
    if place is not None and (is_brand(name[: place.end()]) or _is_trade_of_few(place, shorter)):
        shorter = name[: place.end()]
    return shorter if count_letters(shorter) >= SHORTEST_NAME else name


def _is_trade_of_few(place: re.Match[str], name: str) -> bool:
    """Whether a word before a store's number is the trade of a firm with few shops, no chain: the number has
    a sign and one digit ("Sorrel Market #2")."""
    one = _ONE_DIGIT.fullmatch(place.string, place.end()) is not None
    return one and is_trade_word(place[1]) and not is_brand(name)


def _number_behind(text: str) -> re.Match[str] | None:
    """A store's number at the end of a text, which is searched only where its last character allows it. The
    words are needed only where one of them is."""
    last = text.rstrip()[-1:]
    if last != ")" and not last.isdecimal():
        return None
    marked = _SIGN_OF_NUMBER.search(text) is not None or has_term(text, "number", *_PLACES)
    return _behind().search(lowered(text)) if marked else _BARE_BEHIND.search(text)


def is_store_number(text: str) -> bool:
    """Whether a text is only the number of a store or a till."""
    if _NUMBER_LAST.search(text) is None or not has_term(text, *_PLACES):
        return False
    return _alone().match(lowered(text)) is not None


def is_store_row(text: str) -> bool:
    """Like `is_store_number`, but False for words that also name a unit of an address: true of "Store 322",
    not of "Shop 5"."""
    return is_store_number(text) and term_at_start(text, "unit") is None


@lru_cache(maxsize=4096)
def has_store_number(text: str) -> bool:
    """Whether a store number marked as such stands behind the name.

    >>> has_store_number("Corner Deli #42"), has_store_number("Store #42"), has_store_number("Route 4200")
    (True, False, False)
    """
    return marked_number_behind(text.strip(ORNAMENTS)) is not None and not is_store_number(text)


def marked_number_behind(text: str) -> int | None:
    """Where a store number marked as such begins that stands at the end of a text: at " - # 61" in
    "Elko, NV - # 61"."""
    found = _number_behind(text)
    return None if found is None or _MARKED.search(found.group()) is None else found.start()


@lru_cache(maxsize=4096)
def marks_store(text: str) -> bool:
    """Whether a store number is marked anywhere in a text: "Restaurant #1182", "(#04417)"."""
    return _sign().search(lowered(text)) is not None


@lru_cache(maxsize=4096)
def is_branch(text: str) -> bool:
    """Whether a text is a trade word with a number, and so not a street with its house number."""
    return trade_share(text) > _TRADE and _words().match(lowered(text)) is not None


def is_numbered_branch(text: str) -> bool:
    """Whether a row is a branch's number and name: "Store 214 Northgate", "Store XL 214". A unit's is part of
    the address."""
    store = term_at_start(text, "store")
    numbered = store is not None and _BRANCH.fullmatch(text, store.end) is not None
    return numbered and term_at_start(text, "unit") is None


def is_point_of_sale(text: str) -> bool:
    """Whether a text is a till or shop with its number, and no place: "Till 3", "Shop 2214"."""
    named = term_at_start(text, "store", "till")
    return named is not None and _NUMBER_LAST.fullmatch(text, named.end) is not None


def is_shop_of(text: str, names: Iterable[str]) -> bool:
    """Whether a row is a word of a company's name, with the shop's number.

    >>> is_shop_of("KETTLES 0231 Mill", ["Kettles Ltd"]), is_shop_of("Kettles Nr. 7", ["AB Kettles"])
    (True, True)
    >>> is_shop_of("Station 12", ["Station Books Ltd"])
    False
    """
    numbers = _ANY_NUMBER.findall(text)
    if len(numbers) != 1 or "," in text or has_term(text, "street", "building", "unit", "plot"):
        return False
    if len(numbers[0]) < _DIGITS and _labelled().search(lowered(text)) is None:
        return False
    words = {word for word in _WORD.findall(lowered(text)) if len(word) >= _SHARED}
    return any(words & set(_WORD.findall(lowered(name))) for name in names)


@cache
def _labelled() -> re.Pattern[str]:
    """A number behind a sign or a word for it."""
    number = term_pattern("number")
    return re.compile(rf"(?:[#№]|(?<![^\W\d_]){number}\.?)\s*\d")


@lru_cache(maxsize=4096)
def chain_of_shop(text: str, country: str) -> str | None:
    """The chain of the country in a row that names one of its shops, as printed: before the shop's number,
    perhaps behind a word for a shop, or in quotation marks behind such a word. None in any other row, and
    where word or number belong to the chain's name.

    >>> chain_of_shop("Market Spar 0418", "hu"), chain_of_shop("Spar", "hu")
    ('Spar', None)
    """
    found = _SHOP.fullmatch(text)
    if found is None or telling_brand(text, country) is not None:
        return None
    shop, name = found["shop"] or "", found["quoted"] or found["name"]
    first, _, rest = name.partition(" ")
    if not shop and rest and telling_brand(name, country) is None:
        shop, name = first, rest
    label = _LAST_WORD.search(name)
    if label is not None and is_term(label[1], "number"):
        name = name[: label.start()]
    if not shop:
        return name if telling_brand(name, country) is not None else None
    known = (is_term(shop, "store") or is_trade_word(shop)) and brand_named(name, country) is not None
    return name if known else None

"""Finds words for kinds of business in names and in line items, and the expense label of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

import msgspec

from receipt_engine import assets
from receipt_engine.document import Record
from receipt_engine.region import read_table
from receipt_engine.vocabulary.legal_forms import without_legal_form
from receipt_engine.vocabulary.normalise import count_letters, squeeze
from receipt_engine.vocabulary.tokens import tokens

_LONGEST = 4
#: Number of first letters that suffice to skip most words at which no phrase begins.
_HEAD = 3
_NUMBER = re.compile(r"\d+")
#: Minimum number of letters of the last word that a prefix of several words must cover.
_INTO_LAST = 3

#: Minimum number of letters of a trade at the end of a compound, and of the part before it.
_COMPOUND, _OTHER_PART = 6, 3
#: Minimum `trade_share` of a text that counts as a word for a trade.
_ONLY_TRADE = 0.95
#: Most words of a text that is only a trade.
_FEW_TRADES = 2


class Trade(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """label: ``Group/Leaf``. words: in names of such businesses. items: words for products that they sell.
    service: words for serving guests. weak: those of the words and items that decide nothing alone."""

    label: str
    words: tuple[str, ...]
    items: tuple[str, ...] = ()
    service: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()


class TradeWord(Record, frozen=True):
    """A word for a trade in a text. key: its letters; labels: what it may stand for; weak: those of the
    labels for which it decides nothing alone."""

    key: str
    labels: frozenset[str]
    weak: frozenset[str]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """See the head of the data file."""

    styles: tuple[str, ...]
    links: tuple[str, ...]
    conjunctions: tuple[str, ...]
    legal_forms: tuple[str, ...]
    trade: tuple[Trade, ...]


@cache
def _file() -> _File:
    return read_table(assets.folder("regions") / "trades" / "trades.toml", _File)


def trades() -> tuple[Trade, ...]:
    """Returns all kinds of business, in the file's order."""
    return _file().trade


@cache
def _styles() -> frozenset[str]:
    return frozenset(map(squeeze, _file().styles)) | _links()


@cache
def _links() -> frozenset[str]:
    return frozenset(map(squeeze, _file().links)) | _conjunctions()


@cache
def _conjunctions() -> frozenset[str]:
    return frozenset(map(squeeze, _file().conjunctions))


@cache
def _legal_forms() -> re.Pattern[str]:
    """Returns the pattern of legal forms that look like words for a trade ("S.p.A.")."""
    return re.compile("|".join(_file().legal_forms))


class _Words:
    """Whole phrases and prefixes, each with the labels that it indicates."""

    def __init__(self, phrases: Sequence[tuple[str, str]]) -> None:
        self._whole: dict[str, set[str]] = {}
        self._begins: dict[str, set[str]] = {}
        self._numbered: list[tuple[str, re.Pattern[str], str]] = []
        for phrase, label in phrases:
            if any(map(str.isdecimal, phrase)):
                number = _NUMBER.findall(phrase)[0]
                self._numbered.append((number, _with_number(phrase), label))
                continue
            table = self._begins if phrase.endswith("*") else self._whole
            table.setdefault(squeeze(phrase), set()).add(label)
        self._lengths = sorted({len(k) for k in self._begins}, reverse=True)
        self._head = min(_HEAD, *self._lengths) if self._lengths else 1
        self._heads = frozenset(key[: self._head] for key in (*self._whole, *self._begins))

    @lru_cache(maxsize=4096)  # noqa: B019  few tables, which stay
    def find(self, text: str) -> tuple[tuple[int, int, set[str]], ...]:
        """Returns (start, end, labels) of every phrase in the text, the longest at each position."""
        runs = tokens(text)
        words = [run.text for run in runs]
        found: list[tuple[int, int, set[str]]] = []
        at = 0
        while at < len(runs):
            first = words[at]
            if len(first) >= self._head and first[: self._head] not in self._heads:
                at += 1
                continue
            for count in range(min(_LONGEST, len(runs) - at), 0, -1):
                key = "".join(words[at : at + count])
                labels = self._labels(key, len(key) - len(words[at + count - 1]))
                if labels:
                    found.append((runs[at].start, runs[at + count - 1].end, labels))
                    at += count - 1
                    break
            at += 1
        for number, pattern, label in self._numbered:
            if number in text:
                found += [(m.start(), m.end(), {label}) for m in pattern.finditer(text)]
        return tuple(found)

    @lru_cache(maxsize=8192)  # noqa: B019  as above
    def _labels(self, key: str, last: int) -> set[str] | None:
        """Returns the labels of a whole phrase, or of the longest prefix that reaches into the last word,
        which begins at offset `last`. A shorter part does not count: "taxi", not "tax invoice"."""
        whole = self._whole.get(key)
        if whole:
            return whole
        least = last + _INTO_LAST if last else 0
        beginnings = (self._begins.get(key[:n]) for n in self._lengths if least <= n <= len(key))
        return next(filter(None, beginnings), None)


def _with_number(phrase: str) -> re.Pattern[str]:
    """Returns a pattern of a phrase with digits ("ron 95"), whose letters alone would match other words."""
    parts = re.findall(r"\d+|[^\W\d_]+", phrase)
    return re.compile(r"(?<![^\W_])" + r"[ -]?".join(map(re.escape, parts)) + r"(?!\d)", re.IGNORECASE)


@cache
def _names() -> _Words:
    return _Words([(word, t.label) for t in trades() for word in t.words])


@cache
def _items() -> _Words:
    return _Words([(word, t.label) for t in trades() for word in t.items])


@cache
def _service() -> _Words:
    return _Words([(word, t.label) for t in trades() for word in t.service])


@cache
def _weak() -> _Words:
    return _Words([(word, t.label) for t in trades() for word in t.weak])


def trade_words(name: str) -> tuple[TradeWord, ...]:
    """Returns the words for a trade in a name, left to right."""
    return _words_in(_names(), _legal_forms().sub(" ", name))


def product_words(row: str) -> tuple[TradeWord, ...]:
    """Returns the words for products and services in a row, left to right."""
    return _words_in(_items(), row)


def service_words(row: str) -> tuple[TradeWord, ...]:
    """Returns the words for serving guests in a row ("Table 4"), left to right."""
    return _words_in(_service(), row)


def _words_in(words: _Words, text: str) -> tuple[TradeWord, ...]:
    weak = {(start, end): labels for start, end, labels in _weak().find(text)}
    return tuple(
        TradeWord(squeeze(text[start:end]), frozenset(labels), frozenset(weak.get((start, end), ())))
        for start, end, labels in words.find(text)
    )


@lru_cache(maxsize=4096)
def trade_share(text: str) -> float:
    """Returns the share of a text's letters in words for a kind of business, 0 to 1."""
    total = count_letters(text)
    inside = sum(count_letters(text[s:e]) for s, e, _ in _names().find(text))
    return inside / total if total else 0.0


@lru_cache(maxsize=4096)
def count_distinctive(text: str) -> int:
    """Returns the number of letters of a name outside its legal form and words for a kind of business."""
    bare = without_legal_form(text)
    inside = sum(count_letters(bare[s:e]) for s, e, _ in _names().find(bare))
    return count_letters(bare) - inside


def joins_trade(above: str, below: str) -> bool:
    """Whether a phrase for a kind of business begins in one row and ends in the next: "GENERAL", "STORE"; or
    the one ends in its style: "KETTLE ITALIAN", "DELI & MARKET"."""
    if any(start < len(above) < end for start, end, _ in _names().find(f"{above} {below}")):
        return True
    styled = any(token.text in _styles() - _links() for token in tokens(above)[-1:])
    return styled and is_description(below)


@lru_cache(maxsize=4096)
def is_description(text: str) -> bool:
    """Whether a text only describes the trade and its style, as under a name: "Family Restaurant"."""
    total = count_letters(text)
    places = [(s, e) for s, e, _ in _names().find(text)]
    places += [(t.start, t.end) for t in tokens(text) if t.text in _styles()]
    inside = {at for start, end in places for at in range(start, end)}
    letters_inside = sum(text[at].isalpha() for at in inside)
    if trade_share(text) == 0:
        return False
    return letters_inside >= total or _joins_trades(text)


def _joins_trades(text: str) -> bool:
    """Whether a text is a trade and one word joined to it by a conjunction, another trade, known or not:
    "Papelería y Regalos"."""
    words = text.split()
    at = next((i for i, word in enumerate(words) if word in "&+" or squeeze(word) in _conjunctions()), 0)
    sides = (words[:at], words[at + 1 :]) if at else ((), ())
    return any(len(one) == 1 and trade_share(" ".join(other)) == 1.0 for one, other in (sides, sides[::-1]))


@cache
def _endings() -> tuple[str, ...]:
    """Returns words for a trade that are long enough to be recognised at the end of a compound."""
    whole = (squeeze(word) for trade in trades() for word in trade.words if not word.endswith("*"))
    return tuple(sorted({word for word in whole if len(word) >= _COMPOUND and " " not in word}))


@lru_cache(maxsize=4096)
def ends_in_trade(text: str) -> bool:
    """Whether a word of a text is a compound that ends in a trade, as in Germanic and Finnic names."""
    return any(
        len(token.text) >= _COMPOUND + _OTHER_PART and squeeze(token.text).endswith(_endings())
        for token in tokens(text)
    )


def is_only_trade(text: str) -> bool:
    """Whether a text is one or two words for a kind of business and nothing else: "Bar - Cafe", "Bakery and
    Cafe"."""
    words = [word for word in text.split() if (key := squeeze(word)) and key not in _links()]
    trades = trade_share(" ".join(words)) >= _ONLY_TRADE
    return trades and len(words) <= _FEW_TRADES and not any(map(str.isdigit, text))


def is_trade_word(text: str) -> bool:
    """Whether a text is a single word for a kind of business, which is rarely a name by itself."""
    return trade_share(text) >= _ONLY_TRADE and len(text.split()) == 1

"""Finds names of card schemes and wallets that are accepted in every country.

The names are data: ``regions/brands/card_schemes.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import msgspec

from receipt_engine import assets
from receipt_engine.document import Record
from receipt_engine.region import read_table
from receipt_engine.vocabulary.normalise import squeeze

#: Fewest letters by which a scheme's name is told within a phrase.
_TELLING = 4


class Scheme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """See the head of the data file. name: "" for a scheme that is reported as printed."""

    printed: tuple[str, ...]
    name: str = ""
    short: tuple[str, ...] = ()


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """text: a row. name: the scheme named in it."""

    text: str
    name: str


class CardSchemes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data file."""

    kinds: tuple[str, ...]
    tenders: tuple[str, ...]
    scheme: tuple[Scheme, ...]
    sources: tuple[str, ...]
    example: tuple[Example, ...]
    not_example: tuple[Example, ...]


class SchemeMatch(Record, frozen=True):
    """A scheme named in text[start:end]. name: as the interface spells it."""

    name: str
    start: int
    end: int


@cache
def card_schemes() -> CardSchemes:
    """Returns the data; raises RegionDataError for an invalid file."""
    return read_table(assets.folder("regions") / "brands" / "card_schemes.toml", CardSchemes)


def find_schemes(text: str) -> tuple[SchemeMatch, ...]:
    """Returns the named schemes in the text, each at its first occurrence, in the file's order.

    >>> [match.name for match in find_schemes("MASTERCARD ****4711")]
    ['Mastercard']
    """
    if _any().search(text) is None:
        return ()
    found = ((name, pattern.search(text)) for name, pattern in _named())
    return tuple(SchemeMatch(name, *match.span()) for name, match in found if match)


def short_scheme(text: str) -> str | None:
    """Returns the scheme whose short form occurs in the text ("MC"), or None."""
    match = _short().search(text)
    return None if match is None else _short_names()[match.group()]


def is_short_form(phrase: str) -> bool:
    """Returns whether a squeezed phrase (`RoleMatch.phrase`) is the short form of a scheme's name."""
    return phrase.upper() in _short_names()


def is_scheme(phrase: str) -> bool:
    """Whether a squeezed phrase (`RoleMatch.phrase`) is the name of a scheme."""
    return phrase in _keys()


def begins_with_scheme(phrase: str) -> bool:
    """Whether a squeezed phrase is a scheme's name, perhaps with a word for paying behind it."""
    return phrase.startswith(tuple(key for key in _keys() if len(key) >= _TELLING))


def scheme_in(phrase: str) -> str | None:
    """Returns the scheme whose name begins or ends a squeezed phrase, or None.

    >>> scheme_in("debitmastercard"), scheme_in("girocard")
    ('Mastercard', None)
    """
    for scheme in card_schemes().scheme:
        keys = tuple(key for p in scheme.printed if len(key := squeeze(p)) >= _TELLING)
        if scheme.name and (phrase.startswith(keys) or phrase.endswith(keys)):
            return scheme.name
    return None


def tender_names() -> tuple[str, ...]:
    """Returns the names that denote a tender in any language."""
    return card_schemes().tenders


@cache
def _named() -> tuple[tuple[str, re.Pattern[str]], ...]:
    schemes = (s for s in card_schemes().scheme if s.name)
    return tuple((s.name, re.compile(_pattern(s.printed), re.IGNORECASE)) for s in schemes)


@cache
def _any() -> re.Pattern[str]:
    """Returns a pattern for any scheme; it rejects most texts quickly."""
    return re.compile(
        _pattern([p for s in card_schemes().scheme if s.name for p in s.printed]), re.IGNORECASE
    )


def _pattern(phrases: Iterable[str]) -> str:
    """Returns a pattern of the phrases as whole words, optionally followed by a kind of card ("debit"); the
    word may go on where the phrase has "*"."""
    alike: dict[tuple[str, str], list[str]] = {}
    for phrase in phrases:
        edges = _edges(phrase) if phrase.isascii() else ("", "")
        alike.setdefault(edges, []).append(re.escape(phrase.strip("*")).replace(r"\ ", r"\s?"))
    return "|".join(f"{before}(?:{'|'.join(own)}){behind}" for (before, behind), own in alike.items())


def _edges(phrase: str) -> tuple[str, str]:
    """Returns the patterns that must match before and after a phrase."""
    kinds = "|".join(card_schemes().kinds)
    before = "" if phrase.startswith("*") else r"(?<![^\W_])"
    return before, "" if phrase.endswith("*") else rf"(?=$|[^a-z]|{kinds})"


@cache
def _short_names() -> dict[str, str]:
    return {short: scheme.name for scheme in card_schemes().scheme for short in scheme.short}


@cache
def _short() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(_short_names())})(?![^\W_])")


@cache
def _keys() -> frozenset[str]:
    return frozenset(squeeze(p.strip("*")) for scheme in card_schemes().scheme for p in scheme.printed)

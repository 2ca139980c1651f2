"""Finds the unit printed after a number: weight, volume, count, or another unit that rules out money.

Common units are data of every language and of ``regions/units``; a region adds its languages' words for
weights and packs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from receipt_engine import assets
from receipt_engine.region import (
    KEPT_REGIONS,
    Region,
    Role,
    UnitKind,
    Units,
    files_of_languages,
    language_codes,
    load_language,
    read_table,
)
from receipt_engine.region.schema import Table
from receipt_engine.vocabulary.normalise import alphanumerics, squeeze
from receipt_engine.vocabulary.terms import phrase_terms

#: Roles of the language files whose words are units.
_OWN_WORDS: dict[Role, UnitKind] = {"weight": "weight", "quantity": "count"}
_VOWELS = frozenset("aeiouy")
#: A multiplication sign that touches the unit, before a price: "2 pcsx 4.50".
_TIMES = r"(?=[xX](?: [0-9]|[0-9]{1,4}[.,][0-9]{2}(?![^\W_]|[.,])))"
#: A word listed under two kinds has the last one.
_KINDS: tuple[UnitKind, ...] = ("weight", "volume", "count", "other")


class Unit(NamedTuple):
    """A unit as printed, its kind, and its end offset in the text."""

    text: str
    kind: UnitKind
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class UnitPattern:
    """pattern: a unit right after a number, group "unit". kinds: folded unit → kind. starts: first characters
    of units, which avoid most searches. small: folded units that are not sold in fractions."""

    pattern: re.Pattern[str]
    kinds: dict[str, UnitKind]
    starts: frozenset[str]
    small: frozenset[str]

    def after(self, text: str, end: int) -> Unit | None:
        """Returns the unit that follows text[:end], or None."""
        first = text[end : end + 1]
        if first == " ":
            first = text[end + 1 : end + 2]
        if first not in self.starts:
            return None
        match = self.pattern.match(text, end)
        if match is None:
            return None
        unit = match.group("unit")
        return Unit(unit, self.kinds[alphanumerics(unit) or unit], match.end())

    def is_small(self, unit: str) -> bool:
        """Whether three digits after a point before this unit are thousands: "1.500 g"."""
        return alphanumerics(unit) in self.small


class _International(Table, frozen=True):
    sources: tuple[str, ...]
    units: Units


@cache
def _common() -> tuple[Units, ...]:
    """Returns the units of the international file and of every language."""
    path = assets.folder("regions") / "units" / "international.toml"
    return (read_table(path, _International).units, *(load_language(c).units for c in language_codes()))


@lru_cache(maxsize=KEPT_REGIONS)
def units_of(region: Region) -> UnitPattern:
    """Returns the units of one region: the common ones, and its own and its languages' words for weights and
    counts."""
    kinds: dict[str, UnitKind] = {}
    for role, own in _OWN_WORDS.items():
        for word in _printed(region, role):
            letters = alphanumerics(word)
            if len(letters) > 1 and letters.isalpha() and not phrase_terms(squeeze(word)) & _NO_UNITS:
                kinds[word.lower().rstrip(".")] = own
    for kind in _KINDS:
        for units in _common():
            kinds.update(dict.fromkeys(getattr(units, kind), kind))
    for units in _common():
        kinds.update(dict.fromkeys((*units.length, *units.pack), "other"))
    latin = sorted((_spaced(w) for w in kinds if not _east_asian(w)), key=len, reverse=True)
    other = sorted((_ended(w) for w in kinds if _east_asian(w)), key=len, reverse=True)
    pattern = rf" ?(?P<unit>(?i:{'|'.join(latin)})(?:{_TIMES}|(?![^\W_]|[%°]))|{'|'.join(other)})\.?"
    return UnitPattern(
        re.compile(pattern),
        {alphanumerics(word) or word: kind for word, kind in kinds.items()},
        frozenset(c for word in kinds for c in (word[0], word[0].upper())),
        frozenset(alphanumerics(word) for units in _common() for word in units.small),
    )


#: Terms whose words have the role "quantity" but are not units.
_NO_UNITS = frozenset(("quantity_label", "bundle_price", "each_price"))


def _printed(region: Region, role: Role) -> Iterable[str]:
    yield from (phrase.text for phrase in region.own_phrases(role))
    for language in files_of_languages(region):
        yield from (phrase.text for phrase in language.phrases(role))


def _spaced(word: str) -> str:
    """Returns the pattern of a unit; a space in it also matches a full stop, or both: "fl. oz"."""
    return re.escape(word).replace(r"\ ", r"[. ]{1,2}")


def _ended(word: str) -> str:
    """Returns the pattern of a unit; one in katakana must not start a longer word ("2コーヒー")."""
    katakana = "\u30a0" < word[-1] < "\u30ff"
    return re.escape(word) + ("(?![\u30a0-\u30ff])" if katakana else "")


def _east_asian(word: str) -> bool:
    return "\u3000" < word[0] < "\ua000"


def names_pack(word: str) -> bool:
    """Whether a number before this word is the size of a pack: of "ct" in "50 ct napkins"."""
    return alphanumerics(word) in _packs()


@cache
def _packs() -> frozenset[str]:
    return frozenset(alphanumerics(word) for units in _common() for word in units.pack)


def names_measure(word: str) -> bool:
    """Whether a word is an international unit of weight, volume or length."""
    units = _common()[0]
    return alphanumerics(word) in (*units.weight, *units.volume, *units.length)


def is_abbreviated(unit: str) -> bool:
    """Whether a unit is an abbreviation: without a vowel, or listed as one."""
    key = alphanumerics(unit)
    return _VOWELS.isdisjoint(key) or key in _abbreviations()


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(alphanumerics(word) for units in _common() for word in units.abbreviated)

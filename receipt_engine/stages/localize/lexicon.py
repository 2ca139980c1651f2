"""One dictionary of all words that tell countries and languages apart, and its search in printed lines.

Words of all languages and countries are looked up at once: a receipt costs the same however many regions
there are. Keys are squeezed letters, as in classification.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import get_args

from receipt_engine.region import Identifier, Region, Role, load_language
from receipt_engine.stages.localize.countries import Country, countries
from receipt_engine.text import Token, squeeze, tokens

_MAX_WORDS = 7
#: Shorter phrases are initials or noise.
_SHORTEST = 3
#: Letters up to which a phrase of several words must be all initials.
_JOINED = 4
#: Countries that print a language, from which on its words say little about a country.
_MANY_SPEAKERS = 3
_PHONE_ROLES: tuple[Role, ...] = ("phone", "fax")
_TAX_ROLES: tuple[Role, ...] = ("tax", "total_tax")


@dataclass(slots=True)
class Meaning:
    """What a phrase may show; every field holds country codes, except languages.

    places: cities and states. identifiers: (country, identifier) it is printed before. phone, number:
    some language prints it before telephone numbers, before tax or company numbers. plain: a country's own
    phrase, but made of words of a language that many countries print.
    """

    languages: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    taxes: set[str] = field(default_factory=set)
    places: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    identifiers: list[tuple[str, Identifier]] = field(default_factory=list)
    phone: bool = False
    number: bool = False
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase found in a line; start and end are offsets in its text."""

    row: int
    start: int
    end: int
    key: str
    meaning: Meaning


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """phrases: squeezed letters → meaning. speakers: language → codes of the countries that print it."""

    phrases: dict[str, Meaning]
    speakers: dict[str, frozenset[str]]

    def find(self, texts: Sequence[str]) -> tuple[Hit, ...]:
        """Phrases from top to bottom, left to right; of overlapping ones the longest."""
        return tuple(hit for row, text in enumerate(texts) for hit in self._in_line(row, tokens(text)))

    def _in_line(self, row: int, words: tuple[Token, ...]) -> Iterator[Hit]:
        phrases, start = self.phrases, 0
        while start < len(words):
            key, best = "", None
            for end in range(start, min(len(words), start + _MAX_WORDS)):
                key += words[end].text
                meaning = phrases.get(key)
                if meaning is not None and not _is_chance(key, words[start : end + 1]):
                    best = Hit(row, words[start].start, words[end].end, key, meaning)
                    last = end
            if best is None:
                start += 1
            else:
                yield best
                start = last + 1


def _is_chance(key: str, words: Sequence[Token]) -> bool:
    """Whether a short word was only joined from the end of one and another: "S" and "GST"."""
    return 1 < len(words) < len(key) <= _JOINED


@cache
def lexicon() -> Lexicon:
    """The dictionary of all regions, their languages and the rest of the world."""
    phrases: dict[str, Meaning] = {}
    speakers: dict[str, set[str]] = {}
    for country in countries():
        for language in country.languages:
            speakers.setdefault(language, set()).add(country.code)
    everyday: set[str] = set()
    for language, codes in speakers.items():
        words = _add_language(phrases, language)
        if len(codes) >= _MANY_SPEAKERS:
            everyday |= words
    for country in countries():
        _add_country(phrases, country, everyday)
    for language in speakers:
        _add_taxes(phrases, language)
    return Lexicon(phrases, {language: frozenset(codes) for language, codes in speakers.items()})


def _at(phrases: dict[str, Meaning], text: str) -> Meaning:
    """The meaning of a phrase, new when it has none; a throw-away for phrases too short to show any."""
    key = squeeze(text)
    if len(key) < _SHORTEST and (not key or key.isascii()):
        return Meaning()
    return phrases.setdefault(key, Meaning())


def _add_country(phrases: dict[str, Meaning], country: Country, everyday: set[str]) -> None:
    """everyday: words of languages that many countries print."""
    region = country.region
    for name in country.names:
        _at(phrases, name).names.add(country.code)
    for text in (*country.words, *(_own_words(region) if region else ())):
        meaning = _at(phrases, text)
        meaning.words.add(country.code)
        words = tokens(text)
        meaning.plain = len(words) > 1 and all(word.text in everyday for word in words)
    if region is None:
        return
    for name in region.tax.names:
        _at(phrases, name).taxes.add(country.code)
    for place in (*region.address.cities, *region.address.states, *region.address.states.values()):
        if len(place) > 3:  # abbreviations count only beside a postcode
            _at(phrases, place).places.add(country.code)
    for identifier in region.identifiers:
        for word in identifier.words:
            _at(phrases, word).identifiers.append((country.code, identifier))


def _add_taxes(phrases: dict[str, Meaning], language: str) -> None:
    """ "Total GST" names the same tax as "GST"."""
    for role in _TAX_ROLES:
        for phrase in load_language(language).phrases(role):
            for word in tokens(phrase.text):
                single = phrases.get(word.text)
                if single is not None and single.taxes:
                    _at(phrases, phrase.text).taxes |= single.taxes


def _own_words(region: Region) -> Iterator[str]:
    for role in region.words:
        for phrase in region.words[role]:
            yield phrase if isinstance(phrase, str) else phrase.text


def _add_language(phrases: dict[str, Meaning], code: str) -> set[str]:
    """Adds the phrases of a language; gives back the single words that they are made of."""
    language = load_language(code)
    words: set[str] = set()
    for role in get_args(Role):
        for phrase in language.phrases(role):
            meaning = _at(phrases, phrase.text)
            meaning.languages.add(code)
            words.update(token.text for token in tokens(phrase.text))
            meaning.phone |= role in _PHONE_ROLES and phrase.weight >= 0.5
            meaning.number |= role == "tax_id" and phrase.weight >= 0.5
    for name in (*language.weekdays, *(name for month in language.months for name in month)):
        _at(phrases, name).languages.add(code)
    return words

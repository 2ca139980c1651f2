"""One dictionary of all words that tell countries and languages apart, and its search in printed lines.

Words of all languages and countries are looked up at once: a receipt costs the same however many regions
there are. Keys are squeezed letters, as in classification.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from receipt_engine.document import Record
from receipt_engine.region import Address, Identifier, Language, Region, Role, Words, load_language
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.localize.countries import Country, countries
from receipt_engine.vocabulary.normalise import squeeze, squeeze_all
from receipt_engine.vocabulary.tokens import SHORTEST_NAME, Token, tokens

_MAX_WORDS = 7
#: Letters up to which a phrase of several words must be all initials.
_JOINED = 4
#: Countries that print a language, from which on its words say little about a country.
_MANY_SPEAKERS = 3
_PHONE_ROLES: frozenset[Role] = frozenset(("phone", "fax"))
_BRANDS: frozenset[Role] = frozenset(("card", "tax", "total_tax", "tax_id", "loyalty", "balance", "company"))
_TAX_ROLES: tuple[Role, ...] = ("tax", "total_tax")
_NOBODY: frozenset[str] = frozenset()


@dataclass(slots=True)
class Meaning:
    """What a phrase may show; every field holds country codes, except languages.

    places: cities and states. identifiers: (country, identifier) it is printed before. phone, number:
    some language prints it before telephone numbers, before tax or company numbers. plain: a country's own
    phrase, but made of words of a language that many countries print. brand: a way to pay, a tax, a number
    of that country.
    """

    languages: frozenset[str] = _NOBODY
    words: frozenset[str] = _NOBODY
    taxes: frozenset[str] = _NOBODY
    places: frozenset[str] = _NOBODY
    names: frozenset[str] = _NOBODY
    identifiers: tuple[tuple[str, Identifier], ...] = ()
    phone: bool = False
    number: bool = False
    plain: bool = False
    brand: bool = False


class Hit(Record, frozen=True):
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
            key, best, last = "", None, start
            for end in range(start, min(len(words), start + _MAX_WORDS)):
                key += words[end].text
                meaning = phrases.get(key)
                if meaning is not None and not _is_chance(key, end + 1 - start):
                    best = Hit(row, words[start].start, words[end].end, key, meaning)
                    last = end
            if best is not None:
                yield best
            start = last + 1


def _is_chance(key: str, words: int) -> bool:
    """Whether a short word was only joined from the end of one and another: "S" and "GST"."""
    return 1 < words < len(key) <= _JOINED and key.isascii()


@cache
def lexicon() -> Lexicon:
    """The dictionary of all regions, their languages and the rest of the world."""
    speakers: dict[str, set[str]] = {}
    for country in countries():
        for language in country.languages:
            speakers.setdefault(language, set()).add(country.code)
    book = _Book({})
    everyday: set[str] = set()
    for code, codes in speakers.items():
        spoken = load_language(code)
        book.add_language(spoken)
        if len(codes) >= _MANY_SPEAKERS:
            everyday |= _words_of(spoken)
    for country in countries():
        book.add_country(country, everyday)
    for code in speakers:
        book.add_taxes(load_language(code))
    return Lexicon(book.phrases, {code: frozenset(codes) for code, codes in speakers.items()})


@dataclass(slots=True)
class _Book:
    """The phrases while they are gathered."""

    phrases: dict[str, Meaning]

    def at(self, text: str) -> Meaning:
        """`of` its letters."""
        return self.of(squeeze(text))

    def of(self, key: str) -> Meaning:
        """The meaning of letters, new when they have none; a throw-away for letters too few to show any."""
        meaning = self.phrases.get(key)
        if meaning is None:
            meaning = Meaning()
            if len(key) >= SHORTEST_NAME or (key and not key.isascii()):
                self.phrases[key] = meaning
        return meaning

    def add_language(self, language: Language) -> None:
        only = frozenset((language.code,))
        shown = [(role, phrase) for role, phrases in language.words.items() for phrase in phrases]
        for (role, phrase), key in zip(shown, squeeze_all([_text(p) for _, p in shown]), strict=True):
            phone, number = role in _PHONE_ROLES, role == "tax_id"
            meaning = self.of(key)
            meaning.languages = meaning.languages | only if meaning.languages else only
            if (phone or number) and (isinstance(phrase, str) or phrase.weight >= LIKELY):
                meaning.phone |= phone
                meaning.number |= number
        for name in (*language.weekdays, *(name for month in language.months for name in month)):
            self.at(name).languages |= only

    def add_country(self, country: Country, everyday: set[str]) -> None:
        """everyday: words of languages that many countries print."""
        region, only = country.region, frozenset((country.code,))
        for key in squeeze_all(country.names):
            self.of(key).names |= only
        own = [(word, True) for word in country.words]
        own += _own_words(region) if region else ()
        for (text, brand), key in zip(own, squeeze_all([text for text, _ in own]), strict=True):
            meaning = self.of(key)
            meaning.words |= only
            meaning.brand |= brand
            words = text.lower().split()
            meaning.plain = len(words) > 1 and everyday.issuperset(words)
        if region is None:
            return
        for name in region.tax.names:
            self.at(name).taxes |= only
        # abbreviations count only beside a postcode
        for key in squeeze_all([place for place in _places(region.address) if len(place) > 3]):
            self.of(key).places |= only
        for identifier in region.identifiers:
            for word in identifier.words:
                self.at(word).identifiers += ((country.code, identifier),)

    def add_taxes(self, language: Language) -> None:
        """ "Total GST" names the same tax as "GST"."""
        for role in _TAX_ROLES:
            for phrase in language.words.get(role, ()):
                text = _text(phrase)
                for word in tokens(text):
                    single = self.phrases.get(word.text)
                    if single is not None and single.taxes:
                        self.at(text).taxes |= single.taxes


def _words_of(language: Language) -> set[str]:
    """The single words that the phrases of a language are made of."""
    return {
        word for phrases in language.words.values() for phrase in phrases for word in _text(phrase).split()
    }


def _text(phrase: str | Words) -> str:
    return phrase if isinstance(phrase, str) else phrase.text


def _places(address: Address) -> tuple[str, ...]:
    """Every name of a place of the country."""
    return (*address.cities, *address.districts, *address.states, *address.states.values())


def _own_words(region: Region) -> Iterable[tuple[str, bool]]:
    """Phrases of the region alone, and whether they name something that only it has."""
    for role, phrases in region.words.items():
        for phrase in phrases:
            yield _text(phrase), role in _BRANDS

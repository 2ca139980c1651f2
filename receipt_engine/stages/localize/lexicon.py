"""One dictionary of all words that tell countries and languages apart, and its search in printed lines.

Words of all languages and countries are looked up at once: a receipt costs the same however many regions
there are. Keys are squeezed letters, as in classification.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from receipt_engine.document import Record
from receipt_engine.region import (
    Address,
    Identifier,
    Language,
    Role,
    Words,
    collecting_nothing,
    load_language,
)
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


class Meaning(Record, frozen=True):
    """What a phrase may show; every field holds country codes, except languages.

    places: cities and states. identifiers: (country, identifier) it is printed before. phone, number:
    some language prints it before telephone numbers, before tax or company numbers. plain: a country's own
    phrase, but made of words of a language that many countries print. brand: a way to pay, a tax, a number
    of that country.
    """

    languages: frozenset[str]
    words: frozenset[str]
    taxes: frozenset[str]
    places: frozenset[str]
    names: frozenset[str]
    identifiers: tuple[tuple[str, Identifier], ...]
    phone: bool
    number: bool
    plain: bool
    brand: bool


class Hit(Record, frozen=True):
    """A phrase found in a line; start and end are offsets in its text."""

    row: int
    start: int
    end: int
    key: str
    meaning: Meaning


@dataclass(frozen=True, slots=True, eq=False)
class _Spoken:
    """Squeezed letters of a language's phrases; phone, number: those that it surely prints before such."""

    code: str
    phrases: frozenset[str]
    phone: frozenset[str]
    number: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class _Printed:
    """Squeezed letters of what a country prints. own: of its own phrases → the phrase. brands: of those that
    name something that only it has."""

    code: str
    names: frozenset[str]
    own: Mapping[str, str]
    brands: frozenset[str]
    places: frozenset[str]
    identifiers: Mapping[str, tuple[Identifier, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """The phrases of all languages and countries.

    speakers: language → codes of the countries that print it. taxes: squeezed letters → codes of the
    countries whose tax has that name. everyday: words of languages that many countries print. meanings:
    squeezed letters → meaning, None until they are found: of 40,000 a receipt shows a hundred.
    """

    languages: tuple[_Spoken, ...]
    countries: tuple[_Printed, ...]
    speakers: Mapping[str, frozenset[str]]
    taxes: Mapping[str, frozenset[str]]
    everyday: frozenset[str]
    meanings: dict[str, Meaning | None]

    def find(self, texts: Sequence[str]) -> tuple[Hit, ...]:
        """Phrases from top to bottom, left to right; of overlapping ones the longest."""
        return tuple(hit for row, text in enumerate(texts) for hit in self._in_line(row, tokens(text)))

    def _in_line(self, row: int, words: tuple[Token, ...]) -> Iterator[Hit]:
        meanings, start = self.meanings, 0
        while start < len(words):
            key, found, last = "", "", start
            for end in range(start, min(len(words), start + _MAX_WORDS)):
                key += words[end].text
                # A short word may be joined by chance from the end of one and another: "S" and "GST".
                if key in meanings and not (1 < end + 1 - start < len(key) <= _JOINED and key.isascii()):
                    found, last = key, end
            if found:
                yield Hit(row, words[start].start, words[last].end, found, self._meaning(found))
            start = last + 1

    def _meaning(self, key: str) -> Meaning:
        known = self.meanings[key]
        if known is None:
            known = self.meanings[key] = self._composed(key)
        return known

    def _composed(self, key: str) -> Meaning:
        owners = [country for country in self.countries if key in country.own]
        words = owners[-1].own[key].lower().split() if owners else ()
        return Meaning(
            languages=frozenset(spoken.code for spoken in self.languages if key in spoken.phrases),
            words=frozenset(country.code for country in owners),
            taxes=self.taxes.get(key, frozenset()),
            places=frozenset(country.code for country in self.countries if key in country.places),
            names=frozenset(country.code for country in self.countries if key in country.names),
            identifiers=tuple(
                (country.code, identifier)
                for country in self.countries
                for identifier in country.identifiers.get(key, ())
            ),
            phone=any(key in spoken.phone for spoken in self.languages),
            number=any(key in spoken.number for spoken in self.languages),
            plain=len(words) > 1 and self.everyday.issuperset(words),
            brand=any(key in country.brands for country in owners),
        )


@cache
@collecting_nothing
def lexicon() -> Lexicon:
    """The dictionary of all regions, their languages and the rest of the world."""
    speakers: dict[str, set[str]] = {}
    for country in countries():
        for code in country.languages:
            speakers.setdefault(code, set()).add(country.code)
    languages = [load_language(code) for code in speakers]
    spoken = tuple(map(_spoken, languages))
    printed = tuple(map(_printed, countries()))
    taxes = _taxes(languages)
    keys = (
        *(known.phrases for known in spoken),
        *(known for country in printed for known in (country.names, country.own, country.places)),
        *(country.identifiers for country in printed),
        taxes,
    )
    return Lexicon(
        spoken,
        printed,
        {code: frozenset(codes) for code, codes in speakers.items()},
        taxes,
        frozenset().union(*(_words_of(x) for x in languages if len(speakers[x.code]) >= _MANY_SPEAKERS)),
        dict.fromkeys(filter(_shows, set().union(*keys))),
    )


def _shows(key: str) -> bool:
    """Whether letters are enough to show anything."""
    return len(key) >= SHORTEST_NAME or (bool(key) and not key.isascii())


def _spoken(language: Language) -> _Spoken:
    shown = [(role, phrase) for role, phrases in language.words.items() for phrase in phrases]
    keys = squeeze_all([_text(phrase) for _, phrase in shown])
    names = squeeze_all([*language.weekdays, *(name for month in language.months for name in month)])
    sure = [
        (role, key)
        for (role, phrase), key in zip(shown, keys, strict=True)
        if isinstance(phrase, str) or phrase.weight >= LIKELY
    ]
    return _Spoken(
        language.code,
        frozenset((*keys, *names)),
        frozenset(key for role, key in sure if role in _PHONE_ROLES),
        frozenset(key for role, key in sure if role == "tax_id"),
    )


def _printed(country: Country) -> _Printed:
    region = country.region
    own = [*((word, True) for word in country.words), *_own_words(country)]
    keys = squeeze_all([text for text, _ in own])
    # abbreviations count only beside a postcode
    places = (*country.places, *(_places(region.address) if region else ()))
    identifiers: dict[str, tuple[Identifier, ...]] = {}
    for identifier in region.identifiers if region else ():
        for word in identifier.words:
            key = squeeze(word)
            identifiers[key] = (*identifiers.get(key, ()), identifier)
    return _Printed(
        country.code,
        frozenset(squeeze_all(country.names)),
        {key: text for key, (text, _) in zip(keys, own, strict=True)},
        frozenset(key for key, (_, brand) in zip(keys, own, strict=True) if brand),
        frozenset(squeeze_all([place for place in places if len(place) > 3])),
        identifiers,
    )


def _taxes(languages: Sequence[Language]) -> dict[str, frozenset[str]]:
    """Squeezed letters of taxes' names → countries; "Total GST" names the same tax as "GST"."""
    taxes: dict[str, frozenset[str]] = {}
    for country in countries():
        for name in country.taxes:
            key = squeeze(name)
            if _shows(key):
                taxes[key] = taxes.get(key, frozenset()) | {country.code}
    phrases = (phrase for x in languages for role in _TAX_ROLES for phrase in x.words.get(role, ()))
    for text in map(_text, phrases):
        key = squeeze(text)
        for word in tokens(text):
            if word.text in taxes and _shows(key):
                taxes[key] = taxes.get(key, frozenset()) | taxes[word.text]
    return taxes


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


def _own_words(country: Country) -> Iterable[tuple[str, bool]]:
    """Labels of the country alone, and whether they name something that only it has."""
    for role, phrases in country.labels.items():
        for phrase in phrases:
            yield _text(phrase), role in _BRANDS

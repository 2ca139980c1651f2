"""Finds the parts of addresses: postcodes, cities, states, countries, words like "street"; and corrects the
spelling of Greek cities."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Literal

from rapidfuzz.distance import OSA

from receipt_engine.document import Record
from receipt_engine.region import (
    KEPT_REGIONS,
    Region,
    collecting_nothing,
    load_language,
    load_region,
    region_codes,
    role_phrases,
)
from receipt_engine.vocabulary.normalise import fold_letters, squeeze
from receipt_engine.vocabulary.tokens import Token, tokens

PlaceKind = Literal["postcode", "city", "district", "state", "country", "word"]

_LONGEST_RUN = 6
#: Names this short count only as an abbreviation at the end or before a number ("Austin, TX 78701").
_SHORT = 3
#: Minimum weight of an address word that counts.
_SURE_WORD = 0.6
#: "IL 62704": an abbreviation of two or three capitals before a postcode.
_STATE_AND_CODE = re.compile(r"\b[A-Z]{2,3}[ ,.]{1,3}\d{4,5}(?:-\d{4})?\b")
#: A postcode in one of the commonest formats, next to a word; used when the country is not known.
_ANY_CODE = re.compile(
    r"(?:^|[^\W\d_][ ,.\-]{1,3})"
    r"(?:\d{4,6}|\d{3} \d{2,3}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|"
    r"\d{4} ?[A-Z]{2}|\d{5}-\d{3})"
    r"(?=$|[ ,.\-]+[^\W\d_]|[ ,.]*$)"
)

#: The edge of a word, and a town's name that has none between itself and its postcode.
_EDGE = r"\b"
_NAME = r"[^\W\d_]{4}"

#: Minimum length of a name in which one confusion is tolerated, and two.
_ONE_CONFUSION, _TWO_CONFUSIONS = 4, 8


class Place(Record, frozen=True):
    """A part of an address found in a text, with its offsets. value: the full name."""

    kind: PlaceKind
    start: int
    end: int
    value: str


_Table = dict[str, tuple[tuple[PlaceKind, str], ...]]
#: Names by key, and the first `_HEAD` letters of every key, which rule out most words without a look-up.
_Index = tuple[_Table, frozenset[str]]
_HEAD = 3


def _entries(region: Region) -> Iterable[tuple[str, PlaceKind, str]]:
    address = region.address
    yield address.country, "country", address.country
    yield from ((name, "country", address.country) for name in address.names)
    yield from ((name, "state", value) for name, value in address.states.items())
    yield from ((value, "state", value) for value in address.states.values())
    yield from ((name, "city", name) for name in (*address.cities, *address.districts))
    yield from ((name, "district", name) for name in address.districts)


def _table(entries: Iterable[tuple[str, PlaceKind, str]]) -> _Index:
    table: dict[str, dict[tuple[PlaceKind, str], None]] = {}
    for name, kind, value in entries:
        key = squeeze(name)
        if key:
            table.setdefault(key, {})[(kind, value)] = None
    return {key: tuple(values) for key, values in table.items()}, frozenset(key[:_HEAD] for key in table)


@lru_cache(maxsize=KEPT_REGIONS)
def _own(region: Region) -> _Index:
    return _table(_entries(region))


@cache
@collecting_nothing
def _world() -> _Index:
    """Indexes the cities, states and countries of all regions, and their languages' address words."""
    regions = [load_region(code) for code in region_codes()]
    places = [entry for region in regions for entry in _entries(region) if len(squeeze(entry[0])) > _SHORT]
    words: list[tuple[str, PlaceKind, str]] = [
        (phrase.text, "word", phrase.text)
        for region in regions
        for phrase in role_phrases(region, "address")
        if phrase.weight >= _SURE_WORD and (len(squeeze(phrase.text)) > 2 or phrase.weight >= 0.8)
    ]
    return _table([*places, *words])


@lru_cache(maxsize=KEPT_REGIONS)
def _postcode(region: Region) -> re.Pattern[str] | None:
    return re.compile(region.address.postcode) if region.address.postcode else None


@lru_cache(maxsize=KEPT_REGIONS)
def _glued_postcode(region: Region) -> re.Pattern[str] | None:
    """A postcode with the town's name right behind or before it: the space between them was not read."""
    pattern = region.address.postcode
    if not (pattern.startswith(_EDGE) and pattern.endswith(_EDGE)):
        return None
    own = pattern[len(_EDGE) : -len(_EDGE)]
    return re.compile(rf"{_EDGE}(?:{own})(?={_NAME})|(?<={_NAME})(?:{own}){_EDGE}")


def find_places(text: str, region: Region) -> tuple[Place, ...]:
    """Finds the region's postcodes, states, cities and country names; they may overlap. A district is also
    found as a city."""
    found: list[Place] = []
    pattern = _postcode(region)
    for codes in filter(None, (pattern, _glued_postcode(region))):
        found.extend(Place("postcode", m.start(), m.end(), m.group()) for m in codes.finditer(text))
    found.extend(_look_up(text, *_own(region), pattern))
    return tuple(found)


def part_postcode(text: str, region: Region) -> str:
    """The text with a space between postcode and town where none was read: "46047 Oberhausen"."""
    codes = _glued_postcode(region)
    return text if codes is None else codes.sub(_parted, text)


def _parted(code: re.Match[str]) -> str:
    behind = code.string[code.end() : code.end() + 1].isalpha()
    return f"{code.group()} " if behind else f" {code.group()}"


def is_postcode(text: str, region: Region) -> bool:
    """Whether a text is nothing but a postcode of the region."""
    pattern = _postcode(region)
    return pattern is not None and pattern.fullmatch(text) is not None


def find_world(text: str) -> tuple[Place, ...]:
    """Finds cities, states, countries and address words of any region in a text."""
    return tuple(_look_up(text, *_world()))


def _look_up(
    text: str, table: _Table, heads: frozenset[str], postcode: re.Pattern[str] | None = None
) -> list[Place]:
    """Finds the names in a text, the longest at each position."""
    runs = tokens(text)
    words = [run.text for run in runs]
    found: list[Place] = []
    at = 0
    while at < len(runs):
        if len(words[at]) >= _HEAD and words[at][:_HEAD] not in heads:
            at += 1
            continue
        for count in range(min(_LONGEST_RUN, len(runs) - at), 0, -1):
            key = "".join(words[at : at + count])
            values = table.get(key)
            short = len(key) <= _SHORT and key.isascii()
            if values and (not short or _is_abbreviation(text, runs[at : at + count], postcode)):
                start, end = runs[at].start, _with_marks(text, runs[at + count - 1].end)
                numbered = text[end:].lstrip(" .")[:1].isdigit()  # "Quận 7", but not "QUÁN BA"
                found.extend(
                    Place(kind, start, end, value)
                    for kind, value in values
                    if numbered or not value[-1:].isdigit()
                )
                at += count - 1
                break
        at += 1
    return found


def _with_marks(text: str, end: int) -> int:
    """Returns the offset after the vowel and tone signs that follow the last letter of a word, as in Thai."""
    while end < len(text) and unicodedata.category(text[end]) == "Mn":
        end += 1
    return end


def _is_abbreviation(text: str, runs: Sequence[Token], postcode: re.Pattern[str] | None) -> bool:
    """Whether a short name is in capitals at the end of a text or before a number; or is the whole text, ends
    in a point ("Ont.") or has three letters at the end ("Larch Hill Vic"), or stands before a postcode ("Qld
    4557"), and begins with a capital."""
    start, end = runs[0].start, runs[-1].end
    printed, behind = text[start:end], text[end:].lstrip(" .,")
    if not printed.isascii() or (printed.isupper() and (not behind or behind[0].isdigit())):
        return True
    if not printed.istitle() or " " in printed:
        return False
    whole = (
        printed == text.strip(" .,")
        or (len(printed) > 2 and not behind)
        or (text[end:].startswith(".") and (not behind or behind[0].isdigit()))
    )
    return whole or (start > 0 and postcode is not None and postcode.match(behind) is not None)


def has_any_code(text: str) -> bool:
    """Whether a postcode-like number of any country stands next to a word."""
    return _STATE_AND_CODE.search(text) is not None or _ANY_CODE.search(text) is not None


def spelled_by_shape(city: str, region: Region) -> str:
    """Returns the city as the region's data spells it if its script is Greek, whose letters are confused with
    each other and with Latin ones; else as read. Capitals stay capitals, without accents."""
    if load_language(region.languages[0]).script != "greek":
        return city
    key = squeeze(city)
    distances = {name: OSA.distance(key, shape) for name, shape in _shapes(region)}
    if not key or not distances:
        return city
    least = min(distances.values())
    nearest = {fold_letters(name): name for name, distance in distances.items() if distance == least}
    allowed = 2 if len(key) >= _TWO_CONFUSIONS else 1 if len(key) >= _ONE_CONFUSION else 0
    if least > allowed or len(nearest) > 1:
        return city
    ((plain, name),) = nearest.items()
    if fold_letters(city) == plain:
        return city  # printed without accents, as many tills do
    if sum(map(str.isupper, city)) * 2 > sum(map(str.isalpha, city)):
        return plain.upper()
    return name


@lru_cache(maxsize=8)
def _shapes(region: Region) -> tuple[tuple[str, str], ...]:
    return tuple((name, squeeze(name)) for name in region.address.cities if not name.isascii())

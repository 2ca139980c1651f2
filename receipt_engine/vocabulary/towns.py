"""Towns of the whole world, of which region files name the large ones only: their names in a text.

Each country has a list of its own, ``regions/world/*.txt``, read when a receipt of that country is: keys of
names, in three parts with a dash between, of towns, of parts of larger cities, and of those that are
ordinary words or families' names as well. Whoever asks for these looks at what stands around one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from receipt_engine import assets
from receipt_engine.document import Record
from receipt_engine.region import KEPT_REGIONS
from receipt_engine.vocabulary.tokens import SHORTEST_NAME, tokens

#: Most words of a name; a character of East Asia is one.
_MOST_WORDS = 6
_BETWEEN = "-"


class Town(Record, frozen=True):
    """A name of a town in a text, with its offsets. part: of a larger city; doubtful: it is an ordinary word
    or a family's name, too, or so short that others are written alike."""

    start: int
    end: int
    part: bool
    doubtful: bool


class _Names(NamedTuple):
    """Keys of a country's towns, of parts of its larger cities, and of those that are doubtful."""

    towns: frozenset[str]
    parts: frozenset[str]
    doubtful: frozenset[str]


def find_towns(text: str, country: str) -> tuple[Town, ...]:
    """Towns of a country by its ISO code, left to right; of names at one place the longest."""
    names = _names(country)
    return tuple(_find(text, names)) if names.towns else ()


def is_town(text: str, country: str) -> bool:
    """Whether a text is nothing but a town's name, and surely so: no part of a city, no ordinary word."""
    whole = len(text.rstrip(" ."))
    return any(
        town.start == 0 and town.end >= whole and not (town.part or town.doubtful)
        for town in find_towns(text, country)
    )


def _find(text: str, names: _Names) -> Iterator[Town]:
    words = tokens(text)
    at = 0
    while at < len(words):
        step = 1
        for count in range(min(_MOST_WORDS, len(words) - at), 0, -1):
            key = "".join([word.text for word in words[at : at + count]])
            if key in names.towns or key in names.parts or key in names.doubtful:
                doubtful = key in names.doubtful or (key.isascii() and len(key) <= SHORTEST_NAME)
                yield Town(words[at].start, words[at + count - 1].end, key in names.parts, doubtful)
                step = count
                break
        at += step


@lru_cache(maxsize=KEPT_REGIONS)
def _names(country: str) -> _Names:
    """A country without a list has no towns."""
    path = assets.folder("regions") / "world" / f"{country.lower()}.txt"
    text = path.read_text(encoding="utf-8") if path.exists() else 2 * _BETWEEN
    return _Names(*(frozenset(part.split()) for part in text.split(_BETWEEN)))

"""Finds names of towns of the whole world in a text; region files list only the large ones.

Each country has its own list, ``regions/world/*.txt``, loaded with the first receipt of that country. It
holds keys of names in three parts, separated by a dash: towns, parts of larger cities, and names that are
also ordinary words or family names. Callers check the context of these doubtful ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from receipt_engine import assets
from receipt_engine.document import Record
from receipt_engine.region import KEPT_REGIONS
from receipt_engine.vocabulary.tokens import SHORTEST_NAME, tokens

#: Maximum number of words in a name; an East Asian character is one.
_MOST_WORDS = 6
_BETWEEN = "-"


class Town(Record, frozen=True):
    """A town's name in a text, with its offsets. part: it is part of a larger city. doubtful: it is also an
    ordinary word or a family name, or is so short that other words are spelled alike."""

    start: int
    end: int
    part: bool
    doubtful: bool


class _Names(NamedTuple):
    """Keys of a country's towns, of parts of its larger cities, and of doubtful names."""

    towns: frozenset[str]
    parts: frozenset[str]
    doubtful: frozenset[str]


def find_towns(text: str, country: str) -> tuple[Town, ...]:
    """Finds the towns of a country (an ISO code), left to right; the longest name at each position."""
    names = _names(country)
    return tuple(_find(text, names)) if names.towns else ()


def is_town(text: str, country: str) -> bool:
    """Whether a text is nothing but a town's name, neither part of a city nor doubtful."""
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
    """Loads a country's list; empty for a country without one."""
    path = assets.folder("regions") / "world" / f"{country.lower()}.txt"
    text = path.read_text(encoding="utf-8") if path.exists() else 2 * _BETWEEN
    return _Names(*(frozenset(part.split()) for part in text.split(_BETWEEN)))

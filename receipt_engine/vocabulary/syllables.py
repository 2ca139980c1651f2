"""Where words in Latin letters can begin and end: ``regions/scripts/latin.toml``."""

from __future__ import annotations

import re
from functools import cache

from receipt_engine import assets
from receipt_engine.region import read_table
from receipt_engine.region.schema import Table
from receipt_engine.vocabulary.normalise import fold_letters


class _Syllables(Table, frozen=True):
    sources: tuple[str, ...]
    vowels: str
    onsets: tuple[str, ...]
    liquids: str


@cache
def _syllables() -> _Syllables:
    return read_table(assets.folder("regions") / "scripts" / "latin.toml", _Syllables)


@cache
def _onsets() -> re.Pattern[str]:
    return re.compile("|".join(_syllables().onsets))


def can_begin(word: str) -> bool:
    """Whether a word of two letters or more may begin so: with a vowel, or a pair of consonants."""
    vowels, word = _syllables().vowels, fold_letters(word)
    return word[0] in vowels or word[1] in vowels or _onsets().match(word) is not None


def can_end(word: str) -> bool:
    """Whether a word of two characters or more may end so: not in a liquid behind another consonant."""
    known, word = _syllables(), fold_letters(word)
    return word[-1] not in known.liquids or word[-2] in known.vowels + known.liquids or not word[-2].isalpha()

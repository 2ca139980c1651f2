"""Removes accents that are dirt: "SETIA ÁLAM" in a country whose languages have none.

A speck above a letter makes the recogniser choose the accented letter, but with low confidence: it keeps the
plain letter as an alternative. It reads real accents ("Café") with high confidence, so those always stay.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from msgspec.structs import replace

from receipt_engine.document import Char, Line, Word
from receipt_engine.region import Region, Role, load_language

#: An accent is doubtful below the first score, if the plain letter has at least the second probability.
_DOUBTED = 0.93
_PLAIN_SEEN = 0.03
_LATIN = range(0xC0, 0x250)


def without_specks(line: Line, region: Region) -> Line:
    """The row without doubtful accents, in a region whose languages have none; else the row itself."""
    beyond_ascii = [c for word in line.words if not word.text.isascii() for c in word.text]
    if not any(ord(c) in _LATIN for c in beyond_ascii) or not _uses_no_accents(region):
        return line
    return replace(line, words=tuple(_cleaned(word) for word in line.words))


def _uses_no_accents(region: Region) -> bool:
    return not any(_has_accents(language) for language in region.languages)


@cache
def _has_accents(language: str) -> bool:
    """Whether the phrases of a language have letters with accents."""
    rules = load_language(language)
    roles: tuple[Role, ...] = tuple(rules.words)
    return any(_base(c) != c for role in roles for phrase in rules.phrases(role) for c in phrase.text)


def _base(character: str) -> str:
    """A Latin letter without its accent; any other character itself."""
    plain = unicodedata.normalize("NFD", character)[0] if ord(character) in _LATIN else character
    return plain if plain.isascii() else character


def _cleaned(word: Word) -> Word:
    chars = tuple(_plain(char) for char in word.chars)
    if chars == word.chars or "".join(c.text for c in word.chars) != word.text:
        return word
    return replace(word, text="".join(c.text for c in chars), chars=chars)


def _plain(char: Char) -> Char:
    if len(char.text) != 1 or char.score >= _DOUBTED:
        return char
    base = _base(char.text)
    seen = base != char.text and dict(char.alternatives).get(base, 0.0) >= _PLAIN_SEEN
    return replace(char, text=base) if seen else char

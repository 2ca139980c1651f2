"""Splits printed text into words with offsets, and tests whether a Latin-script word can begin or end in a
certain way.

`tokens` are compared by shape, as key phrases are: characters that look alike are one. `word_tokens` keep
them distinct.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from receipt_engine import assets
from receipt_engine.document import Record
from receipt_engine.region import read_table
from receipt_engine.region.schema import Table
from receipt_engine.vocabulary.confusions import LOOKALIKES
from receipt_engine.vocabulary.normalise import INDIAN_SIGNS, fold, fold_letters, squeeze

#: Minimum length of a meaningful word, name or key: shorter ones are initials, units or noise.
SHORTEST_NAME = 3

#: A run of letters, with the vowel and other signs of Indian scripts.
_RUN = rf"(?:[^\W\d_]++[{INDIAN_SIGNS}]*+)+"
#: The same, including digits inside it that are misread letters.
_TOKEN = re.compile(rf"{_RUN}(?:[0158](?=[^\W\d_]){_RUN})*")
#: The same for a text in lower-case ASCII.
_ASCII_TOKEN = re.compile(r"[a-z]+(?:[0158](?=[a-z])[a-z]+)*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]")
#: Words in Latin letters inside a run, and the parts between them.
_PART = re.compile(r"[a-z]+|[^a-z]+")
#: A run of letters; East Asian characters each stand alone.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]"
    rf"|(?:[^\W\d_\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]++[{INDIAN_SIGNS}]*+)+"
)
_ASCII_WORD = re.compile(r"[a-z]+")
#: Digits inside a run of letters, which the recogniser misread.
_DIGIT_IN_WORD = re.compile(r"(?<=[^\W\d_])[01](?=[^\W\d_])")


class Token(Record, frozen=True):
    """A run of letters, folded, with its offsets in the original text."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[Token, ...]:
    """Returns runs of letters, left to right. Each East Asian character is a separate token, and so is a word
    in Latin letters beside them ("本店TEL")."""
    folded = fold_letters(text)
    if folded.isascii():
        spans = [match.span() for match in _ASCII_TOKEN.finditer(folded)]
        if text.isascii():
            alike = folded.translate(LOOKALIKES)
            return tuple([Token(alike[start:end], start, end) for start, end in spans])
        return tuple([Token(squeeze(text[start:end]), start, end) for start, end in spans])
    result: list[Token] = []
    for match in _TOKEN.finditer(folded):
        start = match.start()
        run = match.group()
        if not _CJK.search(run):
            result.append(Token(squeeze(text[start : match.end()]), start, match.end()))
            continue
        for part in _PART.finditer(run):
            first, last = start + part.start(), start + part.end()
            whole = part.group().isascii() and last - first >= SHORTEST_NAME
            shapes = [squeeze(text[first:last])] if whole else part.group().translate(LOOKALIKES)
            step = (last - first) // len(shapes)
            result += [Token(c, first + i * step, first + (i + 1) * step) for i, c in enumerate(shapes)]
    return tuple(result)


@lru_cache(maxsize=4096)
def word_tokens(text: str) -> tuple[Token, ...]:
    """Returns runs of letters, left to right, with misread digits inside them replaced by letters."""
    if "0" in text or "1" in text:
        text = _DIGIT_IN_WORD.sub(lambda m: {"0": "o", "1": "l"}[m.group()], text)
    if text.isascii():
        return tuple([Token(m.group(), *m.span()) for m in _ASCII_WORD.finditer(text.lower())])
    return tuple([Token(fold(m.group()), *m.span()) for m in _WORD.finditer(text)])


class _Syllables(Table, frozen=True):
    """``regions/scripts/latin.toml``."""

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
    """Whether a word of two letters or more has a possible start: a vowel among its first two letters, or a
    known pair of consonants."""
    vowels, word = _syllables().vowels, fold_letters(word)
    return word[0] in vowels or word[1] in vowels or _onsets().match(word) is not None


def can_end(word: str) -> bool:
    """Whether a word of two characters or more has a possible end: not a liquid after another consonant."""
    known, word = _syllables(), fold_letters(word)
    return word[-1] not in known.liquids or word[-2] in known.vowels + known.liquids or not word[-2].isalpha()

"""Key phrases of a region, compared by their letters alone, and what stands right before a place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from receipt_engine.document import Record
from receipt_engine.region import Region, Role, keyed_phrases

_MAX_WORDS = 6
_SPECIAL = {"ß": "ss", "đ": "d", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i", "ς": "σ"}
#: A run of letters; East Asian characters each stand alone.
_TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]+"
)
#: The same of a text in small ASCII letters.
_ASCII_TOKEN = re.compile(r"[a-z]+")
#: Letters that the recogniser sees for digits, inside a run of letters.
_DIGIT_IN_WORD = re.compile(r"(?<=[^\W\d_])[01](?=[^\W\d_])")


class Token(Record, frozen=True):
    """A run of letters, folded, with its offsets in the text it came from."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Lower case, full-width and half-width made one, without accents; length may change."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKC", text).lower()
    parts = unicodedata.normalize("NFD", "".join(_SPECIAL.get(c, c) for c in plain))
    kept = "".join(c for c in parts if not unicodedata.combining(c) or c in "\u3099\u309a")
    return unicodedata.normalize("NFC", kept)


@lru_cache(maxsize=4096)
def letters(text: str) -> str:
    """The folded letters of a text, without anything between them."""
    return "".join(filter(str.isalpha, fold(text)))


@lru_cache(maxsize=8192)
def count_letters(text: str) -> int:
    """How many characters of a text are letters."""
    return sum(map(str.isalpha, text))


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[Token, ...]:
    """Words from left to right, an OCR digit inside a word read as its letter."""
    if "0" in text or "1" in text:
        text = _DIGIT_IN_WORD.sub(lambda m: {"0": "o", "1": "l"}[m.group()], text)
    if text.isascii():
        return tuple([Token(m.group(), *m.span()) for m in _ASCII_TOKEN.finditer(text.lower())])
    return tuple([Token(fold(m.group()), *m.span()) for m in _TOKEN.finditer(text)])


@lru_cache(maxsize=64)
def lexicon(region: Region) -> dict[str, Mapping[Role, float]]:
    """Letters of every key phrase of a region → the roles it shows, with their weights."""
    return keyed_phrases(region, letters)


def label_before(text: str, end: int, region: Region, start: int = 0) -> Mapping[Role, float]:
    """Roles of the longest key phrase whose last word is the last word of text[start:end]."""
    words = tokens(text[start:end])
    known = lexicon(region)
    for count in range(min(_MAX_WORDS, len(words)), 0, -1):
        roles = known.get("".join(w.text for w in words[-count:]))
        if roles:
            return roles
    return {}


def label_after(text: str, start: int, region: Region, end: int | None = None) -> Mapping[Role, float]:
    """Roles of the longest key phrase whose first word is the first word of text[start:end]."""
    words = tokens(text[start:end])
    known = lexicon(region)
    for count in range(min(_MAX_WORDS, len(words)), 0, -1):
        roles = known.get("".join(w.text for w in words[:count]))
        if roles:
            return roles
    return {}

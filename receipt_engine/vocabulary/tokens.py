"""Cuts printed text into words, each with its offsets.

`tokens` are compared by shape, as key phrases are: letters that look alike are one. `word_tokens` keep them
apart.
"""

from __future__ import annotations

import re
from functools import lru_cache

from receipt_engine.document import Record
from receipt_engine.vocabulary.confusions import LOOKALIKES
from receipt_engine.vocabulary.normalise import fold, fold_letters, squeeze

#: A run of letters, with digits that are letters inside it.
_TOKEN = re.compile(r"[^\W\d_]+(?:[0158](?=[^\W\d_])[^\W\d_]+)*")
#: The same of a text in small ASCII letters.
_ASCII_TOKEN = re.compile(r"[a-z]+(?:[0158](?=[a-z])[a-z]+)*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]")
#: A run of letters; East Asian characters each stand alone.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]+"
)
_ASCII_WORD = re.compile(r"[a-z]+")
#: Letters that the recogniser sees for digits, inside a run of letters.
_DIGIT_IN_WORD = re.compile(r"(?<=[^\W\d_])[01](?=[^\W\d_])")


class Token(Record, frozen=True):
    """A run of letters, folded, with its offsets in the original text."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[Token, ...]:
    """Runs of letters, left to right. Each East Asian character is a token of its own."""
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
        result.extend(Token(c, start + i, start + i + 1) for i, c in enumerate(run.translate(LOOKALIKES)))
    return tuple(result)


@lru_cache(maxsize=4096)
def word_tokens(text: str) -> tuple[Token, ...]:
    """Runs of letters, left to right, an OCR digit inside one read as its letter."""
    if "0" in text or "1" in text:
        text = _DIGIT_IN_WORD.sub(lambda m: {"0": "o", "1": "l"}[m.group()], text)
    if text.isascii():
        return tuple([Token(m.group(), *m.span()) for m in _ASCII_WORD.finditer(text.lower())])
    return tuple([Token(fold(m.group()), *m.span()) for m in _WORD.finditer(text)])

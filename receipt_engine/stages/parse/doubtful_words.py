"""Repairs words with a letter that the recogniser doubts: "부카세" for "부가세".

Where a script has thousands of letters, the one printed is often kept as an alternative. It is taken where it
makes a known phrase, trade or product, and the letter that was read makes none. Latin and Greek words need no
such repair: their phrases are also matched fuzzily.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from receipt_engine.document import Char, Line, Word
from receipt_engine.region import Region
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.vocabulary.phrases import find_roles
from receipt_engine.vocabulary.trades import product_words, trade_words

#: Probability from which another letter counts.
_SEEN = 0.1
#: First letter after the Latin ones.
_BEYOND_LATIN = "\u0370"
#: Fewest letters of a phrase: a single ideograph or syllable is in too many words.
_SHORTEST = 2


def with_known_words(line: Line, region: Region) -> Line:
    """The row with each doubtful letter replaced whose alternative makes a known phrase; else itself."""
    if line.text.isascii():
        return line
    for place in range(len(line.words)):
        for at, letter in _doubted(line.words[place]):
            other = _with_letter(line, place, at, letter)
            if _makes_trade(line, other, place) or _makes_phrase(line, other, place, at, region):
                line = other
                break
    return line


def _doubted(word: Word) -> Iterable[tuple[int, str]]:
    """Place of each doubtful letter among the word's characters, with each letter that it may be."""
    if "".join(char.text for char in word.chars) != word.text:
        return ()
    return (
        (at, text)
        for at, char in enumerate(word.chars)
        if _is_letter(char.text)
        for text, probability in char.alternatives
        if probability >= _SEEN and _is_letter(text)
    )


def _is_letter(text: str) -> bool:
    return len(text) == 1 and text >= _BEYOND_LATIN and text.isalpha()


def _with_letter(line: Line, place: int, at: int, letter: str) -> Line:
    word = line.words[place]
    chars: list[Char] = [*word.chars]
    chars[at] = replace(chars[at], text=letter)
    changed = replace(word, text="".join(char.text for char in chars), chars=tuple(chars))
    return replace(line, words=(*line.words[:place], changed, *line.words[place + 1 :]))


def _makes_trade(line: Line, other: Line, place: int) -> bool:
    """Whether more letters of the word at that place are a trade or product in the other row: "개인택시"."""
    before, after = (_letters_of_trade(row.words[place].text) for row in (line, other))
    return after > before


def _letters_of_trade(text: str) -> int:
    return sum(len(word.key) for words in (trade_words, product_words) for word in words(text))


def _makes_phrase(line: Line, other: Line, place: int, at: int, region: Region) -> bool:
    """Whether a known phrase covers the letter in the other row, but none in the row as read."""
    offset = sum(len(word.text) + 1 for word in line.words[:place])
    offset += sum(len(char.text) for char in line.words[place].chars[:at])
    before, after = (
        any(
            match.start <= offset < match.end and match.weight >= LIKELY and len(match.phrase) >= _SHORTEST
            for match in matches
        )
        for matches in find_roles((line.text, other.text), region)
    )
    return after and not before

"""Repairs letters that were misread as digits: "Kendal1 Drive", "DEP0SIT", "P.0. Box".

Inside words and abbreviations the recogniser mistakes l and i for 1 and o for 0, but with low confidence: it
keeps the letter as an alternative. It reads the digits of counters, codes and sizes ("Drawer1", "BOX01") with
high confidence, so those stay.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from receipt_engine.document import Char, Line, Word

#: A word whose digits are all 0 or 1, and which touches no decimal number ("Brie0.172").
_MIXED = re.compile(r"(?<![^\W_])(?<!\d[.,:])(?=[^\W_]*[01])(?:[^\W\d_]|[01]){4,}(?![^\W_])(?![.,:]\d)")
_FEWEST_LETTERS = 3
#: An abbreviation of single letters: "P.0. Box", "d.0.0.".
_POINTED = re.compile(r"(?<![^\W_])(?<![.,])(?:[A-Za-z]\.)+0(?:\.0)?(?![^\W_]|\.\d)")
#: Digit → letters of similar shape, the default first, for words with lower-case letters and for others. In
#: capitals a 1 is seldom an I.
_SMALL = {"0": "oO", "1": "liI"}
_CAPITAL = {"0": "O"}
#: A digit is doubtful below the first score, if a letter alternative has at least the second probability.
_DOUBTED = 0.975
_LETTER_SEEN = 0.02


def with_letters(line: Line) -> Line:
    """The row with doubtful digits inside words replaced by letters; the row itself when there are none."""
    words = tuple(_mended(word) if "0" in word.text or "1" in word.text else word for word in line.words)
    return line if words == line.words else replace(line, words=words)


def _mended(word: Word) -> Word:
    places = [at for at, char in enumerate(word.chars) if char.text]
    chars = list(word.chars)
    if "".join(char.text for char in chars) != word.text or len(places) != len(word.text):
        return word
    words = [m for m in _MIXED.finditer(word.text) if sum(map(str.isalpha, m.group())) >= _FEWEST_LETTERS]
    for match in [*words, *_POINTED.finditer(word.text)]:
        own = [places[at] for at in range(*match.span())]
        begun_small = match.group()[0].islower()
        for at, letter in _letters([chars[at] for at in own]).items():
            chars[own[at]] = replace(chars[own[at]], text=letter.lower() if begun_small else letter)
    return replace(word, text="".join(char.text for char in chars), chars=tuple(chars))


def _letters(chars: list[Char]) -> dict[int, str]:
    """Index of each digit → its letter; empty if a digit can be no letter or if none of them is doubtful."""
    small = any(char.text.islower() for char in chars)
    shapes = _SMALL if small else _CAPITAL
    found: dict[int, str] = {}
    doubted = False
    for at, char in enumerate(chars):
        if char.text not in _SMALL:
            continue
        seen = {text: p for text, p in char.alternatives if text and text in shapes.get(char.text, "")}
        beside = at - 1 in found or (chars[at + 1 : at + 2] and chars[at + 1].text in _SMALL)
        if not seen and not (char.alternatives and beside and small):
            return {}
        letter = max(seen, key=lambda text: seen[text], default=_SMALL[char.text][0])
        found[at] = letter
        doubted |= char.score < _DOUBTED and seen.get(letter, 0.0) >= _LETTER_SEEN
    return found if doubted else {}

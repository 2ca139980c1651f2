"""Characters as they are printed and as they are read: one plain form of the same length.

Offsets in the plain form are offsets in the text, so every reading can point at what it read.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

#: A reading with a larger cost is a guess: about one in twenty is right.
ACCEPTED = 3.0

#: Longer lines are cut: no receipt prints them, and a parser's time must be bounded.
MAX_LINE = 500

#: What the recogniser, or a worn print head, makes of a digit.
DIGIT_FOR = {
    "O": "0", "o": "0", "Q": "0", "D": "0",
    "l": "1", "I": "1", "i": "1", "|": "1", "!": "1", "]": "1", "[": "1",
    "Z": "2", "z": "2", "S": "5", "s": "5", "G": "6", "b": "6", "B": "8", "g": "9", "q": "9",
}  # fmt: skip
#: How much less likely each is than a digit read right. The first rows of confusions are the usual ones.
CONFUSION_COST = {
    letter: 0.9 if letter in "Oo0lI|i" else 1.2 if letter in "SBZDQ" else 1.8 for letter in DIGIT_FOR
}

_SAME = {
    "'": "’‘`´ʼʻ′ʹ＇",
    "-": "−–—‐‑‒―－▲△",
    " ": "\t\u00a0\u2007\u2008\u2009\u200a\u202f\u3000",
    ".": "·٫。•∙",
    ",": "٬、‚",
    "/": "⁄∕",
    "%": "٪",
    "x": "×✕",
}


def _plain_table() -> dict[int, str]:
    table = {ord(c): ascii_ for ascii_, group in _SAME.items() for c in group}
    table.update({c: chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F) if c not in table})  # full width
    table.update({0xFFE5: "¥", 0xFFE1: "£", 0xFFE6: "₩"})
    for code in range(0x660, 0x1A9A):
        digit = unicodedata.decimal(chr(code), None)
        if digit is not None:
            table[code] = str(digit)
    return table


_PLAIN = _plain_table()


def plain(text: str) -> str:
    """Digits of every script, dashes, quotes and full-width forms as ASCII; the length does not change."""
    return text if text.isascii() else text.translate(_PLAIN)


@lru_cache(maxsize=8192)
def fold(word: str) -> str:
    """A word in lower case without accents, points and spaces: the key of word tables.

    Vowel signs of Indian scripts stay: they tell words apart.
    """
    letters = unicodedata.normalize("NFD", word.lower().replace("ß", "ss").replace("đ", "d"))
    return "".join(c for c in letters if c.isalnum() or (c > "\u0900" and unicodedata.category(c)[0] == "M"))


def confusion_cost(text: str, start: int, end: int) -> float:
    """Summed cost of the letters of text[start:end] that stand for digits."""
    return sum(CONFUSION_COST.get(c, 0.0) for c in text[start:end])


def with_digits(text: str, positions: list[int]) -> str:
    """The text with the letters at these positions replaced by the digits they look like."""
    characters = list(text)
    for position in positions:
        characters[position] = DIGIT_FOR[characters[position]]
    return "".join(characters)


#: A letter that looks like a digit, beside a digit: a cheap test whether repairing is worth a try.
MAYBE_CONFUSED = re.compile(r"[0-9][.,':/-]?[OoQDlIi|!\[\]ZzSsGbBgq]|[OoQDlIi|!\[\]ZzSsGbBgq][.,':/-]?[0-9]")

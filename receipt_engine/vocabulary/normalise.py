"""Normal forms of printed text and key phrases, so that they can be compared letter by letter.

Case, accents, white space and punctuation go; Greek capitals that look Latin become Latin, because the
recogniser reads them so; a digit inside a word becomes the letter it was probably printed as. Vowel signs of
Indian scripts stay, for they tell words apart, but long and short ones are one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from receipt_engine.vocabulary.confusions import GREEK, LOOKALIKES

#: Letters that are two: "Straße" is "Strasse".
_SPELLED_OUT = str.maketrans({"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"})

#: Scripts of India and its neighbours, Devanagari to Malayalam: each has its letters and signs at the same
#: places of its block.
_INDIAN_BLOCKS = range(0x0900, 0x0D80, 0x80)
#: Their signs, which belong to the letter before them.
INDIAN_SIGNS = "".join(
    chr(code) for code in range(0x0900, 0x0D80) if unicodedata.category(chr(code))[0] == "M"
)
#: Those of them that are vowels; the others are left out or put in as a hand or a font likes.
_VOWEL_SIGNS = frozenset(chr(block + at) for block in _INDIAN_BLOCKS for at in range(0x3E, 0x4D))
#: Places of long i and u, letters and signs → those of the short ones, which are written for them.
_SHORT_PLACES = {0x08: 0x07, 0x0A: 0x09, 0x40: 0x3F, 0x42: 0x41}
#: Forms of one Arabic letter: of Persian and Urdu keyboards, and those that stand for each other at the end
#: of an Arabic word (ya without points, ha with them).
_ARABIC_FORMS = {
    "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643", "\u06c1": "\u0647", "\u06be": "\u0647",
    "\u06c3": "\u0647", "\u06d5": "\u0647", "\u0629": "\u0647", "\u0671": "\u0627",
}  # fmt: skip
#: Drawn between Arabic letters to make a word longer.
_KASHIDA = "\u0640"
#: Folded letters → the one that they are compared by.
_ONE_LETTER = {
    **{"ß": "s", "đ": "d", "ð": "d", "þ": "p", "ø": "o", "ł": "l", "æ": "a", "œ": "o", "ı": "i"},
    **{chr(b + long): chr(b + short) for b in _INDIAN_BLOCKS for long, short in _SHORT_PLACES.items()},
    **_ARABIC_FORMS,
}


def fold_letters(text: str) -> str:
    """Lower case without accents, of the same length as the text."""
    if text.isascii():
        return text.lower()
    return "".join(map(_fold_letter, text))


@lru_cache(maxsize=4096)
def _fold_letter(character: str) -> str:
    lowered = unicodedata.normalize("NFKC", character).lower()[:1] or character
    base = without_marks(lowered)
    return _ONE_LETTER.get(base, base)


def without_marks(letter: str) -> str:
    """A letter without its accents; a syllable of Hangul, which Unicode takes apart too, has none.

    >>> without_marks("é"), without_marks("합")
    ('e', '합')
    """
    parts = unicodedata.normalize("NFD", letter)
    return parts[0] if all(map(unicodedata.combining, parts[1:])) else letter


@lru_cache(maxsize=65536)
def squeeze(text: str) -> str:
    """The letters of a text, folded, without anything between them: the key of a phrase."""
    folded = fold_letters(text if text.isascii() else text.translate(_SPELLED_OUT))
    if not folded.isascii():
        folded = folded.translate(GREEK)
    folded = folded.translate(LOOKALIKES)
    if folded.isalpha() and _KASHIDA not in folded:
        return folded
    return "".join(filter(_is_in_key, folded))


def _is_in_key(character: str) -> bool:
    return (character.isalpha() and character != _KASHIDA) or character in _VOWEL_SIGNS


class _Squeezed(dict[int, str]):
    """Characters' code points → what `squeeze` leaves of them, found when first asked for."""

    def __missing__(self, code: int) -> str:
        self[code] = squeeze(chr(code))
        return self[code]


_SQUEEZED = _Squeezed({ord("\n"): "\n"})


def squeeze_all(texts: Sequence[str]) -> list[str]:
    """`squeeze` of many texts without line breaks, at once: a character becomes the same in all of them.

    >>> squeeze_all(["Net à payer", "T.V.A."])
    ['netapayer', 'tva']
    """
    return "\n".join(texts).translate(_SQUEEZED).split("\n") if texts else []


#: Letters that no decomposition takes apart, as they are spelled without them.
_SPECIAL = {
    **{"ß": "ss", "æ": "ae", "œ": "oe"},
    **{"đ": "d", "ð": "d", "þ": "p", "ø": "o", "ł": "l", "ı": "i", "ς": "σ"},
}


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
def alphanumerics(text: str) -> str:
    """The folded letters and digits of a text: the key of tables of words that may hold digits.

    Vowel signs of Indian scripts stay: they tell words apart.
    """
    folded = fold(text)
    if folded.isascii() and folded.isalnum():
        return folded
    return "".join(c for c in folded if c.isalnum() or (c > "\u0900" and unicodedata.category(c)[0] == "M"))


@lru_cache(maxsize=8192)
def count_letters(text: str) -> int:
    """How many characters of a text are letters."""
    return sum(map(str.isalpha, text))


#: Where the kana begin, and behind them the characters that are words or syllables.
_FIRST_KANA = chr(0x3041)


def weigh_letters(text: str) -> int:
    """How many letters a text has, where a character of East Asia counts for two.

    >>> weigh_letters("Tea 2"), weigh_letters("緑茶")
    (3, 4)
    """
    return sum(2 if c >= _FIRST_KANA else 1 for c in text if c.isalpha())


#: Unicode bidirectional classes of letters that are read from right to left.
_FROM_RIGHT = ("R", "AL")
#: Below this code point there are none.
_FIRST_FROM_RIGHT = "\u0590"


def letters_from_right(text: str) -> int:
    """The number of letters that are read from right to left, as Arabic and Hebrew ones are."""
    if text.isascii() or max(text) < _FIRST_FROM_RIGHT:
        return 0
    return sum(unicodedata.bidirectional(c) in _FROM_RIGHT for c in text)


#: Signs that mean the ASCII one.
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


def _ascii_table() -> dict[int, str]:
    table = {ord(c): ascii_ for ascii_, group in _SAME.items() for c in group}
    table.update({c: chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F) if c not in table})  # full width
    table.update({0xFFE5: "¥", 0xFFE1: "£", 0xFFE6: "₩"})
    for code in range(0x660, 0x1A9A):
        digit = unicodedata.decimal(chr(code), None)
        if digit is not None:
            table[code] = str(digit)
    return table


_ASCII_FORMS = _ascii_table()


def ascii_forms(text: str) -> str:
    """Digits of every script, dashes, quotes and full-width forms as ASCII; the length does not change."""
    return text if text.isascii() else text.translate(_ASCII_FORMS)

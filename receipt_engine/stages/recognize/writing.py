"""The order of letters: as they stand on paper from left to right, and as they are read.

A line's features come from left to right, and so do the letters that a head names. Arabic and Hebrew are read
from the right, with numbers and Latin words among them from the left (the Unicode bidirectional algorithm, as
far as a line of print needs it). The Devanagari vowel sign i stands before the consonants that it follows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_MIRRORED = dict(zip("()[]<>{}«»", ")(][><}{»«", strict=True))
#: What is read from the left, in a line that was turned around: a piece that begins with a Latin letter, or a
#: number. Kinds of characters are those of `_kind`.
_FROM_LEFT = re.compile(r"(?:[0L][^R0L]*)*L|%?0(?:[-.,:/٫٬]?0)*%?")
#: A telephone number in groups as it stands where it is read from the left, its plus or nought first.
_CALLED = re.compile(r"(?<!\d)(?:\+ ?\(?[1-9]\d*\)?(?:[ -]\d+)+|\(?0\d+\)?(?: \d+)+)(?<=\d{3})(?![\d:/])")
_CALLED_DIGITS = range(9, 16)
_VOWEL = "\u093f"
_CONSONANT = "[\u0915-\u0939]\u093c?"
#: Consonants that are written as one, with the vowel sign behind them.
_CLUSTER = re.compile(f"{_CONSONANT}(?:\u094d{_CONSONANT})*")
_VOWEL_BEHIND = re.compile(f"({_CLUSTER.pattern}){_VOWEL}")


def reading_order(letters: Sequence[str]) -> list[tuple[int, str]]:
    """Where each letter of the text that is read stands on paper, and how it is written there.

    letters: from left to right. A bracket that is read from the right opens where it would close. Where a
    telephone number in groups stands behind the word for it, the line is read from the left.

    >>> "".join(letter for _, letter in reading_order("05.21 (دقن)"))
    '(نقد) 05.21'
    """
    if any(map(_is_from_right, letters)):
        word = _before_called(letters)
        return [*_from_right(letters[:word]), *list(enumerate(letters))[word:]]
    if _VOWEL in letters:
        return [(at, letters[at]) for at in _vowels_behind(letters)]
    return list(enumerate(letters))


#: Forms of Persian and Urdu keyboards, of one shape with the Arabic ones but at a word's end.
_ARABIC = {"ی": "ي", "ک": "ك"}
#: Letters that only those languages have.
_OTHERS_ALONE = frozenset(
    map(chr, (0x67E, 0x686, 0x698, 0x6AF, 0x679, 0x688, 0x691, 0x6BA, 0x6BE, 0x6C1, 0x6D2))
)
_JOINED = re.compile(f"[{''.join(_ARABIC)}](?=[\u0620-\u06d3])")


def in_arabic(text: str) -> str:
    """A line with the forms that Arabic writes, unless it has a letter that only Persian or Urdu has; of the
    same length.

    >>> in_arabic("تنزیلات") == "تنزيلات"
    True
    """
    return text if _OTHERS_ALONE & set(text) else _JOINED.sub(lambda found: _ARABIC[found[0]], text)


def printed(text: str) -> str:
    """The letters of a text as they stand on paper from left to right: what `reading_order` undoes."""
    if any(map(_is_from_right, text)):
        return "".join(letter for _, letter in _from_right(text))
    return _VOWEL_BEHIND.sub(lambda found: _VOWEL + found[1], text)


def _before_called(letters: Sequence[str]) -> int:
    """Where the letters that are read from the right end, when a telephone number that is read from the left
    stands behind them all: tills that print amounts at the right print the word for it at the left. The whole
    line otherwise."""
    text = "".join(letter[:1] or "\0" for letter in letters)
    last = max(at for at, letter in enumerate(letters) if _is_from_right(letter))
    called = (found.group() for found in _CALLED.finditer(text, last + 1))
    digits = (sum(map(str.isdigit, number)) for number in called)
    return last + 1 if any(count in _CALLED_DIGITS for count in digits) else len(letters)


def _from_right(letters: Sequence[str]) -> list[tuple[int, str]]:
    """Turned around, but for what is read from the left."""
    backwards = [(at, _MIRRORED.get(letter, letter)) for at, letter in enumerate(letters)][::-1]
    kinds = "".join(_kind(letter) for _, letter in backwards)
    for found in _FROM_LEFT.finditer(kinds):
        start, end = found.span()
        piece = backwards[start:end][::-1]
        backwards[start:end] = [(at, letters[at]) for at, _ in piece]
    return backwards


def _kind(letter: str) -> str:
    """0 for digits, L for letters that are read from the left, R for others; signs as they are."""
    if letter.isdigit():
        return "0"
    if letter.isalpha():
        return "R" if _is_from_right(letter) else "L"
    return letter if len(letter) == 1 else " "


def _is_from_right(letter: str) -> bool:
    return letter != "" and unicodedata.bidirectional(letter[0]) in ("R", "AL")


def _vowels_behind(letters: Sequence[str]) -> list[int]:
    text = "".join(letter[:1] or " " for letter in letters)
    order = list(range(len(letters)))
    for sign in re.finditer(_VOWEL, text):
        if cluster := _CLUSTER.match(text, sign.end()):
            start = sign.start()
            order[start : cluster.end()] = [*range(start + 1, cluster.end()), start]
    return order

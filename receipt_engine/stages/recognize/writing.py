"""Converts text between visual order (left to right on paper) and logical (reading) order.

A line's features run from left to right, and so do the characters that a head outputs. Arabic and Hebrew are
read from right to left, with numbers and Latin words among them from left to right (the Unicode bidirectional
algorithm, as far as a printed line needs it). The Devanagari vowel sign i is printed before the consonants
that it follows in reading order.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import partial

_MIRRORED = dict(zip("()[]<>{}«»", ")(][><}{»«", strict=True))
#: Left-to-right runs in a reversed line: a piece that begins with a Latin letter, or a number. Matched
#: against the character kinds of `_kind`.
_FROM_LEFT = re.compile(r"(?:[0L][^R0L]*)*L|%?0(?:[-.,:/٫٬]?0)*%?")
#: A telephone number in groups, in left-to-right order: it begins with a plus sign or a zero.
_CALLED = re.compile(r"(?<!\d)(?:\+ ?\(?[1-9]\d*\)?(?:[ -]\d+)+|\(?0\d+\)?(?: \d+)+)(?<=\d{3})(?![\d:/])")
_CALLED_DIGITS = range(9, 16)
_VOWEL = "\u093f"
_CONSONANT = "[\u0915-\u0939]\u093c?"
#: A consonant cluster, and one followed by the vowel sign.
_CLUSTER = re.compile(f"{_CONSONANT}(?:\u094d{_CONSONANT})*")
_VOWEL_BEHIND = re.compile(f"({_CLUSTER.pattern}){_VOWEL}")


def reading_order(letters: Sequence[str]) -> list[tuple[int, str]]:
    """The letters in reading order, each with its index in `letters`.

    letters: from left to right on paper. Brackets in right-to-left text are mirrored. Where a telephone
    number in groups stands to the right of the word for it, the word is read first, then the number.

    >>> "".join(letter for _, letter in reading_order("05.21 (دقن)"))
    '(نقد) 05.21'
    """
    if any(map(_is_from_right, letters)):
        word = _before_called(letters)
        return [*_from_right(letters[:word]), *list(enumerate(letters))[word:]]
    if _VOWEL in letters:
        return [(at, letters[at]) for at in _vowels_behind(letters)]
    return list(enumerate(letters))


#: Persian and Urdu forms → Arabic ones, which have the same shape except at a word's end.
_ARABIC = {"ی": "ي", "ک": "ك"}
#: Letters that only Persian and Urdu have.
_OTHERS_ALONE = frozenset(
    map(chr, (0x67E, 0x686, 0x698, 0x6AF, 0x679, 0x688, 0x691, 0x6BA, 0x6BE, 0x6C1, 0x6D2))
)
_JOINED = re.compile(f"[{''.join(_ARABIC)}](?=[\u0620-\u06d3])")


def in_arabic(text: str) -> str:
    """The line with Arabic letter forms, unless it has a letter that only Persian or Urdu has; same length.

    >>> in_arabic("تنزیلات") == "تنزيلات"
    True
    """
    return text if _OTHERS_ALONE & set(text) else _JOINED.sub(lambda found: _ARABIC[found[0]], text)


#: By a script's zero: Latin letters and digits → its digits of the same shape.
_DIGITS = {"\u0660": {"0": "\u0665"}, "\u0966": {"0": "\u0966"}, "\u09e6": {"0": "\u09e6", "8": "\u09ea"}}


def _translated(table: dict[int, str], found: re.Match[str]) -> str:
    return found.group().translate(table)


def in_own_digits(text: str) -> str:
    """The line with digits of one script in each number that has some of its own; same length.

    >>> in_own_digits("8\u09e7o") == "\u09ea\u09e7\u09e6"
    True
    """
    for zero, alike in _DIGITS.items():
        own = f"{zero}-{chr(ord(zero) + 9)}"
        if re.search(f"[{own}]", text):
            shapes = str.maketrans({**alike, "o": alike["0"], "O": alike["0"]})
            signs = "".join(map(chr, shapes))
            number = rf"(?<![A-Za-z])(?=[{own}{signs}]*[{own}])[{own}{signs}]+(?![A-Za-z])"
            text = re.sub(number, partial(_translated, shapes), text)
    return text


def printed(text: str) -> str:
    """The text in visual order, from left to right on paper: the inverse of `reading_order`."""
    if any(map(_is_from_right, text)):
        return "".join(letter for _, letter in _from_right(text))
    return _VOWEL_BEHIND.sub(lambda found: _VOWEL + found[1], text)


def _before_called(letters: Sequence[str]) -> int:
    """The index at which the right-to-left part ends, when a left-to-right telephone number follows it; the
    length of the line otherwise.

    Tills that print amounts at the right print the word for the telephone number at the left.
    """
    text = "".join(letter[:1] or "\0" for letter in letters)
    last = max(at for at, letter in enumerate(letters) if _is_from_right(letter))
    called = (found.group() for found in _CALLED.finditer(text, last + 1))
    digits = (sum(map(str.isdigit, number)) for number in called)
    return last + 1 if any(count in _CALLED_DIGITS for count in digits) else len(letters)


def _from_right(letters: Sequence[str]) -> list[tuple[int, str]]:
    """Letters with their indices in reverse order, except for left-to-right runs."""
    backwards = [(at, _MIRRORED.get(letter, letter)) for at, letter in enumerate(letters)][::-1]
    kinds = "".join(_kind(letter) for _, letter in backwards)
    for found in _FROM_LEFT.finditer(kinds):
        start, end = found.span()
        piece = backwards[start:end][::-1]
        backwards[start:end] = [(at, letters[at]) for at, _ in piece]
    return backwards


def _kind(letter: str) -> str:
    """Digits as "0", left-to-right letters as "L", right-to-left ones as "R"; other signs unchanged."""
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

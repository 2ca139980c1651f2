"""Which character classes each script may print.

The recogniser knows 18,708 characters. Without a mask it reads `****` as a Chinese character; with
one, only what a script prints competes, which is both faster and more accurate.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Literal

Script = Literal["latin", "vietnamese", "greek", "cjk"]

_PUNCTUATION = "–—‘’“”•€£₫₹₱₩฿₦₡₲₪₽¢§©®™°№×÷±½ªº¡¿«»"
_BEYOND_LATIN_1 = "ƠơƯưȘșȚțẠồ"
_RARE = set("ĀāĸŀĿŉſĳĲŊŋŦŧÞþÐð")


@cache
def allowed(character: str, script: Script) -> bool:
    """Whether text of the script, latin or cjk, may contain the character. Latin letters and digits occur in
    both."""
    code = ord(character)
    if code < 0x7F or character in _PUNCTUATION or character in _BEYOND_LATIN_1:
        return True
    if 0xC0 <= code < 0x180:
        return character not in _RARE
    return script == "cjk" and _is_east_asian(character)


def _is_east_asian(character: str) -> bool:
    code = ord(character)
    if 0x3000 <= code < 0x3100 or 0x3200 <= code < 0x3400 or 0xFF00 <= code < 0xFFF0:
        return True
    return unicodedata.name(character, "").startswith("CJK") or character in "¥・·※○●◎△▲□■◇◆★☆①②③④⑤⑥⑦⑧⑨⑩"


#: Letters of the same shape.
_LATIN_TWINS, _GREEK_TWINS = "ABEZHIKMNOPTXYov", "ΑΒΕΖΗΙΚΜΝΟΡΤΧΥον"
_TO_GREEK = str.maketrans(_LATIN_TWINS, _GREEK_TWINS)
_TO_LATIN = str.maketrans(_GREEK_TWINS, _LATIN_TWINS)


def one_script(word: str) -> str:
    """A word that mixes Latin and Greek letters, in the script that has all its shapes; others as they
    are. The script of most letters when both have them; codes and masked numbers in Latin."""
    found = [script for c in word if (script := script_of(c)) is not None]
    greek, latin = word.translate(_TO_GREEK), word.translate(_TO_LATIN)
    if _is_code(latin) and _is_all(latin, "latin"):
        return latin
    if len(set(found)) < 2:
        return word
    if _is_all(greek, "greek") and (not _is_all(latin, "latin") or 2 * found.count("greek") >= len(found)):
        return greek
    return latin if _is_all(latin, "latin") else word


def _is_code(word: str) -> bool:
    """Whether digits are most of a word with letters, or one letter stands for hidden digits ("XXXX2597")."""
    letters, digits = [c for c in word if c.isalpha()], sum(map(str.isdigit, word))
    return digits > 0 and (digits >= 2 * len(letters) or len(set(letters)) == 1 < len(letters))


def _is_all(word: str, script: Script) -> bool:
    return all(script_of(c) in (script, None) for c in word)


_HORNED = frozenset("ƠơƯư")
_GREEK_ALONE = frozenset("ΓΔΘΛΞΠΣΦΨΩθλξπσφψ")


def is_vietnamese(letter: str) -> bool:
    """Whether only Vietnamese has the letter: one with a tone that other languages do not mark, or a horn."""
    return "\u1ea0" <= letter <= "\u1ef9" or letter in _HORNED


def is_greek_alone(letter: str) -> bool:
    """Whether it is a Greek letter whose shape neither Latin nor, as an accident, other scripts have."""
    return letter in _GREEK_ALONE


def script_of(character: str) -> Script | None:
    """The script that a letter shows; None for digits, punctuation and blank."""
    if not character.isalpha():
        return None
    code = ord(character)
    if code < 0x250:
        return "latin"
    if 0x370 <= code < 0x3D0:
        return "greek"
    return "cjk" if _is_east_asian(character) else None

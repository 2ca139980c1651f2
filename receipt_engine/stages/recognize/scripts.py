"""Decides which character classes each script may use.

The recogniser knows 18,708 characters. Without a mask it reads `****` as a Chinese character; with one, only
the script's characters compete, which is both faster and more accurate.
"""

from __future__ import annotations

import unicodedata
from typing import Literal

Script = Literal[
    "latin", "vietnamese", "greek", "cyrillic", "cjk", "hangul", "thai", "arabic", "devanagari", "hebrew",
    "bengali"
]  # fmt: skip

_PUNCTUATION = "–—‘’“”•€£₫₹₱₩฿₦₡₲₪₽¢§©®™°№×÷±½ªº¡¿«»"
_BEYOND_LATIN_1 = "ƠơƯưȘșȚțẠồ"
_RARE = set("ĀāĸŀĿŉſĳĲŊŋŦŧÞþÐð")


def allowed(character: str, script: Script) -> bool:
    """Whether text of the script, latin or cjk, may contain the character.

    Latin letters and digits occur in both.
    """
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


def is_printed(character: str, script: Script) -> bool:
    """Whether lines of a script in `_BLOCKS` may contain the character: its own, Latin, or no letter."""
    if character in _MONEY:
        return script in _MONEY[character]
    if unicodedata.category(character) == "Sc" or character in _SHARED:
        return True
    code = ord(character)
    own = [known for known, first, end in _BLOCKS if first <= code < end]
    return script in own if own else script_of(character) in ("latin", None)


#: Signs for money that only countries with these scripts print.
_MONEY: dict[str, tuple[Script, ...]] = {
    **dict.fromkeys("₽₴₸", ("cyrillic",)),
    "₹": ("devanagari", "bengali"),
    "₪": ("hebrew", "arabic"),
    "฿": ("thai",),
}
#: Full stops used by several scripts, though they lie in the Unicode block of one.
_SHARED = "।॥"


#: Latin letters, and the script's letters of the same shape.
_TWINS: dict[Script, tuple[str, str]] = {
    "greek": ("ABEZHIKMNOPTXYov", "ΑΒΕΖΗΙΚΜΝΟΡΤΧΥον"),
    "cyrillic": ("ABEKMHOPCTXYaeopcyxiIjJsSkëËïÏ", "АВЕКМНОРСТХУаеорсухіІјЈѕЅкёЁїЇ"),
}
_TO_OWN = {script: str.maketrans(latin, own) for script, (latin, own) in _TWINS.items()}
_TO_LATIN = {script: str.maketrans(own, latin) for script, (latin, own) in _TWINS.items()}


def one_script(word: str, script: Script = "greek") -> str:
    """Converts a word that mixes Latin letters with look-alikes of another script to one of the two.

    The result is in the script that has all the word's shapes; when both have them, in that of most letters.
    Codes and masked numbers become Latin. Other words are returned unchanged.
    """
    found = [letter for c in word if (letter := script_of(c)) is not None]
    own, latin = word.translate(_TO_OWN[script]), word.translate(_TO_LATIN[script])
    if _is_code(latin) and _is_all(latin, "latin"):
        return latin
    if len(set(found)) < 2:
        return word
    if _is_all(own, script) and (not _is_all(latin, "latin") or 2 * found.count(script) >= len(found)):
        return own
    return latin if _is_all(latin, "latin") else word


def _is_code(word: str) -> bool:
    """Whether a word has at least two digits per letter, or one letter masks digits ("XXXX2597")."""
    letters, digits = [c for c in word if c.isalpha()], sum(map(str.isdigit, word))
    return digits > 0 and (digits >= 2 * len(letters) or len(set(letters)) == 1 < len(letters))


def _is_all(word: str, script: Script) -> bool:
    return all(script_of(c) in (script, None) for c in word)


_HORNED = frozenset("ƠơƯư")
_GREEK_ALONE = frozenset("ΓΔΘΛΞΠΣΦΨΩθλξπσφψ")
_CYRILLIC_ALONE = frozenset("БДЖИЙЛЦШЩЪЫЭЮЯЄЂЉЊЋЏбвджзийлцчшщъыьэюяєђљњћџґҒғҚқҢңҰұ")


def is_vietnamese(letter: str) -> bool:
    """Whether only Vietnamese has the letter: with a tone mark that no other language uses, or a horn."""
    return "\u1ea0" <= letter <= "\u1ef9" or letter in _HORNED


def is_greek_alone(letter: str) -> bool:
    """Whether it is a Greek letter whose shape occurs neither in Latin nor, by accident, in other scripts."""
    return letter in _GREEK_ALONE


def is_cyrillic_alone(letter: str) -> bool:
    """Whether it is a Cyrillic letter whose shape no Latin or Greek letter and no digit has."""
    return letter in _CYRILLIC_ALONE


#: Unicode blocks of scripts: first code point, and the one after the last.
_BLOCKS: tuple[tuple[Script, int, int], ...] = (
    ("cyrillic", 0x400, 0x530),
    ("hebrew", 0x590, 0x600),
    ("arabic", 0x600, 0x780),
    ("devanagari", 0x900, 0x980),
    ("bengali", 0x980, 0xA00),
    ("thai", 0xE00, 0xE80),
    ("hangul", 0xAC00, 0xD7A4),
)


def script_of(character: str) -> Script | None:
    """The script of a letter; None for digits, punctuation and spaces."""
    if not character.isalpha():
        return None
    code = ord(character)
    if code < 0x250:
        return "latin"
    if 0x370 <= code < 0x3D0:
        return "greek"
    found = next((script for script, first, end in _BLOCKS if first <= code < end), None)
    return found or ("cjk" if _is_east_asian(character) else None)


def is_sign(character: str) -> bool:
    """Whether it is a currency sign or number sign outside ASCII."""
    return not character.isascii() and (character == "№" or unicodedata.category(character) == "Sc")

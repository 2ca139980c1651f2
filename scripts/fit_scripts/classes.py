"""Defines the scripts that the recogniser reads, and the character classes of each."""

from __future__ import annotations

import string

from scripts.fit_heads.languages import LANGUAGES

#: Relative frequency of drawn lines of each script.
SHARES = {"arabic": 5, "bengali": 4, "cyrillic": 9, "devanagari": 5, "hebrew": 2, "thai": 4}
_COMMON = string.digits + string.ascii_letters + string.punctuation + "€£°–’“”«»·•₹₪฿₽₴₸№"


def letters(script: str) -> str:
    """The characters that the recogniser knows on lines of the script, except blank and space."""
    language = LANGUAGES[script]
    return "".join(dict.fromkeys(_COMMON + language.letters + language.signs))


def characters() -> tuple[str, ...]:
    """The character of every class: CTC's blank, the letters of all scripts by code point, the space."""
    return ("", *sorted(set("".join(map(letters, SHARES)))), " ")

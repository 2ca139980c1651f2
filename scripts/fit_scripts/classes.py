"""The scripts that the reader reads, and the classes of each."""

from __future__ import annotations

import string

from scripts.fit_heads.languages import LANGUAGES

#: How often lines of each script are drawn.
SHARES = {"arabic": 5, "bengali": 2, "cyrillic": 5, "devanagari": 4, "hebrew": 3, "thai": 4}
_COMMON = string.digits + string.ascii_letters + string.punctuation + "€£°–’“”«»·•₹₪฿₽₴₸№"


def letters(script: str) -> str:
    """What the reader knows on lines of the script, blank and space apart."""
    language = LANGUAGES[script]
    return "".join(dict.fromkeys(_COMMON + language.letters + language.signs))


def characters() -> tuple[str, ...]:
    """Of every class: CTC's blank, the letters of all scripts in order of their codes, the space."""
    return ("", *sorted(set("".join(map(letters, SHARES)))), " ")

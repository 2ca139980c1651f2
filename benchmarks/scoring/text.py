"""Normalises text for comparison; cached, because every protocol compares the same texts."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rapidfuzz import fuzz


@lru_cache(maxsize=8192)
def squeezed(text: str) -> str:
    """The text in NFKC, case-folded and without white space."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


@lru_cache(maxsize=8192)
def letters(text: str) -> str:
    """`squeezed`, reduced to letters and digits of any script; unreduced when there are none."""
    plain = squeezed(text)
    return "".join(filter(str.isalnum, plain)) or plain


def digits(text: str) -> str:
    """The decimal digits in order as ASCII, whatever script they are printed in."""
    return "".join(str(unicodedata.decimal(char)) for char in text if char.isdecimal())


def words(text: str) -> list[str]:
    """Runs of letters and digits, case-folded."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char if char.isalnum() else " " for char in plain).split()


def similarity(one: str, other: str) -> float:
    """Similarity from 0 to 1 of the letters and digits of both (fuzz.ratio)."""
    return fuzz.ratio(letters(one), letters(other)) / 100

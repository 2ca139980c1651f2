"""Restores the spelling of known places where the recogniser lost some of their diacritics.

It has no characters for many Vietnamese accents, confuses a macron with a tilde or dots, and reads a zero
inside a word of capitals. A name printed entirely without accents stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rapidfuzz.distance.Levenshtein import distance

from receipt_engine.region import KEPT_REGIONS, Region, load_language
from receipt_engine.vocabulary.normalise import fold

_PARTS = ("suburb", "city", "state")
#: A name with accents and at least this many letters may differ from the known one by one letter.
_LONG = 4
#: A postal district ("Dublin 8") belongs to the name.
_DISTRICT = re.compile(r" \d{1,2}$")
#: Separate letters of northern alphabets: unlike accents, their marks are also printed on capitals.
_RINGS = frozenset("åäöüøæ")
#: An abbreviation before a name that is not part of it: "TP. Hồ Chí Minh", "Q. Tân Bình".
_SHORT_KIND = re.compile(r"\w{1,3}\. ?(?=\w)")
#: The combining dot that Turkish "İ" leaves in lower case.
_DOT = "\u0307"
_DIGITS_AS_LETTERS = str.maketrans("015", "ols")


def spelled(parts: dict[str, str], region: Region) -> dict[str, str]:
    """The parts, with known places as the region spells them. Printed capitals are kept."""
    if load_language(region.languages[0]).script == "greek":
        return parts  # capitals have no accents there
    known = _known(region)
    rings = any(c in _RINGS for value in parts.values() for c in _lower(value))
    return {key: _own(value, known, rings) if key in _PARTS else value for key, value in parts.items()}


def _lower(text: str) -> str:
    """The text in lower case, with diacritics composed (NFC)."""
    return unicodedata.normalize("NFC", text.lower())


def _own(printed: str, known: dict[str, str], rings: bool) -> str:
    """The name as the region spells it; as printed when it is unknown. rings: the address has letters such as
    "å" or "ö", so a name that lacks its own was misread."""
    if _DISTRICT.search(printed):
        return printed
    kind = _SHORT_KIND.match(printed)
    if kind is not None:
        return kind.group() + _own(printed[kind.end() :], known, rings)
    key = _key(printed)
    name = known.get(key)
    if name is not None and _is_whole(printed, name):
        return printed
    if name is None and not printed.isascii() and len(key) >= _LONG:
        close = [other for own, other in known.items() if own[0] == key[0] and distance(own, key) == 1]
        name = close[0] if len(close) == 1 else None
    if name is None:
        return printed
    misread = rings and all(c.isascii() or c in _RINGS for c in _lower(name))
    if fold(name) == fold(printed) and printed.isascii() and not misread:
        return printed
    if _lower(printed).replace(_DOT, "") == _lower(name).replace(_DOT, ""):
        return printed
    return name.upper() if printed.isupper() else name


def _is_whole(printed: str, name: str) -> bool:
    """Whether a name without accents lost nothing: no digit for a letter, no missing space or apostrophe."""
    marks = sum(not c.isalnum() for c in printed), sum(not c.isalnum() for c in name)
    plain = printed.isascii() and name.isascii() and not any(c.isdigit() for c in printed)
    return plain and marks[0] >= marks[1]


def _key(name: str) -> str:
    """The folded letters of a name, with digits inside it read as letters."""
    return "".join(c for c in fold(name).translate(_DIGITS_AS_LETTERS) if c.isalpha())


@lru_cache(maxsize=KEPT_REGIONS)
def _known(region: Region) -> dict[str, str]:
    """Key → name; of two names with the same key, the one with more non-ASCII letters. Without abbreviations
    and names with numbers."""
    address = region.address
    names = [*address.cities, *address.districts, *address.states.values()]
    whole = [n for n in names if len(n) > 4 - (not n.isascii()) and all(c.isalpha() or c in " -'" for c in n)]
    return {_key(name): name for name in sorted(whole, key=lambda n: sum(not c.isascii() for c in n))}

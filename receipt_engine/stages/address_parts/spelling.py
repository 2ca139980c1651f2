"""Names of known places in their own spelling, where the recogniser lost some of their marks.

It has no letter for many of Vietnam's accents, takes a bar over a vowel for a tilde or dots, and reads a
zero inside a word of capitals. A name that is printed wholly without accents stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rapidfuzz.distance.Levenshtein import distance

from receipt_engine.region import KEPT_REGIONS, Region, load_language
from receipt_engine.vocabulary.normalise import fold

_PARTS = ("suburb", "city", "state")
#: A name with accents of at least so many letters is known by all but one.
_LONG = 4
#: A postal district ("Dublin 8") belongs to the name.
_DISTRICT = re.compile(r" \d{1,2}$")
#: Letters of their own in northern alphabets: capitals keep their marks, unlike accents.
_RINGS = frozenset("åäöüøæ")
#: What stands before a name and is no part of it: "TP. Hồ Chí Minh", "Q. Tân Bình".
_SHORT_KIND = re.compile(r"\w{1,3}\. ?(?=\w)")
_DIGITS_AS_LETTERS = str.maketrans("015", "ols")


def spelled(parts: dict[str, str], region: Region) -> dict[str, str]:
    """The parts, known places among them as the region writes them, in the printed case."""
    if load_language(region.languages[0]).script == "greek":
        return parts  # capitals have no accents there
    known = _known(region)
    rings = any(c in _RINGS for value in parts.values() for c in _lower(value))
    return {key: _own(value, known, rings) if key in _PARTS else value for key, value in parts.items()}


def _lower(text: str) -> str:
    """Lower case, marks as parts of their letters."""
    return unicodedata.normalize("NFC", text.lower())


def _own(printed: str, known: dict[str, str], rings: bool) -> str:
    """The name as the region spells it. rings: the address prints letters with rings or dots, so that a name
    without its own was misread."""
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
    return name.upper() if printed.isupper() else name


def _is_whole(printed: str, name: str) -> bool:
    """Whether nothing of a name was lost: no digit for a letter, no blank or apostrophe less."""
    marks = sum(not c.isalnum() for c in printed), sum(not c.isalnum() for c in name)
    plain = printed.isascii() and name.isascii() and not any(c.isdigit() for c in printed)
    return plain and marks[0] >= marks[1]


def _key(name: str) -> str:
    """The folded letters of a name, digits inside it read as letters."""
    return "".join(c for c in fold(name).translate(_DIGITS_AS_LETTERS) if c.isalpha())


@lru_cache(maxsize=KEPT_REGIONS)
def _known(region: Region) -> dict[str, str]:
    """Key → name, the one with more marks where two share a key. Abbreviations and numbers stay out."""
    address = region.address
    names = [*address.cities, *address.districts, *address.states.values()]
    whole = [n for n in names if len(n) > 4 - (not n.isascii()) and all(c.isalpha() or c in " -'" for c in n)]
    return {_key(name): name for name in sorted(whole, key=lambda n: sum(not c.isascii() for c in n))}

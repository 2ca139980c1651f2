"""Looks up shop chains: spelling, expense label, countries and web address.

The table is ``regions/brands/chains.tsv``, written by ``scripts/build_brands.py`` from the Name Suggestion
Index: one row per folded name, and one per web address, whose key ends in a full stop.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from receipt_engine import assets
from receipt_engine.document import Record
from receipt_engine.region import KEPT_REGIONS
from receipt_engine.vocabulary.normalise import alphanumerics, letters
from receipt_engine.vocabulary.terms import is_term

#: In place of country codes: in all countries; in parts of countries that the table does not name.
EVERYWHERE, UNKNOWN = "*", "?"
#: Least number of letters and digits in a name for which one misread character is tolerated, and two.
_ONE_MISREAD, _TWO_MISREAD = 7, 11
#: Fewest letters of a chain's name before that of a branch; most words of the two together.
_SHORTEST, _WORDS_OF_BRANCH = 4, 4
#: Digits and letters of one shape.
_SHAPES = str.maketrans({"0": "o", "1": "l", "5": "s", "8": "b", "i": "l"})


class Brand(Record, frozen=True):
    """name: as the chain writes it. trade: its expense label, "" when several apply. countries: region
    codes."""

    name: str
    trade: str
    countries: tuple[str, ...]

    def is_in(self, country: str) -> bool:
        """Whether the chain is known to have shops in the country."""
        return country in self.countries or EVERYWHERE in self.countries


def chains_file() -> Path:
    """Returns the path of the table."""
    return assets.folder("regions") / "brands" / "chains.tsv"


@cache
def _lines() -> Sequence[str]:
    """Returns the rows, sorted by key."""
    return chains_file().read_text(encoding="utf-8").splitlines()


@lru_cache(maxsize=4096)
def _found(key: str) -> tuple[Brand, ...]:
    """Returns the chains with this key."""
    lines, found = _lines(), []
    at = bisect_left(lines, f"{key}\t")
    while at < len(lines) and lines[at].startswith(f"{key}\t"):
        _, name, trade, countries = lines[at].split("\t")
        found.append(Brand(name, trade, tuple(countries.split())))
        at += 1
    return tuple(found)


def brand_named(text: str, country: str) -> Brand | None:
    """Returns the chain in the country whose whole name the text is, perhaps with digits for letters.

    >>> brand_named("MC DONALDS", "se").name, brand_named("MCD0NALDS", "se").name
    ("McDonald's", "McDonald's")
    """
    key = alphanumerics(text)
    exact = next((brand for brand in _found(key) if brand.is_in(country)), None)
    return exact or brand_by_shape(text, country)


def telling_brand(text: str, country: str) -> Brand | None:
    """Returns the chain in the country whose whole name the text is, if no other text has it by chance."""
    brand = brand_named(text, country)
    return brand if brand is not None and len(letters(brand.name)) >= _SHORTEST else None


def brand_by_shape(text: str, country: str) -> Brand | None:
    """Returns the chain in the country whose whole name the text is but for letters misread as digits."""
    key = alphanumerics(text)
    if key.isalpha() or len(letters(text)) < _SHORTEST - 1 or len(key) < _SHORTEST:
        return None
    name = _shapes(country).get(key.translate(_SHAPES), key)
    return next((brand for brand in _found(name) if brand.is_in(country)), None) if name != key else None


def is_brand(text: str) -> bool:
    """Returns whether the text is the whole name of a chain in any country."""
    return bool(_found(alphanumerics(text)))


def brand_of_branch(text: str, country: str) -> Brand | None:
    """Returns the chain in the country whose name begins the text, with that of the branch behind it.

    >>> brand_of_branch("TESCO ILFORD", "gb").name
    'Tesco'
    """
    words = text.split()
    if len(words) > _WORDS_OF_BRANCH:
        return None
    for count in range(len(words) - 1, 0, -1):
        start = " ".join(words[:count])
        if len(letters(start)) >= _SHORTEST and not is_term(words[count], "link"):
            brand = brand_named(start, country)
            if brand is not None:
                return brand
    return None


def brand_of_site(domain: str) -> str | None:
    """Returns the name of the chain whose web address has the domain name `domain` ("picknpay")."""
    found = _found(f"{alphanumerics(domain)}.")
    return found[0].name if found else None


def brand_misread(text: str, country: str) -> str | None:
    """Returns the name of the only chain in the country that the text matches but for one or two letters.

    None when the text is too short, is a chain's exact name, or resembles only an alternative name of the
    chain.
    """
    key = alphanumerics(text)
    misread = (len(key) >= _ONE_MISREAD) + (len(key) >= _TWO_MISREAD)
    if not misread:
        return None
    near = extract(key, _keys(country), scorer=OSA.distance, score_cutoff=misread)
    brands = {brand.name for name, _, _ in near if (brand := brand_named(name, country)) is not None}
    if len(brands) != 1 or near[0][1] == 0:
        return None
    (name,) = brands
    return name if alphanumerics(name) in {found for found, _, _ in near} else None


@lru_cache(maxsize=KEPT_REGIONS)
def _shapes(country: str) -> dict[str, str]:
    """Returns the keys of the country's chain names without digits, by their shapes."""
    return {key.translate(_SHAPES): key for key in _keys(country, _SHORTEST) if key.isalpha()}


@lru_cache(maxsize=2 * KEPT_REGIONS)
def _keys(country: str, shortest: int = _ONE_MISREAD - 1) -> Sequence[str]:
    """Returns the keys of the country's chain names of at least `shortest` characters."""
    found = []
    for line in _lines():
        key, _, _, countries = line.split("\t")
        if len(key) >= shortest and not key.endswith("."):
            codes = countries.split()
            if country in codes or EVERYWHERE in codes:
                found.append(key)
    return tuple(dict.fromkeys(found))

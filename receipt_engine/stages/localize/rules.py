"""The rules to read a receipt by: a region's file, or for a country without one what its print shows.

A neighbour's file would bring its own taxes, words and postcodes along. So a country without a file has what
every till shares: its languages' words, the arithmetic of sums and rates, and what is known of each country
of the world: currency, marks of numbers, order of dates.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from receipt_engine.document import THOUSANDS, Line
from receipt_engine.region import (
    Address,
    Currency,
    Dates,
    Numbers,
    Phone,
    Region,
    Separators,
    Tax,
    load_region,
)
from receipt_engine.stages.localize.countries import country
from receipt_engine.stages.localize.lexicon import lexicon
from receipt_engine.stages.localize.words import weigh_languages

#: Printed where no language of the country is known, and beside any.
_EVERYWHERE = "en"
#: What a language explains of the words that any language explains, from which on the page is in it.
_PRINTED = 0.6
#: Letters that tills of any country print behind amounts for a rate.
_TAX_CODES = ("A", "B", "C", "D", "E", "*")
_POSTCODE = r"\b\d{4,6}\b"


def choose_rules(lines: Sequence[Line], code: str) -> Region:
    """The region file of a country, or rules made of what is known without one.

    code: of the likeliest country, as `localize` names it.
    """
    found = country(code)
    if found.region is not None:
        return load_region(code)
    return _composed(code, _languages([line.text for line in lines], found.languages))


def _languages(texts: Sequence[str], usual: tuple[str, ...]) -> tuple[str, ...]:
    """The country's languages, behind one that is plainly printed instead."""
    words = lexicon()
    weights = weigh_languages(words.find(texts), words)
    if not weights:
        return usual or (_EVERYWHERE,)
    most = max(weights.values())
    known = tuple(language for language in usual if weights.get(language, 0.0) >= _PRINTED * most)
    best = max(weights, key=lambda language: (weights[language], language))
    return tuple(dict.fromkeys((*(known or (best,)), *usual, _EVERYWHERE)))


@lru_cache(maxsize=128)
def _composed(code: str, languages: tuple[str, ...]) -> Region:
    known = country(code)
    usual, other = known.decimals[0], "," if known.decimals[0] == "." else "."
    blank = () if known.group == other else (known.group,)  # parts thousands beside either decimal mark
    habits = tuple(
        Separators(decimal=mark, groups=tuple(dict.fromkeys((*blank, {".": ",", ",": "."}[mark], " "))))
        # Where three digits are the fraction, the same digits behind the other mark are no thousands.
        for mark in ((usual,) if known.fraction == THOUSANDS else (usual, other))
    )
    return Region(
        code=code,
        name=known.names[0],
        languages=languages,
        currency=Currency(code=known.currency, symbols=known.signs, decimals=known.fraction),
        numbers=Numbers(habits=habits),
        dates=Dates(order=known.order),
        tax=Tax(inclusive="both", codes=_TAX_CODES),
        phone=Phone(calling_code=known.calling_code, region=known.iso),
        address=Address(country=known.names[0], names=known.names, postcode=_POSTCODE),
    )

"""Determines a receipt's origin: country probabilities, the region rules to read it by, and its currency.

The rules are the country's region file, or composed rules if it has none: a neighbour's file would bring
wrong taxes, words and postcodes. So the composed rules have only what is known of each country of the world
(currency, number separators, date order), the words of the printed languages, and the arithmetic of sums and
rates that all tills share.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from receipt_engine.document import THOUSANDS, FiscalCode, Line, RegionGuess
from receipt_engine.region import (
    SUMS,
    TENDERS,
    Address,
    Currency,
    Dates,
    Numbers,
    Phone,
    Region,
    Separators,
    Tax,
    TaxRate,
    load_region,
    normalize_code,
)
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.localize.countries import countries, country
from receipt_engine.stages.localize.currency import find_currency
from receipt_engine.stages.localize.lexicon import lexicon
from receipt_engine.stages.localize.posterior import Posterior, coded_countries, weigh
from receipt_engine.stages.localize.words import weigh_languages
from receipt_engine.vocabulary.labels import lexicon as lexicon_of
from receipt_engine.vocabulary.normalise import squeeze

__all__ = ["choose_rules", "find_currency", "localize"]

#: Clues with a smaller score, in nats, are not listed as evidence.
_SHOWN = 0.5
#: Language used if none of the country's is known, and in addition to any.
_EVERYWHERE = "en"
#: A language is printed if its weight is at least this share of the largest language weight.
_PRINTED = 0.6
#: All that is no letter.
_NO_LETTERS = re.compile(r"[\W\d_]+")
#: Least weight of English words that are no chance.
_FEW = 6.0
#: Tax rate codes that tills of any country print after amounts.
_TAX_CODES = ("A", "B", "C", "D", "E", "G", "*")


def localize(
    lines: Sequence[Line], hint: str | None, codes: Sequence[FiscalCode] = (), script: str | None = None
) -> tuple[RegionGuess, ...]:
    """Returns every country with its probability, likeliest first, whether or not it has a region file.

    hint: a region code or alias; anything else is ignored. codes: the page's fiscal codes. script: the script
    of most words, if no head of the recogniser reads it. The probabilities sum to less than 1: the rest is
    for countries that no file lists. A guess's evidence is "hint", then the kinds of clues with their scores
    in nats, strongest first.
    """
    posterior = weigh([line.text for line in lines], hint, coded_countries(codes), script)
    given = normalize_code(hint) if hint else None
    evidence = _evidence(posterior, given)
    guesses = [
        RegionGuess(c.code, posterior.probabilities[c.code], c.order, tuple(evidence.get(c.code, ())))
        for c in countries()
    ]
    return tuple(sorted(guesses, key=lambda guess: (-guess.probability, guess.code)))


def _evidence(posterior: Posterior, given: str | None) -> dict[str, list[str]]:
    """Returns the evidence for each country that has any."""
    evidence = [
        (value, kind, code)
        for kind, scores in posterior.kinds.items()
        for code, value in scores.items()
        if value >= _SHOWN
    ]
    shown: dict[str, list[str]] = {} if given is None else {given: ["hint"]}
    for value, kind, code in sorted(evidence, reverse=True):
        shown.setdefault(code, []).append(f"{kind} {value:+.1f}")
    return shown


def choose_rules(lines: Sequence[Line], code: str) -> Region:
    """Returns the rules of a country from its region file, or composed rules if it has none.

    code: of the likeliest country, as in the guesses of `localize`.
    """
    found = country(code)
    texts = [line.text for line in lines]
    if found.region is None:
        return _composed(code, _languages(texts, found.languages))
    own = load_region(code)
    also = _also_printed(texts, own.languages)
    if also is None:
        return own
    both = _with_language(code, also)
    return both if _labels(texts, both) > _labels(texts, own) else own


def _also_printed(texts: Sequence[str], usual: tuple[str, ...]) -> str | None:
    """Returns a language that is printed although it is none of the country's, or None: English, since tills
    of hotels, airports and many restaurants have English words; or one that is printed much more than theirs.
    """
    words = lexicon()
    weights = weigh_languages(words.find(texts), words)
    most = max(weights.values(), default=0.0)
    own = max((weights.get(language, 0.0) for language in usual), default=0.0)
    best = max(weights, key=lambda language: (weights[language], language), default=_EVERYWHERE)
    also = best if own < _PRINTED * most else _EVERYWHERE
    seen = weights.get(also, 0.0) >= max(_PRINTED * most, _FEW)
    return also if seen and also not in usual else None


def _labels(texts: Sequence[str], region: Region) -> int:
    """Returns the number of rows that are an amount and, whole, a label of the totals block."""
    known = lexicon_of(region)
    labels = (squeeze(_NO_LETTERS.sub("", text)) for text in texts if any(map(str.isdigit, text)))
    roles = (known.get(label, {}) for label in labels)
    return sum(any(w >= LIKELY for role, w in of.items() if role in SUMS | TENDERS) for of in roles)


@lru_cache(maxsize=128)
def _with_language(code: str, language: str) -> Region:
    region = load_region(code)
    return replace(region, languages=(*region.languages, language))


def _languages(texts: Sequence[str], usual: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the country's languages, printed ones first; another language comes first if none of them is
    printed."""
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
    blank = () if known.group == other else (known.group,)  # separates thousands with either decimal mark
    habits = tuple(
        Separators(decimal=mark, groups=tuple(dict.fromkeys((*blank, {".": ",", ",": "."}[mark], " "))))
        # With three decimals, the other habit would read the decimals as thousands.
        for mark in ((usual,) if known.fraction == THOUSANDS else (usual, other))
    )
    return Region(
        code=code,
        name=known.names[0],
        languages=languages,
        words=dict(known.labels),
        currency=Currency(code=known.currency, symbols=known.signs, decimals=known.fraction),
        numbers=Numbers(habits=habits),
        dates=Dates(order=known.order),
        tax=Tax(
            names=known.taxes,
            inclusive="both",
            rates=tuple(TaxRate(rate=rate) for rate in sorted(known.rates)),
            codes=_TAX_CODES,
        ),
        phone=Phone(calling_code=known.calling_code, region=known.iso),
        address=Address(
            country=known.names[0],
            names=known.names,
            cities=known.places,
            postcode=known.postcode,
            postcode_place="before_city" if known.postcode else "none",
        ),
    )

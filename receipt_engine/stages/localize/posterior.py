"""Combines all clues into a posterior probability for every country."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from receipt_engine.document import FiscalCode
from receipt_engine.region import normalize_code
from receipt_engine.stages.localize.contact import phone_clues, postcode_clues, state_clues, web_clues
from receipt_engine.stages.localize.countries import Clue, Country, Kind, add_scores, countries, total_scores
from receipt_engine.stages.localize.habits import calendar_clues, date_clues, number_clues, tax_clues
from receipt_engine.stages.localize.identifiers import identifier_clues
from receipt_engine.stages.localize.lexicon import lexicon
from receipt_engine.stages.localize.money import currency_clues, find_signs
from receipt_engine.stages.localize.words import (
    language_clues,
    letter_clues,
    script_clues,
    town_clues,
    word_clues,
)

#: Score of the caller's region hint, in nats: about that of one strong kind of clue, less than several.
_HINT = 6.0
#: Prior scores: of a country without a region file, of one whose receipts are seldom read, and of all
#: unlisted countries together.
_ELSEWHERE = -0.5
_RARE = -1.5
_UNKNOWN = 2.0
#: Large countries print more receipts, but not all of them are photographed: factor on the log population.
_PEOPLE = 0.4
#: Population, in millions, whose prior score is 0.
_MANY = 50.0
#: If no country is more probable than `_SURE`, the towns of the `_OPEN` likeliest countries are looked up.
_SURE, _OPEN = 0.9, 4
#: Score of a fiscal code, which only tills of its country print, and of a payment request, which may come
#: from elsewhere.
_CODED, _ASKED = 8.0, 2.0


@dataclass(frozen=True, slots=True)
class Posterior:
    """probabilities: of every country; they sum to less than 1, the rest is for countries that no file lists.
    kinds: kind of clue → country → score in nats."""

    probabilities: Mapping[str, float]
    kinds: Mapping[Kind, Mapping[str, float]]

    def score(self, kind: Kind, code: str) -> float:
        """Returns the score of a kind of clue for a country; 0 if there is none."""
        return self.kinds.get(kind, {}).get(code, 0.0)


def coded_countries(codes: Sequence[FiscalCode]) -> tuple[tuple[str, float], ...]:
    """Returns the countries of fiscal codes, each with its code's score in nats."""
    return tuple((code.country, _ASKED if code.asks else _CODED) for code in codes if code.country)


def weigh(
    texts: Sequence[str], hint: str | None, coded: Sequence[tuple[str, float]] = (), script: str | None = None
) -> Posterior:
    """Returns the posterior of the printed lines.

    hint: a region code or an alias; anything else is ignored. coded: see `coded_countries`. script: of most
    words, if no head of the recogniser reads it.
    """
    return _weigh(tuple(texts), hint, tuple(coded), script)


@lru_cache(maxsize=16)
def _weigh(
    texts: tuple[str, ...], hint: str | None, coded: tuple[tuple[str, float], ...], script: str | None
) -> Posterior:
    """Implements `weigh`; cached, because the currency needs it again for the same receipt."""
    by_code = (Clue("fiscal code", country, {country: nats}) for country, nats in coded)
    found = (*clues(texts), *by_code, *script_clues(script))
    given = normalize_code(hint) if hint else None
    posterior = _posterior(found, given)
    ranked = sorted(posterior.probabilities.items(), key=lambda item: (-item[1], item[0]))[:_OPEN]
    if given is not None or ranked[0][1] > _SURE:
        return posterior
    towns = tuple(town_clues(texts, [code for code, _ in ranked]))
    return _posterior((*found, *towns), given) if towns else posterior


def _posterior(found: Sequence[Clue], given: str | None) -> Posterior:
    """Normalises the summed scores to probabilities. given: the country named by the caller."""
    kinds = total_scores(found)
    seen: dict[str, float] = {}
    for scores in kinds.values():
        add_scores(seen, scores)
    sums = {
        code: seen.get(code, 0.0) + start + (_HINT if code == given else 0.0) for code, start in _starts()
    }
    top = max(*sums.values(), _UNKNOWN)
    whole = sum(math.exp(s - top) for s in sums.values()) + math.exp(_UNKNOWN - top)
    return Posterior({code: math.exp(s - top) / whole for code, s in sums.items()}, kinds)


@cache
def _starts() -> tuple[tuple[str, float], ...]:
    """Returns each country's prior score, from its population and whether it has a region file."""
    return tuple(
        (country.code, _PEOPLE * math.log(country.population / _MANY) + _behind(country))
        for country in countries()
    )


def _behind(country: Country) -> float:
    if country.region is None:
        return _ELSEWHERE
    return _RARE if country.region.rare else 0.0


def clues(texts: Sequence[str]) -> Iterator[Clue]:
    """Yields all clues from the printed lines, except those from towns."""
    words = lexicon()
    hits = words.find(texts)
    yield from language_clues(hits, words)
    yield from letter_clues("\n".join(texts))
    yield from word_clues(texts, hits)
    yield from identifier_clues(texts, hits)
    yield from currency_clues(find_signs(texts))
    yield from phone_clues(texts, hits)
    yield from postcode_clues(texts, hits)
    yield from state_clues(texts)
    yield from web_clues(texts)
    numbered = [text for text in texts if any(map(str.isdigit, text))]
    yield from number_clues(numbered)
    yield from date_clues(numbered)
    yield from calendar_clues(numbered)
    yield from tax_clues(texts, hits)

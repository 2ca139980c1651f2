"""Clues from telephone numbers, postcodes beside places, and web addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from receipt_engine.stages.localize.clues import Clue, shared
from receipt_engine.stages.localize.countries import Country, countries
from receipt_engine.stages.localize.lexicon import Hit
from receipt_engine.stages.localize.numbering import plan_of

_INTERNATIONAL = re.compile(r"(?<![\w+])(?:\+|00)\s?\(?([1-9]\d{0,2})\)?(?=[\s().\-/]*\d)[\d\s().\-/]{6,18}")
_NATIONAL = re.compile(r"\(?\d[\d().\-/ ]{5,17}\d")
_CALLING = 4.0
_VALID = 0.6
_PRINTED_SO = 0.9
_MOST_NUMBERS = 2
_WEB = re.compile(r"[\w-]\.(?:(?:com?|net|org|gob|gov|edu|ac|or|ne)\.)?([a-z]{2})(?![\w@.-])", re.IGNORECASE)
_SECOND_LEVEL = re.compile(r"\.(?:com?|net|org|gob|gov|edu|ac|or|ne)\.[a-z]{2}$", re.IGNORECASE)
_ADDRESS_LIKE = re.compile(r"www|http|@|[\w-]\.(?:com?|net|org)\.[a-z]{2}\b", re.IGNORECASE)
#: Sold to everybody, or what remains of ".com".
_GENERIC_DOMAINS = frozenset(("co", "to", "me", "io", "tv", "cc", "ws", "bo", "in", "id", "ph"))
_LETTERED = 2.0
_WITH_PLACE = 1.8
_WITH_STATE = 3.0
_ABBREVIATION = re.compile(r"(?<![^\W_])[A-Z]{2,3}(?![^\W_])")


def phone_clues(texts: Sequence[str], hits: Sequence[Hit]) -> Iterator[Clue]:
    """International numbers by their country code; national ones, behind a word for telephone, by shape."""
    for text in texts:
        for called in _INTERNATIONAL.finditer(text):
            codes = _called(called.group(1))
            if codes:
                yield Clue("phone", called.group().strip(), shared(codes, len(countries()), _CALLING / 4.4))
    numbers = 0
    for hit in hits:
        match = _NATIONAL.search(texts[hit.row], hit.end) if hit.meaning.phone else None
        if match is None or match.start() - hit.end > 12 or numbers == _MOST_NUMBERS:
            continue
        numbers += 1
        yield from _national(match.group())


def _national(printed: str) -> Iterator[Clue]:
    """Where a number can be dialled, and where numbers are grouped like it."""
    groups = tuple(len(g) for g in re.findall(r"\d+", printed))
    digits = re.sub(r"\D", "", printed)
    regions = [c for c in countries() if c.region is not None]
    plans = [(c, plan_of(c.iso)) for c in regions]
    valid = [(c, plan) for c, plan in plans if plan is not None and plan.is_valid(digits)]
    if not valid or len(valid) > len(regions) / 2:
        return
    scores = shared([c.code for c, _ in valid], len(regions), _VALID)
    alike = [c.code for c, plan in valid if len(groups) > 1 and plan.is_grouped_so(digits, groups)]
    for code, value in shared(alike, len(regions), _PRINTED_SO).items():
        scores[code] = scores[code] + value / 2
    yield Clue("phone", printed, scores)


def _called(digits: str) -> list[str]:
    """Countries whose calling code the digits begin with, the longest code."""
    for length in (3, 2, 1):
        codes = [c.code for c in countries() if c.calling_code == digits[:length]]
        if codes:
            return codes
    return []


def web_clues(texts: Sequence[str]) -> Iterator[Clue]:
    """Top-level domains of web and mail addresses."""
    domains = {c.domain: c.code for c in countries()}
    seen: set[str] = set()
    for text in texts:
        if "." not in text or not _ADDRESS_LIKE.search(text):
            continue
        for match in _WEB.finditer(text):
            domain = match.group(1).lower()
            if domain in seen or domain not in domains:
                continue
            seen.add(domain)
            plain = domain in _GENERIC_DOMAINS and not _SECOND_LEVEL.search(match.group())
            yield Clue("web", match.group()[1:], {domains[domain]: 0.7 if plain else 3.0})


def postcode_clues(texts: Sequence[str], hits: Sequence[Hit]) -> Iterator[Clue]:
    """Postcodes of a shape of their own, or beside a place or a state of the same country."""
    places: dict[int, set[str]] = {}
    for hit in hits:
        if hit.meaning.places:
            places.setdefault(hit.row, set()).update(hit.meaning.places)
    seen: set[tuple[str, str]] = set()
    for row, text in enumerate(texts):
        if not any(c.isdigit() for c in text):
            continue
        near = places.get(row, set()) | places.get(row + 1, set())
        for country, pattern, states in _postcodes():
            match = pattern.search(text)
            if match is None:
                continue
            score = _postcode_score(country, text, match, near, states)
            if score and (country.code, match.group()) not in seen:
                seen.add((country.code, match.group()))
                yield Clue("address", match.group().strip(), {country.code: score})


def _postcode_score(
    country: Country, text: str, match: re.Match[str], near: set[str], states: frozenset[str]
) -> float:
    score = 0.0
    if sum(c.isalpha() for c in match.group()) >= 2 or not match.group().isascii():
        score += _LETTERED
    if country.code in near:
        score += _WITH_PLACE
    around = text[max(0, match.start() - 6) : match.start()], text[match.end() : match.end() + 6]
    if states and any(m.group() in states for part in around for m in _ABBREVIATION.finditer(part)):
        score += _WITH_STATE
    return score


@cache
def _postcodes() -> tuple[tuple[Country, re.Pattern[str], frozenset[str]], ...]:
    """(country, postcode, abbreviated states) of every region that has postcodes."""
    return tuple(
        (
            c,
            re.compile(c.region.address.postcode),
            frozenset(state for state in c.region.address.states if len(state) <= 3 and state.isupper()),
        )
        for c in countries()
        if c.region is not None and c.region.address.postcode
    )

"""Yields clues from telephone numbers, postcodes, abbreviated states and web addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from receipt_engine.region import Region
from receipt_engine.stages.localize.countries import Clue, Country, add_scores, countries, shared
from receipt_engine.stages.localize.identifiers import Plan, plan_of
from receipt_engine.stages.localize.lexicon import Hit
from receipt_engine.vocabulary.domains import domains
from receipt_engine.vocabulary.normalise import count_letters

_INTERNATIONAL = re.compile(r"(?<![\w+])\+\s?\(?([1-9]\d{0,2})\)?(?=[\s().\-/]*\d)[\d\s().\-/]{6,18}")
#: A calling code of three digits in brackets, and the eight digits or more behind it; an area code of three
#: digits in brackets precedes fewer.
_IN_BRACKETS = re.compile(r"(?<![\w+])\(([2-9]\d{2})\)(?=(?:[ .-]?\d){8})[\d .-]{8,15}")
_NATIONAL = re.compile(r"\(?\d[\d().\-/ ]{5,17}\d")
_DIGITS = re.compile(r"\d+")
_CALLING = 4.0
_VALID = 0.6
_PRINTED_SO = 0.4
_MOST_NUMBERS = 3
_REACH = 12
_SHORTEST, _LONGEST = 6, 13
_GROUPS = 3  # "(555) 013-2746"
_SCHEME = "www|http"
_LETTERED = 2.0
_WITH_PLACE = 1.8
#: Every postcode matches this: three digits, digits among letters, or a district number after a city.
_MAYBE_POSTCODE = re.compile(r"\d{3}|[A-Z] ?\d[A-Z\d]|\d ?[A-Z]{2}|[a-z] \d{1,2}(?![\d.,])")
_WITH_STATE = 3.0  # "CA 94804": right before the postcode
_WITH_PROVINCE = 1.0  # "10125 Torino TO": somewhere after it
_STATE_ALONE = 1.5
_STATE_LAST = re.compile(r"[^\W\d_]{3,}\.?,? ([A-Z]{2,3})\.?$")
_CAPITALS = re.compile(r"[A-Z]{2,3}(?![^\W\d_])")
#: An escape in a regular expression, such as a character class.
_ESCAPE = re.compile(r"\\.")
_ABBREVIATION = re.compile(r"(?<![^\W_])[A-Z]{2,3}(?![^\W_])")
#: A state with a small letter, between the city's comma and the postcode: ", Tx 75001".
_TITLED = re.compile(r", ?([A-Z][a-z])\.? +(?=\d)")


def phone_clues(texts: Sequence[str], hits: Sequence[Hit]) -> Iterator[Clue]:
    """Yields clues from international numbers by country code, and from national ones by their format."""
    abroad: set[int] = set()  # rows with an international number, whose digits are no national number
    for row, text in enumerate(texts):
        for called in (*_INTERNATIONAL.finditer(text), *_IN_BRACKETS.finditer(text)):
            codes = _called(called.group(1))
            if codes:
                abroad.add(row)
                yield Clue("phone", called.group().strip(), shared(codes, _CALLING / 4.4))
    labelled = {hit.row: hit.end for hit in reversed(hits) if hit.meaning.phone}
    numbers = 0
    for row, text in enumerate(texts):
        start = labelled.get(row)
        match = _NATIONAL.search(text, start or 0) if numbers < _MOST_NUMBERS else None
        if match is None or row in abroad:
            continue
        scores = _national(match.group(), named=start is not None and match.start() - start <= _REACH)
        if scores:
            numbers += 1
            yield Clue("phone", match.group(), scores)


def _national(printed: str, *, named: bool) -> dict[str, float]:
    """Returns the scores of the countries where a number is valid, and where numbers are grouped and written
    like it.

    named: a word for telephone stands before it; without one, only the grouping and notation count.
    """
    runs = _DIGITS.findall(printed)
    groups, digits = tuple(map(len, runs)), "".join(runs)
    if not _SHORTEST <= len(digits) <= _LONGEST or not (named or len(groups) >= _GROUPS):
        return {}
    valid = [(c, plan) for c, plan in _plans(len(digits)) if plan.is_valid(digits)]
    if not valid or len(valid) > len(countries()) / 2:
        return {}
    scores = shared([c.code for c, _ in valid], _VALID) if named else {}
    if len(groups) > 1:
        grouped = [c.code for c, plan in valid if plan.matches_grouping(digits, groups)]
        written = [c.code for c, plan in valid if plan.matches_notation(printed)]
        for codes in (grouped, written):
            add_scores(scores, shared(codes, _PRINTED_SO))
    return scores


@cache
def _plans(length: int) -> tuple[tuple[Country, Plan], ...]:
    """Returns the countries with numbers of this length, with or without the trunk prefix."""
    plans = [(c, plan_of(c.iso)) for c in countries()]
    return tuple(
        (c, plan)
        for c, plan in plans
        if plan is not None and not plan.lengths.isdisjoint((length, length - len(plan.prefix)))
    )


def _called(digits: str) -> list[str]:
    """Returns the countries with the longest calling code that the digits begin with."""
    for length in (3, 2, 1):
        codes = [c.code for c in countries() if c.calling_code == digits[:length]]
        if codes:
            return codes
    return []


def web_clues(texts: Sequence[str]) -> Iterator[Clue]:
    """Yields clues from top-level domains of web and e-mail addresses."""
    homes = {c.domain: c.code for c in countries()}
    web = _web_patterns()
    seen: set[str] = set()
    for text in texts:
        if "." not in text or not web.address.search(text):
            continue
        for match in web.ending.finditer(text):
            domain = match["country"].lower()
            if domain in seen or domain not in homes:
                continue
            seen.add(domain)
            plain = domain in domains().open and match["second"] is None
            yield Clue("web", match.group()[1:], {homes[domain]: 0.7 if plain else 3.0})


class _WebPatterns(NamedTuple):
    """address: a sign that a text has an address. ending: of a domain, with groups "second" and "country"."""

    address: re.Pattern[str]
    ending: re.Pattern[str]


@cache
def _web_patterns() -> _WebPatterns:
    second = "|".join(domains().second_level)
    address = rf"{_SCHEME}|@|[\w-]\.(?:{second})\.[a-z]{{2}}\b"
    ending = rf"[\w-](?P<second>\.(?:{second}))?\.(?P<country>[a-z]{{2}})(?![\w@.-])"
    return _WebPatterns(re.compile(address, re.IGNORECASE), re.compile(ending, re.IGNORECASE))


def postcode_clues(texts: Sequence[str], hits: Sequence[Hit]) -> Iterator[Clue]:
    """Yields clues from postcodes with letters, and from others beside a place or state of their country."""
    places: dict[int, set[str]] = {}
    for hit in hits:
        if hit.meaning.places:
            places.setdefault(hit.row, set()).update(hit.meaning.places)
    seen: set[tuple[str, str]] = set()
    for row, text in enumerate(texts):
        if not _MAYBE_POSTCODE.search(text):
            continue
        near = places.get(row, set())
        capitals = frozenset(_CAPITALS.findall(text)) | {m.group(1).upper() for m in _TITLED.finditer(text)}
        printed: dict[re.Pattern[str], tuple[re.Match[str], ...]] = {}
        for country, pattern, states, lettered in _postcodes():
            # An all-digit postcode counts only beside a place or a state.
            beside = country.code in near or not states.isdisjoint(capitals)
            if not (lettered or beside or not text.isascii()):
                continue
            if pattern not in printed:
                printed[pattern] = tuple(pattern.finditer(text))
            for match in printed[pattern]:
                score = _postcode_score(country, text, match, near, states)
                if score and (country.code, match.group()) not in seen:
                    seen.add((country.code, match.group()))
                    yield Clue("address", match.group().strip(), {country.code: score})


def _postcode_score(
    country: Country, text: str, match: re.Match[str], near: set[str], states: frozenset[str]
) -> float:
    assert country.region is not None
    score = 0.0
    if count_letters(match.group()) >= 2 or not match.group().isascii():
        score += _LETTERED
    if country.code in near:
        score += _WITH_PLACE
    if country.region.address.postcode_place == "after_city":
        part, value = text[max(0, match.start() - 6) : match.start()], _WITH_STATE
    else:
        part, value = text[match.end() : match.end() + 30], _WITH_PROVINCE
    titled = _TITLED.search(text[: match.end()])
    if states and (
        any(m.group() in states for m in _ABBREVIATION.finditer(part))
        or (titled is not None and titled.end() == match.start() and titled.group(1).upper() in states)
    ):
        score += value
    return score


def state_clues(texts: Sequence[str]) -> Iterator[Clue]:
    """Yields clues from a state's abbreviation that ends a row: "East Hampton, NY",
    "519 Main Street Hempstead NY"."""
    for text in texts:
        match = _STATE_LAST.search(text)
        if match is None or not ("," in match.group() or text[:1].isdigit()):
            continue
        codes = [country.code for country, states in _states() if match.group(1) in states]
        yield Clue("address", match.group(), dict.fromkeys(codes, _STATE_ALONE))


def _abbreviated(region: Region) -> frozenset[str]:
    """Returns the abbreviations of the region's states."""
    return frozenset(state for state in region.address.states if len(state) <= 3 and state.isupper())


@cache
def _states() -> tuple[tuple[Country, frozenset[str]], ...]:
    """Returns the abbreviated states of every region whose postcode follows the city."""
    return tuple(
        (c, _abbreviated(c.region))
        for c in countries()
        if c.region is not None and c.region.address.postcode_place == "after_city"
    )


@cache
def _postcodes() -> tuple[tuple[Country, re.Pattern[str], frozenset[str], bool], ...]:
    """Returns (country, postcode, abbreviated states, whether its postcodes may contain letters) for every
    region with postcodes."""
    return tuple(
        (
            c,
            re.compile(c.region.address.postcode),
            _abbreviated(c.region),
            any(map(str.isalpha, _ESCAPE.sub("", c.region.address.postcode))),
        )
        for c in countries()
        if c.region is not None and c.region.address.postcode
    )

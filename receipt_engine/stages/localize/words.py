"""Clues from words: languages, letters and scripts, words and places of one country. Towns give some only for
the few countries that the rest of the receipt leaves open: loading the lists of all countries would take
longer than reading the receipt."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

from receipt_engine.region import load_language
from receipt_engine.stages.localize.countries import CAPS, Clue, Country, countries, country, shared
from receipt_engine.stages.localize.lexicon import Hit, Lexicon
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.towns import is_town

#: Summed weight of words from which on the language is plain.
_PLAIN = 6.0
_LONG = 7  # letters from which on a phrase is unlikely to be another language's by chance
_OWN_WORD = 0.45
_PLACE_APART = 0.3
_NAME, _NAME_ALONE = 2.0, 0.8
_PLAIN_SHARE = 0.35
_LONG_WORD = 9  # letters from which on an ordinary word of one country says all it can; "only" says little
_PLACE = 0.55
_SCRIPT_LETTERS = 4
_KANA: frozenset[Literal["hiragana", "katakana"]] = frozenset(("hiragana", "katakana"))
#: Scripts of which a single letter may tell the country.
_TELLING_SCRIPTS = _KANA | {"latin", "greek", "cyrillic"}
#: Number of rows from the top that are searched for towns.
_HEAD = 12
#: Strength (see `shared`) of a town's name, among the countries left open.
_TOWN = 0.7
#: Maximum letters of a town's name; longer texts are skipped.
_LONGEST = 30
_PARTS = re.compile(r"[,;()]|\s[-–/|]\s")
_EDGES = " .-–0123456789"


def language_clues(hits: Sequence[Hit], lexicon: Lexicon) -> Iterator[Clue]:
    """How much of the known words each country's languages explain."""
    by_languages = _weigh_words(hits, lexicon)
    if not by_languages:
        return
    everything = max(_PLAIN, sum(by_languages.values()))
    totals = dict.fromkeys(_speech(), 0.0)
    for printed, weight in by_languages.items():
        for spoken, usual in _speakers(printed):
            totals[spoken] += weight * usual
    scores: dict[str, float] = {}
    for spoken, codes in _speech().items():
        if total := totals[spoken]:
            scores.update(dict.fromkeys(codes, CAPS["language"] * total / everything))
    explained = weigh_languages(hits, lexicon)
    best = max(explained, key=lambda language: (explained[language], language))
    yield Clue("language", load_language(best).name, scores)


def weigh_languages(hits: Sequence[Hit], lexicon: Lexicon) -> dict[str, float]:
    """How much of the known words each language explains; rare and long words count most."""
    explained: Counter[str] = Counter()
    for languages, weight in _weigh_words(hits, lexicon).items():
        for language in languages:
            explained[language] += weight  # type: ignore[assignment]
    return dict(explained)


def _weigh_words(hits: Sequence[Hit], lexicon: Lexicon) -> dict[frozenset[str], float]:
    """The weight of the distinct words that each set of languages shares."""
    seen = {hit.key: hit.meaning.languages for hit in hits if hit.meaning.languages}
    count = len(lexicon.speakers)
    found: dict[frozenset[str], float] = {}
    for key, languages in seen.items():
        weight = math.log(1 + count / len(languages)) * min(1.0, len(key) / _LONG)
        found[languages] = found.get(languages, 0.0) + weight
    return found


def usage(rank: int) -> float:
    """How usual a country's first, second ... language is on its receipts."""
    return max(0.7, 1.0 - 0.1 * rank)


@cache
def _speakers(languages: frozenset[str]) -> tuple[tuple[tuple[str, ...], float], ...]:
    """Those of `_speech` that have one of the languages, and how usual the most usual of them is there."""
    found = []
    for spoken in _speech():
        rank = next((rank for rank, language in enumerate(spoken) if language in languages), None)
        if rank is not None:
            found.append((spoken, usage(rank)))
    return tuple(found)


@cache
def _speech() -> dict[tuple[str, ...], tuple[str, ...]]:
    """Languages, most usual first → the countries that print exactly these."""
    found: dict[tuple[str, ...], list[str]] = {}
    for place in countries():
        found.setdefault(place.languages, []).append(place.code)
    return {languages: tuple(codes) for languages, codes in found.items()}


def script_clues(script: str | None) -> Iterator[Clue]:
    """The script that most rows are printed in, where no head of the recogniser reads it."""
    if script is not None:
        yield _of_script(script, [place.code for place in countries() if script in _printed(place)])


@cache
def _few() -> frozenset[str]:
    """Scripts that few countries share, by the region files."""
    return frozenset(script for place in countries() if place.region for script in place.region.scripts)


def _printed(place: Country) -> tuple[str, ...]:
    """The scripts of a country that few countries share."""
    if place.region is not None:
        return place.region.scripts
    return tuple(sorted(_few().intersection(load_language(code).script for code in place.languages)))


def _of_script(script: str, codes: Sequence[str]) -> Clue:
    # Not shared between them: however many print a script, hardly any other country does.
    return Clue("script", script, dict.fromkeys(codes, CAPS["script"]))


def letter_clues(text: str) -> Iterator[Clue]:
    """Scripts, and letters that few languages print."""
    letters = Counter(c for c in text.lower() if not c.isascii() and c.isalpha())
    if not letters:
        return
    world = countries()
    alphabets = {place.code: _alphabet(place.code) for place in world}
    scripts: Counter[str] = Counter()
    for letter, number in letters.items():
        scripts[_script(letter)] += number
    for letter, number in sorted(letters.items()):
        codes = [code for code, alphabet in alphabets.items() if letter in alphabet]
        if codes and len(codes) < len(world) / 3 and _script(letter) in _TELLING_SCRIPTS:
            strength = 0.4 * min(1.0, number / 3)
            yield Clue("letters", letter, shared(codes, strength))
    for script in sorted({script for place in world for script in _printed(place)}):
        if scripts[script] >= _SCRIPT_LETTERS:
            yield _of_script(script, [place.code for place in world if script in _printed(place)])
    if sum(scripts[kana] for kana in _KANA) >= _SCRIPT_LETTERS:
        codes = [code for code, alphabet in alphabets.items() if any(_script(c) in _KANA for c in alphabet)]
        yield Clue("letters", "kana", dict.fromkeys(codes, CAPS["letters"]))


@cache
def _alphabet(code: str) -> frozenset[str]:
    """Letters beyond ASCII in the words of a country's languages and in what is only printed there."""
    found = country(code)
    own = _beyond_ascii("".join((*found.places, *found.words)))
    return own.union(*(_letters_of(language) for language in found.languages))


@cache
def _letters_of(language: str) -> frozenset[str]:
    found = load_language(language)
    text = [p if isinstance(p, str) else p.text for phrases in found.words.values() for p in phrases]
    return _beyond_ascii("".join((*text, *(name for month in found.months for name in month))))


def _beyond_ascii(text: str) -> frozenset[str]:
    return frozenset(c for c in set(text.lower()) if not c.isascii() and c.isalpha())


@cache
def _script(letter: str) -> str:
    """By the first word of the letter's Unicode name."""
    return unicodedata.name(letter, "").partition(" ")[0].lower()


def word_clues(texts: Sequence[str], hits: Sequence[Hit]) -> Iterator[Clue]:
    """Words that few countries print and no language has, names of countries, cities."""
    done: set[str] = set()
    placed = {(hit.row, code) for hit in hits if not hit.meaning.names for code in hit.meaning.places}
    for hit in hits:
        meaning = hit.meaning
        beside = any((hit.row, code) in placed for code in meaning.names)
        # Below a place in an address, the whole row is the address's last one.
        below = any((hit.row - 1, code) in placed for code in meaning.names) and "," in texts[hit.row - 1]
        if meaning.names and _in_address(texts[hit.row], hit, beside=beside, below=below):
            yield Clue("address", hit.key, dict.fromkeys(meaning.names, _NAME))
        if hit.key in done:
            continue
        done.add(hit.key)
        if meaning.names:
            yield Clue("address", hit.key, dict.fromkeys(meaning.names, _NAME_ALONE))
        if meaning.languages:
            continue
        if meaning.words:
            length = len(hit.key) / _LONG if meaning.brand else (len(hit.key) - 1) / _LONG_WORD
            strength = _OWN_WORD * min(1.0, length)
            strength *= _PLAIN_SHARE if meaning.plain else 1.0
            yield Clue("words", hit.key, shared(meaning.words, strength))
        if meaning.places and not meaning.names:
            strength = _PLACE * min(1.0, len(hit.key) / _LONG)
            strength *= 1.0 if _is_address_row(texts[hit.row], hit) else _PLACE_APART
            yield Clue("address", hit.key, shared(meaning.places, strength))


def _is_address_row(text: str, hit: Hit) -> bool:
    """Whether a place stands alone, behind a dash, or with numbers or commas, and not as somebody's name."""
    letters = count_letters(text)
    alone = len(hit.key) >= 0.6 * letters or text[: hit.start].endswith((" - ", " – "))
    return alone or "," in text or any(c.isdigit() for c in text[: hit.start])


def _in_address(text: str, hit: Hit, *, beside: bool, below: bool) -> bool:
    """Whether a country's name ends an address, and is not part of a shop's name. beside, below: a place of
    the country is on the same row, or in an address on the row above."""
    before, after = text[: hit.start].rstrip(), text[hit.end :].strip(" .")
    ends = before.endswith((",", ".", "-", "–")) if beside else before.endswith(",")
    return not after and (ends or any(c.isdigit() for c in before) or (below and not before))


def town_clues(texts: Sequence[str], codes: Sequence[str]) -> Iterator[Clue]:
    """Yields clues from names of towns that stand alone, apart from digits, in a row or between separators.

    codes: the countries left open.
    """
    seen: set[str] = set()
    for text in texts[:_HEAD]:
        for part in _PARTS.split(text):
            name = part.strip(_EDGES)
            if name in seen or not 0 < count_letters(name) <= _LONGEST:
                continue
            seen.add(name)
            having = [code for code in codes if is_town(name, country(code).iso)]
            if 0 < len(having) < len(codes):
                yield Clue("address", name, shared(having, _TOWN, len(codes)))

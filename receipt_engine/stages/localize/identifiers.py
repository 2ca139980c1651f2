"""Yields clues from tax and company numbers: their label, format and check digits."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from receipt_engine.arithmetic.check_digits import is_valid_number
from receipt_engine.region import Identifier
from receipt_engine.stages.localize.clues import Clue, add_scores, shared
from receipt_engine.stages.localize.countries import countries
from receipt_engine.stages.localize.lexicon import Hit
from receipt_engine.vocabulary.patterns import compiled

_WORD = 0.3  # the label alone
_SHAPE = 1.6
_CHECKED = 4.5
_CHECKED_APART = 2.5  # after a label that the country does not print
_UNNAMED = 2.2  # without any label
_FAILED = 0.6  # right label and format, wrong check digit: perhaps misread
_BANK = 2.0
_SHORTEST = 6  # digits of the shortest number
_REACH = 40  # most characters between the label and its number
#: Three or more groups of digits, with the same or different marks between them.
_GROUPED = re.compile(r"(?<![\w./-])\d{1,6}(?:[./-]\d{1,6}){2,4}(?![\w./-])")
_NUMBER = re.compile(r"(?=[A-Z./ -]{0,5}\d)[A-Z\d](?:[./ -]?[A-Z\d]){6,19}")
#: Behind a number, makes it an amount: "TAX 285000.00".
_CENTS = re.compile(r"[.,]\d{2}(?!\d)")
_IBAN = re.compile(r"IBAN:?\s?([A-Z]{2})\s?\d{2}")


def identifier_clues(texts: Sequence[str], hits: Sequence[Hit]) -> Iterator[Clue]:
    """Yields clues from tax and company numbers, and from bank account numbers (IBAN) of any country."""
    for hit in hits:
        if hit.meaning.identifiers or hit.meaning.number:
            after = _after(texts, hit)
            printed = texts[hit.row][hit.start : hit.end]
            scores = _scores(hit, printed, after)
            if scores:
                seen = f"{printed} {after[:24]}"
                yield Clue("tax id", seen.strip(), scores)
    yield from _unnamed(texts, {hit.row for hit in hits if hit.meaning.identifiers or hit.meaning.number})
    for text in texts:
        bank = _IBAN.search(text)
        if bank:
            home = [c.code for c in countries() if c.iso == bank.group(1)]
            yield Clue("tax id", bank.group(), dict.fromkeys(home, _BANK))


def _unnamed(texts: Sequence[str], named: Collection[int]) -> Iterator[Clue]:
    """Yields clues from numbers in a country's format with a valid check digit, in rows without a readable
    label: "771-07-00251". named: rows with a label."""
    for row, text in enumerate(texts):
        if row in named:
            continue
        for printed in dict.fromkeys(match.group() for match in _GROUPED.finditer(text)):
            codes = [
                code
                for code, identifier in _identifiers()
                if identifier.stdnum
                and compiled(identifier.pattern).fullmatch(printed)
                and is_valid_number(identifier.stdnum, printed)
            ]
            if codes:
                yield Clue("tax id", printed, dict.fromkeys(codes, _UNNAMED / len(set(codes))))


def _scores(hit: Hit, printed: str, after: str) -> dict[str, float]:
    """Returns the scores of a label, as printed, and the number after it.

    The format of the number counts for every country, most for those that print this label before it.
    """
    owners = {code for code, _ in hit.meaning.identifiers}
    strengths: dict[str, float] = {}
    for code, identifier in _identifiers():
        strength = _strength(identifier, after)
        if strength:
            strengths[code] = max(strength, strengths.get(code, 0.0))
    strengths |= dict.fromkeys(_valid_elsewhere(after), _CHECKED)
    if not strengths:
        if hit.meaning.taxes:
            return {}  # "GST 3.39": the tax, not its number
        if sum(map(str.isdigit, after[:_REACH])) < _SHORTEST and not printed.isupper():
            return {}  # "Reg Margherita 9.50": an ordinary word
        return shared(owners, _WORD)
    rarity = math.log(len(countries()) / len(strengths))
    scores = shared(owners & set(strengths), _WORD)
    weighed = {
        code: strength if code in owners else min(strength, _CHECKED_APART) * rarity * _WORD
        for code, strength in strengths.items()
    }
    add_scores(scores, weighed)
    return scores


@cache
def _identifiers() -> tuple[tuple[str, Identifier], ...]:
    return tuple((c.code, i) for c in countries() if c.region is not None for i in c.region.identifiers)


def _valid_elsewhere(text: str) -> Iterator[str]:
    """Yields countries without a region file for which the text begins with a valid tax number."""
    match = _NUMBER.match(text)
    if match is None:
        return
    for country in countries():
        if country.stdnum and is_valid_number(country.stdnum, match.group()):
            yield country.code


def _after(texts: Sequence[str], hit: Hit) -> str:
    """Returns the text after the label: the rest of its row, or the next row if the rest has no digit."""
    rest = texts[hit.row][hit.end :].lstrip(" .:#-)")
    if not any(c.isdigit() for c in rest) and hit.row + 1 < len(texts):
        rest = texts[hit.row + 1]
    return rest


def _strength(identifier: Identifier, text: str) -> float:
    """Returns how strongly the text supports the identifier: 0 when its number is not found."""
    match = compiled(identifier.pattern).search(text)
    if match is None or match.start() > _REACH or _CENTS.match(text, match.end()):
        return 0.0
    if not identifier.stdnum:
        return _SHAPE
    return _CHECKED if is_valid_number(identifier.stdnum, match.group()) else _FAILED

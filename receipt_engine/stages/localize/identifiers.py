"""Yields clues from tax and company numbers: their label, format and check digits. Validates national
telephone numbers and their grouping, by the tables of phonenumbers."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from phonenumbers import PhoneMetadata

from receipt_engine.arithmetic.check_digits import is_valid_number
from receipt_engine.region import Identifier
from receipt_engine.stages.localize.countries import Clue, add_scores, countries, shared
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
_DIGITS = re.compile(r"\d+")


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


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The format of subscriber numbers in a country, and how they are printed in groups.

    prefix: trunk prefix for calls inside the country. kinds: (lengths, pattern). lengths: of all kinds
    together. formats: (pattern of the leading digits, pattern of the groups, replacement).
    """

    prefix: str
    kinds: tuple[tuple[frozenset[int], str], ...]
    lengths: frozenset[int]
    formats: tuple[tuple[str, str, str], ...]

    def is_valid(self, digits: str) -> bool:
        """Whether it is a possible subscriber number, with or without the trunk prefix."""
        return self._national(digits) is not None

    def matches_grouping(self, digits: str, groups: tuple[int, ...]) -> bool:
        """Whether the country prints the number in groups of these lengths."""
        national = self._national(digits)
        if national is None:
            return False
        prefix = digits[: len(digits) - len(national)]
        written = next(self._written(national), "")
        sizes = [len(group) for group in _DIGITS.findall(written)] or [0]
        return groups in (tuple(sizes), (sizes[0] + len(prefix), *sizes[1:]), (len(prefix), *sizes))

    def matches_notation(self, printed: str) -> bool:
        """Whether the country prints the number with exactly these brackets and dashes; ignores spaces."""
        national = self._national("".join(_DIGITS.findall(printed)))
        if national is None:
            return False
        plain = "".join(printed.split())
        return any("".join(written.split()) == plain for written in self._written(national))

    def _written(self, national: str) -> Iterator[str]:
        """Yields the number in every format of the country, the usual one first."""
        for leading, pattern, form in self.formats:
            if compiled(leading).match(national) and compiled(pattern).fullmatch(national):
                yield compiled(pattern).sub(form, national)

    @lru_cache(maxsize=1024)  # noqa: B019  plans are few and cached
    def _national(self, digits: str) -> str | None:
        """Returns the number without the trunk prefix, or None if it is not a subscriber number."""
        stripped = digits[len(self.prefix) :] if self.prefix and digits.startswith(self.prefix) else digits
        for candidate in (stripped, digits):
            if len(candidate) not in self.lengths:
                continue
            for lengths, pattern in self.kinds:
                if len(candidate) in lengths and compiled(pattern).fullmatch(candidate):
                    return candidate
        return None


@cache
def plan_of(iso: str) -> Plan | None:
    """Returns the plan of a country by its ISO code; None when phonenumbers does not know it."""
    metadata = PhoneMetadata.metadata_for_region(iso)
    if metadata is None:
        return None
    kinds = [metadata.fixed_line, metadata.mobile, metadata.toll_free, metadata.shared_cost]
    known = tuple(
        (frozenset(kind.possible_length or ()), kind.national_number_pattern)
        for kind in kinds
        if kind is not None and kind.national_number_pattern
    )
    return Plan(
        prefix=metadata.national_prefix or "",
        kinds=known,
        lengths=frozenset[int]().union(*(lengths for lengths, _ in known)),
        formats=tuple(
            (
                form.leading_digits_pattern[-1] if form.leading_digits_pattern else "",
                form.pattern or "",
                form.format or "",
            )
            for form in (*(metadata.number_format or ()), *(metadata.intl_number_format or ()))
        ),
    )

"""Validates national telephone numbers and their grouping, by the tables of phonenumbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from phonenumbers import PhoneMetadata

from receipt_engine.vocabulary.patterns import compiled

_DIGITS = re.compile(r"\d+")


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

"""National telephone numbers, from the tables of phonenumbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from phonenumbers import PhoneMetadata


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What subscribers' numbers look like in a country, and how they are printed in groups."""

    prefix: str
    kinds: tuple[re.Pattern[str], ...]
    formats: tuple[tuple[re.Pattern[str], re.Pattern[str], str], ...]

    def is_valid(self, digits: str) -> bool:
        """Whether a subscriber can have the number, with or without the trunk prefix."""
        return self._national(digits) is not None

    def is_grouped_so(self, digits: str, groups: tuple[int, ...]) -> bool:
        """Whether the country prints the number in groups of these lengths."""
        national = self._national(digits)
        if national is None:
            return False
        prefix = digits[: len(digits) - len(national)]
        for leading, pattern, form in self.formats:
            if leading.match(national) and pattern.fullmatch(national):
                sizes = [len(g) for g in re.findall(r"\d+", pattern.sub(form, national))]
                return groups in (
                    tuple(sizes),
                    (sizes[0] + len(prefix), *sizes[1:]),
                    (len(prefix), *sizes),
                )
        return False

    def is_written_so(self, printed: str) -> bool:
        """Whether the country prints the number with these very brackets and dashes."""
        digits = re.sub(r"\D", "", printed)
        national = self._national(digits)
        if national is None:
            return False
        plain = re.sub(r"\s", "", printed)
        return any(
            re.sub(r"\s", "", pattern.sub(form, national)) == plain
            for leading, pattern, form in self.formats
            if leading.match(national) and pattern.fullmatch(national)
        )

    def _national(self, digits: str) -> str | None:
        """The number without the trunk prefix, when subscribers have such numbers."""
        stripped = digits[len(self.prefix) :] if self.prefix and digits.startswith(self.prefix) else digits
        for candidate in (stripped, digits):
            if any(kind.fullmatch(candidate) for kind in self.kinds):
                return candidate
        return None


@cache
def plan_of(iso: str) -> Plan | None:
    """The plan of a country by its ISO code; None when phonenumbers does not know it."""
    metadata = PhoneMetadata.metadata_for_region(iso)
    if metadata is None:
        return None
    kinds = [metadata.fixed_line, metadata.mobile, metadata.toll_free, metadata.shared_cost]
    return Plan(
        prefix=metadata.national_prefix or "",
        kinds=tuple(
            re.compile(kind.national_number_pattern)
            for kind in kinds
            if kind is not None and kind.national_number_pattern
        ),
        formats=tuple(
            (
                re.compile(form.leading_digits_pattern[-1] if form.leading_digits_pattern else ""),
                re.compile(form.pattern or ""),
                form.format or "",
            )
            for form in (*(metadata.number_format or ()), *(metadata.intl_number_format or ()))
        ),
    )

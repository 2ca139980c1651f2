"""Which telephone numbers exist, by the numbering plans of the countries."""

from __future__ import annotations

from functools import lru_cache


def is_valid(value: str, digits: str, country: str) -> bool:
    """Whether the number exists, in the country or with a calling code whose plus is not printed."""
    if value.startswith("+"):
        return _valid("+" + digits, country)
    abroad = len(digits) >= 11 and len(value) > len(digits) and digits[0] != "0"
    return _valid(digits, country) or (abroad and _valid("+" + digits, country))


@lru_cache(maxsize=4096)
def _valid(number: str, country: str) -> bool:
    import phonenumbers  # takes 70 ms

    try:
        return bool(phonenumbers.is_valid_number(phonenumbers.parse(number, country)))
    except phonenumbers.NumberParseException:
        return False


@lru_cache(maxsize=1024)
def is_short(number: str, country: str) -> bool:
    """Whether a number is one of the country's short ones, which hotlines have: "19055" in Egypt."""
    import phonenumbers  # takes 70 ms

    try:
        parsed = phonenumbers.parse(number, country)
    except phonenumbers.NumberParseException:
        return False
    return bool(phonenumbers.is_valid_short_number_for_region(parsed, country))

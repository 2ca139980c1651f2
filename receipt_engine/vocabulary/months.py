"""Knows the names of months."""

from __future__ import annotations

from functools import cache

from receipt_engine.region import language_codes, load_language


@cache
def month_names() -> frozenset[str]:
    """Names of months in every language, short and long, in lower case."""
    files = map(load_language, language_codes())
    return frozenset(name.lower() for language in files for month in language.months for name in month)

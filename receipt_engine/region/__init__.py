"""The typed rules of regions and languages, and their loader.

Rules of a country are in ``regions/<code>.toml``; rules of a language, whichever country prints it, are in
``regions/languages/<code>.toml``. To add a country or a language, add a file.
"""

from __future__ import annotations

from receipt_engine.region.currencies import CurrencyMarks, currency_marks
from receipt_engine.region.load import (
    ALIASES,
    KEPT_REGIONS,
    collecting_nothing,
    files_of_languages,
    keyed_phrases,
    language_codes,
    load_language,
    load_region,
    normalize_code,
    read_table,
    region_codes,
    role_phrases,
)
from receipt_engine.region.role_groups import SUMS, TAXES, TENDERS
from receipt_engine.region.schema import (
    Address,
    Calendar,
    Currency,
    DateOrder,
    Dates,
    Era,
    Example,
    FormerCurrency,
    Identifier,
    Language,
    Numbers,
    Phone,
    Region,
    Role,
    Rounding,
    Separators,
    SlipDates,
    Tax,
    TaxRate,
    UnitKind,
    Units,
    Words,
)
from receipt_engine.region.terms import Term

__all__ = [
    "ALIASES",
    "KEPT_REGIONS",
    "SUMS",
    "TAXES",
    "TENDERS",
    "Address",
    "Calendar",
    "Currency",
    "CurrencyMarks",
    "DateOrder",
    "Dates",
    "Era",
    "Example",
    "FormerCurrency",
    "Identifier",
    "Language",
    "Numbers",
    "Phone",
    "Region",
    "Role",
    "Rounding",
    "Separators",
    "SlipDates",
    "Tax",
    "TaxRate",
    "Term",
    "UnitKind",
    "Units",
    "Words",
    "collecting_nothing",
    "currency_marks",
    "files_of_languages",
    "keyed_phrases",
    "language_codes",
    "load_language",
    "load_region",
    "normalize_code",
    "read_table",
    "region_codes",
    "role_phrases",
]

"""Loads the currency marks that are printed in every country: ``regions/currencies/marks.toml``."""

from __future__ import annotations

from functools import cache

from receipt_engine import assets
from receipt_engine.region.load import read_table
from receipt_engine.region.schema import Table


class CurrencyMarks(Table, frozen=True):
    """Currency marks by their use.

    signs: characters that mean money wherever they stand. units: characters after an amount. codes: currency
    codes, in capitals. behind: marks printed after amounts. wordlike: marks that are also words or initials,
    in capitals. credit: marks that make the amount before them negative. misread_before, misread_behind: sign
    before or after an amount → characters that it is misread as. unknown: sign → signs that the recogniser
    does not know and reads as this one. numero: signs that "№" is misread as. minor: mark of the hundredth
    part → signs of its currencies, "" for any.
    """

    sources: tuple[str, ...]
    signs: str
    units: tuple[str, ...]
    codes: tuple[str, ...]
    behind: tuple[str, ...]
    wordlike: frozenset[str]
    credit: tuple[str, ...]
    misread_before: dict[str, str]
    misread_behind: dict[str, str]
    unknown: dict[str, str]
    numero: str
    minor: dict[str, str]


@cache
def currency_marks() -> CurrencyMarks:
    """Returns the marks; raises RegionDataError for an invalid file."""
    return read_table(assets.folder("regions") / "currencies" / "marks.toml", CurrencyMarks)

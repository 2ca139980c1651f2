"""The formats of fiscal codes and of codes that ask for a payment: ``regions/fiscal_codes/``."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import Literal

import msgspec

from receipt_engine import assets
from receipt_engine.region.load import read_table
from receipt_engine.region.schema import Table

#: A step that makes text of what a code carries; `receipt_engine.stages.fiscal_codes.contents` does them.
Unpacking = Literal["percent", "base64", "hex", "text", "tlv", "emv", "square", "token"]


class Amounts(Table, frozen=True):
    """How amounts are written. decimal: the mark before decimals. places: how many of the last digits of an
    amount without that mark are decimals. base: 16 for hexadecimal ones; little_endian: their bytes run from
    the least to the most significant one."""

    decimal: Literal[".", ","] = "."
    places: int = 0
    base: Literal[10, 16] = 10
    little_endian: bool = False


class CodeExample(Table, frozen=True):
    """What a code must give; parts that are absent must not be given."""

    data: str
    country: str | None = None
    currency: str | None = None
    date: str | None = None
    time: str | None = None
    total: Decimal | None = None
    tax: Decimal | None = None
    seller: str | None = None


class CodeFormat(Table, frozen=True):
    """One format. Every other key with a pattern is a regular expression that is searched in the text.

    shape: what the data of the barcode look like; its group ``payload``, if any, is what is unpacked. unpack:
    the steps that make text of it. total, tax: their groups, up to one for each rate, add up. date: with the
    groups year, month, day, hour, minute, second, or millis (hexadecimal, since 1970). year_zero: what is
    added to the year. offsets: minutes that the country's clocks may be ahead of a date in UTC. seller: the
    tax number; stdnum: the module of python-stdnum that its check digits must satisfy. currency, country:
    patterns; names: what they find → the currency's code, the region's. asks: the code asks for a payment.
    """

    name: str
    source: str
    shape: str
    unpack: tuple[Unpacking, ...] = ()
    total: str = ""
    tax: str = ""
    amounts: Amounts = Amounts()
    date: str = ""
    year_zero: int = 0
    offsets: tuple[int, ...] = ()
    seller: str = ""
    stdnum: str = ""
    currency: str = ""
    country: str = ""
    names: dict[str, str] = msgspec.field(default_factory=dict)
    asks: bool = False
    example: tuple[CodeExample, ...] = ()


class CodeFile(Table, frozen=True):
    """The formats of one country. country: as regions are called, currency: ISO 4217; both "" for formats of
    several countries."""

    country: str = ""
    currency: str = ""
    format: tuple[CodeFormat, ...] = ()


@cache
def code_files() -> tuple[CodeFile, ...]:
    """Every file, sorted by name; raises RegionDataError for a wrong one."""
    folder = assets.folder("regions") / "fiscal_codes"
    return tuple(read_table(path, CodeFile) for path in sorted(folder.glob("*.toml")))

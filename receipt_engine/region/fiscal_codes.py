"""Loads the formats of fiscal codes and of payment request codes: ``regions/fiscal_codes/``."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import Literal

import msgspec

from receipt_engine import assets
from receipt_engine.region.load import read_table
from receipt_engine.region.schema import Table

#: A step that decodes a code's payload into text; see `receipt_engine.stages.fiscal_codes`.
Unpacking = Literal["percent", "base64", "hex", "text", "tlv", "emv", "square", "token"]


class Amounts(Table, frozen=True):
    """How amounts are written. decimal: the decimal mark. places: number of trailing decimals in an amount
    without that mark. base: 16 for hexadecimal amounts. little_endian: the bytes of hexadecimal amounts run
    from least to most significant."""

    decimal: Literal[".", ","] = "."
    places: int = 0
    base: Literal[10, 16] = 10
    little_endian: bool = False


class CodeExample(Table, frozen=True):
    """Data of a code and the expected result; fields that are None must not be found."""

    data: str
    country: str | None = None
    currency: str | None = None
    date: str | None = None
    time: str | None = None
    total: Decimal | None = None
    tax: Decimal | None = None
    seller: str | None = None


class CodeFormat(Table, frozen=True):
    """One format. Every pattern except `shape` is a regular expression that is searched in the unpacked text.

    shape: regular expression that must be found in the barcode's data; its group ``payload``, if any, is the
    part to unpack. unpack: the steps that decode it into text. total, tax: their groups, up to one for each
    rate, are summed. date: has the groups year, month, day, hour, minute, second, or millis (hexadecimal,
    since 1970). year_zero: added to the year. offsets: minutes that the country's clocks may be ahead of a
    date in UTC. seller: the tax number. stdnum: module of python-stdnum that its check digits must satisfy.
    currency, country: patterns. names: the text that they match → currency code or region code. asks: the
    code asks for a payment.
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
    """The formats of one country. country: region code. currency: ISO 4217. Both are "" for formats of
    several countries."""

    country: str = ""
    currency: str = ""
    format: tuple[CodeFormat, ...] = ()


@cache
def code_files() -> tuple[CodeFile, ...]:
    """Returns every file, sorted by name; raises RegionDataError for an invalid one."""
    folder = assets.folder("regions") / "fiscal_codes"
    return tuple(read_table(path, CodeFile) for path in sorted(folder.glob("*.toml")))

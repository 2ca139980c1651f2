"""Defines the generator's own words and formats, besides the region data: `data/languages`, `data/countries`.

Lists are written as one text, separated by "|" or line ends. A country without its own file is drawn from its
region data alone, and a language without one borrows the words of `regions/languages`.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path

import msgspec

from receipt_engine.region import read_table

DATA = Path(__file__).resolve().parent / "data"


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, eq=False):
    """A TOML table of this folder: frozen, no unknown keys, hashed by identity."""


class Tongue(_Data, frozen=True, kw_only=True, eq=False):
    """The words of receipts in one language.

    phrases: by purpose, as printed. goods: by tax group; each line ``name: low-high`` in base prices,
    followed by ``kg``, ``L`` or another unit when sold by measure. names: trading names by kind of business,
    with {family}, {other}, {given} and {n} filled in.
    """

    code: str
    phrases: dict[str, str] = {}
    goods: dict[str, str] = {}
    names: dict[str, str] = {}
    families: str = ""
    given: str = ""
    streets: str = ""


class Scheme(_Data, frozen=True, kw_only=True, eq=False):
    """A tax scheme: the `kinds` of sale and the `states` it applies to (empty: all), between two dates.

    groups: product group → code, "*" for the rest. levies: code → taxes such as "VAT 20", joined by " + ";
    a name of "*" is sampled from `names`, where "de:MWST" is one for German receipts. show: ways to print
    them, with their weights.
    """

    kinds: str = ""
    states: str = ""
    since: datetime.date | None = None
    until: datetime.date | None = None
    inclusive: bool = True
    names: str = "Tax"
    groups: dict[str, str] = {}
    levies: dict[str, str] = {}
    show: dict[str, float] = msgspec.field(
        default_factory=lambda: {"table": 3.0, "lines": 3.0, "prose": 0.6, "sum": 0.4, "none": 0.6}
    )


class Service(_Data, frozen=True, kw_only=True, eq=False):
    """A service charge of restaurants: percentages, probability, and whether it is taxed."""

    rates: str
    chance: float = 0.5
    taxed: bool = False
    kinds: str = "restaurant"


class Country(_Data, frozen=True, kw_only=True, eq=False):
    """The formats and words of one country's tills, beyond its region data.

    languages: weights. habits: language → index of the region's number habit that it prints, the first for
    others. echo: languages in which labels are repeated, with probabilities.
    price: local price of a base price of 1. steps: prices are multiples of it. quantum: the smallest amount,
    where tills calculate in whole units although the currency has smaller ones. endings: typical last digits
    of prices. floor_taxes: taxes are rounded down.
    places: ``city ; state ; postcode pattern ; district``, parts that are not printed left empty.
    address: lines separated by " / ". numbers: house numbers, where plain ones are not usual. numbers,
    phones, plates, receipts: patterns as in `Dice.digits`. ids, other_ids: tax numbers and others, ``words
    printed before it ; pattern ; module of python-stdnum that checks it ; letters before it, if any``.
    fuel: ``name ; low ; high`` per unit of volume. fiscal: blocks of lines with <pattern>, {date}, {time}
    and {id}; qr: contents of a QR code. no_accents, capitals: shares of tills that print so. star: the mark
    of tills that mark only one tax code, starred: that code, the standard one when empty.
    by_language: values of this table that replace others on receipts in one of its languages.
    """

    code: str
    languages: dict[str, float] = {}
    echo: dict[str, float] = {}
    habits: dict[str, int] = {}
    since: datetime.date = datetime.date(2021, 6, 1)
    until: datetime.date = datetime.date(2025, 12, 30)
    price: float = 1.0
    steps: str = "0.01"
    quantum: str = ""
    endings: str = ""
    places: str = ""
    address: str = ""
    suburbs: str = ""
    numbers: str = ""
    buildings: str = ""
    streets: str = ""
    families: str = ""
    names: dict[str, str] = {}
    phones: str = ""
    plates: str = "@@@ ###"
    receipts: str = "###### | ####-#### | @####### | ########"
    domains: str = "com"
    legal: str = ""
    ids: str = ""
    other_ids: str = ""
    cards: str = "VISA | Mastercard"
    wallets: str = ""
    fuel: str = ""
    fuel_unit: str = "L"
    fuel_decimals: int = 3
    weight_unit: str = "kg"
    fiscal: tuple[str, ...] = ()
    qr: tuple[str, ...] = ()
    tip: str = "none"
    no_accents: float = 0.1
    capitals: float = 0.48
    star: str = "*"
    starred: str = ""
    floor_taxes: bool = False
    service: Service | None = None
    tax: tuple[Scheme, ...] = ()
    phrases: dict[str, str] = {}
    goods: dict[str, str] = {}
    by_language: dict[str, dict[str, str]] = {}


@dataclass(frozen=True, slots=True)
class Good:
    """A product. low and high: base prices; unit: unit of measure, None when it is counted."""

    name: str
    group: str
    low: Decimal
    high: Decimal
    unit: str | None


def alternatives(text: str) -> tuple[str, ...]:
    """The parts between "|" and line ends.

    >>> alternatives("a | b")
    ('a', 'b')
    """
    parts = (part.strip() for part in text.replace("\n", "|").split("|"))
    return tuple(part for part in parts if part)


@cache
def load_tongue(code: str) -> Tongue | None:
    """The generator's words of a language, None when it has none; RegionDataError for an invalid file."""
    path = DATA / "languages" / f"{code}.toml"
    return read_table(path, Tongue) if path.is_file() else None


@cache
def load_country(code: str) -> Country:
    """The generator's data of a country, defaults when it has none; RegionDataError for an invalid file."""
    path = DATA / "countries" / f"{code}.toml"
    return read_table(path, Country) if path.is_file() else Country(code=code)


@cache
def localized(country: Country, language: str) -> Country:
    """The country with the values that differ in that language (street names, cities …)."""
    own = country.by_language.get(language)
    return msgspec.structs.replace(country, **own) if own else country


@cache
def goods(tongue: Tongue, country: Country) -> Mapping[str, tuple[Good, ...]]:
    """Products by group; a country's own groups replace those of its language."""
    texts = {**tongue.goods, **country.goods}
    return {group: tuple(_good(line, group) for line in alternatives(text)) for group, text in texts.items()}


def _good(line: str, group: str) -> Good:
    name, _, prices = line.rpartition(":")
    span, _, unit = prices.strip().partition(" ")
    low, _, high = span.partition("-")
    return Good(name.strip(), group, Decimal(low), Decimal(high or low), unit.strip() or None)

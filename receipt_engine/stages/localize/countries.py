"""Lists every country that a receipt may come from: those with a region file, and the rest of the world.

The rest is in ``regions/elsewhere/countries.toml``, from which the rules of a country without a region file
are composed.

Also defines a clue: one observation on the receipt and how much likelier it makes each country. Scores are
natural logarithms of likelihood ratios against a country that the clue does not name. Clues of one kind are
correlated, so their sum for a country is capped.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

import msgspec

from receipt_engine import assets
from receipt_engine.document import Record
from receipt_engine.region import (
    ALIASES,
    Currency,
    DateOrder,
    FormerCurrency,
    Region,
    Role,
    Words,
    collecting_nothing,
    load_region,
    read_table,
    region_codes,
)

#: Assumed population, in millions, of a country that the table does not list.
_SMALL = 1.0
Kind = Literal[
    "language", "letters", "script", "words", "tax", "tax id", "currency", "phone", "address", "web",
    "numbers", "decimals", "dates", "calendar", "fiscal code"
]  # fmt: skip

#: Maximum absolute score of all clues of a kind together, in nats.
CAPS: dict[Kind, float] = {
    "language": 6.0,
    "letters": 5.0,
    "script": 6.0,
    "words": 4.0,
    "tax": 2.5,
    "tax id": 6.0,
    "currency": 4.0,
    "phone": 4.0,
    "address": 6.0,
    "web": 3.0,
    "numbers": 2.5,
    "decimals": 6.0,
    "dates": 2.0,
    "calendar": 4.0,
    "fiscal code": 8.0,
}
#: Kinds that prove a country by themselves, because they are about the merchant, not about the print style;
#: script is one too, because hardly anybody prints another country's script.
PROOFS: tuple[Kind, ...] = ("address", "fiscal code", "phone", "script", "tax id")


class _Elsewhere(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One ``[[country]]``; the file explains its keys."""

    code: str
    names: tuple[str, ...]
    currency: str
    signs: tuple[str, ...]
    calling_code: str
    decimal: Literal[".", ","]
    order: DateOrder
    languages: tuple[str, ...] = ()
    taxes: tuple[str, ...] = ()
    rates: tuple[str, ...] = ()
    postcode: str = ""
    places: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    labels: dict[Role, tuple[str | Words, ...]] = {}
    former: FormerCurrency | None = None
    decimals: int = 2
    group: Literal[".", ",", " ", "'"] | None = None
    stdnum: str = ""


class _World(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    country: tuple[_Elsewhere, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Country:
    """The facts that distinguish a country's receipts from others'.

    code: a region code, or ISO 3166 in lower case. region: None for a country without a region file. names:
    as printed. languages: most usual first. signs: of the currency, those of the former one included. former:
    the previous currency. decimals: the decimal marks, most usual first. group: thousands separator, "" if
    there is a region file. fraction: number of decimals of amounts. order: of all-numeric dates; also: other
    orders that its tills print. iso: as phonenumbers names the country. domain: top-level domain. places:
    cities and islands, if there is no region file. words: seldom printed elsewhere. stdnum: module of python-
    stdnum for tax numbers, if there is no region file. population: in millions. postcode: its pattern, "" for
    none. taxes: their names. rates: tax rates in percent, without zero. labels: phrases of the country alone.
    """

    code: str
    region: Region | None
    names: tuple[str, ...]
    languages: tuple[str, ...]
    currency: str
    signs: tuple[str, ...]
    decimals: tuple[str, ...]
    fraction: int
    order: DateOrder
    hour12: bool
    calling_code: str
    iso: str
    domain: str
    also: tuple[DateOrder, ...] = ()
    former: FormerCurrency | None = None
    places: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    group: str = ""
    stdnum: str = ""
    population: float = 1.0
    postcode: str = ""
    taxes: tuple[str, ...] = ()
    rates: frozenset[str] = field(default_factory=frozenset)
    labels: Mapping[Role, tuple[str | Words, ...]] = field(default_factory=dict)


@cache
@collecting_nothing
def countries() -> tuple[Country, ...]:
    """Returns countries with a region file, then the others, each sorted by code; raises RegionDataError for
    an invalid file."""
    path = assets.folder("regions") / "elsewhere" / "countries.toml"
    world = read_table(path, _World)
    regions = tuple(_from_region(load_region(code)) for code in region_codes())
    known = {country.iso for country in regions}
    rest = (_from_elsewhere(entry) for entry in world.country)
    everyone = regions + tuple(sorted((c for c in rest if c.iso not in known), key=lambda c: c.code))
    people = read_table(assets.folder("regions") / "elsewhere" / "populations.toml", dict[str, float])
    return tuple(replace(c, population=people.get(c.iso, _SMALL)) for c in everyone)


def country(code: str) -> Country:
    """Returns a country by its code; raises KeyError for an unknown one."""
    return _by_code()[code]


@cache
def _by_code() -> dict[str, Country]:
    return {c.code: c for c in countries()}


def _from_region(region: Region) -> Country:
    names = {code: name for name, code in ALIASES.items()}
    return Country(
        code=region.code,
        region=region,
        names=tuple(dict.fromkeys((region.address.country, region.name, *region.address.names))),
        languages=region.languages,
        currency=region.currency.code,
        signs=region.currency.marks,
        former=region.currency.former,
        decimals=tuple(dict.fromkeys(habit.decimal for habit in region.numbers.habits)),
        fraction=region.currency.decimals,
        order=region.dates.order,
        also=region.dates.also,
        hour12=region.dates.hour12,
        calling_code=region.phone.calling_code,
        iso=region.phone.region,
        domain=names.get(region.code, region.phone.region.lower()),
        postcode=region.address.postcode,
        labels=region.words,
        taxes=region.tax.names,
        rates=frozenset(plain_rate(rate.rate) for rate in region.tax.rates if rate.rate != "0"),
    )


def _from_elsewhere(entry: _Elsewhere) -> Country:
    return Country(
        code=entry.code,
        region=None,
        names=entry.names,
        languages=entry.languages,
        currency=entry.currency,
        signs=Currency(
            code=entry.currency, symbols=entry.signs, decimals=entry.decimals, former=entry.former
        ).marks,
        former=entry.former,
        decimals=(entry.decimal,),
        fraction=entry.decimals,
        order=entry.order,
        hour12=False,
        calling_code=entry.calling_code,
        iso=entry.code.upper(),
        domain=entry.code,
        places=entry.places,
        words=entry.words,
        stdnum=entry.stdnum,
        postcode=entry.postcode,
        labels=entry.labels,
        taxes=entry.taxes,
        rates=frozenset(entry.rates),
        group=entry.group or ("," if entry.decimal == "." else "."),
    )


def plain_rate(rate: str) -> str:
    """Returns a percentage without trailing zeros."""
    return rate.rstrip("0").rstrip(".") if "." in rate else rate


class Clue(Record, frozen=True):
    """scores: country code → nats; a country that is not named gets 0. detail: the text that was seen."""

    kind: Kind
    detail: str
    scores: Mapping[str, float]


def total_scores(clues: Iterable[Clue]) -> dict[Kind, dict[str, float]]:
    """Returns for every kind the capped sum for each country that any clue names."""
    sums: dict[Kind, dict[str, float]] = {}
    for clue in clues:
        add_scores(sums.setdefault(clue.kind, {}), clue.scores)
    return {
        kind: {code: max(-CAPS[kind], min(CAPS[kind], value)) for code, value in scores.items()}
        for kind, scores in sums.items()
    }


def add_scores(scores: dict[str, float], more: Mapping[str, float]) -> None:
    """Adds to the scores of each country."""
    for code, value in more.items():
        scores[code] = scores.get(code, 0.0) + value


def shared(codes: Collection[str], strength: float, among: int | None = None) -> dict[str, float]:
    """Returns the scores of a sign that several countries print: the fewer, the higher.

    codes: those countries. strength: a factor. among: number of countries in question; by default all.
    """
    distinct = sorted(set(codes))
    world = len(countries()) if among is None else among
    return dict.fromkeys(distinct, strength * math.log(world / len(distinct))) if distinct else {}

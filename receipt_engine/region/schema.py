"""Defines the typed tables of region files and language files.

Unknown keys are rejected; ``regions/README.md`` explains every key.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Literal, TypeVar

import msgspec

from receipt_engine.region.terms import Term

DateOrder = Literal["dmy", "mdy", "ymd"]
#: The quantity that a unit measures; other: not a quantity that is sold.
UnitKind = Literal["weight", "volume", "count", "other"]

#: The role of a printed line. The words for each role are language data; see `Language.words`.
Role = Literal[
    "total",  # the amount finally due or paid
    "subtotal",  # before tax, tip and service
    "net",  # a taxable base in a tax table or net line
    "gross",  # the tax-inclusive amount of a tax table row
    "tax",  # one tax
    "total_tax",  # the sum of the taxes
    "tip",
    "service",
    "discount",
    "withheld",  # a tax that the buyer keeps back for the state: taken off the total, no discount
    "savings",  # "you saved": informative, not subtracted
    "rounding",
    "cash",  # cash tendered
    "card",  # any tender that is not cash: card schemes, wallets, vouchers, accounts
    "change",
    "deposit",  # bottle deposit, donation: a product, or added below the total
    "void",  # a cancelled or returned line
    "item_count",
    "loyalty",  # points, member balances
    "balance",  # stored-value or account balance left: never the total
    "column",  # a word of a heading row: QTY, PRICE, AMOUNT
    "date",
    "not_date",  # before a date that is not the purchase date: expiry, return by, printed on
    "time",
    "phone",
    "fax",
    "tax_id",
    "receipt_number",
    "cashier",  # staff, till, table, guests
    "address",  # words that occur inside addresses: street, road, floor
    "company",  # legal forms: Sdn Bhd, GmbH, LLC
    "invoice",  # the document calls itself an invoice
    "receipt",  # the document calls itself a receipt
    "footer",  # thanks, policies, advertisements
    "suggested",  # suggested gratuity tables and other amounts that were not paid
    "header",  # words above the items that are not products
    "quantity",  # unit words printed with a count: pcs, Stk, x
    "weight",  # kg, g, l, lb
]


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, eq=False):
    """A TOML table: frozen, no unknown keys. Compared and hashed by identity, so that it can key a cache."""


class FormerCurrency(Table, frozen=True):
    """A replaced currency. code: ISO 4217. symbols: as printed. until: its last day of use."""

    code: str
    symbols: tuple[str, ...]
    until: datetime.date


class Currency(Table, frozen=True):
    """The currency of a region.

    code: ISO 4217. symbols: as printed, most usual first. decimals: number of decimals printed on receipts,
    which may differ from ISO 4217. fraction_optional: whole amounts are often printed without decimals
    although the currency has them. former: the currency that it replaced, if receipts of that time are still
    read.
    """

    code: str
    symbols: tuple[str, ...] = ()
    decimals: int = 2
    fraction_optional: bool = False
    former: FormerCurrency | None = None

    @property
    def marks(self) -> tuple[str, ...]:
        """The symbols and the code, then those of the former currency."""
        former = (*self.former.symbols, self.former.code) if self.former else ()
        return tuple(dict.fromkeys((*self.symbols, self.code, *former)))


class Separators(Table, frozen=True):
    """decimal: "." or ",". groups: possible thousands separators. indian: lakh grouping 1,23,456.00."""

    decimal: str
    groups: tuple[str, ...] = ()
    indian: bool = False


class Numbers(Table, frozen=True):
    """habits: the separators that the country uses, the most usual first."""

    habits: tuple[Separators, ...]


class Era(Table, frozen=True):
    """A calendar era: year = start + printed year - 1. names: as printed (令和, R)."""

    names: tuple[str, ...]
    start: int


class SlipDates(Table, frozen=True):
    """How the country's card terminals print dates, whatever its tills do. labels: printed before it."""

    order: DateOrder
    labels: tuple[str, ...]


class Dates(Table, frozen=True):
    """How the country prints dates and times.

    order: of an all-numeric date. also: other orders that its tills print. slip: the format of card slips.
    calendar: printed beside or instead of the Gregorian one; buddhist: years run 543 ahead; bikram sambat:
    Nepal's own months. eras: besides the Christian one. hour12: times are printed with AM and PM.
    """

    order: DateOrder
    also: tuple[DateOrder, ...] = ()
    slip: SlipDates | None = None
    calendar: Literal["gregorian", "buddhist", "bikram sambat"] = "gregorian"
    eras: tuple[Era, ...] = ()
    hour12: bool = False


class TaxRate(Table, frozen=True):
    """rate: in percent. since, until: first and last day on which it was law; None for no limit."""

    rate: str
    since: datetime.date | None = None
    until: datetime.date | None = None
    note: str = ""


class Tax(Table, frozen=True):
    """names: of the taxes as printed. inclusive: shelf prices contain the tax ("yes"), do not ("no"),
    or both occur ("both"). codes: letters printed beside items to mark their rate."""

    names: tuple[str, ...] = ()
    inclusive: Literal["yes", "no", "both"] = "yes"
    rates: tuple[TaxRate, ...] = ()
    codes: tuple[str, ...] = ()

    @property
    def percents(self) -> tuple[Decimal, ...]:
        """The rates in percent as numbers, in the order of the file."""
        return tuple(Decimal(rate.rate) for rate in self.rates)


class Rounding(Table, frozen=True):
    """step: cash totals are rounded to a multiple of it. law: its source. since, until: as in `TaxRate`."""

    step: str
    law: str = ""
    since: datetime.date | None = None
    until: datetime.date | None = None


class Phone(Table, frozen=True):
    """calling_code: without the plus sign. region: ISO 3166 code, as phonenumbers expects it."""

    calling_code: str
    region: str


class Address(Table, frozen=True):
    """How the country writes addresses.

    postcode: regular expression of a postcode as printed; its first group, if any, is the postcode itself.
    order: address parts from first printed to last. street_number: "before" or "after" the street name.
    states: name or abbreviation → name. cities: large ones, to recognise address lines. districts: parts of
    cities that are printed in place of the city. tagger: library that parses the country's addresses.
    """

    country: str
    names: tuple[str, ...] = ()
    postcode: str = ""
    postcode_place: Literal["before_city", "after_city", "own_line", "none"] = "before_city"
    street_number: Literal["before", "after"] = "before"
    order: tuple[str, ...] = ()
    states: dict[str, str] = {}
    cities: tuple[str, ...] = ()
    districts: tuple[str, ...] = ()
    tagger: Literal["", "usaddress"] = ""


class Identifier(Table, frozen=True):
    """A tax or company number. pattern: regular expression on the text as printed. stdnum: module of
    python-stdnum that validates it ("my.nric"), if any. words: labels printed before it. tax: False for a
    company number."""

    name: str
    pattern: str
    words: tuple[str, ...] = ()
    stdnum: str = ""
    tax: bool = True


class Words(Table, frozen=True):
    """One phrase that indicates a role. weight: 0 to 1, how reliably the phrase alone indicates it."""

    text: str
    weight: float = 1.0


class Example(Table, frozen=True):
    """A line of text and the expected result. role: the strongest role. term: a term that is found. amount,
    date: the best reading."""

    text: str
    role: Role | None = None
    term: Term | None = None
    amount: str | None = None
    date: str | None = None
    source: str = ""


class Units(Table, frozen=True):
    """Units printed after a number, by the quantity that they measure.

    other: neither a quantity nor money. length: sizes of products. pack: words after a pack's number of
    pieces, a size too. small: units that are not sold in fractions. abbreviated: abbreviated counts that
    contain a vowel.
    """

    weight: tuple[str, ...] = ()
    volume: tuple[str, ...] = ()
    count: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    length: tuple[str, ...] = ()
    pack: tuple[str, ...] = ()
    small: tuple[str, ...] = ()
    abbreviated: tuple[str, ...] = ()


class Calendar(Table, frozen=True):
    """How a language writes the numbers of dates and times, and the signs around them.

    year to second: signs or words after the number. ordinals: ordinal suffixes of the day. digits: ten
    strings, each with the characters for one digit. tens: character for a multiple of ten → how many tens.
    first_year: words for the first year of an era. eras: calendar eras that the language prints. misread:
    sign → characters that it is misread as.
    """

    year: tuple[str, ...] = ()
    month: tuple[str, ...] = ()
    day: tuple[str, ...] = ()
    hour: tuple[str, ...] = ()
    minute: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    ordinals: tuple[str, ...] = ()
    digits: tuple[str, ...] = ()
    tens: dict[str, int] = {}
    first_year: tuple[str, ...] = ()
    eras: tuple[Era, ...] = ()
    misread: dict[str, str] = {}


class Language(Table, frozen=True):
    """The words of one language.

    words: role → phrases, either plain text (weight 1) or {text, weight}. Matching ignores case, accents,
    white space and punctuation, and tolerates recogniser confusions in longer phrases. terms: term →
    phrases; "kund*" matches any word with that prefix, "*gatan" any with that suffix. months: twelve entries,
    each with names and abbreviations beyond CLDR's. am, pm: as printed. units: printed after a number in any
    country. calendar: how dates and times are written. address_pattern: regular expression of an address that
    is written without spaces from the largest part to the smallest, with groups named after the parts.
    """

    code: str
    name: str
    script: Literal[
        "latin", "greek", "cyrillic", "cjk", "arabic", "hebrew", "devanagari", "bengali", "hangul", "thai"
    ] = "latin"
    words: dict[Role, tuple[str | Words, ...]] = {}
    terms: dict[Term, tuple[str, ...]] = {}
    months: tuple[tuple[str, ...], ...] = ()
    weekdays: tuple[str, ...] = ()
    am: tuple[str, ...] = ()
    pm: tuple[str, ...] = ()
    units: Units = Units()
    address_pattern: str = ""
    calendar: Calendar = Calendar()
    example: tuple[Example, ...] = ()
    not_example: tuple[Example, ...] = ()

    def phrases(self, role: Role) -> tuple[Words, ...]:
        """Returns the phrases of a role, each with its weight."""
        return tuple(w if isinstance(w, Words) else Words(text=w) for w in self.words.get(role, ()))


class Region(Table, frozen=True):
    """Everything the stages know about one country.

    words: role phrases of this country only, in addition to its languages' (tender brands, fiscal blocks).
    terms: likewise. rare: few of its receipts are read, so it gets a lower prior. scripts: scripts of its
    receipts that few countries share, as `Span.script` names them.
    """

    code: str
    name: str
    languages: tuple[str, ...]
    currency: Currency
    numbers: Numbers
    dates: Dates
    tax: Tax
    phone: Phone
    address: Address
    rare: bool = False
    scripts: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    rounding: tuple[Rounding, ...] = ()
    identifiers: tuple[Identifier, ...] = ()
    words: dict[Role, tuple[str | Words, ...]] = {}
    terms: dict[Term, tuple[str, ...]] = {}
    example: tuple[Example, ...] = ()
    not_example: tuple[Example, ...] = ()

    def in_force(self, first: datetime.date, last: datetime.date) -> Region:
        """Returns this region with the tax rates and roundings in force at some time from `first` to `last`.

        If no rate was, the file does not cover that time, and all rates are kept; likewise for roundings. The
        same laws yield the same object, so that it can key a cache.
        """
        return _with_laws(self, _in_force(self.tax.rates, first, last), _in_force(self.rounding, first, last))

    def own_phrases(self, role: Role) -> tuple[Words, ...]:
        """Returns the region's own phrases of a role, without its languages' (`role_phrases` has both)."""
        return tuple(w if isinstance(w, Words) else Words(text=w) for w in self.words.get(role, ()))


_Law = TypeVar("_Law", TaxRate, Rounding)


def _in_force(laws: Sequence[_Law], first: datetime.date, last: datetime.date) -> tuple[_Law, ...]:
    found = tuple(
        law
        for law in laws
        if (law.since is None or law.since <= last) and (law.until is None or law.until >= first)
    )
    return found or tuple(laws)


@lru_cache(maxsize=256)
def _with_laws(region: Region, rates: tuple[TaxRate, ...], rounding: tuple[Rounding, ...]) -> Region:
    if (rates, rounding) == (region.tax.rates, region.rounding):
        return region
    tax = msgspec.structs.replace(region.tax, rates=rates)
    return msgspec.structs.replace(region, tax=tax, rounding=rounding)

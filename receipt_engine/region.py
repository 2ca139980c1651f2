"""Typed rules of a region and its languages, and their loader.

What is true of a country is in ``regions/<code>.toml``; what is true of a language, whichever country
prints it, in ``regions/languages/<code>.toml``. Adding either is adding a file. Unknown keys are
refused with the nearest known one; ``regions/README.md`` explains every key.
"""

from __future__ import annotations

import datetime
import difflib
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

import msgspec

from receipt_engine import assets
from receipt_engine.errors import RegionDataError

T = TypeVar("T")
DateOrder = Literal["dmy", "mdy", "ymd"]

#: Codes in common use that mean one of ours.
ALIASES = {"uk": "gb", "jp": "ja"}

#: What a printed line can be. Words for each role are language data; see `Language.words`.
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
    "savings",  # "you saved": told, not subtracted
    "rounding",
    "cash",  # cash tendered
    "card",  # any tender that is not cash: card schemes, wallets, vouchers, accounts
    "change",
    "deposit",  # bottle deposit: a product
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
    "footer",  # thanks, policies, adverts
    "suggested",  # suggested gratuity tables and other amounts nobody paid
    "header",  # words above the items that are no products
    "quantity",  # unit words printed with a count: pcs, Stk, x
    "weight",  # kg, g, l, lb
]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, eq=False):
    """A TOML table: frozen, no unknown keys. Compared and hashed by identity, so it can key a cache."""


class Currency(_Table, frozen=True):
    """code: ISO 4217 as the contract writes it. symbols: as printed, most usual first.
    decimals: digits printed after the point on receipts (not ISO's). fraction_optional: whole amounts
    are often printed without decimals although the currency has them."""

    code: str
    symbols: tuple[str, ...] = ()
    decimals: int = 2
    fraction_optional: bool = False


class Separators(_Table, frozen=True):
    """decimal: "." or ",". groups: what may stand between thousands. indian: lakh grouping 1,23,456.00."""

    decimal: str
    groups: tuple[str, ...] = ()
    indian: bool = False


class Numbers(_Table, frozen=True):
    """habits: the country's ways to print numbers, the most usual first."""

    habits: tuple[Separators, ...]


class Era(_Table, frozen=True):
    """A calendar era: year = start + printed year - 1. names: as printed (令和, R)."""

    names: tuple[str, ...]
    start: int


class Dates(_Table, frozen=True):
    """order: of an all-numeric date. year_first_ok: 2024-05-06 style also occurs. buddhist: years run
    543 ahead."""

    order: DateOrder
    eras: tuple[Era, ...] = ()
    hour12: bool = False


class TaxRate(_Table, frozen=True):
    """rate in percent, with the dates between which it was law (inclusive; open when absent)."""

    rate: str
    since: datetime.date | None = None
    until: datetime.date | None = None
    note: str = ""


class Tax(_Table, frozen=True):
    """names: of the taxes as printed. inclusive: shelf prices contain the tax ("yes"), do not ("no"),
    or both occur ("both"). codes: letters printed beside items for a rate."""

    names: tuple[str, ...] = ()
    inclusive: Literal["yes", "no", "both"] = "yes"
    rates: tuple[TaxRate, ...] = ()
    codes: tuple[str, ...] = ()


class Rounding(_Table, frozen=True):
    """step: cash totals are rounded to this; law: its source. since/until as for rates."""

    step: str
    law: str = ""
    since: datetime.date | None = None
    until: datetime.date | None = None


class Phone(_Table, frozen=True):
    """calling_code without plus. region: the ISO 3166 code for phonenumbers."""

    calling_code: str
    region: str


class Address(_Table, frozen=True):
    """postcode: regular expression of a postcode as printed; its first group, if any, is the postcode
    itself. order: address parts from first printed to last. street_number: "before" or "after" the street
    name. states: name or abbreviation → name. cities: large ones, to recognise a line. districts: parts of
    cities, which are printed where a smaller place prints its city."""

    country: str
    names: tuple[str, ...] = ()
    postcode: str = ""
    postcode_place: Literal["before_city", "after_city", "own_line", "none"] = "before_city"
    street_number: Literal["before", "after"] = "before"
    order: tuple[str, ...] = ()
    states: dict[str, str] = {}
    cities: tuple[str, ...] = ()
    districts: tuple[str, ...] = ()


class Identifier(_Table, frozen=True):
    """A tax or company number. pattern: regular expression on text without white space changes.
    stdnum: module of python-stdnum that checks it ("my.nric"), if any. words: printed before it."""

    name: str
    pattern: str
    words: tuple[str, ...] = ()
    stdnum: str = ""
    tax: bool = True


class Words(_Table, frozen=True):
    """One phrase that shows a role. weight: 0 to 1, how surely it does."""

    text: str
    weight: float = 1.0


class Example(_Table, frozen=True):
    """A line of text and what must come out. role: the strongest role. amount/date: the best reading."""

    text: str
    role: Role | None = None
    amount: str | None = None
    date: str | None = None
    source: str = ""


class Language(_Table, frozen=True):
    """words: role → phrases, either plain text (weight 1) or {text, weight}. Matching ignores case,
    accents, white space and punctuation, and forgives OCR slips in longer phrases.
    months: twelve entries, each with its names and abbreviations beyond CLDR's. am, pm: as printed."""

    code: str
    name: str
    script: Literal["latin", "greek", "cjk", "arabic", "devanagari"] = "latin"
    words: dict[Role, tuple[str | Words, ...]] = {}
    months: tuple[tuple[str, ...], ...] = ()
    weekdays: tuple[str, ...] = ()
    am: tuple[str, ...] = ()
    pm: tuple[str, ...] = ()
    example: tuple[Example, ...] = ()
    not_example: tuple[Example, ...] = ()

    def phrases(self, role: Role) -> tuple[Words, ...]:
        """The phrases of a role, each with its weight."""
        return tuple(w if isinstance(w, Words) else Words(text=w) for w in self.words.get(role, ()))


class Region(_Table, frozen=True):
    """Everything the stages know about one country. words: role phrases of this country only, on top of
    its languages' (tender brands, fiscal blocks)."""

    code: str
    name: str
    languages: tuple[str, ...]
    currency: Currency
    numbers: Numbers
    dates: Dates
    tax: Tax
    phone: Phone
    address: Address
    sources: tuple[str, ...] = ()
    rounding: tuple[Rounding, ...] = ()
    identifiers: tuple[Identifier, ...] = ()
    words: dict[Role, tuple[str | Words, ...]] = {}
    example: tuple[Example, ...] = ()
    not_example: tuple[Example, ...] = ()

    def phrases(self, role: Role) -> tuple[Words, ...]:
        """The region's own phrases of a role and those of its languages."""
        own = tuple(w if isinstance(w, Words) else Words(text=w) for w in self.words.get(role, ()))
        return own + tuple(p for code in self.languages for p in load_language(code).phrases(role))


def keyed_phrases(region: Region, key: Callable[[str], str]) -> dict[str, Mapping[Role, float]]:
    """key(phrase) → role → weight, of all phrases of a region and its languages; empty keys left out.

    A key that several phrases share has the largest weight of each role.
    """
    found: dict[str, Mapping[Role, float]] = dict(_own_phrases(region, key))
    for code in region.languages:
        others = _own_phrases(load_language(code), key)
        both = {
            text: {**others[text], **found[text], **_largest(others[text], found[text])}
            for text in found.keys() & others.keys()
        }
        found |= others
        found |= both
    return found


def _largest(some: Mapping[Role, float], others: Mapping[Role, float]) -> dict[Role, float]:
    """The larger weight of every role that both show."""
    return {role: max(weight, others[role]) for role, weight in some.items() if role in others}


@cache
def _own_phrases(source: Region | Language, key: Callable[[str], str]) -> Mapping[str, Mapping[Role, float]]:
    """Those of one file; remembered, because most regions share a language."""
    found: dict[str, dict[Role, float]] = {}
    for role, phrases in source.words.items():
        for phrase in phrases:
            text, weight = (phrase.text, phrase.weight) if isinstance(phrase, Words) else (phrase, 1.0)
            if letters := key(text):
                roles = found.setdefault(letters, {})
                roles[role] = max(weight, roles.get(role, 0.0))
    return found


def normalize_code(code: str) -> str:
    """Lower case, with aliases ("uk", "jp") replaced."""
    code = code.strip().lower()
    return ALIASES.get(code, code)


@cache
def region_codes() -> tuple[str, ...]:
    """Codes of every region file, sorted."""
    return tuple(sorted(path.stem for path in assets.folder("regions").glob("*.toml")))


@cache
def load_region(code: str) -> Region:
    """The rules of one region; raises RegionDataError for an unknown code or a wrong file."""
    code = normalize_code(code)
    if code not in region_codes():
        raise RegionDataError(
            f"There is no region {code!r}. Known: {', '.join(region_codes())}. "
            "regions/README.md tells how to add one."
        )
    region = read_table(assets.folder("regions") / f"{code}.toml", Region)
    for language in region.languages:
        load_language(language)
    return region


@cache
def load_language(code: str) -> Language:
    """The words of one language; raises RegionDataError when its file is missing or wrong."""
    path = assets.folder("regions") / "languages" / f"{code}.toml"
    if not path.is_file():
        raise RegionDataError(f"There is no language file regions/languages/{code}.toml.")
    return read_table(path, Language)


def read_table(path: Path, kind: type[T]) -> T:
    """A TOML file as `kind`; every mistake in it becomes a RegionDataError that names the file."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return msgspec.convert(data, kind)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RegionDataError(f"{path}: {error}") from error
    except msgspec.ValidationError as error:
        raise RegionDataError(f"{path}: {error}{_did_you_mean(str(error), kind)}") from error


def _did_you_mean(message: str, kind: type[Any]) -> str:
    unknown = re.search(r"unknown field `([^`]+)`|[Ii]nvalid enum value '([^']+)'", message)
    if unknown is None:
        return ""
    names = {f for table in _Table.__subclasses__() for f in table.__struct_fields__} | set(get_args(Role))
    close = difflib.get_close_matches(unknown.group(1) or unknown.group(2), sorted(names), n=1)
    return f". Did you mean {close[0]!r}?" if close else ""

"""Merchants that a person has corrected, remembered for later receipts.

Kept as a CSV file with the columns of a merchant table (see `receipt_engine.merchants`) and `category`, so
that it can be read and edited. A receipt is recognised by its merchant's telephone or tax number, or by
name and address, by a name that differs by confusions or a legal form only, or by the company's name that was
corrected. Where the name that was read is doubtful, its address, or the remembered name inside it, will do.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from msgspec import structs
from rapidfuzz import fuzz

from receipt_engine.errors import MerchantTableError, in_words, named
from receipt_engine.result import Result
from receipt_engine.vocabulary.legal_forms import has_legal_form, without_legal_form
from receipt_engine.vocabulary.normalise import alphanumerics

_COLUMNS = ("name", "aliases", "phones", "addresses", "ids", "category")
_PHONE_DIGITS = 8
_LEAST_DIGITS = 6
#: Likeness of names that are one but for confusions, and of names that an address confirms.
_SAME_NAME = 0.85
_ALIKE = 0.6
#: What a name counts that is the same without its legal form.
_BARE = 0.99
#: A name read with less confidence than this may be anything at all.
_DOUBTFUL = 0.75
#: Likeness of addresses, in percent.
_SAME_ADDRESS = 80
_LEAST_NAME = 4
#: What a recalled name is sure of: it was typed by a person, for a merchant that was recognised.
_RECALLED = 0.985
_TAX_NUMBER = "VATNumber"


@dataclass(frozen=True)
class _Merchant:
    """name: as the person wrote it; aliases: what was read instead."""

    name: str
    aliases: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    category: str = ""


@dataclass
class MerchantMemory:
    """The remembered merchants of a file, which need not be there yet. Raises MerchantTableError."""

    path: Path
    _merchants: list[_Merchant] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.path = Path(self.path)
        self._merchants = _load(self.path) if self.path.exists() else []

    def __len__(self) -> int:
        return len(self._merchants)

    def remember(self, read: Result, right: Result) -> None:
        """Keeps what a person said of a receipt's merchant. read: what the engine had; right: corrected.

        Raises OSError when the file cannot be written.
        """
        if not right.establishment:
            return
        seen = _Merchant(
            right.establishment,
            _some(read.establishment if read.establishment != right.establishment else None),
            _some(right.phone_number),
            _some(right.address),
            _some(right.custom_fields.get(_TAX_NUMBER)),
            right.expense_type or "",
        )
        known = next((m for m in self._merchants if _plain(m.name) == _plain(seen.name)), None)
        if known is not None:
            self._merchants.remove(known)
            seen = _joined(known, seen)
        self._merchants.append(seen)
        self._save()

    def recall(self, result: Result) -> Result:
        """The result with the name and the category of its merchant, unchanged when it is not known."""
        known, likeness = None, 0.0
        for merchant in self._merchants:
            found = _likeness(merchant, result)
            if found and found >= likeness:  # of equals, the newest
                known, likeness = merchant, found
        if known is None:
            return result
        return structs.replace(
            result,
            establishment=known.name,
            establishment_confidence=max(_RECALLED, result.establishment_confidence or 0.0),
            expense_type=known.category or result.expense_type,
        )

    def _save(self) -> None:
        """Raises OSError; the file then stays as it was."""
        temporary = self.path.with_name(f"{self.path.name}.{os.getpid()}.new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._write(temporary)
            temporary.replace(self.path)
        except OSError as error:
            raise named(error, self.path) from error
        finally:
            temporary.unlink(missing_ok=True)

    def _write(self, path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            table.writerow(_COLUMNS)
            for m in self._merchants:
                lists = ("|".join(values) for values in (m.aliases, m.phones, m.addresses, m.ids))
                table.writerow((m.name, *lists, m.category))


def memory_path() -> Path:
    """Where merchants are remembered unless another file is named."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "receipt-engine" / "merchants.csv"


def _load(path: Path) -> list[_Merchant]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return [_merchant(record) for record in csv.DictReader(file) if record.get("name")]
    except OSError as error:
        raise MerchantTableError(in_words(error)) from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise MerchantTableError(f"{path} cannot be read as CSV in UTF-8: {error}.") from error


def _merchant(record: dict[str, str | None]) -> _Merchant:
    def listed(column: str) -> tuple[str, ...]:
        return tuple(filter(None, (record.get(column) or "").split("|")))

    return _Merchant(
        record["name"] or "",
        listed("aliases"),
        listed("phones"),
        listed("addresses"),
        listed("ids"),
        record.get("category") or "",
    )


def _joined(known: _Merchant, seen: _Merchant) -> _Merchant:
    """What was known, with what is new; the newest name and category count."""

    def both(one: Iterable[str], other: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*one, *other)))

    return replace(
        seen,
        aliases=both(known.aliases, seen.aliases),
        phones=both(known.phones, seen.phones),
        addresses=both(known.addresses, seen.addresses),
        ids=both(known.ids, seen.ids),
        category=seen.category or known.category,
    )


def _likeness(merchant: _Merchant, result: Result) -> float:
    """How surely a receipt is of a merchant, 0 when it is not: there are others of nearly the same name.

    Its very name counts most, then its telephone or tax number (all else may read otherwise), then a name
    that differs by confusions or is the company's that was corrected, then one that is alike at its address.
    A doubtful name is no other merchant's: its address alone will do, or its name among other words.
    """
    printed = _plain(result.establishment or "")
    called = _called(merchant.name, result.establishment or "")
    reached = _same_number(merchant, result)
    if reached or called == 1.0:
        return called + (2.0 if called == 1.0 else 1.0) + reached
    company = any(has_legal_form(alias) and _plain(alias) == printed for alias in merchant.aliases)
    if called >= _SAME_NAME or company:
        return 1.0 + max(called, _SAME_NAME)
    others = (fuzz.ratio(printed, _plain(name)) / 100 for name in (merchant.name, *merchant.aliases))
    alike = len(printed) >= _LEAST_NAME and max(others) >= _ALIKE
    here = any(_same_address(own, result.address or "") for own in merchant.addresses)
    # A name of a single word may be a trade's.
    several = " " in merchant.name.strip()
    among = several and _words(merchant.name) in _words(result.establishment)
    confidence = result.establishment_confidence
    doubtful = confidence is not None and confidence < _DOUBTFUL
    return float((here and (alike or doubtful)) or (among and doubtful))


def _called(name: str, printed: str) -> float:
    """Likeness of two names, with their legal forms or without: receipts print a company with and without."""
    whole = _plain(name), _plain(printed)
    bare = _plain(without_legal_form(name)), _plain(without_legal_form(printed))
    if "(" in name + printed or min(map(len, bare)) < _LEAST_NAME:  # a branch may stand in brackets
        bare = whole
    if min(map(len, whole)) < _LEAST_NAME:
        return 0.0
    # Companies of one group differ in their legal forms: the whole name goes before.
    return max(fuzz.ratio(*whole) / 100, _BARE * fuzz.ratio(*bare) / 100)


def _same_number(merchant: _Merchant, result: Result) -> bool:
    """Whether the receipt has the merchant's telephone or tax number."""
    phone = _digits(result.phone_number or "")
    if len(phone) >= _LEAST_DIGITS and phone in map(_digits, merchant.phones):
        return True
    number = alphanumerics(result.custom_fields.get(_TAX_NUMBER) or "")
    return bool(number) and number in map(alphanumerics, merchant.ids)


def _same_address(own: str, printed: str) -> bool:
    """Alike, with the same numbers: next door is another merchant."""
    if sorted(re.findall(r"\d+", own)) != sorted(re.findall(r"\d+", printed)):
        return False
    return bool(printed) and fuzz.token_set_ratio(own.casefold(), printed.casefold()) >= _SAME_ADDRESS


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)[-_PHONE_DIGITS:]


def _words(text: str | None) -> str:
    """A text's words in small letters, with a blank on either side of each."""
    words = " ".join(re.findall(r"\w+", (text or "").casefold()))
    return f" {words} "


def _plain(name: str) -> str:
    return alphanumerics(name)


def _some(value: str | None) -> tuple[str, ...]:
    """A list of one, without the sign that separates lists."""
    return (value.replace("|", " "),) if value else ()

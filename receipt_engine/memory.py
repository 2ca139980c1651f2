"""Remembers the merchants that a person has corrected, for later receipts.

Stored as a CSV file with the columns of a merchant table (see `receipt_engine.merchants`) and `category`, so
that it can be read and edited. A receipt is matched by its merchant's telephone or tax number, by name and
address, by a name that differs only by confusions or the legal form, or by a company's legal name that was
corrected. When the name was read with low confidence, its address, or the remembered name within it, is
enough.
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
#: Similarity of names that are equal but for confusions, and of names that an address confirms.
_SAME_NAME = 0.85
_ALIKE = 0.6
#: Factor on the similarity of names compared without their legal forms.
_BARE = 0.99
#: A name read with lower confidence than this may be entirely wrong.
_DOUBTFUL = 0.75
#: Least similarity of equal addresses, in percent.
_SAME_ADDRESS = 80
_LEAST_NAME = 4
#: Confidence of a recalled name: it was typed by a person, for a merchant that was recognised.
_RECALLED = 0.985
_TAX_NUMBER = "VATNumber"


@dataclass(frozen=True)
class _Merchant:
    """name: as the person typed it; aliases: names that were read instead."""

    name: str
    aliases: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    category: str = ""


@dataclass
class MerchantMemory:
    """The remembered merchants in a file, which need not exist yet. Raises MerchantTableError."""

    path: Path
    _merchants: list[_Merchant] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.path = Path(self.path)
        self._merchants = _load(self.path) if self.path.exists() else []

    def __len__(self) -> int:
        return len(self._merchants)

    def remember(self, read: Result, right: Result) -> None:
        """Stores a person's correction of a receipt's merchant. read: the engine's result; right: the
        corrected one.

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
        """The result with the remembered name and category of its merchant, unchanged if it is unknown."""
        known, likeness = None, 0.0
        for merchant in self._merchants:
            found = _likeness(merchant, result)
            if found and found >= likeness:  # on a tie, the newest
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
        """Raises OSError; the file is then unchanged."""
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


def memory_path() -> Path | None:
    """Default path of the merchant memory; None for a user without a home folder, as in some containers."""
    try:
        data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    except RuntimeError:
        return None
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
    """The known merchant with the new data added; the newest name and category win."""

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
    """How well a receipt matches a merchant, 0 for no match; merchants with nearly the same name compete.

    An equal name counts most, then the telephone or tax number (everything else may be misread), then a name
    that differs by confusions or is the company's legal name that was corrected, then a similar name at the
    same address. A name of low confidence does not rule a merchant out: the address alone is then enough, or
    the merchant's name among other words.
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
    # A single-word name may be that of a trade.
    several = " " in merchant.name.strip()
    among = several and _words(merchant.name) in _words(result.establishment)
    confidence = result.establishment_confidence
    doubtful = confidence is not None and confidence < _DOUBTFUL
    return float((here and (alike or doubtful)) or (among and doubtful))


def _called(name: str, printed: str) -> float:
    """Similarity of two names, with or without their legal forms: receipts print companies both ways."""
    whole = _plain(name), _plain(printed)
    bare = _plain(without_legal_form(name)), _plain(without_legal_form(printed))
    if "(" in name + printed or min(map(len, bare)) < _LEAST_NAME:  # brackets may hold a branch
        bare = whole
    if min(map(len, whole)) < _LEAST_NAME:
        return 0.0
    # Companies of one group differ in their legal forms, so a match with them ranks higher.
    return max(fuzz.ratio(*whole) / 100, _BARE * fuzz.ratio(*bare) / 100)


def _same_number(merchant: _Merchant, result: Result) -> bool:
    """Whether the receipt has the merchant's telephone or tax number."""
    phone = _digits(result.phone_number or "")
    if len(phone) >= _LEAST_DIGITS and phone in map(_digits, merchant.phones):
        return True
    number = alphanumerics(result.custom_fields.get(_TAX_NUMBER) or "")
    return bool(number) and number in map(alphanumerics, merchant.ids)


def _same_address(own: str, printed: str) -> bool:
    """Whether addresses are similar and have the same numbers: next door is another merchant."""
    if sorted(re.findall(r"\d+", own)) != sorted(re.findall(r"\d+", printed)):
        return False
    return bool(printed) and fuzz.token_set_ratio(own.casefold(), printed.casefold()) >= _SAME_ADDRESS


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)[-_PHONE_DIGITS:]


def _words(text: str | None) -> str:
    """A text's words in lower case, with a space on either side of each."""
    words = " ".join(re.findall(r"\w+", (text or "").casefold()))
    return f" {words} "


def _plain(name: str) -> str:
    return alphanumerics(name)


def _some(value: str | None) -> tuple[str, ...]:
    """The value as a list of at most one, without the character that separates lists."""
    return (value.replace("|", " "),) if value else ()

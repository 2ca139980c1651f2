"""The options of one extraction, validated against the interface."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from receipt_engine.errors import OptionError
from receipt_engine.region import load_region, normalize_code, region_codes

DocumentType = Literal["receipt", "invoice", "auto"]
DateParsing = Literal["d/m", "m/d"]

#: Predefined keys of `customFields` that can be requested.
CUSTOM_FIELDS = ("Country", "CardLast4Digits", "ReceiptNumber", "VATNumber")


@dataclass(frozen=True, slots=True)
class CustomField:
    """A caller-defined key of `customFields`. Raises OptionError when the definition is invalid.

    pattern: a regular expression, searched in every printed row; the value is its first group, or the whole
    match without one. labels: texts printed before the value, in the same row or in the row above it; case,
    accents and punctuation are ignored, and a confusion in a longer label is tolerated. The first value from
    the top counts.
    """

    name: str
    pattern: str = ""
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.name or self.name in CUSTOM_FIELDS:
            raise OptionError(f"A custom field cannot be called {self.name!r}.")
        labels = tuple(self.labels)
        texts = all(isinstance(label, str) and label.strip() for label in labels)
        if isinstance(self.labels, str) or not texts:
            raise OptionError(f"The custom field {self.name!r} needs a tuple of texts as its labels.")
        object.__setattr__(self, "labels", labels)
        if bool(self.pattern) == bool(self.labels):
            raise OptionError(f"The custom field {self.name!r} needs either a pattern or labels.")
        try:
            re.compile(self.pattern)
        except (re.error, TypeError) as error:
            raise OptionError(
                f"The custom field {self.name!r} has the pattern {self.pattern!r}, "
                f"which is not a valid regular expression: {error}."
            ) from None


@dataclass(frozen=True, slots=True)
class ExtractOptions:
    """The caller's options for an image. Raises OptionError for a value that the interface does not allow.

    region: a code of `receipt_engine.regions()`, None to infer it. document_type: "auto" detects it.
    decimal_places: 0 to 3, decimals printed on amounts; with 3 and cents, amounts without a point are minor
    units. default_date_parsing: order of ambiguous numeric dates. evidence: adds the key ``evidence``.
    custom_fields: keys to fill in ``customFields``, predefined ones or definitions of new ones.
    """

    region: str | None = None
    document_type: DocumentType = "receipt"
    decimal_places: int | None = None
    cents: bool = False
    default_date_parsing: DateParsing | None = None
    evidence: bool = False
    custom_fields: Sequence[str | CustomField] = ()

    def __post_init__(self) -> None:
        _check_choice("document_type", self.document_type, get_args(DocumentType))
        if self.default_date_parsing is not None:
            _check_choice("default_date_parsing", self.default_date_parsing, get_args(DateParsing))
        # bool is a subclass of int, and 2.0 is in range(4).
        if self.decimal_places is not None and (
            type(self.decimal_places) is not int or self.decimal_places not in range(4)
        ):
            raise OptionError(f"decimal_places is {self.decimal_places!r}; use 0, 1, 2, 3 or None.")
        for name in ("cents", "evidence"):
            if not isinstance(getattr(self, name), bool):
                raise OptionError(f"{name} is {getattr(self, name)!r}; use True or False.")
        object.__setattr__(self, "custom_fields", _checked_fields(self.custom_fields))
        object.__setattr__(self, "region", _checked_region(self.region))


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        use = " or ".join(map(repr, choices))
        raise OptionError(f"{name} is {value!r}; use {use}.{_did_you_mean(value, choices)}")


def _did_you_mean(value: object, choices: Iterable[str]) -> str:
    close = difflib.get_close_matches(str(value).lower(), list(choices), n=1, cutoff=0.7)
    return f" Did you mean {close[0]!r}?" if close else ""


def _checked_fields(keys: Sequence[str | CustomField]) -> tuple[str | CustomField, ...]:
    if isinstance(keys, str) or not isinstance(keys, Sequence):
        raise OptionError(f"custom_fields is {keys!r}; use a tuple of {', '.join(CUSTOM_FIELDS)}.")
    unknown = [key for key in keys if not isinstance(key, CustomField) and key not in CUSTOM_FIELDS]
    if unknown:
        nearest = {key.lower(): key for key in CUSTOM_FIELDS}
        close = difflib.get_close_matches(str(unknown[0]).lower(), nearest, n=1)
        hint = f" Did you mean {nearest[close[0]]!r}?" if close else ""
        raise OptionError(
            f"custom_fields has {', '.join(map(repr, unknown))}; use only {', '.join(CUSTOM_FIELDS)}.{hint}"
        )
    names = [key.name if isinstance(key, CustomField) else key for key in keys]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"custom_fields has {twice!r} twice.")
    return tuple(keys)


def _checked_region(code: str | None) -> str | None:
    if code is None:
        return None
    if not isinstance(code, str):
        raise OptionError(f"region is {code!r}; use a two-letter code such as 'us', or None to infer it.")
    normal = normalize_code(code)
    if normal and normal not in region_codes():
        raise OptionError(f"There is no region {code!r}.{_nearest_region(normal)}")
    return normal or None


def _nearest_region(given: str) -> str:
    """A hint for a caller who gave a country's name, or a mistyped code."""
    names = {name.lower(): code for code in region_codes() for name in _names(code)}
    close = difflib.get_close_matches(given, names, n=1)
    if close:
        code = names[close[0]]
        return f" Did you mean {code!r} ({load_region(code).name})?"
    return f" Known regions: {', '.join(region_codes())}; None infers it."


def _names(code: str) -> tuple[str, ...]:
    address = load_region(code).address
    return (load_region(code).name, address.country, *(n for n in address.names if len(n) > 2))

"""The options of one extraction, checked against the interface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from receipt_engine.errors import OptionError
from receipt_engine.region import normalize_code

DocumentType = Literal["receipt", "invoice", "auto"]
DateParsing = Literal["d/m", "m/d"]

#: Keys of `customFields` that can be asked for.
CUSTOM_FIELDS = ("Country", "CardLast4Digits", "ReceiptNumber", "VATNumber")


@dataclass(frozen=True, slots=True)
class ExtractOptions:
    """What a caller may say about a picture. Raises OptionError for a value outside the interface.

    region: two letters, None to infer; unknown codes are taken as none. document_type "auto" detects.
    decimal_places: 0 to 3, decimals printed on amounts; with 3 and cents, amounts without a point are
    minor units. default_date_parsing: order of ambiguous numeric dates. evidence: adds the key
    ``evidence``. custom_fields: keys to fill in ``customFields``.
    """

    region: str | None = None
    document_type: DocumentType = "receipt"
    decimal_places: int | None = None
    cents: bool = False
    default_date_parsing: DateParsing | None = None
    evidence: bool = False
    custom_fields: tuple[str, ...] = ()

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
        raise OptionError(f"{name} is {value!r}; use {' or '.join(map(repr, choices))}.")


def _checked_fields(keys: Sequence[str]) -> tuple[str, ...]:
    if isinstance(keys, str) or not isinstance(keys, Sequence):
        raise OptionError(f"custom_fields is {keys!r}; use a tuple of {', '.join(CUSTOM_FIELDS)}.")
    unknown = [key for key in keys if key not in CUSTOM_FIELDS]
    if unknown:
        raise OptionError(
            f"custom_fields has {', '.join(map(repr, unknown))}; known are {', '.join(CUSTOM_FIELDS)}."
        )
    return tuple(keys)


def _checked_region(code: str | None) -> str | None:
    if code is None:
        return None
    if not isinstance(code, str):
        raise OptionError(f"region is {code!r}; use a two-letter code such as 'us', or None to infer it.")
    return normalize_code(code) or None

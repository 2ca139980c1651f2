"""The options of one extraction, checked against the interface."""

from __future__ import annotations

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
        if self.document_type not in get_args(DocumentType):
            raise OptionError(
                f"document_type is {self.document_type!r}; use one of {', '.join(get_args(DocumentType))}."
            )
        if self.decimal_places is not None and self.decimal_places not in range(4):
            raise OptionError(f"decimal_places is {self.decimal_places!r}; use 0, 1, 2 or 3.")
        if self.default_date_parsing not in (None, *get_args(DateParsing)):
            raise OptionError(f"default_date_parsing is {self.default_date_parsing!r}; use 'd/m' or 'm/d'.")
        unknown = set(self.custom_fields) - set(CUSTOM_FIELDS)
        if unknown:
            raise OptionError(
                f"custom_fields has {', '.join(sorted(unknown))}; known are {', '.join(CUSTOM_FIELDS)}."
            )
        if self.region is not None:
            object.__setattr__(self, "region", normalize_code(self.region) or None)

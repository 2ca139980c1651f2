"""Parses the form fields that set the engine's options. A value outside the interface counts as not sent."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from receipt_engine import ExtractOptions, OptionError

#: Region codes listed in the API description. Which codes are accepted is decided by the engine, so adding a
#: region takes only a data file.
REGIONS = frozenset(
    (
        *(
            "ar",
            "au",
            "be",
            "br",
            "ca",
            "cl",
            "co",
            "fr",
            "de",
            "gr",
            "hk",
            "in",
            "id",
            "ie",
            "it",
            "ja",
            "ke",
        ),
        *(
            "my",
            "mx",
            "nz",
            "pa",
            "pe",
            "ph",
            "sg",
            "za",
            "es",
            "se",
            "ch",
            "to",
            "ae",
            "gb",
            "uy",
            "us",
            "vn",
        ),
    )
)
DOCUMENT_TYPES = ("receipt", "invoice", "auto")
DATE_ORDERS = ("d/m", "m/d")
_TRUE = frozenset({"true", "1", "yes", "on"})


@dataclass(frozen=True)
class Options:
    """Options for `Engine.extract`; the field names are its parameters."""

    region: str | None = None
    document_type: str = "receipt"
    decimal_places: int | None = None
    cents: bool = False
    default_date_parsing: str | None = None
    custom_fields: tuple[str, ...] = ()

    def to_text(self) -> str:
        """Returns the JSON that is stored with an image."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @staticmethod
    def from_text(text: str) -> Options:
        """Inverse of `to_text`; a region that the engine no longer knows becomes None."""
        values = json.loads(text)
        known = {"custom_fields": tuple(values["custom_fields"]), "region": _region(values["region"])}
        return Options(**values | known)

    def arguments(self) -> dict[str, Any]:
        """Returns the options as keyword arguments for the engine."""
        return asdict(self)


def parse_options(fields: Sequence[tuple[str, str]], custom_fields: tuple[str, ...] = ()) -> Options:
    """Builds options from form fields in the order sent; the first allowed value of a repeated field counts.

    custom_fields: the account's configured custom fields.
    """
    sent = [(name, text.strip().lower()) for name, text in fields]
    places = _first(sent, "decimalPlaces", ("0", "1", "2", "3"))
    decimal_places = int(places) if places is not None else None
    return Options(
        region=next((text for name, text in sent if name == "region" and _region(text)), None),
        document_type=_first(sent, "documentType", DOCUMENT_TYPES) or "receipt",
        decimal_places=decimal_places,
        cents=_first(sent, "cents", _TRUE) is not None and decimal_places == 3,
        default_date_parsing=_first(sent, "defaultDateParsing", DATE_ORDERS),
        custom_fields=custom_fields,
    )


def _region(text: str | None) -> str | None:
    """Returns a region code that the engine knows, or None, which means not sent."""
    try:
        return text if text and ExtractOptions(region=text).region else None
    except OptionError:
        return None


def _first(fields: Iterable[tuple[str, str]], wanted: str, allowed: Container[str]) -> str | None:
    return next((text for name, text in fields if name == wanted and text in allowed), None)

"""The form fields that steer the engine. A value outside the interface counts as not sent."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from receipt_engine import ExtractOptions, OptionError

#: The region codes of the interface, for its description. The engine decides which codes there are, so a new
#: region is a new data file.
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
    """What `Engine.extract` is asked for. Field names are its parameters."""

    region: str | None = None
    document_type: str = "receipt"
    decimal_places: int | None = None
    cents: bool = False
    default_date_parsing: str | None = None
    custom_fields: tuple[str, ...] = ()

    def to_text(self) -> str:
        """The form that is stored with a picture."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @staticmethod
    def from_text(text: str) -> Options:
        """The inverse of `to_text`."""
        values = json.loads(text)
        known = {"custom_fields": tuple(values["custom_fields"]), "region": _region(values["region"])}
        return Options(**values | known)

    def arguments(self) -> dict[str, Any]:
        """Keyword arguments for the engine."""
        return asdict(self)


def parse_options(fields: Sequence[tuple[str, str]], custom_fields: tuple[str, ...] = ()) -> Options:
    """Options from form fields in the order sent; the first allowed value of a repeated field counts.

    custom_fields: what the account is configured for.
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
    """A code that the engine knows, None for any other: the interface takes those as not sent."""
    try:
        return text if text and ExtractOptions(region=text).region else None
    except OptionError:
        return None


def _first(fields: Iterable[tuple[str, str]], wanted: str, allowed: Container[str]) -> str | None:
    return next((text for name, text in fields if name == wanted and text in allowed), None)

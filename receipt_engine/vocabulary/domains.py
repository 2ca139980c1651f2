"""Extracts the name in a web or e-mail address, and identifies domains of social networks, mail services and
portals, which are not the merchant's own.

The domains are data: ``regions/brands/domains.toml``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

import msgspec

from receipt_engine import assets
from receipt_engine.region import read_table

DomainKind = Literal["network", "mail_service", "portal"]

#: The part before the host; the recogniser may read the full stop as a comma or colon, or add a space.
_BEFORE_HOST = re.compile(r"^(?:https?\s?:\s?/+)?(?:www\s?[.,:]\s?)?", re.IGNORECASE)
#: Most letters of a last part that is dropped as a top-level or second-level domain.
_SHORT_ENDING = 3


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """text: an address. kind: the expected result of `domain_kind`."""

    text: str
    kind: DomainKind


class Domains(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """See the head of the data file."""

    generic: tuple[str, ...]
    country: tuple[str, ...]
    second_level: tuple[str, ...]
    open: tuple[str, ...]
    state: tuple[str, ...]
    networks: tuple[str, ...]
    mail_services: tuple[str, ...]
    portals: tuple[str, ...]
    portals_begin: tuple[str, ...]
    authorities: tuple[str, ...]
    processors: tuple[str, ...]
    sources: tuple[str, ...]
    example: tuple[Example, ...]
    not_example: tuple[Example, ...]


@cache
def domains() -> Domains:
    """Returns the data; raises RegionDataError for an invalid file."""
    return read_table(assets.folder("regions") / "brands" / "domains.toml", Domains)


@cache
def ending_pattern() -> str:
    """Returns a regular expression for the ending of a domain, ``com`` or ``co.uk``."""
    data = domains()
    generic, country, second = map("|".join, (data.generic, data.country, data.second_level))
    return rf"(?:(?:{second})\.(?:{country})|{generic}|{country})"


def domain_name(address: str) -> str:
    """Returns the registered name in a web or e-mail address, without the ending.

    >>> domain_name("www.acme-foods.co.uk/help")
    'acme-foods'
    """
    host = without_scheme(address.split("@")[-1].strip()).replace(",", ".").replace(" ", "")
    parts = [part for part in host.split("/")[0].lower().split(".") if part]
    while len(parts) > 1 and (len(parts[-1]) <= _SHORT_ENDING or parts[-1] in domains().generic):
        parts.pop()
    return parts[-1] if parts else ""


def without_scheme(address: str) -> str:
    """Returns the address without ``https://`` and ``www.``."""
    return _BEFORE_HOST.sub("", address)


def domain_kind(address: str) -> DomainKind | None:
    """Returns the kind of an address's domain, or None if a merchant may have registered it."""
    data, name = domains(), domain_name(address)
    if name in data.mail_services:
        return "mail_service"
    if any(network in name for network in data.networks):
        return "network"
    if name in data.authorities or name in data.processors:
        return "portal"
    if name.startswith(data.portals_begin) or _patterns()[0].fullmatch(name):
        return "portal"
    return "portal" if _patterns()[1].search(address) else None


def has_host(text: str) -> bool:
    """Whether a word contains the start ("www") or a second-level ending (".co") of a host name."""
    return _host().search(text) is not None


@cache
def _host() -> re.Pattern[str]:
    return re.compile(rf"www|\.(?:{'|'.join(domains().second_level)})\b", re.IGNORECASE)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Returns the patterns of portal names and of government addresses."""
    data = domains()
    return (
        re.compile(rf"(?:e-?)?(?:{'|'.join(data.portals)})[\d-]*"),
        re.compile(rf"\.(?:{'|'.join(data.state)})(?:\.[a-z]{{2}})?(?:[/:]|$)", re.IGNORECASE),
    )

"""Decides which URLs may be called: HTTPS to public IP addresses only, whatever the host name.

A host name is resolved once per call, all its IP addresses must be public, and the connection goes to one of
the checked addresses, so a name that changes between check and use (DNS rebinding) gains nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

MOST_CHARACTERS = 500
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
#: Prefixes of NAT64 gateways, which hold an IPv4 address in the last 32 bits (RFC 6052, RFC 8215).
_TRANSLATED = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48"))


class AddressRefused(ValueError):
    """A URL that must not be called; the message says why."""


@dataclass(frozen=True)
class Target:
    """A parsed URL. path: includes the query."""

    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """Host and port as the Host header names them."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == 443 else f"{name}:{self.port}"


def parse_networks(text: str) -> tuple[Network, ...]:
    """Parses networks separated by commas, e.g. 10.0.0.0/8; raises ValueError."""
    return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip())


def parse_target(url: str) -> Target:
    """Parses and checks a webhook URL; raises AddressRefused."""
    if len(url) > MOST_CHARACTERS or not url.isascii() or not url.isprintable() or " " in url:
        raise AddressRefused(
            f"An address can have at most {MOST_CHARACTERS} characters, all ASCII and no spaces."
        )
    try:
        parts = urlsplit(url)
        port = parts.port or 443
    except ValueError as error:
        raise AddressRefused("This is not an address.") from error
    if parts.scheme != "https":
        raise AddressRefused("The address must begin with https://")
    if not parts.hostname or parts.username is not None or parts.password is not None or parts.fragment:
        raise AddressRefused("The address must be https://host/path, without a user or a fragment.")
    return Target(parts.hostname, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))


def is_allowed(address: Address, private: Sequence[Network] = ()) -> bool:
    """Returns whether an IP address is public, or in a `private` network that the operator allows."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = _inner(address)
        if inner is not None:
            return is_allowed(inner, private)
    if any(address.version == network.version and address in network for network in private):
        return True
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _inner(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Returns the IPv4 address embedded in an IPv6 address, if any."""
    if any(address in network for network in _TRANSLATED):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


async def look_up(target: Target, private: Sequence[Network] = ()) -> str:
    """Resolves the host and returns one of its IP addresses.

    Raises AddressRefused unless all of them may be called, and OSError when the host is unknown.
    """
    found = await asyncio.get_running_loop().getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    addresses = [str(entry[4][0]) for entry in found]
    for text in addresses:
        if "%" in text or not is_allowed(ipaddress.ip_address(text), private):
            raise AddressRefused("The host has an address on a private network.")
    return addresses[0]

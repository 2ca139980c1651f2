"""How many connections are open, in all and from one address, and which of them ran out of time.

Counted from the moment a connection is accepted, before TLS: a socket that never says anything counts like
any other. Used from the event loop only.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from receipt_engine.service.ops.metrics import Metrics

#: One network of IPv6 is one visitor: a provider gives each customer at least this many addresses.
_IPV6_PREFIX = 64


class Admission(Enum):
    """What becomes of a new connection."""

    ADMITTED = "admitted"
    TOLD = "told"  # over a limit: it gets the envelope that says so, and is closed
    REFUSED = "refused"  # far over a limit: closed at once


@dataclass(frozen=True)
class ConnectionLimits:
    """total and per_address: connections open at once; 0 per address means as many as in total.

    idle: seconds after which a silent connection is closed, whatever it waits for.
    """

    total: int
    per_address: int
    idle: float


class Connections:
    """Admits connections and counts them."""

    def __init__(self, limits: ConnectionLimits, metrics: Metrics) -> None:
        self.limits = limits
        self._metrics = metrics
        self._open = 0
        self._told = 0
        self._by_address: Counter[str] = Counter()

    def enter(self, peer: object) -> tuple[Admission, Callable[[], None]]:
        """Counts a connection from `peer`, the socket's peer name. Call what comes back once, at its end."""
        # Behind a unix socket all visitors look alike.
        address = visitor(str(peer[0])) if isinstance(peer, tuple) and peer else ""
        admission = self._admit(address)
        if admission is Admission.REFUSED:
            return admission, lambda: None
        told = admission is Admission.TOLD
        self._open += 1
        self._told += told
        self._by_address[address] += 1
        left = False

        def leave() -> None:
            nonlocal left
            if left:
                return
            left = True
            self._open -= 1
            self._told -= told
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]

        return admission, leave

    def _admit(self, address: str) -> Admission:
        limits = self.limits
        most = limits.per_address or limits.total
        crowded = bool(address) and self._by_address[address] >= most
        if not crowded and self._open - self._told < limits.total:
            return Admission.ADMITTED
        self._metrics.count("connections_refused_total", "reason", "address" if crowded else "total")
        return Admission.TOLD if self._told < max(1, limits.total // 10) else Admission.REFUSED

    def expired(self, phase: str) -> None:
        """A connection was closed because nothing came in this phase for too long."""
        self._metrics.count("connections_expired_total", "phase", phase)

    @property
    def open(self) -> int:
        """Connections open now."""
        return self._open


def visitor(address: str) -> str:
    """Whom an address stands for where visitors are limited: itself, or its network with IPv6."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, _IPV6_PREFIX), strict=False))
    return str(parsed)

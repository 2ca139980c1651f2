"""Limits and counts open connections, in total and per address, and counts those closed by a deadline.

A connection counts from the moment it is accepted, before TLS, so a silent socket counts like any other.
Used from the event loop only.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from receipt_engine.service.ops.metrics import Metrics

#: An IPv6 network of this size counts as one visitor: providers give each customer at least that.
_IPV6_PREFIX = 64


class Admission(Enum):
    """Decision about a new connection."""

    ADMITTED = "admitted"
    REFUSED = "refused"  # over a limit: it gets an envelope that says so and is closed
    DROPPED = "dropped"  # far over a limit: closed at once without an answer


@dataclass(frozen=True)
class ConnectionLimits:
    """Limits of open connections. per_address: 0 means the same as total.

    idle: deadline in seconds for each phase of a connection, see `protocol`.
    """

    total: int
    per_address: int
    idle: float


class Connections:
    """Admits connections within the limits and counts them."""

    def __init__(self, limits: ConnectionLimits, metrics: Metrics) -> None:
        self.limits = limits
        self._metrics = metrics
        self._open = 0
        self._refused = 0
        self._by_address: Counter[str] = Counter()

    def enter(self, peer: object) -> tuple[Admission, Callable[[], None]]:
        """Admits or refuses a connection and counts it.

        peer: the socket's peer name. Returns the decision and a function to call when the connection ends.
        """
        # Clients of a unix socket have no address, so only the total limits them.
        address = visitor(str(peer[0])) if isinstance(peer, tuple) and peer else ""
        admission = self._admit(address)
        if admission is Admission.DROPPED:
            return admission, lambda: None
        refused = admission is Admission.REFUSED
        self._open += 1
        self._refused += refused
        self._by_address[address] += 1
        left = False

        def leave() -> None:
            nonlocal left
            if left:
                return
            left = True
            self._open -= 1
            self._refused -= refused
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]

        return admission, leave

    def _admit(self, address: str) -> Admission:
        limits = self.limits
        most = limits.per_address or limits.total
        crowded = bool(address) and self._by_address[address] >= most
        if not crowded and self._open - self._refused < limits.total:
            return Admission.ADMITTED
        self._metrics.count("connections_refused_total", "reason", "address" if crowded else "total")
        return Admission.REFUSED if self._refused < max(1, limits.total // 10) else Admission.DROPPED

    def expired(self, phase: str) -> None:
        """Counts a connection closed because it took too long in this phase."""
        self._metrics.count("connections_expired_total", "phase", phase)

    @property
    def open(self) -> int:
        """Number of open connections."""
        return self._open


def visitor(address: str) -> str:
    """Returns the key by which an address is limited: the address itself, or its /64 network with IPv6."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, _IPV6_PREFIX), strict=False))
    return str(parsed)

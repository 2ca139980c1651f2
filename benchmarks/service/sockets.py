"""Sends bytes over a TLS socket in pieces, and parses the answer."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.service.process import ServiceProcess

_MOST_PIECES = 40


@dataclass(frozen=True)
class Answer:
    """An HTTP answer: status (0: none came), the JSON body when it is an object, and the raw body."""

    status: int
    body: dict[str, Any] = field(default_factory=dict)
    raw: bytes = b""

    @property
    def code(self) -> int:
        """The envelope's code; 0 without an envelope."""
        return int(self.body.get("code", 0))


def connect(service: ServiceProcess, timeout: float = 30.0) -> ssl.SSLSocket:
    """A TLS connection that trusts the service's certificate."""
    context = ssl.create_default_context(cafile=str(service.certificate))
    raw = socket.create_connection(("localhost", service.port), timeout)
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return context.wrap_socket(raw, server_hostname="localhost")


def pieces(length: int, generator: random.Random) -> list[int]:
    """Random sizes that add up to `length`: one piece, a few, or small pieces at the start."""
    kind = generator.random()
    if length == 0 or kind < 0.3:
        return [length] if length else []
    sizes: list[int] = []
    small = kind < 0.6
    while length and len(sizes) < _MOST_PIECES:
        size = generator.randint(1, 4 if small else max(1, length // 4))
        sizes.append(min(size, length))
        length -= sizes[-1]
    return [*sizes, length] if length else sizes


def converse(service: ServiceProcess, data: bytes, sizes: Sequence[int] = ()) -> Answer:
    """Sends bytes in pieces of these sizes and reads until the server closes."""
    with connect(service) as connection:
        position = 0
        received = b""
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            for size in sizes or [len(data)]:
                connection.sendall(data[position : position + size])
                position += size
        with contextlib.suppress(ConnectionError, ssl.SSLError, TimeoutError):
            while chunk := connection.recv(65536):
                received += chunk
    return parse(received)


def parse(received: bytes) -> Answer:
    """The answer among the bytes of a connection; an interim 100 before it is skipped."""
    head, _, rest = received.partition(b"\r\n\r\n")
    while head.startswith(b"HTTP/1.1 100"):
        head, _, rest = rest.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 "):
        return Answer(0)
    try:
        body = json.loads(rest)
    except ValueError:
        body = {}
    return Answer(int(head[9:12]), body if isinstance(body, dict) else {}, rest)

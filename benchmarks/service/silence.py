"""Measures how long the server holds connections that fall silent, in every phase, without a key.

    python -m benchmarks.service.silence

Opens one connection per phase, leaves all of them silent, and prints the seconds until the server dropped
each. Exits with status 1 when one was held for longer than its deadline.
"""

from __future__ import annotations

import argparse
import contextlib
import select
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.service.process import ServiceProcess
from benchmarks.service.sockets import connect

#: Seconds allowed beyond a deadline for a slow machine and for the closing handshake of TLS.
GRACE = 2.0
#: Maximum seconds that the server waits for the rest of a body before it answers.
DRAIN = 5.0

_FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
_MULTIPART = "Content-Type: multipart/form-data; boundary=X\r\n"
Open = Callable[[ServiceProcess], socket.socket]


def _request(method: str, path: str, *lines: str) -> bytes:
    head = [f"{method} {path} HTTP/1.1", "Host: localhost", *(line.strip() for line in lines)]
    return ("\r\n".join(head) + "\r\n\r\n").encode()


def _raw(service: ServiceProcess) -> socket.socket:
    return socket.create_connection(("localhost", service.port), 30)


def _half_a_handshake(service: ServiceProcess) -> socket.socket:
    connection = _raw(service)
    connection.sendall(b"\x16\x03\x01\x02\x00\x01")
    return connection


def _sent(data: bytes) -> Open:
    """Opens TLS, then sends these bytes."""

    def opened(service: ServiceProcess) -> socket.socket:
        connection = connect(service)
        connection.sendall(data)
        return connection

    return opened


def _answered(data: bytes, more: bytes = b"") -> Open:
    """Opens TLS, sends a request, receives its answer, then sends `more`."""

    def opened(service: ServiceProcess) -> socket.socket:
        connection = connect(service)
        connection.sendall(data)
        connection.recv(65536)
        with contextlib.suppress(OSError):
            connection.sendall(more)
        return connection

    return opened


def _unread_answers(service: ServiceProcess) -> socket.socket:
    """Requests a page repeatedly and reads nothing."""
    connection = connect(service)
    connection.settimeout(0.5)
    asked = _request("GET", "/openapi.json") * 20
    with contextlib.suppress(OSError):
        for _ in range(200):
            connection.sendall(asked)
    return connection


_CREDIT = _request("GET", "/api/credit")
_LOGIN = ("POST", "/dashboard/login", _FORM)
_UPLOAD = ("POST", "/api/2/process", _MULTIPART)
#: Phase → (function that opens a connection in that phase, whether the server waits for a body to answer).
PHASES: dict[str, tuple[Open, bool]] = {
    "before TLS": (_raw, False),
    "in the TLS handshake": (_half_a_handshake, False),
    "before a request": (_sent(b""), False),
    "in a request's head": (_sent(b"GET /api/credit HTTP/1.1\r\nHost: a\r\nx: "), False),
    "between requests": (_answered(_CREDIT), False),
    "in the next request's head": (_answered(_CREDIT, b"G"), False),
    "in a login form": (_sent(_request(*_LOGIN, "Content-Length: 50")), True),
    "in a chunked login form": (
        _sent(_request(*_LOGIN, "Transfer-Encoding: chunked") + b"5\r\nab"),
        True,
    ),
    "in an upload without a key": (_sent(_request(*_UPLOAD, "Content-Length: 5000") + b"--X\r\n"), True),
    "waiting to be told to continue": (
        _sent(_request(*_UPLOAD, "Expect: 100-continue", "Content-Length: 5000")),
        True,
    ),
    "in the body of an unknown address": (_sent(_request("POST", "/no", "Content-Length: 5000")), True),
    "in the body of a page": (_sent(_request("POST", "/dashboard/keys", "Content-Length: 5000")), True),
    "a byte more after an early answer": (
        _answered(_request("POST", "/no", "Content-Length: 99999999999"), b"x"),
        True,
    ),
    "not reading answers": (_unread_answers, False),
}


def held(service: ServiceProcess, phases: list[str], patience: float) -> dict[str, float]:
    """Seconds until the server dropped each silent connection, by phase; `patience` when it did not."""
    opened: dict[int, tuple[str, socket.socket, float]] = {}
    waiting = select.poll()
    for phase in phases:
        connection = PHASES[phase][0](service)
        opened[connection.fileno()] = (phase, connection, time.monotonic())
        waiting.register(connection, select.POLLRDHUP | select.POLLHUP | select.POLLERR)
    seconds = dict.fromkeys(phases, patience)
    end = time.monotonic() + patience
    while opened and time.monotonic() < end:
        for descriptor, _ in waiting.poll(200):
            phase, connection, since = opened.pop(descriptor)
            seconds[phase] = time.monotonic() - since
            waiting.unregister(descriptor)
            connection.close()
    for _, connection, _ in opened.values():
        connection.close()
    return seconds


def deadline(phase: str, idle: float) -> float:
    """Maximum seconds that a silent connection may be held in this phase."""
    return idle + (min(DRAIN, idle) if PHASES[phase][1] else 0.0)


def main(arguments: list[str] | None = None) -> int:
    """Prints a table; returns 1 when a connection was held for too long."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--idle", type=float, default=15.0, help="the setting idle_seconds")
    idle = parser.parse_args(arguments).idle
    settings = {"engine": "tests.service.fake_engine:FakeEngine", "idle_seconds": str(idle), "workers": "0"}
    with tempfile.TemporaryDirectory() as folder:
        service = ServiceProcess(Path(folder), settings)
        service.start()
        try:
            service.wait_until_listening()
            seconds = held(service, list(PHASES), 4 * idle + 10)
            metrics = [line for line in service.ask("/metrics").splitlines() if "expired_total{" in line]
        finally:
            service.kill()
    late = 0
    for phase, value in seconds.items():
        too_long = value > deadline(phase, idle) + GRACE
        late += too_long
        print(f"{value:6.1f} s  {phase}{'  TOO LONG' if too_long else ''}")
    print(*metrics, sep="\n")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())

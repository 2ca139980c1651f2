"""A service in processes of its own for tests, and ways to talk to it over its socket."""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.service.client import Client
from benchmarks.service.process import ServiceProcess

Pair = tuple[ServiceProcess, Client]
FAKE = {"engine": "tests.service.fake_engine:FakeEngine", "lease_seconds": "5", "idle_seconds": "4"}


@contextlib.contextmanager
def running(folder: Path, settings: dict[str, str], credits: int = 1000) -> Iterator[Pair]:
    """A service that is ready, and a client with credits."""
    service = ServiceProcess(folder, {**FAKE, **settings})
    key = service.account("clients", credits)
    client = service.client(key)
    service.start()
    try:
        service.wait_until_ready()
        yield service, client
    finally:
        client.close()
        service.kill()


def outcome(client: Client, token: str, seconds: float = 150.0) -> dict[str, Any]:
    """Polls until the code is not 301."""
    deadline = time.monotonic() + seconds
    answer = client.result(token)
    while answer["code"] == 301 and time.monotonic() < deadline:
        time.sleep(0.05)
        answer = client.result(token)
    return answer


def alive(pid: int) -> bool:
    """True unless the process is gone or waits to be reaped."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] not in {"Z", "X"}


def soon(condition: Callable[[], object], seconds: float = 60.0) -> bool:
    """Whether the condition comes true; asks again and again, so that it costs no more time than it needs."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def tls(service: ServiceProcess) -> ssl.SSLSocket:
    """A bare TLS connection."""
    context = ssl.create_default_context(cafile=str(service.certificate))
    raw = socket.create_connection(("localhost", service.port), 60)
    return context.wrap_socket(raw, server_hostname="localhost")


def exchange(service: ServiceProcess, request: bytes) -> bytes:
    """Sends bytes and reads until the server closes."""
    with tls(service) as connection:
        connection.sendall(request)
        answer = b""
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            while chunk := connection.recv(65536):
                answer += chunk
        return answer

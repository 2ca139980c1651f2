"""Sends SIGTERM while clients hold idle connections and others are in the middle of an upload.

    python -m benchmarks.service.stopping --idle 50 --busy 5

Prints the seconds from the signal to the exit, and how many of the busy uploads got a token. Exits with
status 1 when it took more than 5 seconds or one was lost.
"""

from __future__ import annotations

import argparse
import signal
import ssl
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.service.process import ServiceProcess
from benchmarks.service.sockets import connect, parse
from tests.service.pictures import png

_MOST_SECONDS = 5.0
_CREDIT = b"GET /api/credit HTTP/1.1\r\nHost: localhost\r\n\r\n"


@dataclass(frozen=True)
class Stopped:
    """seconds: from SIGTERM to the exit; answered: busy uploads that got a token; status: exit status."""

    seconds: float
    answered: int
    status: int


class _SlowUpload(threading.Thread):
    """Sends half an upload, waits for `go_on`, sends the rest and reads the answer."""

    def __init__(self, service: ServiceProcess, key: str, go_on: threading.Event) -> None:
        super().__init__(daemon=True)
        body = b'--X\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
        body += png(size=5000) + b"\r\n--X--\r\n"
        head = (
            f"POST /api/2/process HTTP/1.1\r\nHost: localhost\r\napikey: {key}\r\nExpect: 100-continue\r\n"
            f"Content-Type: multipart/form-data; boundary=X\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._rest = body[1000:]
        self._go_on = go_on
        self._connection = connect(service)
        self._connection.sendall(head.encode())
        interim = self._connection.recv(65536)  # from here on the server waits for the body
        assert interim.startswith(b"HTTP/1.1 100"), interim
        self._connection.sendall(body[:1000])
        self.code = 0

    def run(self) -> None:
        """Sends the second half and reads the answer."""
        self._go_on.wait()
        received = b""
        try:
            self._connection.sendall(self._rest)
            while chunk := self._connection.recv(65536):
                received += chunk
        except OSError:
            pass
        finally:
            self._connection.close()
        self.code = parse(received).code


def _idle(service: ServiceProcess) -> ssl.SSLSocket:
    connection = connect(service)
    connection.sendall(_CREDIT)
    connection.recv(65536)
    return connection


def stop(service: ServiceProcess, key: str, *, idle: int, busy: int, pause: float = 1.0) -> Stopped:
    """Stops a running service; the busy uploads go on `pause` seconds after the signal."""
    assert service.process is not None
    go_on = threading.Event()
    kept = [_idle(service) for _ in range(idle)]
    uploads = [_SlowUpload(service, key, go_on) for _ in range(busy)]
    for upload in uploads:
        upload.start()
    began = time.monotonic()
    service.process.send_signal(signal.SIGTERM)
    threading.Timer(pause, go_on.set).start()
    status = service.process.wait(120)
    seconds = time.monotonic() - began
    for upload in uploads:
        upload.join(10)
    for connection in kept:
        connection.close()
    service.process = None
    return Stopped(seconds, sum(upload.code == 200 for upload in uploads), status)


def main(arguments: list[str] | None = None) -> int:
    """Prints the figures; returns 1 when they are not good enough."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--idle", type=int, default=50)
    parser.add_argument("--busy", type=int, default=5)
    given = parser.parse_args(arguments)
    settings = {"engine": "tests.service.fake_engine:FakeEngine"}
    with tempfile.TemporaryDirectory() as folder:
        service = ServiceProcess(Path(folder), settings)
        key = service.account("clients", 100)
        service.start()
        try:
            service.wait_until_ready()
            stopped = stop(service, key, idle=given.idle, busy=given.busy)
        finally:
            service.kill()
    print(f"{stopped.seconds:.2f} s to exit status {stopped.status}")
    print(f"{stopped.answered} of {given.busy} busy uploads answered")
    return int(stopped.seconds > _MOST_SECONDS or stopped.answered < given.busy or stopped.status != 0)


if __name__ == "__main__":
    sys.exit(main())

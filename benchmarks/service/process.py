"""Runs a service in separate processes, to be measured and killed."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import ssl
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.service.client import Client
from receipt_engine.service.assembly import open_parts
from receipt_engine.service.settings import load_settings

#: Below the range that systems assign to outgoing connections: otherwise a client waiting for its server to
#: listen again could now and then be assigned that port as its own end, and block the server from it.
_PORTS = range(20_000, 32_000)


def free_port() -> int:
    """A port on which nobody listens, and which no outgoing connection will be assigned."""
    for port in random.SystemRandom().sample(_PORTS, 100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError(f"no port of {_PORTS} is free")


@dataclass
class ServiceProcess:
    """`receipt-engine serve` on loopback with its own data directory; `settings` become its environment.

    variables: further environment variables of its processes.
    """

    folder: Path
    settings: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    operations_port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def certificate(self) -> Path:
        """The self-signed certificate to trust."""
        return self.folder / "dev-cert.pem"

    def environment(self) -> dict[str, str]:
        """The environment of its processes: this process's own plus the settings."""
        named = {f"RECEIPT_ENGINE_{name.upper()}": value for name, value in self.settings.items()}
        return {**os.environ, "RECEIPT_ENGINE_DATA_DIR": str(self.folder), **self.variables, **named}

    def command(self, *arguments: str) -> str:
        """Runs another command on the same store; returns its output."""
        command = [sys.executable, "-m", "receipt_engine.service", *arguments]
        done = subprocess.run(
            command, env=self.environment(), check=True, capture_output=True, text=True, timeout=300
        )
        return done.stdout

    def account(self, name: str, credits: int) -> str:
        """Makes an account, like the command but without starting a process; returns its key."""
        parts = open_parts(load_settings(environment=self.environment()), pool=1)
        try:
            return parts.accounts.new_key(parts.accounts.create(name, credits))
        finally:
            parts.close()

    def start(self) -> None:
        """Starts the server; it may not listen yet when this returns."""
        command = [sys.executable, "-m", "receipt_engine.service", "serve", "--dev-cert"]
        command += ["--port", str(self.port), "--operations-port", str(self.operations_port)]
        with (self.folder / "server.log").open("ab") as log, (self.folder / "welcome.txt").open("wb") as out:
            self.process = subprocess.Popen(command, env=self.environment(), stderr=log, stdout=out)

    def wait_until_listening(self, seconds: float = 120.0) -> None:
        """Returns when a connection is accepted; raises TimeoutError."""
        self._wait_for_port(self.port, seconds)

    def wait_until_ready(self, seconds: float = 180.0) -> None:
        """Returns when /ready reports ready; raises TimeoutError."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if b"200 OK" in self._ask("/ready"):
                return
            time.sleep(0.1)
        raise TimeoutError(f"the service is not ready: {self._ask('/ready')!r}")

    def wait_until_certified(self, seconds: float = 30.0) -> None:
        """Returns when new connections get the certificate on disk; raises TimeoutError."""
        wanted = ssl.PEM_cert_to_DER_cert(self.certificate.read_text(encoding="ascii"))
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                met = ssl.get_server_certificate(("127.0.0.1", self.port), timeout=5)
                if ssl.PEM_cert_to_DER_cert(met) == wanted:
                    return
            time.sleep(0.02)
        raise TimeoutError(f"the new certificate was not taken; see {self.folder / 'server.log'}")

    def _wait_for_port(self, port: int, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise TimeoutError(f"nothing listens on port {port}; see {self.folder / 'server.log'}")

    def _ask(self, path: str) -> bytes:
        try:
            with socket.create_connection(("127.0.0.1", self.operations_port), 2) as connection:
                connection.sendall(
                    f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
                )
                answer = b""
                while chunk := connection.recv(65536):
                    answer += chunk
                return answer
        except OSError:
            return b""

    def ask(self, path: str) -> str:
        """The body of an operations page."""
        return self._ask(path).decode().partition("\r\n\r\n")[2]

    def client(self, key: str) -> Client:
        """A client that trusts this server."""
        return Client(self.port, self.certificate, key)

    def wait_until_running(self, jobs: int = 1, seconds: float = 60.0) -> None:
        """Returns when workers are processing that many jobs; raises TimeoutError."""
        deadline = time.monotonic() + seconds
        while f'receipt_engine_jobs{{state="running"}} {jobs}\n' not in self.ask("/metrics"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{jobs} jobs are not running: {self.ask('/metrics')}")
            time.sleep(0.02)

    def workers(self) -> list[int]:
        """Process ids of the worker processes."""
        if self.process is None:
            return []
        found: list[int] = []
        for children in Path(f"/proc/{self.process.pid}/task").glob("*/children"):
            try:
                found += [int(pid) for pid in children.read_text(encoding="ascii").split()]
            except OSError:
                continue
        return found

    def forget_peak(self) -> int:
        """Resets the server's peak memory; returns its resident bytes now."""
        assert self.process is not None
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5", encoding="ascii")
        return self._memory("VmRSS")

    def peak(self) -> int:
        """Peak resident bytes of the server process since `forget_peak`."""
        return self._memory("VmHWM")

    def _memory(self, name: str) -> int:
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith(name + ":"))
        return int(line.split()[1]) * 1024

    def kill(self) -> None:
        """Kills the server with SIGKILL."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def stop(self, seconds: float = 120.0) -> int:
        """Sends SIGTERM and waits; returns the exit status."""
        assert self.process is not None
        self.process.terminate()
        status = self.process.wait(seconds)
        self.process = None
        return status

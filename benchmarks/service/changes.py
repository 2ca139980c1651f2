"""Uploads while master keys rotate, certificates change and workers are killed.

    python -m benchmarks.service.changes --uploads 1000
    python -m benchmarks.service.changes --uploads 1000 --postgresql

Several clients upload, and repeatedly poll the tokens they received. Meanwhile one change follows another: a
new master key is made and all keys are rewrapped with it, a new certificate is installed, a worker is killed.
Exits with status 1 when a token was unreadable at any moment, was lost or was charged twice.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import os
import random
import shutil
import signal
import ssl
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.service.client import Client
from benchmarks.service.kills import wrong_charges
from benchmarks.service.process import ServiceProcess
from receipt_engine.service.http.tls import development_certificate
from tests.service import postgresql
from tests.service.pictures import png

_FAKE = {"engine": "tests.service.fake_engine:FakeEngine", "lease_seconds": "5"}
_READABLE = frozenset({202, 301})
_SETTLE_SECONDS = 120.0


@dataclass
class Seen:
    """Counts. accepted: tokens received; unreadable: codes other than pending or result for a token."""

    accepted: list[str] = field(default_factory=list)
    unreadable: list[int] = field(default_factory=list)
    unanswered: int = 0
    lost: int = 0
    charged: int = 0
    charged_wrongly: int = 0
    rotations: int = 0
    certificates: int = 0
    kills: int = 0

    @property
    def clean(self) -> bool:
        """Whether every token was readable at every moment, none was lost and each was charged once."""
        return not (self.unreadable or self.lost or self.charged_wrongly)


class _Clients:
    """Clients that upload until enough is accepted, and poll one of their tokens after every upload.

    An upload without an answer is repeated, for example while the new certificate is not yet in force.
    """

    def __init__(self, service: ServiceProcess, key: str, uploads: int, count: int) -> None:
        self._service, self._key = service, key
        self._left = uploads
        self._lock = threading.Lock()
        self.seen = Seen()
        self._threads = [threading.Thread(target=self._run, args=(n,), daemon=True) for n in range(count)]

    def run(self) -> None:
        """Returns when every upload is made."""
        for thread in self._threads:
            thread.start()
        for thread in self._threads:
            thread.join()

    def _take(self) -> bool:
        with self._lock:
            self._left -= 1
            return self._left >= 0

    def _give_back(self) -> None:
        with self._lock:
            self._left += 1
            self.seen.unanswered += 1

    def _run(self, number: int) -> None:
        chance = random.Random(number)
        client = self._service.client(self._key)
        tokens: list[str] = []
        while self._take():
            try:
                client = self._trusting(client)
                answer = client.upload(png())
            except (OSError, http.client.HTTPException):
                self._give_back()
                time.sleep(0.05)
                continue
            if answer["code"] != 200:
                self._note(answer["code"])
                continue
            tokens.append(answer["token"])
            with self._lock:
                self.seen.accepted.append(answer["token"])
            with contextlib.suppress(OSError, http.client.HTTPException):
                self._look(client, chance.choice(tokens))
        client.close()

    def _trusting(self, client: Client) -> Client:
        """The same client, or one that trusts the certificate now in force."""
        try:
            client.credits()
        except (ssl.SSLError, OSError):
            client.close()
            return self._service.client(self._key)
        return client

    def _look(self, client: Client, token: str) -> None:
        code = int(client.result(token)["code"])
        if code not in _READABLE:
            self._note(code)

    def _note(self, code: int) -> None:
        with self._lock:
            self.seen.unreadable.append(code)


class _Changes:
    """Changes to a running service: an operator's, and a crash."""

    def __init__(self, service: ServiceProcess, folder: Path, seen: Seen) -> None:
        self._service, self._folder, self._seen = service, folder, seen

    def rotate(self) -> None:
        """Makes a new master key and rewraps everything with it."""
        told = self._service.command("keys", "rotate")
        if "keys activate" in told:
            self._service.command("keys", "activate", told.split()[-1])
        self._service.command("keys", "rewrap")
        self._seen.rotations += 1

    def certify(self) -> None:
        """Replaces the certificate, and waits until new connections get the new one."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir()
        for path in reversed(development_certificate(self._folder, "localhost")):  # the key first
            shutil.copy(path, self._service.folder / path.name)
        assert self._service.process is not None
        self._service.process.send_signal(signal.SIGHUP)
        self._service.wait_until_certified()
        self._seen.certificates += 1

    def kill(self) -> None:
        """Kills one worker with SIGKILL, as soon as there is one."""
        deadline = time.monotonic() + _SETTLE_SECONDS
        while not (workers := self._service.workers()):
            if time.monotonic() > deadline:
                raise TimeoutError("a worker that was killed has no successor")
            time.sleep(0.02)
        with contextlib.suppress(ProcessLookupError):
            os.kill(workers[0], signal.SIGKILL)
            self._seen.kills += 1


def run(folder: Path, uploads: int, settings: dict[str, str], clients: int = 4) -> Seen:
    """Runs one service through all uploads and changes."""
    service = ServiceProcess(folder, {**_FAKE, "max_queue": "100000", **_FREE, **settings})
    key = service.account("clients", 10 * uploads)
    service.start()
    try:
        service.wait_until_ready()
        crowd = _Clients(service, key, uploads, clients)
        done = threading.Event()
        changes = _Changes(service, folder / "next", crowd.seen)
        unrest = threading.Thread(target=_unrest, args=(changes, done))
        unrest.start()
        crowd.run()
        done.set()
        unrest.join()
        client = service.client(key)
        _settle(client, crowd.seen)
        crowd.seen.charged = 10 * uploads - client.credits()
        client.close()
        crowd.seen.charged_wrongly = wrong_charges(service, crowd.seen.accepted, 10 * uploads)
        return crowd.seen
    finally:
        service.kill()


_FREE = dict.fromkeys(("upload_rate", "upload_burst", "read_rate", "read_burst"), "100000")


def _unrest(changes: _Changes, done: threading.Event) -> None:
    actions: list[Callable[[], None]] = [changes.rotate, changes.certify, changes.kill]
    turn = 0
    while not done.is_set() or turn < len(actions):
        actions[turn % len(actions)]()
        turn += 1
        done.wait(0.3)


def _settle(client: Client, seen: Seen) -> None:
    """Waits for the result of every token; slowness is no loss as long as there is progress."""
    open_ = set(seen.accepted)
    deadline = time.monotonic() + _SETTLE_SECONDS
    while open_ and time.monotonic() < deadline:
        for token in list(open_):
            code = int(client.result(token)["code"])
            if code == 202:
                open_.discard(token)
                deadline = time.monotonic() + _SETTLE_SECONDS
            elif code != 301:
                seen.unreadable.append(code)
                open_.discard(token)
        time.sleep(0.1)
    seen.lost = len(open_)


@contextlib.contextmanager
def _postgresql(folder: Path) -> Iterator[dict[str, str]]:
    keys = folder / "shared.keys"
    keys.write_text("k1:" + "A" * 43 + "=\n", encoding="ascii")
    keys.chmod(0o600)
    with postgresql.running_server() as url:
        yield {"database_url": url.format("postgres"), "master_key_file": str(keys)}


def main(arguments: list[str] | None = None) -> int:
    """Prints the counts; returns 1 when they are not clean."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--uploads", type=int, default=1000)
    parser.add_argument("--postgresql", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        store = stack.enter_context(_postgresql(folder)) if given.postgresql else {}
        seen = run(folder, given.uploads, store)
    print(f"accepted {len(seen.accepted)}, charged {seen.charged}, without an answer {seen.unanswered}")
    print(f"{seen.rotations} rotations, {seen.certificates} certificates, {seen.kills} workers killed")
    print(f"unreadable {len(seen.unreadable)} {sorted(set(seen.unreadable))}, lost {seen.lost}")
    print(f"charged wrongly {seen.charged_wrongly}")
    return 0 if seen.clean else 1


if __name__ == "__main__":
    sys.exit(main())

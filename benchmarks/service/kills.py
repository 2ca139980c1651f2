"""Kills server and workers with SIGKILL at random moments, and checks the fate of every upload.

    python -m benchmarks.service.kills --kills 200
    python -m benchmarks.service.kills --kills 200 --postgresql

Clients upload new and repeated images and poll throughout. Afterwards every token ever given out must have
its result, each must have been charged once, and no token may have given two different answers.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import hashlib
import http.client
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from benchmarks.service.client import Client
from benchmarks.service.process import ServiceProcess
from receipt_engine.service.settings import Settings
from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.schema import accounts, ledger, uploads

CREDITS = 1_000_000
#: Maximum seconds between two kills: long enough for a worker to load and to be in the middle of a job.
_LONGEST_CALM = 1.6
_NO_ANSWER = (OSError, http.client.HTTPException)


@dataclass
class Story:
    """The clients' observations."""

    pictures: dict[str, bytes] = field(default_factory=dict)  # token: bytes uploaded
    answers: dict[str, Any] = field(default_factory=dict)  # token: first final answer
    duplicates: dict[str, str] = field(default_factory=dict)  # token: first token, as reported
    different: set[str] = field(default_factory=set)
    unanswered: int = 0
    codes: dict[int, int] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def uploaded(self, picture: bytes, answer: dict[str, Any]) -> None:
        """Records an answer to an upload."""
        with self.lock:
            self.codes[answer["code"]] = self.codes.get(answer["code"], 0) + 1
            if answer["code"] in (200, 300):
                self.pictures[answer["token"]] = picture
                if answer["duplicate"]:
                    self.duplicates[answer["token"]] = answer["duplicateToken"]

    def polled(self, token: str, answer: dict[str, Any]) -> None:
        """Records an answer to a result call; a final one must never change."""
        if answer["code"] not in (202, 402, 500):
            return
        with self.lock:
            if self.answers.setdefault(token, answer) != answer:
                self.different.add(token)


@dataclass(frozen=True)
class Verdict:
    """The outcome of the run: lost, charged_twice, different and wrong must be 0."""

    kills: int
    accepted: int
    unanswered: int
    lost: int
    charged_twice: int
    different: int
    wrong: int
    seconds: float

    @property
    def clean(self) -> bool:
        """True when nothing was lost, charged twice, answered differently or answered wrongly."""
        return not (self.lost or self.charged_twice or self.different or self.wrong)


def picture(number: int, generator: random.Random, pause: float) -> bytes:
    """A PNG header and random bytes; the test engine sleeps `pause` seconds and answers with the digest."""
    header = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (800).to_bytes(4, "big") + (1400).to_bytes(4, "big")
    filling = generator.randbytes(generator.randint(2_000, 60_000))
    return (
        header + b"\x08\x02\x00\x00\x00" + str(number).encode() + filling + f"\nORDER:sleep={pause}".encode()
    )


class KillRun:
    """One run against a service with the tests' fake engine (see `tests/service/fake_engine.py`)."""

    def __init__(self, service: ServiceProcess, key: str, *, seed: int, pause: float = 0.15) -> None:
        self._service = service
        self._key = key
        self._random = random.Random(seed)
        self._pause = pause
        self._over = threading.Event()
        self.story = Story()

    def run(self, kills: int, *, clients: int = 3, settle: float = 120.0) -> Verdict:
        """Kills that many processes, then lets the service finish, then checks."""
        began = time.monotonic()
        self._service.start()
        self._service.wait_until_listening()
        threads = [
            threading.Thread(target=self._client, args=(self._random.random(),), daemon=True)
            for _ in range(clients)
        ]
        for thread in threads:
            thread.start()
        for _ in range(kills):
            time.sleep(self._random.uniform(0.02, _LONGEST_CALM))
            self._kill_one()
        self._wait_for_an_upload(settle)
        self._over.set()
        for thread in threads:
            thread.join()
        self._settle(settle)
        return self._examine(kills, time.monotonic() - began)

    def _wait_for_an_upload(self, seconds: float) -> None:
        """Waits for the first accepted upload: on a slow machine there may be none during a few kills."""
        deadline = time.monotonic() + seconds
        while not self.story.pictures and time.monotonic() < deadline:
            time.sleep(0.05)

    def _kill_one(self) -> None:
        workers = self._service.workers()
        if not workers or self._random.random() < 0.35:
            self._service.kill()
            time.sleep(self._random.choice((0.0, 0.0, 0.3)))
            self._service.start()
            if self._random.random() < 0.7:  # the rest are killed during startup
                self._service.wait_until_listening()
        else:
            try:
                os.kill(self._random.choice(workers), signal.SIGKILL)
            except ProcessLookupError:
                return

    def _client(self, seed: float) -> None:
        generator = random.Random(seed)
        client = self._service.client(self._key)
        mine: list[tuple[str, bytes]] = []
        number = 0
        while not self._over.is_set():
            number += 1
            again = mine and generator.random() < 0.2
            data = generator.choice(mine)[1] if again else picture(number, generator, self._pause)
            try:
                answer = client.upload(data)
                self.story.uploaded(data, answer)
                if "token" in answer:
                    mine.append((answer["token"], data))
                if mine:
                    token = generator.choice(mine)[0]
                    self.story.polled(token, client.result(token))
            except _NO_ANSWER:
                self.story.unanswered += 1
                time.sleep(0.05)
            time.sleep(generator.uniform(0.0, 3 * self._pause))
        client.close()

    def _settle(self, seconds: float) -> None:
        client = self._service.client(self._key)
        open_ = set(self.story.pictures)
        deadline = time.monotonic() + seconds
        while open_ and time.monotonic() < deadline:
            for token in sorted(open_):
                try:
                    answer = client.result(token)
                except _NO_ANSWER:
                    time.sleep(0.2)
                    break
                self.story.polled(token, answer)
                if answer["code"] not in (301, 510):
                    open_.discard(token)
                    deadline = time.monotonic() + seconds  # slowness is no loss as long as there is progress
            time.sleep(0.05)
        for token in self.story.pictures:
            self.story.polled(token, self._ask_final(client, token))
        client.close()

    @staticmethod
    def _ask_final(client: Client, token: str) -> dict[str, Any]:
        while True:
            answer = client.result(token)
            if answer["code"] != 510:
                return answer
            time.sleep(0.1)

    def _examine(self, kills: int, seconds: float) -> Verdict:
        story = self.story
        lost = [token for token in story.pictures if story.answers.get(token, {}).get("code") != 202]
        wrong = 0
        for token, data in story.pictures.items():
            name = story.answers.get(token, {}).get("result", {}).get("establishment", "")
            wrong += token not in lost and hashlib.sha256(data).hexdigest()[:12] not in name
        for token, first in story.duplicates.items():
            known = first in story.pictures
            wrong += known and story.pictures[first] != story.pictures[token]
        charged_twice = wrong_charges(self._service, story.pictures, CREDITS)
        return Verdict(
            kills,
            len(story.pictures),
            story.unanswered,
            len(lost),
            charged_twice,
            len(story.different),
            wrong,
            seconds,
        )


def wrong_charges(service: ServiceProcess, told: Collection[str], credits: int) -> int:
    """Counts uploads without exactly one ledger row, known tokens that are not stored, and a wrong balance.

    The store has one account, which began with `credits`.
    """
    url = service.settings.get("database_url", "")
    database = Database(Settings(data_dir=str(service.folder), database_url=url), pool=2)
    with database.read() as connection:
        charged = list(connection.scalars(sa.select(ledger.c.token).where(ledger.c.token.is_not(None))))
        stored = set(connection.scalars(sa.select(uploads.c.token)))
        balance = connection.scalar(sa.select(accounts.c.credits)) or 0
    database.dispose()
    wrong = len(charged) - len(set(charged)) + len(set(charged) ^ stored)
    return wrong + len(set(told) - stored) + (credits - balance != len(charged))


def run(folder: Path, kills: int, seed: int, settings: dict[str, str] | None = None) -> Verdict:
    """Performs a complete run in a folder."""
    named = {
        "engine": "tests.service.fake_engine:FakeEngine",
        "upload_rate": "100000",
        "upload_burst": "100000",
        "read_rate": "100000",
        "read_burst": "100000",
        "lease_seconds": "4",
    }
    if "database_url" in (settings or {}) and "master_key_file" not in (settings or {}):
        keys = folder / "shared.keys"
        keys.write_text(f"k1:{base64.b64encode(os.urandom(32)).decode()}\n", encoding="ascii")
        keys.chmod(0o600)
        named["master_key_file"] = str(keys)
    service = ServiceProcess(folder, {**named, **(settings or {})})
    key = service.account("clients", CREDITS)
    try:
        return KillRun(service, key, seed=seed).run(kills)
    finally:
        service.kill()


def main() -> int:
    """Command line; exit status 1 when anything was lost, charged twice or answered differently."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgresql", action="store_true", help="on a PostgreSQL server of its own")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        named = {}
        if arguments.postgresql:
            from tests.service.postgresql import running_server

            named["database_url"] = stack.enter_context(running_server()).format("postgres")
        name = stack.enter_context(tempfile.TemporaryDirectory(prefix="kills-"))
        verdict = run(Path(name), arguments.kills, arguments.seed, named)
    print(json.dumps(vars(verdict)))
    return 0 if verdict.clean else 1


if __name__ == "__main__":
    sys.exit(main())

"""Measures how long the sweep of expired uploads takes, and how long new uploads wait meanwhile.

    python -m benchmarks.service.retention --rows 1000000
    python -m benchmarks.service.retention --rows 1000000 --postgresql

Fills a store with that many 91-day-old uploads, each with its image's row and result, sweeps them, and
accepts images in the meantime. Exits with status 1 when an upload failed or something was left.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from receipt_engine.service.assembly import Parts, open_parts
from receipt_engine.service.codes import Code
from receipt_engine.service.jobs.booking import Accepted, Upload
from receipt_engine.service.jobs.options import Options
from receipt_engine.service.settings import load_settings
from receipt_engine.service.storage.blobs import DAY_DIGITS, new_image_id
from receipt_engine.service.storage.retention import Swept, sweep
from receipt_engine.service.storage.vault import new_key
from tests.service import postgresql
from tests.service.pictures import png

_BATCH = 100_000
_DAY = 86_400_000
_RESULT = b"x" * 2000
_PAUSE = 0.02


class _Uploads(threading.Thread):
    """Accepts images one after another, and times each."""

    def __init__(self, parts: Parts, account_id: int) -> None:
        super().__init__(daemon=True)
        self._store, self._account = parts.uploads(), account_id
        self._over = threading.Event()
        self.seconds: list[float] = []
        self.failed = 0

    def run(self) -> None:
        """Runs until `end` is called."""
        while not self._over.is_set():
            prepared = self._store.prepare(Upload(self._account, png(), Options(), Code.ACCEPTED))
            began = time.perf_counter()
            try:
                (outcome,) = self._store.accept([prepared])
                self.failed += not isinstance(outcome, Accepted)
            except Exception:
                self.failed += 1
            self.seconds.append(time.perf_counter() - began)
            self._over.wait(_PAUSE)

    def end(self) -> None:
        """Stops and waits for the last upload."""
        self._over.set()
        self.join()


def fill(parts: Parts, account_id: int, rows: int) -> None:
    """Adds uploads past their retention, with their images' rows, finished jobs and charges."""
    then = parts.database.clock() - 91 * _DAY
    key_id, wrapped = parts.keys.wrap(new_key(), "filling")
    day = new_image_id(then)[:DAY_DIGITS]
    given = {"account": account_id, "then": then, "over": parts.database.clock() - _DAY, "day": day}
    given |= {"key": key_id, "wrapped": wrapped, "result": _RESULT}
    spelt = _SQLITE if parts.database.embedded else _POSTGRESQL
    for start in range(0, rows, _BATCH):
        numbers = {"first": start, "last": min(rows, start + _BATCH) - 1}
        with parts.database.write() as connection:
            for statement in _FILL:
                text = sa.text(_NUMBERS + statement.format(**spelt))
                named = {name: value for name, value in given.items() if f":{name}" in statement}
                connection.execute(text, named | numbers)
    if not parts.database.embedded:
        with parts.database.engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT").execute(sa.text("ANALYZE"))


#: Each database's expression for a number as text of a fixed length, and for some bytes.
_SQLITE = {"id": "printf('%028d', n)", "token": "printf('%016d', n)", "bytes": "randomblob(16)"}
_POSTGRESQL = {
    "id": "lpad(CAST(n AS text), 28, '0')",
    "token": "lpad(CAST(n AS text), 16, '0')",
    "bytes": "decode(md5(CAST(n AS text)), 'hex')",
}
_NUMBERS = (
    "WITH RECURSIVE numbers(n) AS (SELECT CAST(:first AS INTEGER) UNION ALL SELECT n + 1 FROM numbers "
    "WHERE n < :last) "
)
_FILL = (
    "INSERT INTO images (id, account_id, digest, key_id, wrapped_key, size, options, expires_at) "
    "SELECT :day || {id}, :account, {bytes}, :key, :wrapped, 1, '{{}}', :over FROM numbers",
    "INSERT INTO jobs (image_id, account_id, state, queued_at, turn, not_before, faults, losses, "
    "finished_at, sealed_result) "
    "SELECT :day || {id}, :account, 'done', :then, 0, :then, 0, 0, :then, :result FROM numbers",
    "INSERT INTO uploads (token, account_id, image_id, code, created_at, expires_at) "
    "SELECT {token}, :account, :day || {id}, 200, :then, :over FROM numbers",
    "INSERT INTO ledger (account_id, token, delta, reason, at) "
    "SELECT :account, {token}, -1, 'upload', :then FROM numbers",
)


def run(parts: Parts, rows: int) -> tuple[Swept, float, _Uploads, _Uploads]:
    """The counts swept, the sweep's seconds, and the uploads before and during it."""
    account_id = parts.accounts.create("retention", 1_000_000)
    fill(parts, account_id, rows)
    before, during = _Uploads(parts, account_id), _Uploads(parts, account_id)
    before.start()
    time.sleep(5)
    before.end()
    during.start()
    began = time.monotonic()
    swept = sweep(parts.database, parts.blobs, audit_ms=parts.settings.audit_ms)
    seconds = time.monotonic() - began
    during.end()
    return swept, seconds, before, during


@contextlib.contextmanager
def _opened(shared: bool) -> Iterator[Parts]:
    with tempfile.TemporaryDirectory(prefix="retention-") as name, contextlib.ExitStack() as stack:
        given = {"data_dir": name, "max_queue": "10000000", "max_queue_account": "10000000"}
        if shared:
            keys = Path(name) / "shared.keys"
            keys.write_text("k1:" + "A" * 43 + "=\n", encoding="ascii")
            keys.chmod(0o600)
            url = stack.enter_context(postgresql.running_server(durable=True)).format("postgres")
            given |= {"database_url": url, "master_key_file": str(keys)}
        parts = open_parts(load_settings(None, given, {}))
        yield parts
        parts.close()


def _told(seconds: list[float]) -> str:
    p95 = statistics.quantiles(seconds, n=20, method="inclusive")[18]
    return (
        f"median {statistics.median(seconds) * 1e3:.0f} ms, p95 {p95 * 1e3:.0f} ms, most {max(seconds):.2f} s"
    )


def main(arguments: list[str] | None = None) -> int:
    """Prints the figures; returns 1 when an upload failed or something was left."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--postgresql", action="store_true", help="on a PostgreSQL server of its own")
    given = parser.parse_args(arguments)
    with _opened(given.postgresql) as parts:
        swept, seconds, before, during = run(parts, given.rows)
    print(f"{swept.tokens} tokens and {swept.pictures} pictures swept in {seconds:.0f} s")
    print(f"uploads before: {_told(before.seconds)}")
    print(f"uploads during: {_told(during.seconds)}; {during.failed} of {len(during.seconds)} failed")
    return int(
        before.failed + during.failed > 0 or (swept.tokens, swept.pictures) != (given.rows, given.rows)
    )


if __name__ == "__main__":
    sys.exit(main())

"""How long the sweep of what is past its retention takes, and how long uploads wait meanwhile.

    python -m benchmarks.service.retention --rows 1000000
    python -m benchmarks.service.retention --rows 1000000 --postgresql

Fills a store with that many uploads of 91 days ago, each with its picture's row and result, sweeps them, and
accepts pictures in the meantime. Ends with exit status 1 when an upload failed or something was left.
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
from receipt_engine.service.storage.blobs import new_image_id
from receipt_engine.service.storage.retention import Swept, sweep
from receipt_engine.service.storage.schema import images, jobs, ledger, uploads
from receipt_engine.service.storage.vault import new_key
from tests.service import postgresql
from tests.service.pictures import png

_BATCH = 10_000
_RESULT = b"x" * 2000
_PAUSE = 0.02


class _Uploads(threading.Thread):
    """Accepts pictures one after the other, and times each."""

    def __init__(self, parts: Parts, account_id: int) -> None:
        super().__init__(daemon=True)
        self._store, self._account = parts.uploads(), account_id
        self._over = threading.Event()
        self.seconds: list[float] = []
        self.failed = 0

    def run(self) -> None:
        """Until `end`."""
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
        """Waits for the last one."""
        self._over.set()
        self.join()


def fill(parts: Parts, account_id: int, rows: int) -> None:
    """Uploads that are past their retention, with pictures' rows, finished jobs and charges."""
    then = parts.database.clock() - 91 * 86_400_000
    over = parts.database.clock() - 86_400_000
    key_id, wrapped = parts.keys.wrap(new_key(), "filling")
    for start in range(0, rows, _BATCH):
        numbers = range(start, min(rows, start + _BATCH))
        names = [new_image_id(then) for _ in numbers]
        tokens = [f"{number:016d}" for number in numbers]
        with parts.database.write() as connection:
            connection.execute(images.insert(), [
                {"id": name, "account_id": account_id, "digest": name.encode(), "key_id": key_id,
                 "wrapped_key": wrapped, "size": 1, "options": "{}", "expires_at": over} for name in names
            ])  # fmt: skip
            connection.execute(jobs.insert(), [
                {"image_id": name, "account_id": account_id, "state": "done", "queued_at": then, "turn": 0,
                 "not_before": then, "faults": 0, "losses": 0, "finished_at": then, "sealed_result": _RESULT}
                for name in names
            ])  # fmt: skip
            connection.execute(uploads.insert(), [
                {"token": token, "account_id": account_id, "image_id": name, "code": 200,
                 "created_at": then, "expires_at": over} for token, name in zip(tokens, names, strict=True)
            ])  # fmt: skip
            connection.execute(ledger.insert(), [
                {"account_id": account_id, "token": token, "delta": -1, "reason": "upload", "at": then}
                for token in tokens
            ])  # fmt: skip
    if not parts.database.embedded:
        with parts.database.engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT").execute(sa.text("ANALYZE"))


def run(parts: Parts, rows: int) -> tuple[Swept, float, _Uploads, _Uploads]:
    """What was swept, its seconds, and the uploads before and during it."""
    account_id = parts.accounts.create("retention", 1_000_000)
    fill(parts, account_id, rows)
    before, during = _Uploads(parts, account_id), _Uploads(parts, account_id)
    before.start()
    time.sleep(5)
    before.end()
    during.start()
    began = time.monotonic()
    swept = sweep(parts.database, parts.blobs)
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
    """Prints the figures; 1 when an upload failed or something was left."""
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

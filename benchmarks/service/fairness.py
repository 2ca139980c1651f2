"""Measures how long a few images wait behind another account's flood, and the cost of a long queue.

    python -m benchmarks.service.fairness --flood 500 --few 10
    python -m benchmarks.service.fairness --queued 100000

The first compares the 95th percentile from upload to result of ten images on an idle service with that
behind a flood, with an engine that takes the same time for every image (`--seconds`). The second fills the
job table and times accepting and claiming. With `--postgresql`, both run on a separate PostgreSQL server.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import sqlalchemy as sa

from benchmarks.service.client import Client
from benchmarks.service.process import ServiceProcess
from receipt_engine.service.assembly import Parts, open_parts
from receipt_engine.service.codes import Code
from receipt_engine.service.jobs.booking import Upload
from receipt_engine.service.jobs.options import Options
from receipt_engine.service.settings import Settings, load_settings
from receipt_engine.service.storage.schema import images, jobs
from receipt_engine.service.storage.vault import new_key
from tests.service import postgresql
from tests.service.pictures import png

_MOST_RATIO = 2.0
_BATCH = 10_000
_FREE = dict.fromkeys(("upload_rate", "upload_burst", "read_rate", "read_burst"), "100000")
_FAKE = {"engine": "tests.service.fake_engine:FakeEngine", **_FREE}
_UNLIMITED = {"max_queue": "10000000", "max_queue_account": "10000000"}


def waits(service: ServiceProcess, key: str, few: int, order: bytes) -> list[float]:
    """Seconds from upload to result of a few images that are sent together."""
    client = service.client(key)
    began: dict[str, float] = {}
    for _ in range(few):
        now = time.monotonic()
        began[client.upload(png(order=order))["token"]] = now
    seconds = []
    while began:
        for token in list(began):
            if client.result(token)["code"] != 301:
                seconds.append(time.monotonic() - began.pop(token))
        time.sleep(0.01)
    client.close()
    return seconds


def p95(seconds: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(seconds, n=20, method="inclusive")[18]


def compare(
    folder: Path, settings: dict[str, str], flood: int, few: int, seconds: float
) -> tuple[float, float]:
    """The 95th percentile of the waits: (on an idle service, behind a flood)."""
    service = ServiceProcess(folder, {**_FAKE, **_UNLIMITED, **settings})
    crowd, other = service.account("flood", 10**6), service.account("few", 10**6)
    order = f"sleep={seconds}".encode()

    def send(client: Client, count: int) -> None:
        for _ in range(count):
            client.upload(png(order=order))
        client.close()

    service.start()
    try:
        service.wait_until_ready()
        waits(service, other, few, order)  # warms up
        idle = p95(waits(service, other, few, order))
        with ThreadPoolExecutor(4) as threads:
            for _ in range(4):
                threads.submit(send, service.client(crowd), flood // 4)
        return idle, p95(waits(service, other, few, order))
    finally:
        service.kill()


def _fill(parts: Parts, account_id: int, count: int) -> None:
    """Adds queued jobs whose images are never read."""
    now = parts.database.clock()
    for start in range(0, count, _BATCH):
        numbers = range(start, min(count, start + _BATCH))
        with parts.database.write() as connection:
            connection.execute(images.insert(), [_image(parts, n, account_id, now) for n in numbers])
            connection.execute(jobs.insert(), [_job(n, account_id, now) for n in numbers])
    if not parts.database.embedded:
        with parts.database.engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT").execute(sa.text("ANALYZE"))


def _name(number: int) -> str:
    return f"0000{number:028x}"


def _image(parts: Parts, number: int, account_id: int, now: int) -> dict[str, object]:
    key_id, wrapped = parts.keys.wrap(new_key(), _name(number))
    return {
        "id": _name(number),
        "account_id": account_id,
        "digest": _name(number).encode(),
        "key_id": key_id,
        "wrapped_key": wrapped,
        "size": 1,
        "options": Options().to_text(),
        "expires_at": now + 10**9,
    }


def _job(number: int, account_id: int, now: int) -> dict[str, object]:
    return {
        "image_id": _name(number),
        "account_id": account_id,
        "state": "queued",
        "queued_at": now,
        "not_before": now,
        "turn": number + 1,
        "faults": 0,
        "losses": 0,
    }


def long_queue(settings: Settings, queued: int) -> tuple[float, float]:
    """Median milliseconds to accept an image, and to claim it, with `queued` jobs waiting."""
    parts = open_parts(settings)
    store = parts.uploads()
    flood = parts.accounts.create(f"flood {queued}", 10)
    few = parts.accounts.create(f"few {queued}", 10_000)
    _fill(parts, flood, queued)
    accepts, claims = [], []
    for _ in range(60):
        prepared = store.prepare(Upload(few, png(), Options(), Code.ACCEPTED))
        began = time.perf_counter()
        store.accept([prepared])
        accepts.append(time.perf_counter() - began)
        began = time.perf_counter()
        job = parts.jobs.claim("benchmark")
        claims.append(time.perf_counter() - began)
        assert job is not None
        parts.jobs.finish(job, b"{}")
    with parts.database.write() as connection:
        connection.execute(images.delete())
    parts.close()
    return statistics.median(accepts) * 1e3, statistics.median(claims) * 1e3


@contextlib.contextmanager
def _store(folder: Path, shared: bool) -> Iterator[dict[str, str]]:
    if not shared:
        yield {}
        return
    keys = folder / "shared.keys"
    keys.write_text("k1:" + "A" * 43 + "=\n", encoding="ascii")
    keys.chmod(0o600)
    with postgresql.running_server() as url:
        yield {"database_url": url.format("postgres"), "master_key_file": str(keys)}


def main(arguments: list[str] | None = None) -> int:
    """Prints the figures; returns 1 when the few images waited for too long."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--flood", type=int, default=500)
    parser.add_argument("--few", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.3, help="of the engine, for each picture")
    parser.add_argument("--queued", type=int, help="times a queue of this length instead")
    parser.add_argument("--postgresql", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        store = stack.enter_context(_store(folder, given.postgresql))
        if given.queued is not None:
            settings = load_settings(None, {"data_dir": name, **_UNLIMITED, **store}, {})
            for queued in (10, given.queued):
                accept, claim = long_queue(settings, queued)
                print(f"{queued:7d} queued: {accept:.1f} ms to accept, {claim:.1f} ms to claim")
            return 0
        idle, flooded = compare(folder, store, given.flood, given.few, given.seconds)
    print(f"95th percentile of {given.few}: {idle:.2f} s idle, {flooded:.2f} s behind {given.flood}")
    print(f"ratio {flooded / idle:.2f}")
    return int(flooded > _MOST_RATIO * idle)


if __name__ == "__main__":
    sys.exit(main())

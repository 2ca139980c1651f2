"""Measures load on loopback, for a limited time: how fast uploads are accepted, and how long results take.

    python -m benchmarks.service.load --only accepts          # accept rate against the disk's sync rate
    python -m benchmarks.service.load --only accepts --sync-ms 4
    python -m benchmarks.service.load --only latencies --picture receipt.jpg --clients 4 --seconds 60

The folder is made in TMPDIR: name a real disk, not memory. Accepting is measured with the workers stopped,
for 1 to 64 clients in separate processes; the disk's rate is that of appending 4 KiB with a sync, on the same
file system, right before and right after. `--sync-ms 4` makes every sync of both four milliseconds longer
(see `slow_disk`): virtual disks seldom wait for one.

Latency is measured in a closed loop: a client uploads, polls until the result is there, and uploads again.
It is reported with the engine's own seconds per image under that load, the depth of the queue (clients per
worker) and an upper bound of the latency, 1.3 x engine x depth. Without an image the tests' fake engine is
used: with `--engine-seconds 0.3` it waits instead of computing, so that the throughput of queue and database
can be measured on a machine that could not read as many images.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import sqlalchemy as sa

from benchmarks.service.client import Client
from benchmarks.service.kills import picture
from benchmarks.service.process import ServiceProcess
from benchmarks.service.slow_disk import slow_disk, sync_rate
from receipt_engine.service.settings import load_settings
from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.schema import jobs
from tests.service import postgresql

CREDITS = 10_000_000
FREE = dict.fromkeys(("upload_rate", "upload_burst", "read_rate", "read_burst", "max_queue"), "1000000")
FREE["max_queue_account"] = "1000000"


@dataclass(frozen=True)
class Load:
    """The work of one client process. seconds: duration; pause: between polls, 0 for no polling.

    engine: seconds that the tests' engine takes per image.
    """

    port: int
    certificate: str
    key: str
    threads: int
    seconds: float
    pause: float
    seed: int
    data: bytes = b""
    engine: float = 0.0


def processor_seconds(service: ServiceProcess) -> float:
    """Processor time used by the server process: the cost of an accept, however busy the machine is."""
    assert service.process is not None
    fields = Path(f"/proc/{service.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def drive(load: Load) -> list[float]:
    """Runs the clients of one process; gives the seconds from upload to accept, or to result when polling."""
    times: list[float] = []
    deadline = time.monotonic() + load.seconds

    def one(number: int) -> None:
        generator = random.Random(f"{load.seed} {number}")
        client = Client(load.port, Path(load.certificate), load.key, timeout=120)
        count = 0
        while time.monotonic() < deadline:
            count += 1
            unique = f"{load.seed} {number} {count}".encode()
            data = load.data + unique if load.data else picture(count, generator, load.engine)
            began = time.monotonic()
            token = client.upload(data, "a.jpg")["token"]
            while load.pause and client.result(token)["code"] == 301:
                time.sleep(load.pause)
            times.append(time.monotonic() - began)
        client.close()

    threads = [threading.Thread(target=one, args=(number,)) for number in range(load.threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def measure(
    service: ServiceProcess,
    key: str,
    clients: int,
    seconds: float,
    *,
    pause: float,
    data: bytes = b"",
    engine: float = 0.0,
) -> list[float]:
    """The times of that many clients, spread over up to four processes."""
    processes = min(clients, 4)
    loads = [
        Load(
            service.port,
            str(service.certificate),
            key,
            clients // processes + (number < clients % processes),
            seconds,
            pause,
            random.randrange(1 << 30),
            data,
            engine,
        )
        for number in range(processes)
    ]
    with ProcessPoolExecutor(processes) as pool:
        return [value for times in pool.map(drive, loads) for value in times]


def accepts(
    folder: Path,
    clients: list[int],
    seconds: float,
    sync_ms: float = 0.0,
    store: Mapping[str, str] = MappingProxyType({}),
) -> list[dict[str, float]]:
    """Accept rate with the workers stopped. sync_ms: extra duration of a sync, in milliseconds.

    store: settings that name another database.
    """
    variables = slow_disk(folder, sync_ms)
    service = ServiceProcess(folder, {**FREE, "workers": "0", **store}, variables)
    key = service.account("load", CREDITS)
    service.start()
    rows = []
    try:
        service.wait_until_listening()
        measure(service, key, 4, 2.0, pause=0)  # modules and statements are loaded on first use
        for count in clients:
            before = sync_rate(folder, variables)
            busy = processor_seconds(service)
            times = measure(service, key, count, seconds, pause=0)
            busy = processor_seconds(service) - busy
            disk = statistics.mean((before, sync_rate(folder, variables)))
            rate = len(times) / seconds
            row = {
                "sync ms": sync_ms,
                "clients": count,
                "accepts/s": rate,
                "syncs/s": disk,
                "share": rate / disk,
            }
            row["server ms/accept"] = busy / max(1, len(times)) * 1000
            rows.append(row | _quantiles(times))
    finally:
        service.kill()
    return rows


def latencies(
    folder: Path,
    clients: list[int],
    seconds: float,
    data: bytes,
    workers: int = 2,
    store: Mapping[str, str] = MappingProxyType({}),
    engine_seconds: float = 0.0,
) -> list[dict[str, float]]:
    """Seconds from upload to result; with the real engine when an image is given."""
    engine = {} if data else {"engine": "tests.service.fake_engine:FakeEngine"}
    service = ServiceProcess(folder, {**FREE, **engine, "workers": str(workers), **store})
    key = service.account("load", CREDITS)
    service.start()
    rows = []
    try:
        service.wait_until_ready(300)
        _all_ready(service, workers)
        for count in clients:
            began = time.time_ns() // 1_000_000
            times = measure(service, key, count, seconds, pause=0.1, data=data, engine=engine_seconds)
            busy, depth = _engine_seconds(service, began), max(1.0, count / workers)
            row: dict[str, float] = {"workers": workers, "clients": count, "results/s": len(times) / seconds}
            bound = 1.3 * busy * depth
            rows.append(row | _quantiles(times) | {"engine": busy, "depth": depth, "bound": bound})
    finally:
        service.kill()
    return rows


def _all_ready(service: ServiceProcess, workers: int) -> None:
    """Waits until every worker has loaded its engine."""
    deadline = time.monotonic() + 300
    while f"receipt_engine_workers_ready {workers}\n" not in service.ask("/metrics"):
        if time.monotonic() > deadline:
            raise TimeoutError("not every worker is ready")
        time.sleep(0.2)


def _engine_seconds(service: ServiceProcess, since: int) -> float:
    """Mean seconds from claim to result of the jobs finished since then. since: Unix time in milliseconds."""
    database = Database(load_settings(environment=service.environment()), pool=1)
    query = sa.select(jobs.c.started_at, jobs.c.finished_at).where(jobs.c.finished_at >= since)
    with database.read() as connection:
        spent = [(row.finished_at - row.started_at) / 1000 for row in connection.execute(query)]
    database.dispose()
    return statistics.fmean(spent) if spent else float("nan")


def _quantiles(times: list[float]) -> dict[str, float]:
    ordered = sorted(times) or [float("nan")]
    return {
        "p50": ordered[len(ordered) // 2],
        "p95": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))],
    }


@contextlib.contextmanager
def _fresh(shared: bool) -> Iterator[tuple[Path, dict[str, str]]]:
    """A temporary folder and the settings for its database."""
    with tempfile.TemporaryDirectory(prefix="load-") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        if not shared:
            yield folder, {}
            return
        keys = folder / "shared.keys"
        keys.write_text("k1:" + "A" * 43 + "=\n", encoding="ascii")
        keys.chmod(0o600)
        url = stack.enter_context(postgresql.running_server(durable=True))
        yield folder, {"database_url": url.format("postgres"), "master_key_file": str(keys)}


def main() -> int:
    """Command line; prints one JSON object per row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 4, 16, 64])
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--picture", type=Path, help="measure the real engine with this picture")
    parser.add_argument("--sync-ms", type=float, nargs="+", default=[0.0], help="accepts: slow the disk down")
    parser.add_argument("--only", choices=("accepts", "latencies"))
    parser.add_argument("--workers", type=int, nargs="+", default=[2], help="latencies: worker processes")
    parser.add_argument("--depth", type=int, nargs="+", default=[], help="latencies: clients for each worker")
    parser.add_argument(
        "--engine-seconds", type=float, default=0.0, help="latencies: what the tests' engine takes"
    )
    parser.add_argument("--postgresql", action="store_true", help="on a PostgreSQL server of its own")
    arguments = parser.parse_args()
    data = arguments.picture.read_bytes() if arguments.picture else b""
    if arguments.only != "latencies":
        for sync_ms in arguments.sync_ms:
            with _fresh(arguments.postgresql) as (folder, store):
                for row in accepts(folder, arguments.clients, arguments.seconds, sync_ms, store):
                    print(json.dumps({"measure": "accept", **row}), flush=True)
    if arguments.only != "accepts":
        for workers in arguments.workers:
            with _fresh(arguments.postgresql) as (folder, store):
                clients = [workers * depth for depth in arguments.depth] or arguments.clients
                pause = arguments.engine_seconds
                for row in latencies(folder, clients, arguments.seconds, data, workers, store, pause):
                    print(json.dumps({"measure": "upload to result", **row}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

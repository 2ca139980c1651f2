"""Kills a batch with SIGKILL at random moments and goes on with it: is a picture lost, or read twice?

    python -m benchmarks.protocols.batch_kills --data DIR --cache .cache/ocr [--pictures 300] [--kills 10]

The pictures are interpreted from what the cache keeps of them; without `--cache` they are read. What counts
as read twice is a picture that was read again although its rows stood in the results file when the batch
went on. At the end the rows are compared with those of a batch that nobody disturbed.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from benchmarks.kept_engine import KeptEngine, mixed_pictures
from receipt_engine.batch import EngineReader, Extracted, Journal, extract_files, find_inputs, read_rows
from receipt_engine.batch.workers import Read, Reader, Source
from receipt_engine.engine import Engine
from receipt_engine.options import ExtractOptions

_JOBS = 2


@dataclass(frozen=True)
class _Logging:
    """Reads with `reader`, and adds the name of every file that is read to `log`."""

    reader: Reader
    log: Path

    def __call__(self) -> Read:
        return partial(self._read, self.reader())

    def _read(self, read: Read, source: Source) -> tuple[Extracted, ...]:
        # In one piece: several processes write to the file.
        handle = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(handle, f"{source!s}\n".encode())
        os.close(handle)
        return read(source)


def _batch(paths: Sequence[str], reader: Reader, log: Path, results: Path) -> None:
    """Goes on with a batch, in a process that may be killed."""
    inputs = find_inputs(paths)
    journal = Journal(results, resume=True)
    for _ in extract_files(inputs, _Logging(reader, log), journal, jobs=_JOBS):
        pass
    journal.finish(file.name for file in inputs)


def _killed(paths: Sequence[str], reader: Reader, log: Path, results: Path, after: float | None) -> bool:
    """Whether the batch was killed after so many seconds; False: it ended before. None: it may end."""
    process = get_context("spawn").Process(target=_batch, args=(paths, reader, log, results))
    process.start()
    process.join(after)
    assert process.pid is not None
    if process.exitcode is None:
        os.kill(process.pid, signal.SIGKILL)
    process.join()
    if process.exitcode not in (0, -signal.SIGKILL):
        raise SystemExit(f"the batch ended with code {process.exitcode}")
    return process.exitcode != 0


def _finished(results: Path) -> set[str]:
    """Files whose rows are all there."""
    if not results.exists():
        return set()
    journal = Journal(results, resume=True)
    journal.close()
    return set(journal.files())


def _log(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines() if path.exists() else []


def main() -> int:
    """Prints what became of the pictures; returns 1 when one was lost, read twice or is not reported."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--pictures", type=int, default=300)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    paths = mixed_pictures(given.data, given.pictures)
    make = partial(KeptEngine, given.cache) if given.cache else partial(Engine, threads=1)
    reader = EngineReader(make, ExtractOptions(evidence=True))  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory() as folder:
        return _report(paths, reader, Path(folder), given.kills, random.Random(given.seed))


def _report(paths: Sequence[str], reader: Reader, folder: Path, kills: int, rng: random.Random) -> int:
    calm = folder / "calm.jsonl"
    start = time.monotonic()
    _killed(paths, reader, folder / "calm.txt", calm, after=None)
    whole = time.monotonic() - start
    right = calm.read_bytes()
    lost = twice = changed = done = rounds = 0
    while done < kills:
        rounds += 1
        results, log = folder / f"{rounds}.jsonl", folder / f"{rounds}.txt"
        running = True
        while running:
            before, read = _finished(results), len(_log(log))
            after = rng.uniform(0, 2.5 * whole / kills) if done < kills else None
            running = _killed(paths, reader, log, results, after)
            done += running
            twice += len(before & set(_log(log)[read:]))
        rows = list(read_rows(results))
        lost += len(set(paths) - {row.file for row in rows})
        changed += results.read_bytes() != right
    print(
        f"{len(paths)} pictures, {_JOBS} jobs, {whole:.0f} s undisturbed; {done} kills in {rounds} batches: "
        f"{lost} lost or unreported, {twice} read twice, {changed} batches with other rows than undisturbed"
    )
    return bool(lost or twice or changed)


if __name__ == "__main__":
    sys.exit(main())

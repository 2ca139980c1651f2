"""Kills a batch with SIGKILL at random moments and resumes it: is an image lost, or read twice?

    python -m benchmarks.protocols.batch_kills --data DIR [--pictures 300] [--kills 10] [--report FILE.md]
    … --data DIR --cache .cache/ocr       interprets cached readings of the images

It runs the command itself, `extract … --jobs 2 --resume -o FILE.jsonl`; a kill ends its whole process group,
workers included. An image counts as read twice when it was read again although its rows were in the results
file when the command was restarted. At the end the file is compared, byte by byte, with that of an
undisturbed batch.
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
from dataclasses import asdict, dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.kept_engine import KeptEngine, mixed_pictures
from benchmarks.machine import facts
from receipt_engine import batch
from receipt_engine.batch import EngineReader, Extracted, Journal, read_rows
from receipt_engine.batch.workers import Read, Reader, Source
from receipt_engine.cli import main as receipt_engine
from receipt_engine.cli.exit_codes import FAILED, OK
from receipt_engine.options import ExtractOptions

_JOBS = 2
#: Mean time from the first reading to a kill, as a multiple of the undisturbed time divided by the number of
#: kills: nearly all kills fall into one batch. Every `_LOADING`th kill happens while models are loading.
_PACE = 0.8
_LOADING = 5
#: Seconds between checks whether an image is being read.
_POLL = 0.02


@dataclass(frozen=True)
class _Logging:
    """Reads with `reader`, and appends the time and name of every file read to `log`."""

    reader: Reader
    log: Path

    def __call__(self) -> Read:
        return partial(self._read, self.reader())

    def _read(self, read: Read, source: Source) -> tuple[Extracted, ...]:
        # A single write: several processes append to the file.
        handle = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(handle, f"{time.time()} {source!s}\n".encode())
        os.close(handle)
        return read(source)


@dataclass(frozen=True)
class _Command:
    """The command line over `paths`; its workers log each file read. cache: of readings; None: run OCR."""

    paths: Sequence[str]
    cache: Path | None

    def __call__(self, results: Path, log: Path) -> None:
        """Runs in a separate process, which leads a process group."""
        os.setsid()

        def reader(make: Any, options: ExtractOptions, deadline: float | None) -> _Logging:
            engine: Any = partial(KeptEngine, self.cache) if self.cache else make
            return _Logging(EngineReader(engine, options, deadline), log)

        batch.EngineReader = reader  # type: ignore[misc, assignment]
        settings = ["--jobs", str(_JOBS), "--resume", "--no-memory"]
        sys.exit(receipt_engine(["extract", *self.paths, *settings, "-o", str(results)]))


def _killed(command: _Command, results: Path, log: Path, after: float | None, *, loading: bool) -> bool:
    """Whether the batch was killed `after` seconds from its start (loading) or from its first reading; False
    when it ended before. after: None lets it run to the end."""
    read = len(_log(log))
    process = get_context("spawn").Process(target=command, args=(results, log))
    process.start()
    while after is not None and not loading and process.exitcode is None and len(_log(log)) == read:
        process.join(_POLL)
    process.join(after)
    assert process.pid is not None
    if process.exitcode is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:  # too early: it leads no group yet and has no workers
            os.kill(process.pid, signal.SIGKILL)
    process.join()
    if process.exitcode not in (OK, FAILED, -signal.SIGKILL):
        raise SystemExit(f"the batch ended with code {process.exitcode}")
    return process.exitcode == -signal.SIGKILL


def _finished(results: Path) -> set[str]:
    """Files whose rows are complete."""
    if not results.exists():
        return set()
    journal = Journal(results, resume=True)
    journal.close()
    return set(journal.files())


def _log(path: Path) -> list[str]:
    """The files read, in the order in which reading began."""
    return [line.partition(" ")[2] for line in _lines(path)]


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines() if path.exists() else []


@dataclass
class Outcome:
    """Counts over all batches. whole: seconds of the undisturbed batch; again: readings that a kill
    interrupted and that were repeated; loading: kills before the first image was read; changed: batches whose
    file differs from the undisturbed one's."""

    pictures: int
    whole: float = 0.0
    kills: int = 0
    batches: int = 0
    loading: int = 0
    again: int = 0
    lost: int = 0
    twice: int = 0
    changed: int = 0
    #: Rows in the file after each kill.
    rows: list[int] = field(default_factory=list)

    @property
    def faults(self) -> int:
        return self.lost + self.twice + self.changed


def disturb(command: _Command, folder: Path, kills: int, rng: random.Random) -> Outcome:
    """Runs the batch once undisturbed, then repeatedly until it has been killed `kills` times."""
    found = Outcome(len(command.paths))
    calm, calm_log = folder / "calm.jsonl", folder / "calm.txt"
    start = time.time()
    _killed(command, calm, calm_log, after=None, loading=False)
    found.whole = time.time() - start
    first = float(_lines(calm_log)[0].partition(" ")[0]) - start
    right = calm.read_bytes()
    while found.kills < kills:
        found.batches += 1
        results, log = folder / f"{found.batches}.jsonl", folder / f"{found.batches}.txt"
        running = True
        while running:
            before, read = _finished(results), len(_log(log))
            loading = found.kills % _LOADING == _LOADING - 1
            longest = first if loading else 2 * _PACE * (found.whole - first) / kills
            after = longest * rng.random() if found.kills < kills else None
            running = _killed(command, results, log, after, loading=loading)
            found.kills += running
            found.loading += running and len(_log(log)) == read
            found.twice += len(before & set(_log(log)[read:]))
            if running:
                found.rows.append(len(_finished(results)))
        found.lost += len(set(command.paths) - {row.file for row in read_rows(results)})
        found.again += len(_log(log)) - len(_log(calm_log))
        found.changed += results.read_bytes() != right
    return found


def report(found: Outcome, measured: dict[str, str], load: float) -> str:
    """The report as Markdown; it holds only numbers."""
    lines = [f"- {name}: {value}" for name, value in measured.items()]
    counts = {
        "pictures, read by two jobs": found.pictures,
        "`kill -9` of the process group": found.kills,
        "of them while the models were loading": found.loading,
        "batches": found.batches,
        "**lost or unreported**": found.lost,
        "**read twice**": found.twice,
        "**files with other bytes than the undisturbed one's**": found.changed,
        "readings that a kill cut off, begun anew": found.again,
    }
    return "\n".join(
        (
            "# A batch killed at random moments",
            "",
            "`receipt-engine extract … --jobs 2 --resume -o FILE.jsonl` over mixed development pictures, the",
            "whole process group killed with SIGKILL, started again with the same words, and so on",
            "(`python -m benchmarks.protocols.batch_kills`).",
            "",
            *lines,
            f"- load of the machine at the end: {load:.1f}",
            f"- undisturbed: {found.whole:.0f} s",
            "",
            "| | |",
            "|---|---:|",
            *(f"| {name} | {count} |" for name, count in counts.items()),
            "",
            f"Files with their rows after each kill: {', '.join(map(str, found.rows))}.",
            "",
        )
    )


def main() -> int:
    """Prints the counts; returns 1 when an image was lost or read twice, or a results file differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--sets", help="names of sets, separated by commas; all when absent")
    parser.add_argument("--pictures", type=int, default=300)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path)
    given = parser.parse_args()
    measured = facts()
    paths = mixed_pictures(given.data, given.pictures, given.sets and given.sets.split(","))
    with tempfile.TemporaryDirectory() as folder:
        command = _Command(paths, given.cache)
        found = disturb(command, Path(folder), given.kills, random.Random(given.seed))
    print(asdict(found))
    if given.report:
        given.report.write_text(report(found, measured, os.getloadavg()[0]), encoding="utf-8")
    return bool(found.faults)


if __name__ == "__main__":
    sys.exit(main())

"""Checks whether a process grows over thousands of images: `python -m benchmarks.protocols.worker_memory`.

    … --data DIR --cache .cache/ocr [--pictures 2000]     interprets cached readings
    … --data DIR --pictures 300 --settled 100             reads the images

It runs a batch with one worker, whose process is replaced as in every batch. Images come in one random order,
repeated in other orders when there are fewer than requested. It compares the mean of the worker's memory over
the 50 images before it should have settled (the 200th) with that over the last 50.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import mean

from benchmarks.kept_engine import KeptEngine, mixed_pictures
from receipt_engine.batch import EngineReader, Extracted
from receipt_engine.batch.row import Failure
from receipt_engine.batch.workers import Read, Source, Workers
from receipt_engine.engine import Engine
from receipt_engine.options import ExtractOptions
from receipt_engine.runtime.memory import release

#: Number of images in each mean.
_MEAN = 50
_SHOWN = 100
_OPTIONS = ExtractOptions(evidence=True)


@dataclass(frozen=True)
class _KeptReader:
    """Reads from the cache, and returns freed memory to the system after each image as an engine does."""

    cache: Path

    def __call__(self) -> Read:
        read = EngineReader(partial(KeptEngine, self.cache), _OPTIONS)()  # type: ignore[arg-type]

        def released(source: Source) -> tuple[Extracted, ...]:
            try:
                return read(source)
            finally:
                release()

        return released


def _megabytes() -> float | None:
    """Resident memory of the worker; None when it has just been replaced."""
    for worker in multiprocessing.active_children():
        pages = int(Path(f"/proc/{worker.pid}/statm").read_text("ascii").split()[1])
        return pages * 4096 / 1e6
    return None


def main() -> None:
    """Prints the growth in per cent, and the memory along the way."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--sets", help="names of sets, separated by commas; all when absent")
    parser.add_argument("--pictures", type=int, default=2000)
    parser.add_argument("--settled", type=int, default=200)
    given = parser.parse_args()
    rng = random.Random(1)
    known = mixed_pictures(given.data, given.pictures, given.sets and given.sets.split(","))
    paths: list[str] = []
    while len(paths) < given.pictures:
        paths += rng.sample(known, len(known))
    reader = _KeptReader(given.cache) if given.cache else EngineReader(partial(Engine, threads=1), _OPTIONS)
    used: list[float | None] = []
    failed = 0
    with Workers(reader, 1) as workers:
        for number, outcome in workers.run(enumerate(paths[: given.pictures], 1)):
            failed += isinstance(outcome, Failure)
            used.append(_megabytes())
            if number % _SHOWN == 1:
                held = "replaced just now" if used[-1] is None else f"{used[-1]:.0f} MB"
                print(f"{number} pictures, {failed} failed: {held}", flush=True)
    early, late = (mean(filter(None, part)) for part in (used[: given.settled][-_MEAN:], used[-_MEAN:]))
    growth = 100 * (late / early - 1)
    most = max(filter(None, used[given.settled :]))
    print(
        f"{early:.1f} MB before the {given.settled}th, {late:.1f} MB at the end: {growth:+.1f} %; "
        f"at most {most:.1f} MB after it"
    )


if __name__ == "__main__":
    main()

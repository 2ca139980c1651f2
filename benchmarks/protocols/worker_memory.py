"""Whether a process that reads thousands of pictures grows: `python -m benchmarks.protocols.worker_memory`.

    … --data DIR --cache .cache/ocr [--pictures 2000]     interpreting what the cache keeps
    … --data DIR --pictures 300 --settled 100             reading them

One process does what a worker of a batch does. Pictures come in an order drawn once, and again in another
order when there are fewer than asked for. Compared are the means of its memory over the 50 pictures before
it should have settled (the 200th) and over the last 50.
"""

from __future__ import annotations

import argparse
import random
from functools import partial
from pathlib import Path

from benchmarks.kept_engine import KeptEngine, mixed_pictures
from receipt_engine.batch import EngineReader
from receipt_engine.batch.workers import outcome
from receipt_engine.engine import Engine
from receipt_engine.options import ExtractOptions
from receipt_engine.runtime.memory import release

#: Pictures of a mean.
_MEAN = 50
_SHOWN = 100


def _megabytes() -> float:
    """Memory of this process that is in use, as the system counts it."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4096 / 1e6


def main() -> None:
    """Prints the growth in percent, and the memory on the way."""
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
    make = partial(KeptEngine, given.cache) if given.cache else partial(Engine, threads=1)
    read = EngineReader(make, ExtractOptions(evidence=True))()  # type: ignore[arg-type]
    used: list[float] = []
    for number, path in enumerate(paths[: given.pictures], 1):
        outcome(read, path)
        release()  # as after every picture that is read
        used.append(_megabytes())
        if number % _SHOWN == 0:
            print(f"{number} pictures: {used[-1]:.0f} MB", flush=True)
    early = sum(used[given.settled - _MEAN : given.settled]) / _MEAN
    late = sum(used[-_MEAN:]) / _MEAN
    growth = 100 * (late / early - 1)
    print(f"{early:.1f} MB before the {given.settled}th, {late:.1f} MB at the end: {growth:+.1f} %")


if __name__ == "__main__":
    main()

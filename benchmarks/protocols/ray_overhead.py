"""What Ray Data adds to reading a picture: `python -m benchmarks.protocols.ray_overhead`, on this machine.

The engine is stood in for by one that gives the same Result at once, so that all that is measured is what
is around it: fetching the file, tasks, and rows on their way. Starting is left out: it is the difference of a
long and a short run, of which the least of three counts.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from receipt_engine.batch import Extracted
from receipt_engine.batch.workers import Read, Source
from receipt_engine.engine import Engine
from receipt_engine.options import ExtractOptions

EXAMPLE = Path(__file__).parents[2] / "examples" / "receipt.jpg"


class _Instant:
    """A reader that has read its only receipt before."""

    def __init__(self) -> None:
        options = ExtractOptions(region="us", evidence=True)
        self._result = Engine().extract_all(EXAMPLE, options)[0]

    def __call__(self) -> Read:
        return self._read

    def _read(self, source: Source) -> tuple[Extracted, ...]:
        return (Extracted(self._result),)


def _seconds(paths: list[str], reader: _Instant) -> float:
    """From the dataset to the last row, with one actor."""
    import ray.data

    from receipt_engine.ray import extract

    start = time.perf_counter()
    rows = extract(ray.data.from_items([{"path": path} for path in paths]), reader, actors=1)
    count = sum(1 for _ in rows.iter_rows())
    assert count == len(paths), count
    return time.perf_counter() - start


def main() -> None:
    """Prints milliseconds a picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=1000)
    pictures = parser.parse_args().pictures
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200_000_000)
    ray.data.DataContext.get_current().enable_progress_bars = False
    reader = _Instant()
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / f"{n}.jpg") for n in range(pictures)]
        for path in paths:
            Path(path).write_bytes(EXAMPLE.read_bytes())
        few = pictures // 5
        long = min(_seconds(paths, reader) for _ in range(3))
        short = min(_seconds(paths[:few], reader) for _ in range(3))
    print(f"{1000 * (long - short) / (pictures - few):.1f} ms a picture ({long:.1f} s, {short:.1f} s)")
    ray.shutdown()


if __name__ == "__main__":
    main()

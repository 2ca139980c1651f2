"""Measures the overhead of Ray Data per image: `python -m benchmarks.protocols.ray_overhead`.

The engine is replaced by one that returns the same Result at once, so that only the rest is measured:
fetching the file, tasks, and the transfer of rows. Start-up is left out: the figure is the difference between
a long and a short run, taking the fastest of three each.
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
    """A reader that returns the Result of a receipt read beforehand."""

    def __init__(self) -> None:
        options = ExtractOptions(region="us", evidence=True)
        self._result = Engine().extract_all(EXAMPLE, options)[0]

    def __call__(self) -> Read:
        return self._read

    def _read(self, source: Source) -> tuple[Extracted, ...]:
        return (Extracted(self._result),)


def _seconds(paths: list[str], reader: _Instant) -> float:
    """Seconds from the dataset to the last row, with one actor."""
    import ray.data

    from receipt_engine.ray import extract

    start = time.perf_counter()
    rows = extract(ray.data.from_items([{"path": path} for path in paths]), reader, actors=1)
    count = sum(1 for _ in rows.iter_rows())
    assert count == len(paths), count
    return time.perf_counter() - start


def main() -> None:
    """Prints milliseconds per image."""
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

"""Measures how late an extraction ends: `python -m benchmarks.protocols.deadlines --data DIR`.

Every image is first read completely, then stopped at random moments within that time, alternately by a
deadline and by a `Cancellation`. Lateness is the time from that moment until the call has raised.
"""

from __future__ import annotations

import argparse
import random
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.kept_engine import mixed_pictures
from receipt_engine.engine import Engine
from receipt_engine.errors import ImageError, StoppedError
from receipt_engine.runtime.stopping import Cancellation


def lateness(extract: Callable[..., Any], picture: str, times: int, rng: random.Random) -> Iterator[float]:
    """Seconds of lateness, for each of `times` stops that came before the image was read."""
    start = time.monotonic()
    extract(picture)
    whole = time.monotonic() - start
    for number in range(times):
        after = rng.uniform(0.01, 1.0) * whole
        cancel = Cancellation()
        alarm = threading.Timer(after, cancel.cancel)
        start = time.monotonic()
        try:
            if number % 2:
                alarm.start()
                extract(picture, cancel=cancel)
            else:
                extract(picture, deadline=after)
        except StoppedError:
            yield time.monotonic() - start - after
        finally:
            alarm.cancel()


def main() -> None:
    """Prints the lateness: median, 95th percentile, maximum."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pictures", type=int, default=12)
    parser.add_argument("--times", type=int, default=4, help="ends of each picture")
    given = parser.parse_args()
    rng = random.Random(1)
    engine = Engine(threads=1)
    engine.warm_up()
    late: list[float] = []
    for picture in mixed_pictures(given.data, given.pictures, None):
        try:
            late += lateness(engine.extract, picture, given.times, rng)
        except ImageError:
            continue
    late.sort()
    median, most = statistics.median(late), late[int(0.95 * (len(late) - 1))]
    print(
        f"{len(late)} ends, seconds late: median {median:.3f}, 95 % within {most:.3f}, latest {late[-1]:.3f}"
    )


if __name__ == "__main__":
    main()

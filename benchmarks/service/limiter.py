"""Measures memory and time of the login rate limiter when very many names are tried.

python -m benchmarks.service.limiter --names 1000000
"""

from __future__ import annotations

import argparse
import sys
import time
import tracemalloc

from receipt_engine.service.codes import Refusal
from receipt_engine.service.http.limits import RateLimiter

_MOST_BYTES = 20_000_000
_MOST_SECONDS = 0.0001


def seconds_an_attempt(names: int) -> float:
    """Seconds per attempt, each from another address with another name, counted as the login page does."""
    limiter = RateLimiter(time.monotonic)
    began = time.perf_counter()
    for number in range(names):
        try:
            limiter.take("from", f"203.0.113.{number}", 30 / 900, 30)
            limiter.take("name", f"{number} {'x' * 190}", 10 / 900, 10)
        except Refusal:
            continue
    return (time.perf_counter() - began) / names


def peak_bytes(names: int) -> int:
    """Peak memory of the limiter."""
    tracemalloc.start()
    seconds_an_attempt(names)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def main(arguments: list[str] | None = None) -> int:
    """Prints both; returns 1 when one exceeds its limit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--names", type=int, default=1_000_000)
    names = parser.parse_args(arguments).names
    seconds, peak = seconds_an_attempt(names), peak_bytes(names)
    print(f"{names} names: {seconds * 1e6:.1f} microseconds an attempt, {peak / 1e6:.1f} MB at most")
    return int(seconds > _MOST_SECONDS or peak > _MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())

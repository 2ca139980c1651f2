"""Extracts images in a pool of processes: `python examples/worker_pool.py FILE…`.

Each process loads an engine once. `receipt_engine.batch` does the same with a results file that survives
kills; this example is for a program that already has a pool.
"""

from __future__ import annotations

import sys
from multiprocessing import get_context

from receipt_engine import Engine, ReceiptEngineError

_engine: Engine


def start() -> None:
    """Loads the engine; runs once in each process."""
    global _engine
    _engine = Engine(threads=1)


def read(path: str) -> tuple[str, str]:
    """Extracts one image; returns (path, total or error)."""
    try:
        result = _engine.extract(path, deadline=60)
    except (ReceiptEngineError, OSError) as error:
        return path, f"{type(error).__name__}: {error}"
    return path, f"{result.total} {result.currency}"


def main(paths: list[str], processes: int = 2) -> None:
    # Use spawn, because an engine that was loaded before a fork refuses to extract.
    with get_context("spawn").Pool(processes, start) as pool:
        for path, found in pool.imap_unordered(read, paths):
            print(f"{path}: {found}")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Times the whole `Engine.extract` against stock rapidocr: same run, same images, in turns.

rapidocr only reads text; the engine also finds barcodes, interprets and checks. Both read each image, one
right after the other, alternating which is first. CPU time is that of all threads. The share of time outside
the models is measured separately, with one thread. Peak memory is that of a fresh process that loads one
engine and reads the same images.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.table import Cell, Kind, Table, interval
from receipt_engine.errors import ImageError

Extract = Callable[[Path], object]
OURS, THEIRS = "receipt_engine", "rapidocr"
#: Seconds between two runs, so that the previous engine's threads become idle.
_PAUSE = 0.05
_SEED = 20240229


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds for one image."""

    wall: float
    cpu: float


def load(name: str, threads: int | None = None) -> Extract:
    """One of the two engines, ready to read. It is imported here, so that a process need hold only one."""
    if name == OURS:
        from receipt_engine.engine import Engine

        engine = Engine(threads=threads)
        return lambda picture: engine.extract(picture)
    from rapidocr import RapidOCR

    reader = RapidOCR()
    return lambda picture: reader(str(picture))


def timed(extract: Extract, picture: Path) -> Cost:
    """The cost of one image; for an unreadable image, the cost until the error."""
    wall, cpu = time.perf_counter(), time.process_time()
    with suppress(ImageError):
        extract(picture)
    return Cost(time.perf_counter() - wall, time.process_time() - cpu)


def in_turns(first: Extract, second: Extract, pictures: Sequence[Path]) -> list[tuple[Cost, Cost]]:
    """Costs (first, second) of each image, after one uncounted image each to warm up."""
    for extract in (first, second):
        timed(extract, pictures[0])
    costs: list[tuple[Cost, Cost]] = []
    for number, picture in enumerate(pictures):
        pair: dict[int, Cost] = {}
        for which in (0, 1) if number % 2 == 0 else (1, 0):
            time.sleep(_PAUSE)
            pair[which] = timed((first, second)[which], picture)
        costs.append((pair[0], pair[1]))
        print(f"{number + 1}/{len(pictures)} pictures timed", file=sys.stderr, flush=True)
    return costs


def measure(pictures: Sequence[Path]) -> list[Table]:
    """Times, their ratio, the share outside the models, and memory. Takes minutes."""
    costs = in_turns(load(OURS), load(THEIRS), pictures)
    return [time_table(costs), _share_table(pictures), _memory_table(pictures)]


def time_table(costs: Sequence[tuple[Cost, Cost]]) -> Table:
    """Medians of both, and the ratios of the first to the second."""
    columns: dict[str, Kind] = {
        "time": "text",
        f"{OURS} median s": "score",
        f"{THEIRS} median s": "score",
        "ratio of totals": "score",
        "95 % interval": "text",
        "median ratio": "score",
        "middle half": "text",
    }
    rows: list[list[Cell]] = []
    for kind in ("wall", "cpu"):
        pairs = np.array([[getattr(cost, kind) for cost in pair] for pair in costs])
        ratios = pairs[:, 0] / pairs[:, 1]
        low, high = np.percentile(ratios, [25, 75])
        rows.append(
            [
                kind,
                float(np.median(pairs[:, 0])),
                float(np.median(pairs[:, 1])),
                float(pairs[:, 0].sum() / pairs[:, 1].sum()),
                interval(_ratio_interval(pairs), "score"),
                float(np.median(ratios)),
                interval((float(low), float(high)), "score"),
            ]
        )
    return Table(f"Time of {len(costs)} pictures, in turns", columns, rows, "Below 1: faster than rapidocr.")


def _ratio_interval(pairs: np.ndarray) -> tuple[float, float]:
    """95 % percentile bootstrap of the ratio of totals, over images."""
    picks = np.random.default_rng(_SEED).integers(0, len(pairs), size=(1000, len(pairs)))
    sums = pairs[picks].sum(axis=1)
    low, high = np.percentile(sums[:, 0] / sums[:, 1], [2.5, 97.5])
    return (float(low), float(high))


@contextmanager
def model_clock() -> Iterator[list[float]]:
    """Yields a list that collects the seconds of every model run while the block lasts."""
    from receipt_engine.runtime.onnx import OnnxGraph

    original = OnnxGraph.run
    seconds: list[float] = []

    def run(graph: OnnxGraph, *arguments: object, **named: object) -> object:
        start = time.perf_counter()
        result = original(graph, *arguments, **named)  # type: ignore[arg-type]
        seconds.append(time.perf_counter() - start)
        return result

    OnnxGraph.run = run  # type: ignore[method-assign, assignment]
    try:
        yield seconds
    finally:
        OnnxGraph.run = original  # type: ignore[method-assign]


def _share_table(pictures: Sequence[Path]) -> Table:
    """The share of time spent outside the models."""
    extract = load(OURS, threads=1)
    timed(extract, pictures[0])
    shares: list[float] = []
    whole = inside = 0.0
    for picture in pictures:
        with model_clock() as seconds:
            wall = timed(extract, picture).wall
        shares.append(1 - sum(seconds) / wall)
        whole, inside = whole + wall, inside + sum(seconds)
    columns: dict[str, Kind] = {
        "pictures": "count",
        "outside %": "share",
        "median %": "share",
        "95th %": "share",
    }
    row: list[Cell] = [
        len(pictures),
        1 - inside / whole,
        *(float(v) for v in np.percentile(shares, [50, 95])),
    ]
    return Table("Time outside the models, one thread", columns, [row])


def _memory_table(pictures: Sequence[Path]) -> Table:
    columns: dict[str, Kind] = {"engine": "text", "peak MB": "number"}
    rows: list[list[Cell]] = [[name, peak_memory(name, pictures)] for name in (OURS, THEIRS)]
    return Table("Peak memory of a process", columns, rows)


def peak_memory(name: str, pictures: Sequence[Path]) -> float:
    """Peak memory in megabytes (10^6 bytes) of a fresh process, code and models included."""
    command = [sys.executable, "-m", "benchmarks.protocols.speed", name, *map(str, pictures)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def _report_memory(name: str, pictures: Sequence[Path]) -> None:
    """Runs in the child process: reads every image and prints the peak memory in megabytes."""
    extract = load(name)
    for picture in pictures:
        timed(extract, picture)
    print(_peak_kilobytes() * 1024 / 1e6)


def _peak_kilobytes() -> int:
    """Peak memory of this program alone: on Linux, getrusage also counts the process that started it."""
    status = Path("/proc/self/status")
    if status.is_file():
        peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(peak.split()[1])
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    _report_memory(sys.argv[1], [Path(argument) for argument in sys.argv[2:]])

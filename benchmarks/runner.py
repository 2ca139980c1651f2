"""Reads and interprets all samples: from the cache where possible, in parallel for larger runs."""

from __future__ import annotations

import gc
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from benchmarks.datasets import Sample
from benchmarks.outcome import Outcome, text_rows
from benchmarks.product import Call, ProductReader, Reader
from benchmarks.reading_cache import Entry, ReadingCache, encode, picture_key, reading_code
from receipt_engine.document import Reading
from receipt_engine.errors import ImageError
from receipt_engine.region import region_codes

T = TypeVar("T")

#: Number of images from which processes are started.
_WORTH_A_POOL = 48
_PROGRESS_SECONDS = 5.0
#: Samples per batch for a process; regions with at most `_WHOLE` samples form one batch; and the garbage
#: collector's threshold in objects.
_BATCH = 4
_WHOLE = 8
_GARBAGE = 50_000


@dataclass(frozen=True, slots=True)
class Setup:
    """How to run, the same for every image.

    cache: folder, None to read every image anew. refresh: read again even if cached.
    retry: read again what ended in an error. use_region: pass the labelled region.
    interpret: False stops after reading; the outcomes then have text but no Result.
    workers: number of processes. make_reader: creates the engine in each.
    """

    cache: Path | None
    refresh: bool = False
    retry: bool = False
    use_region: bool = True
    interpret: bool = True
    workers: int = 2
    make_reader: Callable[[], Reader] = field(default=ProductReader)


def run(samples: Sequence[Sample], setup: Setup) -> list[Outcome]:
    """The outcomes in the order of the samples. Errors of single images are outcomes too."""
    if setup.workers < 2 or len(samples) < _WORTH_A_POOL:
        worker = Worker(setup)
        return list(_with_progress((worker.process(sample) for sample in samples), len(samples)))
    done: dict[int, Outcome] = {}
    for index, outcome in _with_progress(_in_pool(samples, setup), len(samples)):
        done[index] = outcome
    return [done[index] for index in range(len(samples))]


class Worker:
    """One process's engine and cache."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._reader = setup.make_reader()
        self._cache = ReadingCache(setup.cache, self._reader.fingerprint) if setup.cache else None

    def process(self, sample: Sample) -> Outcome:
        """The outcome of one sample. Never raises for an image: its error is in the outcome."""
        try:
            entry = self._entry(sample)
        except Exception as error:
            return Outcome(sample, error=_described(error), expected_error=False)
        if entry.error is not None:
            return Outcome(sample, error=entry.error)
        reading, stale = entry.decode(), entry.code != reading_code()
        rows = text_rows(reading)
        if not self._setup.interpret:
            return Outcome(sample, rows=rows, stale=stale)
        start = time.process_time()
        try:
            result = self._reader.interpret(reading, call_for(sample, self._setup.use_region))
        except Exception as error:
            expected = isinstance(error, ImageError)
            return Outcome(sample, error=_described(error), expected_error=expected, rows=rows, stale=stale)
        elapsed = (time.process_time() - start) * 1000
        return Outcome(sample, result, rows=rows, stale=stale, milliseconds=elapsed)

    def reading(self, sample: Sample) -> Reading:
        """The reading of one image; raises ValueError when reading it failed."""
        return self._entry(sample).decode()

    def _entry(self, sample: Sample) -> Entry:
        key = picture_key(sample.image.read_bytes())
        cached = self._cache.get(key) if self._cache and not self._setup.refresh else None
        if cached is not None and not (self._setup.retry and cached.error):
            return cached
        start = time.perf_counter()
        try:
            reading = self._reader.read(sample.image)
            entry = Entry(reading_code(), time.perf_counter() - start, encode(reading))
        except ImageError as error:
            entry = Entry(reading_code(), time.perf_counter() - start, error=_described(error))
        if self._cache:
            self._cache.put(key, entry)
        return entry


def call_for(sample: Sample, use_region: bool = True) -> Call:
    """The call that a client would make who knows the sample's region and wants the labelled fields."""
    return Call(
        # Receipts of countries without a region file are labelled as well.
        region=sample.region if use_region and sample.region in region_codes() else None,
        document_type="auto" if "documentType" in sample.fields else "receipt",
        custom_fields=tuple(name[13:] for name in sample.fields if name.startswith("customFields.")),
    )


def _described(error: Exception) -> tuple[str, str]:
    return (type(error).__name__, str(error).partition("\n")[0][:200])


_worker: Worker | None = None


def _start_worker(setup: Setup) -> None:
    global _worker
    # Readings and Results are large and have no reference cycles, so there is little garbage to collect.
    gc.set_threshold(_GARBAGE)
    _worker = Worker(setup)


def _work(samples: Sequence[tuple[int, Sample]]) -> list[tuple[int, Outcome]]:
    if _worker is None:
        raise RuntimeError("The process was started without its worker.")
    return [(index, _worker.process(sample)) for index, sample in samples]


def _in_pool(samples: Sequence[Sample], setup: Setup) -> Iterator[tuple[int, Outcome]]:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(setup.workers, context, _start_worker, (setup,)) as pool:
        futures = [pool.submit(_work, batch) for batch in _batches(samples)]
        try:
            for future in as_completed(futures):
                yield from future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _batches(samples: Sequence[Sample]) -> Iterator[list[tuple[int, Sample]]]:
    """Batches of samples with their indices: first each region with few samples as one batch, since a process
    that never gets a region need not load its rules; then the others in small batches."""
    regions: dict[str | None, list[tuple[int, Sample]]] = {}
    for number, sample in enumerate(samples):
        regions.setdefault(sample.region, []).append((number, sample))
    for numbered in sorted(regions.values(), key=len):
        size = len(numbered) if len(numbered) <= _WHOLE else _BATCH
        for start in range(0, len(numbered), size):
            yield numbered[start : start + size]


def _with_progress(results: Iterator[T], total: int) -> Iterator[T]:
    """Passes results on and prints progress to stderr every few seconds."""
    start = last = time.monotonic()
    for number, result in enumerate(results, 1):
        yield result
        now = time.monotonic()
        if now - last >= _PROGRESS_SECONDS:
            last = now
            left = (now - start) / number * (total - number)
            print(f"{number}/{total} pictures, {left / 60:.1f} min left", file=sys.stderr, flush=True)

"""Worker processes that read files, one file at a time each.

Every process is spawned, so it shares nothing with the parent, and gets one file at a time through its own
pipe: when it dies, the parent knows which file it was reading.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import connection, get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import UNSET, structs

from receipt_engine.batch.row import Extracted, Failure
from receipt_engine.errors import ModelError, ReceiptEngineError
from receipt_engine.options import ExtractOptions

if TYPE_CHECKING:
    from receipt_engine.engine import Engine

_log = logging.getLogger(__name__)

Outcome = tuple[Extracted, ...] | Failure
Source = str | bytes
Read = Callable[[Source], tuple[Extracted, ...]]

#: Peak memory of a worker process, in bytes.
BYTES_EACH = 700_000_000
_TRIES = 2
#: Files that a process reads before it is replaced, which takes about two seconds: otherwise heap
#: fragmentation from thousands of images adds up.
_FILES_EACH = 100
#: Seconds that an idle process is given to exit by itself.
_PATIENCE = 3.0


class Reader(Protocol):
    """A picklable object, called once in each process; it returns the function that reads a file."""

    def __call__(self) -> Read: ...


@dataclass(frozen=True)
class EngineReader:
    """Reads with an engine that `make` loads in the process. deadline: seconds allowed per file."""

    make: Callable[[], Engine]
    options: ExtractOptions
    deadline: float | None = None

    def __call__(self) -> Read:
        return partial(_extract, self.make(), self.options, self.deadline)


def _extract(
    engine: Engine, options: ExtractOptions, deadline: float | None, source: Source
) -> tuple[Extracted, ...]:
    # Evidence gives the page that a receipt is on.
    results = engine.extract_all(source, replace(options, evidence=True), deadline=deadline)
    found: list[Extracted] = []
    for result in results:
        page = result.evidence["page"]["number"] if result.evidence else 1
        number = 1 + sum(other.page == page for other in found)
        kept = result if options.evidence else structs.replace(result, evidence=UNSET)
        found.append(Extracted(kept, page, number))
    return tuple(found)


def default_jobs(files: int) -> int:
    """How many processes to start for that many files: one per processor, as far as memory allows."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(files, processors, _free_memory() // BYTES_EACH))


def _free_memory() -> int:
    """Bytes that can be used without swapping; unlimited where the system does not say (not Linux)."""
    free = [1 << 62]
    with suppress(OSError, KeyError, ValueError):
        sizes = dict(line.split(":") for line in Path("/proc/meminfo").read_text("ascii").splitlines())
        free.append(int(sizes["MemAvailable"].split()[0]) * 1024)
    with suppress(OSError, ValueError):  # the limit of a container
        group = Path("/sys/fs/cgroup")
        limit, used = ((group / name).read_text("ascii") for name in ("memory.max", "memory.current"))
        free.append(int(limit) - int(used))
    return min(free)


class Workers:
    """`count` processes, started when they are first needed; a context manager that ends them."""

    def __init__(self, reader: Reader, count: int) -> None:
        self._reader = reader
        self._count = count
        self._workers: list[_Worker] = []

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.end()

    def run(self, tasks: Iterator[tuple[int, Source]]) -> Iterator[tuple[int, Outcome]]:
        """The number and outcome of each task, in the order in which they finish.

        One task is fetched ahead. A process is replaced once it has read `_FILES_EACH` files, or when it
        dies: its task is then tried once more, and becomes a failure if that fails too. Raises ModelError
        when processes do not start.
        """
        again: list[_Task] = []
        following = _first_try(tasks)
        while True:
            while (again or following) and (worker := self._idle()) is not None:
                if again:
                    worker.send(again.pop())
                elif following:
                    worker.send(following)
                    following = None
                # Fetched ahead, so that no process waits for it.
                following = following or _first_try(tasks)
            busy = {worker.pipe: worker for worker in self._workers if worker.busy}
            if not busy:
                return
            for pipe in connection.wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]
                outcome = worker.receive()
                if worker.dead:
                    self._workers.remove(worker)
                    _log.warning("a worker process died and is being replaced")
                    if worker.task.tries < _TRIES:
                        again.append(replace(worker.task, tries=worker.task.tries + 1))
                        continue
                elif worker.answers >= _FILES_EACH:
                    self._workers.remove(worker)
                    worker.end()
                yield worker.task.number, outcome

    def _idle(self) -> _Worker | None:
        """An idle process, started if necessary; None when all of them are busy."""
        worker = next((worker for worker in self._workers if not worker.busy), None)
        if worker is None and len(self._workers) < self._count:
            worker = _Worker(self._reader)
            self._workers.append(worker)
        return worker


@dataclass(frozen=True, slots=True)
class _Task:
    number: int
    source: Source
    tries: int = 1


def _first_try(tasks: Iterator[tuple[int, Source]]) -> _Task | None:
    task = next(tasks, None)
    return None if task is None else _Task(*task)


class _Worker:
    """One process, and its current task."""

    def __init__(self, reader: Reader) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.task = _Task(0, b"")
        self.answers = 0
        self.busy = self.dead = self._ready = False
        self._process: SpawnProcess = context.Process(target=_serve, args=(theirs, reader), daemon=True)
        with _InterruptIgnored():
            self._process.start()
        theirs.close()

    def send(self, task: _Task) -> None:
        self.task, self.busy = task, True
        with suppress(OSError):  # when it has died, `receive` finds the pipe closed
            self.pipe.send(task.source)

    def receive(self) -> Outcome:
        """The outcome of the task; a failure, with `dead` set, when the process died on it."""
        self.busy = False
        try:
            if not self._ready:
                failed = self.pipe.recv()
                if failed is not None:
                    raise failed
                self._ready = True
            outcome: Outcome = self.pipe.recv()
            self.answers += 1
            return outcome
        except (EOFError, OSError):
            self.dead = True
            self.end()
            if not self._ready:
                raise ModelError(
                    f"A worker process ended with code {self._process.exitcode} before it could read "
                    "anything. Use --jobs 1, which needs less memory."
                ) from None
            code = self._process.exitcode or 0
            cause = f"signal {-code}" if code < 0 else f"code {code}"
            return Failure("WorkerDiedError", f"The process that read this file died twice ({cause}).")

    def end(self) -> None:
        """Ends the process: an idle one exits and cleans up by itself when its pipe is closed."""
        self.pipe.close()
        if not self.busy:
            self._process.join(_PATIENCE)
        self._process.terminate()
        self._process.join()


class _InterruptIgnored:
    """Processes started within this context ignore Ctrl-C: the parent receives it, and ends them."""

    def __enter__(self) -> None:
        self._main = threading.current_thread() is threading.main_thread()
        if self._main:
            self._former: Any = signal.signal(signal.SIGINT, signal.SIG_IGN)

    def __exit__(self, *_: object) -> None:
        if self._main:
            signal.signal(signal.SIGINT, self._former)


def _serve(pipe: connection.Connection, reader: Reader) -> None:
    """The main loop of a process: makes its engine, then answers tasks until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        try:
            read = reader()
        except ReceiptEngineError as error:
            pipe.send(error)
            return
        pipe.send(None)
        while True:
            pipe.send(outcome(read, pipe.recv()))
    except (EOFError, OSError):
        return  # the parent has gone


def outcome(read: Read, source: Source) -> Outcome:
    """The outcome of reading a file; any exception becomes a failure."""
    try:
        return read(source)
    except Exception as error:  # of any kind: the other files are still to be read
        if not isinstance(error, ReceiptEngineError | OSError):
            _log.exception("a file could not be read")
        return Failure.of(error)

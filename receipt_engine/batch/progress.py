"""Shows the progress of a batch on standard error: a bar on a terminal, else a line every ten seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TextIO

from receipt_engine.batch.doubts import is_doubtful
from receipt_engine.batch.row import Row

#: Seconds between two lines where there is no terminal.
_EVERY = 10.0


class Tally:
    """The counts so far. files: number of files in all; read: files that gave a receipt."""

    def __init__(self, files: int) -> None:
        self.files = files
        self.read = self.failed = self.receipts = self.doubtful = 0

    @property
    def done(self) -> int:
        return self.read + self.failed

    def add(self, rows: Sequence[Row]) -> None:
        """Counts the rows of one file."""
        results = [row.found for row in rows]
        if any(result is not None for result in results):
            self.read += 1
        else:
            self.failed += 1
        self.receipts += sum(result is not None for result in results)
        self.doubtful += sum(result is not None and is_doubtful(result) for result in results)

    def __str__(self) -> str:
        more = f" ({self.receipts} receipts)" if self.receipts != self.read else ""
        return f"{self.read} read{more}, {self.failed} failed, {self.doubtful} to check"


class Progress(AbstractContextManager["Progress"], Protocol):
    """Shows a tally while it grows."""

    def show(self, tally: Tally) -> None:
        """Called after every file."""
        ...


def progress(files: int, stream: TextIO | None = None) -> Progress:
    """The display that suits `stream`, standard error when None."""
    stream = stream or sys.stderr
    return _Bar(files, stream) if stream.isatty() else _Lines(files, stream)


class _Lines:
    """A line every ten seconds."""

    def __init__(self, files: int, stream: TextIO) -> None:
        self._files = files
        self._stream = stream
        self._start = self._last = time.monotonic()

    def __enter__(self) -> _Lines:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def show(self, tally: Tally) -> None:
        now = time.monotonic()
        if now - self._last < _EVERY or tally.done == tally.files:
            return
        self._last = now
        rate = tally.done / (now - self._start)
        left = _duration((tally.files - tally.done) / rate)
        print(
            f"{tally.done}/{tally.files}: {tally}; {rate:.1f} files/s, {left} left",
            file=self._stream,
            flush=True,
        )


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


class _Bar:
    """A bar with rate and time left, drawn by rich."""

    def __init__(self, files: int, stream: TextIO) -> None:
        # Imported here: reading a single file does not need it.
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.description}"),
            console=Console(file=stream),
            transient=True,
        )
        self._task = self._bar.add_task("loading", total=files, rate="")

    def __enter__(self) -> _Bar:
        self._bar.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.__exit__(None, None, None)

    def show(self, tally: Tally) -> None:
        speed = self._bar.tasks[0].speed
        rate = f"{speed:.1f}/s" if speed else ""
        notes = f"{tally.failed} failed, {tally.doubtful} to check"
        self._bar.update(self._task, completed=tally.done, rate=rate, description=notes)

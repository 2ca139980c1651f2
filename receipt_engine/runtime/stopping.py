"""Ends work in progress on cancellation or deadline: between two steps, and inside a network's call."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from numbers import Real

from receipt_engine.errors import CancelledError, DeadlineError, OptionError, StoppedError


class Cancellation:
    """Ends extractions from another thread: pass it as `cancel`, then call `cancel()`.

    Extractions that have it, now or later, raise CancelledError. Safe to share between threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = False
        self._listeners: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled

    def cancel(self) -> None:
        """Ends every extraction that was given this object. Returns at once."""
        with self._lock:
            self._cancelled = True
            listeners = list(self._listeners)
        for listener in listeners:
            listener()

    @contextmanager
    def _told(self, listener: Callable[[], None]) -> Iterator[None]:
        """Calls `listener` when this is cancelled within the context, or was cancelled before."""
        with self._lock:
            self._listeners.append(listener)
        try:
            if self._cancelled:
                listener()
            yield
        finally:
            with self._lock:
                self._listeners.remove(listener)


class Stop:
    """Tells one extraction whether it must end. Safe to share between its threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reason: StoppedError | None = None
        self._interrupts: list[Callable[[], None]] = []

    def check(self) -> None:
        """Raises CancelledError or DeadlineError once the work must end."""
        if self._reason is not None:
            raise self._reason

    def stop(self, reason: StoppedError) -> None:
        """Ends the work; the first reason counts."""
        with self._lock:
            self._reason = self._reason or reason
            interrupts = list(self._interrupts)
        for interrupt in interrupts:
            interrupt()

    @contextmanager
    def interruptible(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Calls `interrupt` when the work must end within the context, and then raises the reason, whatever
        the interrupted work raised."""
        with self._lock:
            self.check()
            self._interrupts.append(interrupt)
        try:
            yield
        except Exception:
            self.check()
            raise
        finally:
            with self._lock:
                self._interrupts.remove(interrupt)
        self.check()


@contextmanager
def stopping(deadline: float | None, cancel: Cancellation | None) -> Iterator[Stop | None]:
    """A `Stop` for work that may take `deadline` seconds from now and can be cancelled; None when neither is
    given. Raises OptionError for a deadline that is not a positive number or an invalid `cancel`."""
    if deadline is None and cancel is None:
        yield None
        return
    if deadline is not None and not (_is_number(deadline) and 0 < deadline <= threading.TIMEOUT_MAX):
        raise OptionError(f"deadline is {deadline!r}; use a number of seconds above 0, or None.")
    if not isinstance(cancel, Cancellation | None):
        raise OptionError(f"cancel is {cancel!r}; use a Cancellation, or None.")
    stop = Stop()
    timer = threading.Timer(deadline or 0.0, lambda: stop.stop(DeadlineError(_late(deadline))))
    timer.daemon = True
    if deadline is not None:
        timer.start()
    try:
        if cancel is None:
            yield stop
        else:
            with cancel._told(lambda: stop.stop(CancelledError("The extraction was cancelled."))):
                yield stop
    finally:
        timer.cancel()


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _late(deadline: float | None) -> str:
    return f"The picture was not read within {deadline} s. Allow more time or send a smaller picture."

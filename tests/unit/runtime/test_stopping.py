"""Ending work, without any network."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from receipt_engine.errors import CancelledError, DeadlineError
from receipt_engine.runtime.stopping import Cancellation, Stop, stopping


def test_without_a_reason_there_is_nothing_to_ask() -> None:
    with stopping(None, None) as stop:
        assert stop is None


def test_a_call_under_way_is_interrupted() -> None:
    ended = threading.Event()
    with stopping(0.05, None) as stop, pytest.raises(DeadlineError):
        assert stop is not None
        with stop.interruptible(ended.set):
            assert ended.wait(10)
            raise RuntimeError("what the network says then")


def test_an_error_of_the_call_itself_stays() -> None:
    with pytest.raises(RuntimeError, match="broken"), Stop().interruptible(lambda: None):
        raise RuntimeError("broken")


def test_a_cancellation_reaches_all_who_have_it() -> None:
    cancel = Cancellation()
    with stopping(None, cancel) as one, stopping(60, cancel) as other:
        assert one is not None and other is not None
        one.check()
        cancel.cancel()
        for stop in (one, other):
            with pytest.raises(CancelledError):
                stop.check()
    with stopping(None, cancel) as late, pytest.raises(CancelledError):
        assert late is not None
        with late.interruptible(lambda: None):
            raise AssertionError("not reached")


def test_the_first_reason_counts() -> None:
    stop = Stop()
    stop.stop(DeadlineError("late"))
    stop.stop(CancelledError("cancelled"))
    with pytest.raises(DeadlineError):
        stop.check()


def test_nothing_is_left_behind() -> None:
    cancel = Cancellation()
    called: list[Callable[[], None]] = []
    with stopping(60, cancel) as stop:
        assert stop is not None
        with stop.interruptible(lambda: called.append(lambda: None)):
            pass
    cancel.cancel()
    stop.check()
    assert not called

"""What the C library is told about memory, where it can be told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from receipt_engine.runtime import memory


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, ...]]]:
    """The calls of the C library's functions, in their order."""
    calls: list[tuple[str, ...]] = []
    monkeypatch.setattr(memory, "_function", lambda name: lambda *given: calls.append((name, *given)))
    monkeypatch.delenv("MALLOC_ARENA_MAX", raising=False)
    memory.share_heap.cache_clear()
    yield calls
    memory.share_heap.cache_clear()


def test_threads_share_a_heap_which_is_said_once(said: list[tuple[str, ...]]) -> None:
    memory.share_heap()
    memory.share_heap()
    assert said == [("mallopt", -8, 1)]


def test_what_the_user_says_of_heaps_holds(
    said: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MALLOC_ARENA_MAX", "4")
    memory.share_heap()
    assert not said


def test_other_libraries_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_function", lambda _: None)
    memory.share_heap.cache_clear()
    memory.share_heap()
    memory.release()


def test_memory_that_was_freed_is_returned(said: list[tuple[str, ...]]) -> None:
    memory.release()
    assert said == [("malloc_trim", 0)]

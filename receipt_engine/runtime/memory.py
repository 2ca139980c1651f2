"""Keeps the memory that pictures take small where the C library can be told to (glibc), nothing elsewhere."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache

#: glibc's number for "at most so many heaps", and the variable by which a user may say otherwise.
_ARENA_MAX = -8
_SAID_BY_USER = "MALLOC_ARENA_MAX"


def release() -> None:
    """Returns freed memory to the system.

    The networks' large buffers leave holes in the heap: without this a process grows by tens of megabytes
    a picture until it levels off at half as much again.
    """
    trim = _function("malloc_trim")
    if trim is not None:
        trim(0)


@cache
def share_heap() -> None:
    """Lets all threads of the process take memory from one heap.

    A thread's own heap keeps up to 64 megabytes at its end that no `release` returns. Said once a process,
    when the first networks are loaded, unless its environment says how many heaps there may be.
    """
    set_option = _function("mallopt")
    if set_option is not None and _SAID_BY_USER not in os.environ:
        set_option(_ARENA_MAX, 1)


@cache
def _function(name: str) -> Callable[..., int] | None:
    try:
        function: Callable[..., int] = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):
        return None
    return function

"""Keeps the memory used for images small with glibc; does nothing with other C libraries."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache

#: glibc's M_ARENA_MAX option (the most heaps), and the environment variable by which a user may set it.
_ARENA_MAX = -8
_SAID_BY_USER = "MALLOC_ARENA_MAX"


def release() -> None:
    """Returns freed memory to the system.

    The networks' large buffers leave holes in the heap: without this call a process grows by tens of
    megabytes per image until it levels off at one and a half times the size.
    """
    trim = _function("malloc_trim")
    if trim is not None:
        trim(0)


@cache
def share_heap() -> None:
    """Makes all threads of the process allocate from one heap.

    A separate heap of a thread keeps up to 64 megabytes at its end that `release` cannot return. Set once per
    process, when the first networks are loaded, unless its environment sets the number of heaps.
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

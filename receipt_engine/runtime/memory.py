"""Gives memory that a picture needed back to the system."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache


def release() -> None:
    """Returns freed memory to the system where the C library can (glibc); does nothing elsewhere.

    The networks' large buffers leave holes in the heap: without this a process grows by tens of megabytes
    a picture until it levels off at half as much again.
    """
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    try:
        function: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    return function

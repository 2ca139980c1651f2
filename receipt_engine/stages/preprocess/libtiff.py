"""Keeps libtiff from printing: Pillow leaves its handlers as they are, which write to standard error."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from functools import cache
from pathlib import Path

from PIL import _imaging

_MAPPED = Path("/proc/self/maps")
_HANDLERS = ("TIFFSetErrorHandler", "TIFFSetWarningHandler")


@cache
def silence() -> None:
    """Takes libtiff's handlers away, once a process. Does nothing where the library is not found.

    Errors still reach Pillow by what the decoder returns.
    """
    assert _imaging  # which loads the library
    with suppress(OSError, AttributeError):
        lines = _MAPPED.read_text(encoding="utf-8", errors="replace").splitlines()
        for path in sorted({line.split()[-1] for line in lines if "libtiff" in line}):
            library = ctypes.CDLL(path)
            for name in _HANDLERS:
                handler = getattr(library, name)
                handler.argtypes, handler.restype = [ctypes.c_void_p], ctypes.c_void_p
                handler(None)

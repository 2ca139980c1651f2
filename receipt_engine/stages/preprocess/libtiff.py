"""Keeps libtiff from printing: Pillow leaves its default handlers in place, which write to standard error."""

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
    """Removes libtiff's handlers, once per process. Does nothing where the library is not found.

    Errors still reach Pillow through the decoder's return value.
    """
    assert _imaging  # importing it loads the library
    with suppress(OSError, AttributeError):
        lines = _MAPPED.read_text(encoding="utf-8", errors="replace").splitlines()
        for path in sorted({line.split()[-1] for line in lines if "libtiff" in line}):
            library = ctypes.CDLL(path)
            for name in _HANDLERS:
                handler = getattr(library, name)
                handler.argtypes, handler.restype = [ctypes.c_void_p], ctypes.c_void_p
                handler(None)

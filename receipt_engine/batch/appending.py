"""Appends bytes to a file: all of them or none."""

from __future__ import annotations

import os
from io import FileIO
from pathlib import Path

from receipt_engine.errors import named


def open_to_append(path: Path) -> FileIO:
    """Opens the file unbuffered for reading and writing, creating it if missing. Raises OSError."""
    return FileIO(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+")


def claim(file: FileIO) -> bool:
    """Reserves the file for this process until it is closed; False when another process has reserved it.

    Where the system or the file system cannot do that, the file counts as reserved.
    """
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        pass
    return True


def append(file: FileIO, text: bytes, end: int, path: Path) -> None:
    """Writes `text` at `end`, the end of the file, without a buffer.

    Raises OSError, which names `path`, and leaves the file as it was. A disk that is nearly full may accept
    part of a text without an error.
    """
    try:
        file.seek(end)
        rest = text
        while rest:
            rest = rest[file.write(rest) :]
    except OSError as error:
        file.truncate(end)
        raise named(error, path) from error

"""Adds bytes to the end of a file: all of them or none."""

from __future__ import annotations

import os
from io import FileIO
from pathlib import Path

from receipt_engine.errors import named


def open_to_append(path: Path) -> FileIO:
    """The file, made when it is not there, to be read and written without a buffer. Raises OSError."""
    return FileIO(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+")


def append(file: FileIO, text: bytes, end: int, path: Path) -> None:
    """Writes `text` at `end`, where the file ends, with nothing kept back in a buffer.

    Raises OSError, which names `path`, and leaves the file as it was. A disk that is nearly full takes a part
    of a text without an error.
    """
    try:
        file.seek(end)
        rest = text
        while rest:
            rest = rest[file.write(rest) :]
    except OSError as error:
        file.truncate(end)
        raise named(error, path) from error

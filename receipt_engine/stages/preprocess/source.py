"""Opens whatever a caller passes as an image: returns bytes, a Pillow image or an array."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from receipt_engine.errors import ImageTooLargeError, OptionError

#: A path, the bytes of a file, an open binary file, a Pillow image, or an array as accepted by `decode`.
Source = str | os.PathLike[str] | bytes | BinaryIO | Pillow.Image | NDArray[np.uint8]


def never_stop() -> None:
    """A `check` callback that never stops the work."""


class CheckedFile(io.BytesIO):
    """An in-memory file that calls `check` before each read: decoders read in small pieces, so they can be
    stopped."""

    def __init__(self, data: bytes, check: Callable[[], None]) -> None:
        super().__init__(data)
        self._check = check

    def read(self, size: int | None = -1, /) -> bytes:
        self._check()
        return super().read(size)


def open_source(source: Source, max_bytes: int) -> bytes | Pillow.Image | NDArray[np.uint8]:
    """The content of the source: paths and files are read to bytes, images and arrays returned unchanged.

    An open file is read from its current position and stays open. Raises ImageTooLargeError (more than
    max_bytes), OptionError (another type), and for a path or a file the operating system's error:
    FileNotFoundError, IsADirectoryError, PermissionError.
    """
    if isinstance(source, np.ndarray | Pillow.Image):
        return source
    if isinstance(source, bytes | bytearray | memoryview):
        data = bytes(source)
    elif isinstance(source, str | os.PathLike):
        with Path(source).open("rb") as file:
            data = file.read(max_bytes + 1)
    elif hasattr(source, "read"):
        if getattr(source, "closed", False):
            raise OptionError("The file is closed. Pass an open file, or its path.")
        data = source.read(max_bytes + 1)
        if not isinstance(data, bytes):
            raise OptionError("A file must be opened in binary mode: open(path, 'rb').")
        if not data and hasattr(source, "tell") and source.tell():
            raise OptionError("The file has already been read to its end. Rewind it first: file.seek(0).")
    else:
        raise OptionError(
            "A picture must be a path, bytes, an open binary file, a Pillow image or an array, "
            f"not {type(source).__name__}."
        )
    if len(data) > max_bytes:
        raise ImageTooLargeError(f"The file has more than {max_bytes} bytes. Send a smaller one.")
    return data

"""Finds the files to read: names, folders, patterns and standard input, each file once."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

#: Suffixes of the files that are taken from a folder; a file named explicitly may have any.
SUFFIXES = frozenset(
    (
        *(".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp", ".gif", ".avif"),
        *(".heic", ".heif", ".pdf"),
    )
)
STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class Input:
    """A file to read. name: as it is shown and stored, with forward slashes; data: its bytes when they can be
    read only once; path: its path when that is not valid Unicode, so that the name cannot be the same."""

    name: str
    data: bytes | None = None
    path: str | None = None

    def read(self) -> bytes:
        """The bytes; raises OSError."""
        return Path(self.path or self.name).read_bytes() if self.data is None else self.data

    @property
    def source(self) -> str | bytes:
        """The argument for an engine: the path, or the bytes."""
        return (self.path or self.name) if self.data is None else self.data


def find_inputs(paths: Iterable[str | os.PathLike[str]], *, recursive: bool = False) -> tuple[Input, ...]:
    """The files that `paths` name, in their order, those of a folder by name, each once.

    A folder stands for the images in it, with `recursive` also for those in its subfolders. A pattern that
    the shell did not expand (``*.jpg``) is expanded. A path that does not exist is kept: reading it fails.
    """
    found: dict[str, Input] = {}
    for path in paths:
        for file in _expanded(os.fspath(path), recursive):
            key = STANDARD_INPUT if file.name == STANDARD_INPUT else str(Path(file.name).absolute())
            found.setdefault(os.path.normcase(os.path.normpath(key)), file)
    return tuple(found.values())


def _expanded(path: str, recursive: bool) -> Iterator[Input]:
    if path == STANDARD_INPUT:
        yield Input(STANDARD_INPUT, sys.stdin.buffer.read())
        return
    if not os.path.lexists(path) and glob.has_magic(path):
        matching = sorted(glob.glob(path, recursive=True))  # noqa: PTH207  the pattern may be absolute
        for file in matching:
            yield from _files(Path(file), recursive)
        if matching:
            return
    yield from _files(Path(path), recursive)


def _files(path: Path, recursive: bool) -> Iterator[Input]:
    if not path.is_dir():
        # A pipe, as shells make for `<(…)`, ends with this process and is empty when it is opened again.
        yield _input(path, path.read_bytes() if path.is_fifo() else None)
        return
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(_shown(folders)) if recursive else []
        for name in sorted(_shown(files)):
            file = Path(folder) / name
            if file.suffix.lower() in SUFFIXES and not file.is_fifo():
                yield _input(file)


def _input(path: Path, data: bytes | None = None) -> Input:
    """The file at a path. Bytes of its name that are no UTF-8 are shown as escapes: JSON cannot hold them."""
    given = path.as_posix()
    name = os.fsencode(given).decode("utf-8", "backslashreplace")
    return Input(name, data, None if name == given else given)


def _shown(names: Sequence[str]) -> list[str]:
    """The names without hidden ones, such as the ``._`` files of macOS."""
    return [name for name in names if not name.startswith(".")]

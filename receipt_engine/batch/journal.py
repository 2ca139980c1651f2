"""The JSON Lines file that a batch writes as it goes, and that survives a kill of the process at any point.

The rows of a file are appended in one piece as soon as they are known. After a kill the last line may be cut
off, or some rows of the last file may be missing: that file then counts as not read. When the batch ends, the
file is rewritten in the order of its files, with duplicates marked, and replaces the old one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from receipt_engine.batch.appending import append, claim, open_to_append
from receipt_engine.batch.duplicates import Duplicates
from receipt_engine.batch.row import Failure, Row
from receipt_engine.errors import ReceiptEngineError, named


class JournalError(ReceiptEngineError):
    """A results file cannot be resumed or read; names the file and the line."""


class _Head(msgspec.Struct):
    """The part of a row that shows whether its file is complete."""

    file: str
    sha256: str | None
    receipts: int = 1
    error: Failure | msgspec.UnsetType = msgspec.UNSET


@dataclass(frozen=True, slots=True)
class _Place:
    """Position of a file's rows in the journal, in bytes. final: they need not be read again."""

    sha256: str | None
    start: int
    length: int
    final: bool


class Journal:
    """A results file that is being written. Not safe to share between threads or processes."""

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        """Opens `path`, emptied unless `resume`. Raises JournalError when its content is not a results file,
        or another run is writing it, and OSError when it cannot be written."""
        self.path = path
        self._places: dict[str, _Place] = {}
        # By digest, of files that may have other bytes by now: a picture can be renamed, and its name reused.
        self._read: dict[str, _Place] = {}
        self._end = 0
        self._file = open_to_append(path)
        try:
            self._claim()
            if not resume:
                self._file.truncate(0)
            self._load()
        except BaseException:
            self._file.close()
            raise

    def __len__(self) -> int:
        """The number of files with rows."""
        return len(self._places)

    def files(self) -> tuple[str, ...]:
        """The files with rows."""
        return tuple(self._places)

    def has(self, file: str, sha256: str) -> bool:
        """Whether this file, with these bytes, need not be read again."""
        place = self._places.get(file)
        return place is not None and place.sha256 == sha256 and place.final

    def rows(self, file: str) -> tuple[Row, ...]:
        """The rows of a file; raises KeyError when there are none."""
        return self._rows(self._places[file])

    def same_bytes(self, sha256: str) -> tuple[Row, ...]:
        """The final rows of a file with these bytes, whatever its name; none when no such file was read."""
        place = self._read.get(sha256)
        return () if place is None else self._rows(place)

    def append(self, rows: Sequence[Row]) -> None:
        """Appends all rows of one file; they replace its earlier ones.

        Raises OSError, and keeps the existing rows, when they cannot be written completely.
        """
        text = "".join(f"{row.to_json()}\n" for row in rows).encode()
        append(self._file, text, self._end, self.path)
        failure = rows[0].failure
        self._place(rows[0].file, _Place(rows[0].sha256, self._end, len(text), _is_final(failure)))
        self._end += len(text)

    def finish(self, order: Iterable[str]) -> None:
        """Rewrites the rows: first files that are not in `order`, in their present order, then those of
        `order`.

        Without any rows the file is removed. Raises OSError when there is no room for a second copy; the file
        then stays complete and can be resumed.
        """
        if not self._places:
            self.close()
            self.path.unlink()
            return
        wanted = list(dict.fromkeys(order))
        listed = set(wanted)
        names = [name for name in self._places if name not in listed]
        names += [name for name in wanted if name in self._places]
        temporary = self.path.with_name(f"{self.path.name}.new")
        try:
            self._write_anew(temporary, names)
            if os.name == "nt":  # which replaces no open file
                self.close()
            temporary.replace(self.path)
        except OSError as error:
            raise named(error, self.path) from error
        finally:
            self.close()
            temporary.unlink(missing_ok=True)

    def close(self) -> None:
        self._file.close()

    def _write_anew(self, path: Path, names: Iterable[str]) -> None:
        duplicates = Duplicates()
        with path.open("wb") as file:
            for name in names:
                for row in self.rows(name):
                    file.write(f"{duplicates.marked(row).to_json()}\n".encode())
            file.flush()
            os.fsync(file.fileno())

    def _rows(self, place: _Place) -> tuple[Row, ...]:
        self._file.seek(place.start)
        return tuple(map(Row.from_json, self._file.read(place.length).splitlines()))

    def _place(self, file: str, place: _Place) -> None:
        self._places.pop(file, None)  # moves to the end
        self._places[file] = place
        if place.sha256 is not None and place.final:
            self._read.setdefault(place.sha256, place)

    def _claim(self) -> None:
        """Two runs that append to one file would overwrite each other's rows."""
        ours = claim(self._file)
        # A run that ended just after we opened the file has put another in its place.
        if not ours or not os.path.samestat(os.fstat(self._file.fileno()), self.path.stat()):
            raise JournalError(
                f"{self.path}: another run is writing this file. "
                "Wait until it has ended and continue with --resume, or choose another name for the output."
            )

    def _load(self) -> None:
        """Finds the rows of every complete file, and truncates what a kill left unfinished."""
        decoder = msgspec.json.Decoder(_Head)
        start = at = 0
        pending: list[_Head] = []
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n"):
                break
            try:
                head = decoder.decode(line)
            except msgspec.DecodeError as error:
                raise JournalError(
                    f"{self.path}, line {number}: this is not a line of a results file ({error}). "
                    "Choose another name for the output."
                ) from error
            if pending and pending[0].file != head.file:
                pending, start = [], at
            pending.append(head)
            at += len(line)
            if len(pending) == head.receipts:
                failure = None if head.error is msgspec.UNSET else head.error
                self._place(head.file, _Place(head.sha256, start, at - start, _is_final(failure)))
                pending, start = [], at
        self._file.truncate(start)
        self._end = start


def _is_final(failure: Failure | None) -> bool:
    return failure is None or failure.is_final


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a results file, one at a time; an unfinished last line is skipped.

    Raises JournalError when a line is not a row, and OSError when the file cannot be opened.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                yield Row.from_json(line)
            except msgspec.DecodeError as error:
                if not line.endswith(b"\n"):
                    return
                raise JournalError(
                    f"{path}, line {number}: this is not a line of a results file ({error}). "
                    "Results are written by `receipt-engine extract … -o FILE.jsonl`."
                ) from error

"""Runs a batch: chooses the files that are still to be read, has workers read them, and stores the rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import msgspec

from receipt_engine.batch.inputs import Input
from receipt_engine.batch.journal import Journal
from receipt_engine.batch.row import Failure, Row, rows_of
from receipt_engine.batch.workers import Outcome, Reader, Source, Workers


def extract_files(
    inputs: Sequence[Input], reader: Reader, journal: Journal, *, jobs: int
) -> Iterator[tuple[Row, ...]]:
    """Reads the files that are not in `journal`, with `jobs` processes, and appends their rows to it.

    Yields the rows of every file as soon as they are in the journal, first those that were there already.
    Files with the same bytes are read once. A file that cannot be read gives one row with an error. Raises
    ReceiptEngineError when the processes cannot load the engine. The caller calls `journal.finish`.
    """
    run = _Run(inputs, journal)
    with Workers(reader, jobs) as workers:
        outcomes = workers.run(run.tasks())
        while True:
            found = next(outcomes, None)
            yield from run.taken()
            if found is None:
                return
            number, outcome = found
            yield from run.read(number, outcome)


class _Run:
    """Tracks which files wait for one with the same bytes. A digest is taken just before its file is read."""

    def __init__(self, inputs: Sequence[Input], journal: Journal) -> None:
        self._inputs = inputs
        self._journal = journal
        self._digests: dict[int, str] = {}
        self._reading: dict[str, list[int]] = {}  # digest → files with the same bytes, which wait
        self._ready: list[str] = []  # names of files whose rows are in the journal

    def tasks(self) -> Iterator[tuple[int, Source]]:
        """The files to read; the rows of all others are in `taken`."""
        for number, file in enumerate(self._inputs):
            try:
                digest = hashlib.sha256(file.read()).hexdigest()
            except OSError as error:
                self._keep(rows_of(file.name, None, Failure.of(error)))
                continue
            if self._journal.has(file.name, digest):
                self._ready.append(file.name)
            elif digest in self._reading:
                self._reading[digest].append(number)
            elif same := self._journal.same_bytes(digest):
                self._copy(number, same)
            else:
                self._digests[number] = digest
                self._reading[digest] = []
                yield number, file.source

    def taken(self) -> Iterator[tuple[Row, ...]]:
        """The rows that are known without reading, each once."""
        ready, self._ready = self._ready, []
        yield from map(self._journal.rows, ready)

    def read(self, number: int, outcome: Outcome) -> Iterator[tuple[Row, ...]]:
        """The rows of a file that was read, and of those with the same bytes."""
        digest = self._digests.pop(number)
        rows = rows_of(self._inputs[number].name, digest, outcome)
        self._keep(rows)
        for other in self._reading.pop(digest):
            self._copy(other, rows)
        yield from self.taken()

    def _copy(self, number: int, rows: Sequence[Row]) -> None:
        name = self._inputs[number].name
        self._keep(tuple(msgspec.structs.replace(row, file=name) for row in rows))

    def _keep(self, rows: tuple[Row, ...]) -> None:
        self._journal.append(rows)
        self._ready.append(rows[0].file)

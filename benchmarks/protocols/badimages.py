"""Feeds odd and broken images to a reader: each must decode or raise the right typed error, fast and quietly.

    python -m benchmarks.protocols.badimages FOLDER [--reader MODULE:FUNCTION]

FOLDER holds image files and optionally a ``manifest.json``: a list of objects with ``file`` and ``expected``
("accept", "reject", "either" or null). Without it every file of the folder is read and no verdict is checked.
A verdict that rejects a sound GIF, BMP or WebP file for its format applies to the HTTP service, which takes
JPEG and PNG only: it is checked against the service's inspection of the first bytes, not against the reader.
Each file is read in a child process, so that a crash or a hang becomes a row of the table and does not end
the run.
"""

from __future__ import annotations

import argparse
import importlib
import json
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from receipt_engine.errors import ImageError
from receipt_engine.service.http.picture import inspect
from receipt_engine.stages.preprocess.formats import format_of

READER = "receipt_engine.stages.preprocess.decode:decode"
#: Seconds after which a file counts as a hang.
TIME_LIMIT = 10.0


@dataclass(frozen=True)
class Row:
    """One file. outcome: "accept", an error's name, "crash" or "hang"; leak: output printed while reading.

    served: whether the service takes the file, for a format that it should not take; None for others.
    """

    file: str
    expected: str | None
    outcome: str
    message: str = ""
    milliseconds: float = 0.0
    megabytes: float = 0.0
    leak: str = ""
    typed: bool = True
    served: bool | None = None

    @property
    def fault(self) -> str:
        """Why this row is wrong; "" when it is right."""
        if not self.typed:
            return f"untyped {self.outcome}"
        if self.leak:
            return "printed something"
        if self.served is not None and self.expected == "reject":
            return "should be refused by the service" if self.served else ""
        accepted = self.outcome == "accept"
        if self.expected == ("reject" if accepted else "accept"):
            return f"should {self.expected}"
        return ""


def run(folder: Path, reader: str = READER) -> dict[str, Any]:
    """Reads every file; gives counts, the faulty rows, the slowest read, the highest memory and all rows."""
    manifest = folder / "manifest.json"
    if manifest.is_file():
        listed = {entry["file"]: entry.get("expected") for entry in json.loads(manifest.read_text())}
    else:
        listed = {path.name: None for path in sorted(folder.iterdir()) if path.is_file()}
    child = Child(reader)
    try:
        rows = [
            replace(child.read(name, folder / name, expected), served=_served((folder / name).read_bytes()))
            for name, expected in listed.items()
        ]
    finally:
        child.stop()
    return {
        "files": len(rows),
        "table": dict(sorted(Counter(f"{row.expected} -> {row.outcome}" for row in rows).items())),
        "faults": [
            f"{row.file}: {row.fault} ({row.outcome}: {row.message}{row.leak})" for row in rows if row.fault
        ],
        "slowest_ms": max((row.milliseconds for row in rows), default=0.0),
        "peak_mb": max((row.megabytes for row in rows), default=0.0),
        "rows": [asdict(row) for row in rows],
    }


def _served(data: bytes) -> bool | None:
    """Whether the service takes a file whose format it should not take; None for any other file."""
    return None if format_of(data) is None else inspect(data) is not None


class Child:
    """A process that reads files one after another and is replaced when it crashes or hangs.

    reader: "module:function" taking a path or the bytes of a file. first: a sound file that is read before
    the others, so that lazy loading is not timed.
    """

    def __init__(self, reader: str, first: bytes | None = None) -> None:
        self._reader = reader
        self._first = first
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, remote = context.Pipe()
        self._process = context.Process(target=_serve, args=(remote, self._reader), daemon=True)
        self._process.start()
        remote.close()
        self._pipe.recv()  # imports are done
        if self._first is not None:
            self._pipe.send(self._first)
            self._pipe.recv()

    def read(self, name: str, file: Path | bytes, expected: str | None = None) -> Row:
        """The row of a file; name: the row's name for it."""
        failure = "hang"
        try:
            self._pipe.send(file)
            if self._pipe.poll(TIME_LIMIT):
                return Row(name, expected, **self._pipe.recv())
        except (EOFError, OSError):
            failure = "crash"
        self.restart()
        return Row(name, expected, failure, typed=False)

    def restart(self) -> None:
        self.stop()
        self._start()

    def stop(self) -> None:
        self._process.kill()
        self._process.join()


def _serve(pipe: Connection, reader: str) -> None:
    module, function = reader.split(":")
    read = getattr(importlib.import_module(module), function)
    pipe.send("ready")
    while True:
        file = pipe.recv()
        with tempfile.TemporaryFile() as printed:
            kept = os.dup(1), os.dup(2)
            os.dup2(printed.fileno(), 1)
            os.dup2(printed.fileno(), 2)
            start = time.perf_counter()
            outcome, message, typed = "accept", "", True
            try:
                read(file)
            except Exception as error:
                outcome, message, typed = type(error).__name__, str(error), isinstance(error, ImageError)
            elapsed = time.perf_counter() - start
            sys.stdout.flush()
            sys.stderr.flush()
            os.dup2(kept[0], 1)
            os.dup2(kept[1], 2)
            os.close(kept[0])
            os.close(kept[1])
            printed.seek(0)
            leak = printed.read().decode(errors="replace")
        pipe.send(
            {
                "outcome": outcome,
                "message": message,
                "typed": typed,
                "leak": leak,
                "milliseconds": round(elapsed * 1000, 2),
                "megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
            }
        )


def main() -> int:
    """Prints the table; the exit status is 1 when a row is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--reader", default=READER, help="module:function that takes a path")
    parser.add_argument("--rows", action="store_true", help="also print every file")
    arguments = parser.parse_args()
    report = run(arguments.folder, arguments.reader)
    if arguments.rows:
        for row in report["rows"]:
            verdict = f"{row['expected']!s:7} {row['outcome']:22} {row['milliseconds']:8.1f} ms"
            print(verdict, row["file"], row["message"], sep="  ")
    for verdict, count in report["table"].items():
        print(f"{count:5}  {verdict}")
    print(f"{report['files']} files, slowest {report['slowest_ms']} ms, peak memory {report['peak_mb']} MB")
    print(f"{len(report['faults'])} faults", *report["faults"], sep="\n  ")
    return 1 if report["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())

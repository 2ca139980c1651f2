"""Tables of many receipts: what is written is told by the ending of the file's name.

In: the rows of a results file, as often as asked for. Out: a file that people and other programs open.
Texts of a receipt are strangers' texts: no format lets one be taken for a formula.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from receipt_engine.batch.row import Row
from receipt_engine.errors import OptionError
from receipt_engine.export import csv_file, parquet, workbook

__all__ = ["ENDINGS", "JSON_LINES", "check", "ending", "write"]

Rows = Callable[[], Iterable[Row]]
Writer = Callable[[Path, Rows], None]

#: Written by the batch itself.
JSON_LINES = frozenset((".jsonl", ".ndjson"))
_WRITERS: dict[str, Writer] = {
    ".csv": csv_file.write,
    ".xlsx": workbook.write,
    ".parquet": parquet.write,
}
ENDINGS = (".jsonl", *_WRITERS)


def ending(path: Path) -> str:
    """The ending that says what to write."""
    return path.suffix.lower()


def check(path: Path) -> None:
    """Raises OptionError when `path` cannot be written: before hours of reading, not after."""
    if ending(path) not in _WRITERS:
        raise OptionError(f"{path}: a table ends in {', '.join(ENDINGS)}.")
    if ending(path) == ".parquet":
        parquet.check()
    if not path.absolute().parent.is_dir():
        raise OptionError(f"{path}: there is no such folder.")


def write(path: Path, rows: Rows) -> None:
    """Writes the table of `rows`; the old file is replaced only by a whole new one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new{path.suffix}")
    try:
        _WRITERS[ending(path)](temporary, rows)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)

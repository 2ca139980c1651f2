"""Writes tables of many receipts; the suffix of the file's name chooses the format.

In: the rows of a results file, as often as asked for. Out: a file for people and other programs. The text of
a receipt is untrusted: no format lets it be interpreted as a formula.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from receipt_engine.batch.row import Row
from receipt_engine.errors import OptionError, named
from receipt_engine.export import bookings, csv_file, parquet, workbook
from receipt_engine.export.bookings import not_booked

__all__ = ["ENDINGS", "FORMATS", "JSON_LINES", "check", "ending", "not_booked", "write"]

Rows = Callable[[], Iterable[Row]]
Writer = Callable[[Path, Rows], None]

#: Written by the batch itself.
JSON_LINES = frozenset((".jsonl", ".ndjson"))
_WRITERS: dict[str, Writer] = {
    ".csv": csv_file.write,
    ".xlsx": workbook.write,
    ".parquet": parquet.write,
    ".beancount": bookings.write_beancount,
    ".journal": bookings.write_journal,
}
#: Formats that are chosen by name, since they have no suffix of their own.
FORMATS: dict[str, Writer] = {"firefly": bookings.write_firefly, "odoo": bookings.write_odoo}
ENDINGS = (".jsonl", *_WRITERS)


def ending(path: Path) -> str:
    """The suffix that chooses the format."""
    return path.suffix.lower()


def check(path: Path, form: str | None = None) -> None:
    """Raises OptionError when `path` cannot be written: before hours of reading, not after.

    form: one of FORMATS, instead of the one that the suffix chooses.
    """
    if form is None and ending(path) not in _WRITERS:
        raise OptionError(f"{path}: the name of a table must end in one of {', '.join(ENDINGS)}.")
    if form is None and ending(path) == ".parquet":
        parquet.check()
    if not path.absolute().parent.is_dir():
        raise OptionError(f"{path}: its folder does not exist; create it first.")


def write(path: Path, rows: Rows, form: str | None = None) -> None:
    """Writes the table of `rows` in the format of its suffix, or in `form`, one of FORMATS. An old file stays
    until the new one is complete. Raises OSError."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new{path.suffix}")
    try:
        writer = _WRITERS[ending(path)] if form is None else FORMATS[form]
        writer(temporary, rows)
        temporary.replace(path)
    except OSError as error:
        raise named(error, path) from error
    finally:
        temporary.unlink(missing_ok=True)

"""Loads any folder with a ``labels.jsonl`` whose rows have a ``truth`` or ``fields``.

``scripts/make_receipts`` writes such folders. The folder's name is the data set's name.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.datasets import fields_form, truth_form
from benchmarks.datasets.rows import LabelError, Row, read_rows
from benchmarks.datasets.sample import Sample
from receipt_engine.result import Result

_ANY = "_any"
#: Keys for date and time named as in the Result → the names used by the other label files.
_MOMENTS = {"date": "date_iso", "time": "time_iso"}
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?|\d\d:\d\d(?::\d\d)?")
_FIELDS = frozenset((*fields_form.NAMES, *fields_form.MOMENT, *_MOMENTS))
#: A truth may be a whole Result, so keys that are not scored are allowed.
_TRUTH = frozenset((*Result().to_dict(), "customFields", "evidence"))


def samples(folder: Path) -> Iterator[Sample]:
    for row in read_rows(folder):
        if "image" not in row:
            raise LabelError(f"{folder}: the label of {row['id']} names no image.")
        refuse_unknown(row)
        if "truth" in row:
            yield truth_form.sample(row, folder.name, folder / str(row["image"]))
        else:
            yield fields_form.sample(_spelled(row), folder.name, folder)


def refuse_unknown(row: Row) -> None:
    """Raises LabelError for a label key that nothing would score, usually a typing error."""
    for part, known in (("fields", _FIELDS), ("truth", _TRUTH)):
        for key in row.get(part) or ():
            if key.removesuffix(_ANY) not in known:
                close = difflib.get_close_matches(key.removesuffix(_ANY), known, 1)
                hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(sorted(known))}."
                raise LabelError(f"The label of {row['id']}: {part} has no {key}; {hint}")


def _spelled(row: Row) -> Row:
    """The row with its date and time under the keys that `fields_form` expects."""
    fields = dict(row.get("fields") or {})
    for name, known in _MOMENTS.items():
        for key in (name, name + _ANY):
            if key in fields:
                fields[known + key.removeprefix(name)] = _moment(row, key, fields.pop(key))
    return {**row, "fields": fields}


def _moment(row: Row, key: str, value: object) -> object:
    if isinstance(value, list):
        return [_moment(row, key, entry) for entry in value]
    if value and not _ISO.fullmatch(str(value)):
        raise LabelError(f"The label of {row['id']}: {key} is {value!r}; write 2026-03-01 or 10:15.")
    return str(value).replace(" ", "T") if value else ""

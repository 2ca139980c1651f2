"""Any folder with a ``labels.jsonl``: rows with a ``truth``, or with ``fields``.

This is what ``scripts/make_receipts`` writes. The folder's name is the data set's name.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.datasets import fields_form, truth_form
from benchmarks.datasets.rows import LabelError, read_rows
from benchmarks.datasets.sample import Sample


def samples(folder: Path) -> Iterator[Sample]:
    for row in read_rows(folder):
        if "image" not in row:
            raise LabelError(f"{folder}: the label of {row['id']} names no image.")
        if "truth" in row:
            yield truth_form.sample(row, folder.name, folder / str(row["image"]))
        else:
            yield fields_form.sample(row, folder.name, folder)

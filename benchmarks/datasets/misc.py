"""Loads miscellaneous images from many countries. Byte-identical images are counted once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.datasets import fields_form
from benchmarks.datasets.rows import read_rows
from benchmarks.datasets.sample import Sample


def samples(folder: Path) -> Iterator[Sample]:
    for row in read_rows(folder):
        if "same_bytes_as" not in row:
            yield fields_form.sample(row, "misc", folder)

"""Loads a few phone photos, mostly of American supermarket receipts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.datasets import fields_form
from benchmarks.datasets.rows import read_rows
from benchmarks.datasets.sample import Sample


def samples(folder: Path) -> Iterator[Sample]:
    for row in read_rows(folder):
        yield fields_form.sample(row, "trainingdata20", folder)

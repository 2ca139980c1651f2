"""Loads photos of American restaurant receipts; incomplete item lists are not scored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.datasets import fields_form
from benchmarks.datasets.rows import read_rows
from benchmarks.datasets.sample import Sample


def samples(folder: Path) -> Iterator[Sample]:
    for row in read_rows(folder):
        sample = fields_form.sample(row, "srd", folder)
        yield replace(sample, items=None) if "lineItems_partial" in row else sample

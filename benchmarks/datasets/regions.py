"""Loads one fully labelled receipt per region, each as a phone photo and as a clean rendering."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.datasets import truth_form
from benchmarks.datasets.rows import read_rows
from benchmarks.datasets.sample import Sample

FORMS = ("photo", "clean")


def samples(folder: Path) -> Iterator[Sample]:
    for row in read_rows(folder):
        for form in FORMS:
            if form in row:
                image = folder / str(row[form])
                yield truth_form.sample(row, f"regions-{form}", image, f"{row['id']}/{form}")

"""Loads Malaysian flatbed scans: establishment, address, date and total.

The official task compares strings as printed, so these are kept in addition to the parsed labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.datasets import fields_form
from benchmarks.datasets.rows import read_rows
from benchmarks.datasets.sample import Label, Sample

#: Task key → key in ``fields``. The label is compared character by character.
OFFICIAL = {"company": "establishment", "date": "date", "address": "address", "total": "total_raw"}


def samples(folder: Path) -> Iterator[Sample]:
    for row in read_rows(folder):
        fields = row.get("fields") or {}
        official = {
            f"sroie.{task}": Label.of(str(fields[key])) for task, key in OFFICIAL.items() if key in fields
        }
        yield fields_form.sample(row, "sroie", folder, official)

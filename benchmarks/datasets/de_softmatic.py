"""Loads German scans. The merchant label is a short identifier that the name must contain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.datasets import fields_form
from benchmarks.datasets.rows import read_rows
from benchmarks.datasets.sample import Label, Sample


def samples(folder: Path) -> Iterator[Sample]:
    for row in read_rows(folder):
        fields = row.get("fields") or {}
        extra = {}
        if "establishment" in fields:
            name = str(fields.get("merchant_id") or fields["establishment"])
            extra["establishment"] = Label(name, (name,), contained=True)
        yield fields_form.sample(row, "de_softmatic", folder, extra)

"""Loads small web photos from many countries. Names come in parts, any of which is accepted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.datasets import fields_form
from benchmarks.datasets.rows import read_rows
from benchmarks.datasets.sample import Label, Sample


def samples(folder: Path) -> Iterator[Sample]:
    for row in read_rows(folder):
        fields = row.get("fields") or {}
        parts = tuple(str(part) for part in fields.get("establishment_parts", ()))
        extra = {}
        if "establishment" in fields:
            extra["establishment"] = Label.of(str(fields["establishment"]), *parts)
        yield fields_form.sample(row, "wildreceipt", folder, extra)

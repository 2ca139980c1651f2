"""Invented samples and an engine that reads what it is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from invented import FakeReader

from benchmarks.datasets import ItemLabel, Label, Sample, SummaryLabel
from benchmarks.outcome import Outcome
from benchmarks.study import Study
from receipt_engine.result import Result

MakeOutcome = Callable[..., Outcome]


@pytest.fixture
def outcome() -> MakeOutcome:
    """Builds an outcome from labels and a Result; values are what the contract's JSON would hold."""

    def build(
        labels: Mapping[str, Label] | None = None,
        result: Mapping[str, Any] | None = None,
        *,
        identifier: str = "one",
        dataset: str = "set",
        region: str | None = None,
        items: Sequence[ItemLabel] | None = None,
        summary: Sequence[SummaryLabel] | None = None,
        rows: Sequence[str] = (),
        error: tuple[str, str] | None = None,
    ) -> Outcome:
        sample = Sample(
            identifier,
            dataset,
            Path("none.png"),
            region,
            labels or {},
            None if items is None else tuple(items),
            None if summary is None else tuple(summary),
        )
        whole = None if error else {**Result().to_dict(), **(result or {})}
        return Outcome(sample, whole, error=error, rows=tuple(rows))

    return build


@pytest.fixture
def study() -> Callable[[Sequence[Outcome]], Study]:
    return lambda outcomes: Study(outcomes, lambda: outcomes)


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
def write_labels(tmp_path: Path) -> Callable[..., Path]:
    """Writes a labelled folder: rows, and a picture file for each image that they name."""

    def write(name: str, *rows: Mapping[str, Any], text: str = "TOTAL 1.00") -> Path:
        folder = tmp_path / "data" / name
        folder.mkdir(parents=True)
        for row in rows:
            for key in ("image", "photo", "clean"):
                if key in row:
                    (folder / row[key]).write_text(f"{row['id']}\n{row.get('shown', text)}")
        (folder / "labels.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
        return folder

    return write

"""Defines the outcome of one image: its Result or error."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from benchmarks.datasets import Sample, Value
from benchmarks.scoring import fields
from receipt_engine.document import Reading

_across, _down = itemgetter(0), itemgetter(1)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A sample with its Result, or with the error raised instead.

    error: (class, message). expected_error: the error is due to the image, not a crash of the engine.
    rows: the recognised text, top to bottom. milliseconds: processor time of interpreting.
    stale: the reading was made by an earlier version of the reading code.
    """

    sample: Sample
    result: dict[str, Any] | None = None
    error: tuple[str, str] | None = None
    expected_error: bool = True
    rows: tuple[str, ...] = ()
    milliseconds: float = 0.0
    stale: bool = False

    def answer(self, field: str) -> Value:
        """The Result's value of a field; None when there is no Result."""
        return fields.answer(self.result, field) if self.result is not None else None

    def confidence(self, field: str) -> float | None:
        return fields.confidence(self.result, field) if self.result is not None else None

    def judge(self, field: str, *, strict: bool = False) -> fields.Verdict | None:
        """The verdict on a labelled field; None when the strict score does not count it."""
        return fields.judge(self.sample.fields[field], field, self.answer(field), strict=strict)

    def lines(self, key: str) -> list[dict[str, Any]]:
        """``lineItems`` or ``summaryItems`` of the Result; empty without a Result."""
        return list(self.result[key]) if self.result is not None else []


def text_rows(reading: Reading) -> tuple[str, ...]:
    """The spans as rows of text for display: spans at about the same height form a row, left to right."""
    if not reading.spans:
        return ()
    heights = [math.dist(span.quad.top_left, span.quad.bottom_left) for span in reading.spans]
    step = max(1.0, statistics.median(heights) * 0.6)
    placed = [(*span.quad.center, span.text) for span in reading.spans]
    rows: list[list[tuple[float, float, str]]] = []
    for span in sorted(placed, key=_down):
        if rows and span[1] - sum(map(_down, rows[-1])) / len(rows[-1]) <= step:
            rows[-1].append(span)
        else:
            rows.append([span])
    return tuple("  ".join(text for *_, text in sorted(row, key=_across)) for row in rows)

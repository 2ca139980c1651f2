"""A page and an engine that read what they are told."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.product import Call
from receipt_engine.document import Barcode, Char, Quad, Quality, Reading, Span
from receipt_engine.errors import ModelError, NoTextError
from receipt_engine.result import Result


def make_span(text: str, top: float, left: float = 10.0) -> Span:
    """A span of 20 pixels height."""
    right = left + 10.0 * len(text)
    quad = Quad((left, top), (right, top), (right, top + 20.0), (left, top + 20.0))
    chars = tuple(Char(letter, 0.9, 0.0, 1.0, ((letter, 0.9), ("", 0.1))) for letter in text)
    return Span(text, 0.9, quad, chars)


def make_reading(*rows: str) -> Reading:
    """A page with one span a row."""
    spans = tuple(make_span(row, 30.0 * number) for number, row in enumerate(rows))
    barcodes = (Barcode("4006381333931", "EAN-13/UPC-A", spans[0].quad),) if spans else ()
    return Reading(400, 600, (400, 600), 0, Quality(1.0, 0.5, 20.0), spans, barcodes)


@dataclass
class FakeReader:
    """Reads the picture file as text, one row a line; the total is the number behind TOTAL.

    A picture without text has none; one that says BUG makes interpreting fail.
    """

    fingerprint: str = "fake"
    reads: list[Path] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)

    def read(self, image: Path) -> Reading:
        self.reads.append(image)
        text = image.read_text()
        if text == "MODEL":
            raise ModelError("A model is missing.")
        if not text:
            raise NoTextError("No text was found.")
        return make_reading(*text.splitlines())

    def interpret(self, reading: Reading, call: Call) -> dict[str, Any]:
        self.calls.append(call)
        rows = [span.text for span in reading.spans]
        if "BUG" in rows:
            raise KeyError("bug")
        totals = [row.split()[-1] for row in rows if row.startswith("TOTAL")]
        return Result(
            total=Decimal(totals[0]) if totals else None,
            total_confidence=0.95 if totals else None,
            currency="EUR" if call.region == "de" else None,
        ).to_dict()

"""Receipts as text: every character on a grid, so that stages after recognition can be tested alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from receipt_engine.document import Quad, Span
from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import Result
from receipt_engine.stages.recognize.writing import printed, reading_order
from receipt_engine.testing import HEIGHT, PITCH, WIDTH, reading, spans
from receipt_engine.trace import Trace

__all__ = ["HEIGHT", "PITCH", "WIDTH", "from_right", "read", "reading", "spans"]


def read(text: str, region: str | None = None, **options: Any) -> Result:
    """The Result of a receipt printed like this. options: as in `ExtractOptions`."""
    return interpret(reading(text), ExtractOptions(region=region, **options), None, Trace(keep=False))


def from_right(found: Sequence[Span]) -> tuple[Span, ...]:
    """The spans as a till that prints from the right places them: what stood left stands right, each letter
    where it is on paper."""
    width = max(x for span in found for x, _ in span.quad.points)
    return tuple(_turned(span, width) for span in found)


def _turned(span: Span, width: float) -> Span:
    left, right = (width - choose(x for x, _ in span.quad.points) for choose in (max, min))
    top, bottom = (choose(y for _, y in span.quad.points) for choose in (min, max))
    order = [at for at, _ in reading_order(printed(span.text))]
    places = sorted((char.start, char.end) for char in span.chars)
    chars = tuple(
        replace(char, start=places[at][0], end=places[at][1])
        for char, at in zip(span.chars, order, strict=True)
    )
    return replace(span, quad=Quad((left, top), (right, top), (right, bottom), (left, bottom)), chars=chars)

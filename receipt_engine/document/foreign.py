"""Makes a `Reading` from the output of another OCR engine."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from receipt_engine.document.picture import Barcode, Quad, Quality, Reading
from receipt_engine.document.placed_text import PlacedText, quarter_turns, turned, understood
from receipt_engine.document.text_lines import spans_of
from receipt_engine.errors import NoTextError, ReadingError


def reading_of(
    texts: Iterable[PlacedText],
    size: tuple[int, int] | None,
    barcodes: Sequence[Barcode],
    further_pages: Sequence[Reading],
) -> Reading:
    """See `Reading.of`."""
    placed = understood(texts)
    if not placed:
        raise NoTextError("The OCR engine found no text. Photograph the receipt from closer up and in focus.")
    width, height = size or _reach([text.quad for text in placed])
    if width <= 0 or height <= 0:
        raise ReadingError(f"A page cannot be {width} x {height} pixels.")
    rotation = quarter_turns(placed)
    quads = [turned(text.quad, rotation, (width, height)) for text in placed]
    spans = spans_of([replace(text, quad=quad) for text, quad in zip(placed, quads, strict=True)])
    text_height = statistics.median(span.quad.height for span in spans)
    upright = (height, width) if rotation in (90, 270) else (width, height)
    return Reading(
        width=upright[0],
        height=upright[1],
        source_size=(width, height),
        rotation=rotation,
        quality=Quality(text_height=float(text_height)),
        spans=spans,
        barcodes=tuple(replace(c, quad=turned(c.quad, rotation, (width, height))) for c in barcodes),
        further_pages=tuple(further_pages),
    )


def _reach(quads: Sequence[Quad]) -> tuple[int, int]:
    corners = [corner for quad in quads for corner in quad.points]
    return math.ceil(max(x for x, _ in corners)), math.ceil(max(y for _, y in corners))

"""A page that brings its own text: the text is taken as it is where it agrees with what is drawn.

A few of the boxes that the text should explain are read from the picture. When they say the same, the layer
is right: its letters are those that the reader sees. What is drawn without being in the layer, a logo or
a stamp, is read from the picture as on any page; what is in the layer and cannot be seen is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rapidfuzz.fuzz import ratio

from receipt_engine.document import Page, Quad, Span, TextBox
from receipt_engine.runtime.protocols import Recognizer

#: Boxes that are read to compare.
_PROBES = 10
#: Mean likeness of what is read and what the layer has there, 0 to 100.
_ALIKE = 85.0
#: Share of a detected box that lies on the layer's text when that text explains it.
_COVERED = 0.5
#: Times as large as its text a box may be to be the box of that text.
_ROOMY = 4.0
#: Span of luminance from which something is drawn in a box.
_INK = 40
#: More detected boxes than this share without text make the layer a part of the page at best.
_MAX_UNCOVERED = 0.5


def read_text(page: Page, boxes: Sequence[TextBox], recognizer: Recognizer) -> tuple[Span, ...]:
    """The spans of a page: from its own text layer where it can be trusted, else from the picture."""
    if page.printed and page.rotation == 0:
        spans = _from_layer(page, boxes, recognizer)
        if spans is not None:
            return spans
    return tuple(recognizer.read(page, boxes))


def _from_layer(page: Page, boxes: Sequence[TextBox], recognizer: Recognizer) -> tuple[Span, ...] | None:
    drawn = [span for span in page.printed if _is_drawn(page, span.quad)]
    covered = [box for box in boxes if _cover(box.quad, drawn) >= _COVERED]
    others = [box for box in boxes if not (box in covered or box.lone or _holds(box.quad, drawn))]
    if not covered or len(others) > _MAX_UNCOVERED * len(boxes):
        return None
    probes = sorted(covered, key=lambda box: -box.quad.width)[:_PROBES]
    read = recognizer.read(page, probes)
    if sum(_likeness(span, drawn) for span in read) < _ALIKE * len(read):
        return None
    return (*drawn, *(recognizer.read(page, others) if others else ()))


def _edges(quad: Quad) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the upright rectangle around a quad."""
    xs, ys = zip(*quad.points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _is_drawn(page: Page, quad: Quad) -> bool:
    left, top, right, bottom = (round(edge) for edge in _edges(quad))
    part = page.image[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    return part.size > 0 and int(np.ptp(part)) >= _INK


def _cover(quad: Quad, spans: Sequence[Span]) -> float:
    """Share of a box that lies on the spans."""
    left, top, right, bottom = _edges(quad)
    shared = 0.0
    for span in spans:
        a, b, c, d = _edges(span.quad)
        shared += max(0.0, min(right, c) - max(left, a)) * max(0.0, min(bottom, d) - max(top, b))
    return shared / max(1e-6, (right - left) * (bottom - top))


def _holds(quad: Quad, spans: Sequence[Span]) -> bool:
    """Whether a box is that of a short text of the layer: a single digit fills little of its box."""
    left, top, right, bottom = _edges(quad)
    for span in spans:
        a, b, c, d = _edges(span.quad)
        inside = left <= (a + c) / 2 <= right and top <= (b + d) / 2 <= bottom
        if inside and (right - left) * (bottom - top) <= _ROOMY * (c - a) * (d - b):
            return True
    return False


def _likeness(read: Span, spans: Sequence[Span]) -> float:
    """Likeness of a text read to the layer's letters in the same place, 0 to 100."""
    left, top, right, bottom = _edges(read.quad)
    letters = []
    for span in spans:
        a, b, c, d = _edges(span.quad)
        if not top <= (b + d) / 2 <= bottom:
            continue
        letters += [
            (a + (char.start + char.end) / 2 * (c - a), char.text)
            for char in span.chars
            if left <= a + (char.start + char.end) / 2 * (c - a) <= right
        ]
    printed = "".join(text for _, text in sorted(letters))
    return ratio(printed.replace(" ", "").casefold(), read.text.replace(" ", "").casefold())

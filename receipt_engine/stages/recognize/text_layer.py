"""Reads a page that has a text layer: uses the layer's text where it agrees with the drawn page.

A few of the boxes that the layer covers are read from the image. When both agree, the layer is trusted: its
characters are the visible ones. Text that is drawn but not in the layer, such as a logo or a stamp, is read
from the image as on any page; text in the layer that is not visible is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rapidfuzz.fuzz import ratio

from receipt_engine.document import Page, Quad, Span, TextBox
from receipt_engine.runtime.protocols import Recognizer

#: Boxes that are read from the image for comparison.
_PROBES = 10
#: Least mean similarity of the text read and the layer's text in the same place, 0 to 100.
_ALIKE = 85.0
#: Least share of a detected box's area that the layer's text covers when it accounts for the box.
_COVERED = 0.5
#: Largest ratio of a box's area to that of a short text inside it for the box to be that text's.
_ROOMY = 4.0
#: Least range of pixel values in a box in which something is drawn.
_INK = 40
#: When more than this share of the detected boxes is not in the layer, the layer is not used.
_MAX_UNCOVERED = 0.5


def read_text(page: Page, boxes: Sequence[TextBox], recognizer: Recognizer) -> tuple[Span, ...]:
    """The spans of a page: from its own text layer where it can be trusted, otherwise from the image."""
    if page.printed and page.rotation == 0:
        spans = _from_layer(page, boxes, recognizer)
        if spans is not None:
            return spans
    return tuple(recognizer.read(page, boxes))


def _from_layer(page: Page, boxes: Sequence[TextBox], recognizer: Recognizer) -> tuple[Span, ...] | None:
    drawn = [span for span in page.printed if _is_drawn(page, span.quad)]
    covered = [box for box in boxes if _cover(box.quad, drawn) >= _COVERED]
    others = [box for box in boxes if not (box in covered or box.faint or _holds(box.quad, drawn))]
    if not covered or len(others) > _MAX_UNCOVERED * len(boxes):
        return None
    probes = sorted(covered, key=lambda box: -box.quad.width)[:_PROBES]
    read = recognizer.read(page, probes)
    if sum(_likeness(span, drawn) for span in read) < _ALIKE * len(read):
        return None
    return (*drawn, *(recognizer.read(page, others) if others else ()))


def _edges(quad: Quad) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a quad's axis-aligned bounding box."""
    xs, ys = zip(*quad.points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _is_drawn(page: Page, quad: Quad) -> bool:
    left, top, right, bottom = (round(edge) for edge in _edges(quad))
    part = page.image[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    return part.size > 0 and int(np.ptp(part)) >= _INK


def _cover(quad: Quad, spans: Sequence[Span]) -> float:
    """Share of a box's area that the spans cover."""
    left, top, right, bottom = _edges(quad)
    shared = 0.0
    for span in spans:
        a, b, c, d = _edges(span.quad)
        shared += max(0.0, min(right, c) - max(left, a)) * max(0.0, min(bottom, d) - max(top, b))
    return shared / max(1e-6, (right - left) * (bottom - top))


def _holds(quad: Quad, spans: Sequence[Span]) -> bool:
    """Whether a box belongs to a short text of the layer: a single digit fills little of its box."""
    left, top, right, bottom = _edges(quad)
    for span in spans:
        a, b, c, d = _edges(span.quad)
        inside = left <= (a + c) / 2 <= right and top <= (b + d) / 2 <= bottom
        if inside and (right - left) * (bottom - top) <= _ROOMY * (c - a) * (d - b):
            return True
    return False


def _likeness(read: Span, spans: Sequence[Span]) -> float:
    """Similarity of the text read to the layer's characters in the same place, 0 to 100."""
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

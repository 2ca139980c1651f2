"""Google Vision: the JSON of ``TEXT_DETECTION`` or ``DOCUMENT_TEXT_DETECTION``.

https://cloud.google.com/vision/docs/reference/rest/v1/AnnotateImageResponse: ``fullTextAnnotation`` with
pages › blocks › paragraphs › words › symbols. A symbol's ``detectedBreak`` ends a printed line. Coordinates
of 0 are omitted from the JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from receipt_engine.adapters.pages import fields_of, part, reading_of_pages
from receipt_engine.document import PlacedText, Reading
from receipt_engine.errors import ReadingError

_OF = "a response from Google Vision"
_LINE_ENDS = {"LINE_BREAK", "EOL_SURE_SPACE", "HYPHEN"}


def to_reading(response: Any) -> Reading:
    """The reading of all pages, from a batch response (its first image), from one image's response, or from
    its ``fullTextAnnotation``. Raises ReadingError for any other form or a response with an error, and
    NoTextError when there is no text."""
    found = fields_of(response, of=_OF)
    found = fields_of(part(found, "responses", 0, of=_OF) if "responses" in found else found, of=_OF)
    if "error" in found:
        raise ReadingError(f"Google Vision returned an error: {found['error'].get('message', '')}")
    if not found:  # the response for an image without text
        return reading_of_pages([])
    annotation = found if "pages" in found else part(found, "fullTextAnnotation", of=_OF)
    return reading_of_pages([(list(_words(page)), _size(page)) for page in part(annotation, "pages", of=_OF)])


def _size(page: Any) -> tuple[int, int] | None:
    return (int(page["width"]), int(page["height"])) if page.get("width") and page.get("height") else None


def _words(page: Any) -> Iterator[PlacedText]:
    line = 0
    for block in page.get("blocks") or ():
        for paragraph in part(block, "paragraphs", of=_OF):
            line += 1
            for word in part(paragraph, "words", of=_OF):
                symbols = part(word, "symbols", of=_OF)
                yield PlacedText(
                    "".join(part(symbol, "text", of=_OF) for symbol in symbols),
                    _corners(part(word, "boundingBox", of=_OF), page),
                    float(word.get("confidence", 1.0)),
                    line=line,
                )
                line += any(_ends_line(symbol) for symbol in symbols)


def _ends_line(symbol: Any) -> bool:
    detected = (symbol.get("property") or {}).get("detectedBreak") or {}
    return detected.get("type") in _LINE_ENDS


def _corners(polygon: Any, page: Any) -> list[tuple[float, float]]:
    if polygon.get("vertices"):
        return [(float(point.get("x", 0)), float(point.get("y", 0))) for point in polygon["vertices"]]
    width, height = part(page, "width", of=_OF), part(page, "height", of=_OF)
    vertices = part(polygon, "normalizedVertices", of=_OF)
    return [(point.get("x", 0.0) * width, point.get("y", 0.0) * height) for point in vertices]

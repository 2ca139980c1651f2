"""Azure: the JSON of Document Intelligence (``prebuilt-read``, ``prebuilt-layout`` …, 2022 and later), and of
Read 3.2.

https://learn.microsoft.com/rest/api/aiservices/document-models/get-analyze-result: ``analyzeResult.pages``
with ``words`` and ``lines`` that share ``span`` offsets. Read 3.2: ``analyzeResult.readResults`` with words
inside their lines. Coordinates are in pixels for images, in inches for PDF.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from receipt_engine.adapters.pages import fields_of, part, reading_of_pages
from receipt_engine.document import PlacedText, Reading

_OF = "a result of Azure Read or Document Intelligence"
#: Pixels per inch, for pages that are measured in inches.
_INCH = 200.0


def to_reading(result: Any) -> Reading:
    """The reading of all pages, from the whole response or its ``analyzeResult``. Raises ReadingError for any
    other form, and NoTextError when there is no text."""
    found = fields_of(result, of=_OF)
    found = fields_of(found.get("analyzeResult", found), of=_OF)
    if "readResults" in found:
        pages = [(page, _words_in_lines(page)) for page in found["readResults"]]
    else:
        pages = [(page, _words_by_offset(page)) for page in part(found, "pages", of=_OF)]
    return reading_of_pages([(list(words), _size(page)) for page, words in pages])


def _scale(page: Any) -> float:
    return _INCH if page.get("unit", "pixel") == "inch" else 1.0


def _size(page: Any) -> tuple[int, int]:
    scale = _scale(page)
    width, height = part(page, "width", of=_OF), part(page, "height", of=_OF)
    return round(width * scale), round(height * scale)


def _words_in_lines(page: Any) -> Iterator[PlacedText]:
    for number, line in enumerate(part(page, "lines", of=_OF)):
        for word in part(line, "words", of=_OF):
            yield PlacedText(
                part(word, "text", of=_OF),
                _corners(part(word, "boundingBox", of=_OF), _scale(page)),
                float(word.get("confidence", 1.0)),
                line=number,
            )


def _words_by_offset(page: Any) -> Iterator[PlacedText]:
    lines = [
        (span["offset"], span["offset"] + span["length"], number)
        for number, line in enumerate(page.get("lines") or ())
        for span in part(line, "spans", of=_OF)
    ]
    for word in part(page, "words", of=_OF):
        offset = part(word, "span", "offset", of=_OF)
        yield PlacedText(
            part(word, "content", of=_OF),
            _corners(part(word, "polygon", of=_OF), _scale(page)),
            float(word.get("confidence", 1.0)),
            line=next((number for start, end, number in lines if start <= offset < end), None),
        )


def _corners(polygon: Sequence[Any], scale: float) -> list[tuple[float, float]]:
    """Corners in pixels, from ``[x, y, x, y, …]`` or ``[{"x": …, "y": …}, …]``."""
    if polygon and isinstance(polygon[0], int | float):
        flat = [float(value) * scale for value in polygon]
        return list(zip(flat[::2], flat[1::2], strict=True))
    return [(point["x"] * scale, point["y"] * scale) for point in polygon]

"""docTR: ``result.export()`` of its ``ocr_predictor``.

Format: pages › blocks › lines › words, coordinates as fractions of the page, ``dimensions`` as (height,
width).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from receipt_engine.adapters.pages import part, reading_of_pages
from receipt_engine.document import PlacedText, Reading

_OF = "an export from docTR"


def to_reading(export: Any) -> Reading:
    """The reading of all pages. Raises ReadingError when the value is not such an export, and NoTextError
    when there is no text."""
    pages = part(export, "pages", of=_OF)
    return reading_of_pages([(list(_words(page)), _size(page)) for page in pages])


def _size(page: Any) -> tuple[int, int]:
    height, width = part(page, "dimensions", of=_OF)
    return round(width), round(height)


def _words(page: Any) -> Iterator[PlacedText]:
    size = _size(page)
    for number, block in enumerate(part(page, "blocks", of=_OF)):
        for row, line in enumerate(part(block, "lines", of=_OF)):
            for word in part(line, "words", of=_OF):
                yield PlacedText(
                    part(word, "value", of=_OF),
                    _box(part(word, "geometry", of=_OF), size),
                    min(1.0, float(part(word, "confidence", of=_OF))),
                    line=(number, row),
                )


def _box(geometry: Any, size: tuple[int, int]) -> Any:
    """Two corners for straight pages, four for others, in pixels."""
    corners = [(float(x) * size[0], float(y) * size[1]) for x, y in geometry]
    return (*corners[0], *corners[1]) if len(corners) == 2 else corners

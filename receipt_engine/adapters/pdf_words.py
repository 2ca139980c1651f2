"""The words of a PDF's text layer, from PyMuPDF or pdfplumber.

PyMuPDF: ``page.get_text("words")``, tuples ``(x0, y0, x1, y1, word, block, line, number)``. pdfplumber:
``page.extract_words()``, mappings with ``x0``, ``top``, ``x1``, ``bottom``, ``text``. Both in points, y
pointing down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from receipt_engine.adapters.pages import reading_of_pages
from receipt_engine.document import PlacedText, Reading
from receipt_engine.errors import ReadingError

#: Pixels per point: 216 per inch, so that text of a common size is as high as in an image.
_SCALE = 3.0


def to_reading(pages: Iterable[Iterable[Any]], size: tuple[float, float]) -> Reading:
    """The reading of a document, given the words of each page. size: (width, height) of its pages in points.
    Raises ReadingError for any other form, and NoTextError when there is no text, as in a scan."""
    width, height = (round(length * _SCALE) for length in size)
    return reading_of_pages([([_word(word) for word in page], (width, height)) for page in pages])


def _word(word: Any) -> PlacedText:
    try:
        if isinstance(word, Mapping):
            edges = [float(word[name]) * _SCALE for name in ("x0", "top", "x1", "bottom")]
            return PlacedText(str(word["text"]), edges, line=None)  # type: ignore[arg-type]
        left, top, right, bottom, text, *place = word
        edges = [float(edge) * _SCALE for edge in (left, top, right, bottom)]
        line = tuple(place[:2]) if len(place) > 1 else None
        return PlacedText(str(text), edges, line=line)  # type: ignore[arg-type]
    except (KeyError, TypeError, ValueError) as error:
        raise ReadingError(f"This is not a word from PyMuPDF or pdfplumber: {str(word)[:80]}.") from error

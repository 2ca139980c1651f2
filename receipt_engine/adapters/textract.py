"""AWS Textract: the response of ``DetectDocumentText``, ``AnalyzeDocument`` or ``AnalyzeExpense``'s blocks.

https://docs.aws.amazon.com/textract/latest/dg/how-it-works-lines-words.html: LINE blocks list their WORD
blocks; coordinates are fractions of the page, whose size in pixels the response does not give.
"""

from __future__ import annotations

from typing import Any

from receipt_engine.adapters.pages import part, reading_of_pages
from receipt_engine.document import PlacedText, Reading

_OF = "a response from Textract"


def to_reading(response: Any, size: tuple[int, int]) -> Reading:
    """The reading of all pages. size: (width, height) of the pages in pixels. Raises ReadingError for any
    other form, and NoTextError when there is no text."""
    blocks = part(response, "Blocks", of=_OF)
    line_of = {
        word: block["Id"]
        for block in blocks
        if part(block, "BlockType", of=_OF) == "LINE"
        for relation in block.get("Relationships") or ()
        if relation["Type"] == "CHILD"
        for word in relation["Ids"]
    }
    pages: dict[int, list[PlacedText]] = {}
    for block in blocks:
        if block["BlockType"] == "WORD":
            line = line_of.get(part(block, "Id", of=_OF))
            pages.setdefault(block.get("Page", 1), []).append(_word(block, line, size))
    return reading_of_pages([(pages[number], size) for number in sorted(pages)])


def _word(block: Any, line: str | None, size: tuple[int, int]) -> PlacedText:
    polygon = part(block, "Geometry", "Polygon", of=_OF)
    corners = [(point["X"] * size[0], point["Y"] * size[1]) for point in polygon]
    score = float(part(block, "Confidence", of=_OF)) / 100
    return PlacedText(part(block, "Text", of=_OF), corners, min(1.0, score), line=line)

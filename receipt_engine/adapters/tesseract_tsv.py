"""Tesseract's TSV: ``tesseract receipt.png out --psm 6 tsv``, or pytesseract's ``image_to_data``.

Format: https://tesseract-ocr.github.io/tessdoc/Command-Line-Usage.html (one row per box, level 5 for words).
"""

from __future__ import annotations

from collections.abc import Mapping

from receipt_engine.adapters.pages import reading_of_pages, text_of
from receipt_engine.document import PlacedText, Reading
from receipt_engine.errors import ReadingError

_COLUMNS = ("level", "page_num", "block_num", "par_num", "line_num", "left", "top", "width", "height", "conf")
_PAGE, _WORD = "1", "5"
#: Words below this confidence (0 to 100) are mostly ruled lines, logos and the edge of the paper.
_LEAST = 5.0


def to_reading(tsv: str | bytes) -> Reading:
    """The reading of all pages, from the text of a TSV file. Raises ReadingError when it is not such a TSV,
    and NoTextError when it has no words."""
    header, *rows = text_of(tsv, of="a TSV file from Tesseract").splitlines() or [""]
    columns = header.split("\t")
    missing = [name for name in (*_COLUMNS, "text") if name not in columns]
    if missing:
        raise ReadingError(
            f"This is not a TSV file from Tesseract: its first row has no column {missing[0]!r}."
        )
    pages: dict[str, list[PlacedText]] = {}
    sizes: dict[str, tuple[int, int]] = {}
    for number, row in enumerate(rows, 2):
        cells = dict(zip(columns, row.split("\t", len(columns) - 1), strict=False))
        try:
            if cells["level"] == _PAGE:
                sizes[cells["page_num"]] = (int(cells["width"]), int(cells["height"]))
            elif cells["level"] == _WORD and float(cells["conf"]) >= _LEAST:
                pages.setdefault(cells["page_num"], []).append(_word(cells))
        except (KeyError, ValueError) as error:
            raise ReadingError(
                f"Row {number} of the TSV file is not a row from Tesseract: {row[:80]!r}."
            ) from error
    return reading_of_pages([(pages.get(page, []), sizes.get(page)) for page in sorted({*sizes, *pages})])


def _word(cells: Mapping[str, str]) -> PlacedText:
    left, top, width, height = (float(cells[name]) for name in ("left", "top", "width", "height"))
    return PlacedText(
        cells.get("text", ""),
        (left, top, left + max(1.0, width), top + max(1.0, height)),
        min(1.0, float(cells["conf"]) / 100),
        line=tuple(cells[name] for name in ("block_num", "par_num", "line_num")),
    )

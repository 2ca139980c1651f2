"""PaddleOCR: the return value of ``ocr()`` (2.x), or of ``predict()`` (3.x) or its ``save_to_json`` files.

2.x: a list of pages, each a list of ``[[[x, y], …four], (text, score)]``. 3.x: a list of results with
``rec_texts``, ``rec_scores`` and ``rec_polys``, either directly, as ``result.json``, or under its key
``res``. rapidocr's results (``boxes``, ``txts``, ``scores``) have the form of a page of 3.x.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from receipt_engine.adapters.pages import part, reading_of_pages
from receipt_engine.document import PlacedText, Reading
from receipt_engine.errors import ReadingError

_OF = "a result of PaddleOCR"


def to_reading(results: Any, size: tuple[int, int] | None = None) -> Reading:
    """The reading of a result or of a list of them, one per page. size: (width, height) of the image, which
    results do not give. Raises ReadingError for any other form, and NoTextError when there is no text."""
    if isinstance(results, list | tuple) and not _is_line(next(iter(results), None)):
        pages = list(results)
    else:
        pages = [results]
    return reading_of_pages([(_page(page), size) for page in pages])


def _page(page: Any) -> list[PlacedText]:
    if page is None:  # 2.x, for a page without text
        return []
    if isinstance(page, list | tuple):
        return [_line(line) for line in page]
    if hasattr(page, "txts"):  # rapidocr
        return _texts(page.txts or (), page.scores or (), page.boxes if page.boxes is not None else ())
    found = page.get("res", page) if isinstance(page, Mapping) else page
    texts, scores = part(found, "rec_texts", of=_OF), part(found, "rec_scores", of=_OF)
    return _texts(texts, scores, part(found, "rec_polys" if "rec_polys" in found else "rec_boxes", of=_OF))


def _texts(texts: Sequence[Any], scores: Sequence[Any], boxes: Sequence[Any]) -> list[PlacedText]:
    if not len(texts) == len(scores) == len(boxes):
        raise ReadingError(
            f"This is not {_OF}: it has {len(texts)} texts, {len(scores)} scores and {len(boxes)} boxes."
        )
    return [_placed(*line) for line in zip(texts, scores, boxes, strict=True)]


def _is_line(value: Any) -> bool:
    """Whether a value is a line of 2.x: four corners, then a text and its score."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    return isinstance(value[1], list | tuple) and len(value[1]) == 2 and isinstance(value[1][0], str)


def _line(line: Any) -> PlacedText:
    if not _is_line(line):
        raise ReadingError(f"This is not a line of PaddleOCR 2.x: {str(line)[:80]}.")
    corners, (text, score) = line
    return _placed(text, score, corners)


def _placed(text: Any, score: Any, box: Any) -> PlacedText:
    try:
        values = [tuple(map(float, edge)) if hasattr(edge, "__len__") else float(edge) for edge in box]
        return PlacedText(str(text), values, min(1.0, float(score)))  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise ReadingError(f"This is not a line of PaddleOCR: {text!r}, {score!r}, {box!r}.") from error

"""The words of one receipt in the forms in which OCR engines and services give them.

Each function follows the documented shape of one of them. `WIDTH` × `HEIGHT` pixels; words on a grid, turned
by a degree, as phones take them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

BOOKS = """\
HARBOUR LANTERN BOOKS
14 Quay Road, Falmouth
23/09/2025 14:37

Atlas of Tides          24.50
Pencil set               6.25
2 x 1.80 Postcards       3.60

TOTAL                   34.35
VISA                    34.35
"""
WIDTH, HEIGHT = 620, 560
_CHARACTER, _HIGH, _PITCH = 17.0, 26.0, 42.0
_TILT = math.radians(1.0)
SCORE = 0.96

Corners = list[tuple[float, float]]


@dataclass(frozen=True)
class Word:
    """A word with its printed row and its corners, clockwise from the top left."""

    text: str
    row: int
    corners: Corners

    @property
    def edges(self) -> tuple[float, float, float, float]:
        xs, ys = zip(*self.corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)


def words() -> list[Word]:
    """Every word of `BOOKS`, from top to bottom."""
    found = []
    for row, line in enumerate(BOOKS.splitlines()):
        at = 0
        for text in line.split():
            at = line.index(text, at)
            left, top = 50 + at * _CHARACTER, 40 + row * _PITCH
            right, bottom = left + len(text) * _CHARACTER, top + _HIGH
            upright = [(left, top), (right, top), (right, bottom), (left, bottom)]
            found.append(Word(text, row, [_tilted(*corner) for corner in upright]))
            at += len(text)
    return found


def lines() -> list[list[Word]]:
    """The words row by row, each row parted where columns are."""
    parts: list[list[Word]] = []
    for word in words():
        last = parts[-1][-1] if parts else None
        if last and last.row == word.row and word.edges[0] - last.edges[2] < 2 * _CHARACTER:
            parts[-1].append(word)
        else:
            parts.append([word])
    return parts


def _tilted(x: float, y: float) -> tuple[float, float]:
    return (
        x * math.cos(_TILT) - y * math.sin(_TILT) + 10,
        x * math.sin(_TILT) + y * math.cos(_TILT),
    )


def _around(part: list[Word]) -> Corners:
    return [part[0].corners[0], part[-1].corners[1], part[-1].corners[2], part[0].corners[3]]


def _text(part: list[Word]) -> str:
    return " ".join(word.text for word in part)


def paddleocr_2() -> list[Any]:
    """``PaddleOCR(...).ocr(path)`` of 2.x."""
    return [[[[list(c) for c in _around(part)], (_text(part), SCORE)] for part in lines()]]


def paddleocr_3() -> list[dict[str, Any]]:
    """What ``save_to_json`` of a 3.x result writes, as ``result.json``."""
    parts = lines()
    found = {
        "input_path": "books.png",
        "page_index": None,
        "dt_polys": [[[round(x), round(y)] for x, y in _around(part)] for part in parts],
        "text_det_params": {"limit_side_len": 64, "limit_type": "min", "thresh": 0.3},
        "text_type": "general",
        "text_rec_score_thresh": 0.0,
        "rec_texts": [_text(part) for part in parts],
        "rec_scores": [SCORE for _ in parts],
        "rec_polys": [[[round(x), round(y)] for x, y in _around(part)] for part in parts],
    }
    return [{"res": found}]


def doctr() -> dict[str, Any]:
    """``ocr_predictor(...)(document).export()`` with straight pages."""

    def word(entry: Word) -> dict[str, Any]:
        left, top, right, bottom = entry.edges
        box = ((left / WIDTH, top / HEIGHT), (right / WIDTH, bottom / HEIGHT))
        return {"value": entry.text, "confidence": SCORE, "geometry": box, "objectness_score": 0.9}

    found = [{"words": [word(entry) for entry in part], "geometry": None} for part in lines()]
    page = {
        "page_idx": 0,
        "dimensions": (HEIGHT, WIDTH),
        "orientation": {"value": None, "confidence": None},
        "blocks": [{"lines": found, "artefacts": []}],
    }
    return {"pages": [page]}


def document_intelligence(*, inches: bool = False) -> dict[str, Any]:
    """The response of Azure Document Intelligence's ``prebuilt-read``."""
    unit = 100.0 if inches else 1.0
    content, found, rows = "", [], []
    for part in lines():
        start = len(content)
        for entry in part:
            polygon = [edge / unit for corner in entry.corners for edge in corner]
            span = {"offset": len(content), "length": len(entry.text)}
            found.append({"content": entry.text, "polygon": polygon, "confidence": SCORE, "span": span})
            content += entry.text + " "
        rows.append(
            {"content": _text(part), "spans": [{"offset": start, "length": len(content) - 1 - start}]}
        )
    page = {
        "pageNumber": 1,
        "angle": 1.0,
        "width": WIDTH / unit,
        "height": HEIGHT / unit,
        "unit": "inch" if inches else "pixel",
        "words": found,
        "lines": rows,
    }
    result = {"apiVersion": "2024-11-30", "modelId": "prebuilt-read", "content": content, "pages": [page]}
    return {"status": "succeeded", "analyzeResult": result}


def read_3_2() -> dict[str, Any]:
    """The response of Azure's Read 3.2."""
    found = [
        {
            "text": _text(part),
            "boundingBox": [edge for corner in _around(part) for edge in corner],
            "words": [
                {
                    "text": entry.text,
                    "boundingBox": [edge for corner in entry.corners for edge in corner],
                    "confidence": SCORE,
                }
                for entry in part
            ],
        }
        for part in lines()
    ]
    page = {"page": 1, "angle": 1.0, "width": WIDTH, "height": HEIGHT, "unit": "pixel", "lines": found}
    return {"status": "succeeded", "analyzeResult": {"version": "3.2.0", "readResults": [page]}}


def textract() -> dict[str, Any]:
    """The response of AWS Textract's ``DetectDocumentText``."""

    def geometry(corners: Corners) -> dict[str, Any]:
        return {"Polygon": [{"X": x / WIDTH, "Y": y / HEIGHT} for x, y in corners]}

    whole = geometry([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)])
    blocks: list[dict[str, Any]] = [{"BlockType": "PAGE", "Id": "page", "Geometry": whole}]
    for number, part in enumerate(lines()):
        ids = [f"word-{number}-{at}" for at in range(len(part))]
        blocks.append(
            {
                "BlockType": "LINE",
                "Id": f"line-{number}",
                "Text": _text(part),
                "Confidence": 100 * SCORE,
                "Geometry": geometry(_around(part)),
                "Relationships": [{"Type": "CHILD", "Ids": ids}],
            }
        )
        blocks += [
            {
                "BlockType": "WORD",
                "Id": name,
                "Text": entry.text,
                "TextType": "PRINTED",
                "Confidence": 100 * SCORE,
                "Geometry": geometry(entry.corners),
            }
            for name, entry in zip(ids, part, strict=True)
        ]
    return {"DocumentMetadata": {"Pages": 1}, "Blocks": blocks}


def google_vision(*, sideways: bool = False) -> dict[str, Any]:
    """The response of Google Vision's ``DOCUMENT_TEXT_DETECTION``.

    sideways: of the picture turned clockwise.
    """

    def vertex(x: float, y: float) -> dict[str, int]:
        x, y = (HEIGHT - y, x) if sideways else (x, y)
        return {name: round(value) for name, value in (("x", x), ("y", y)) if round(value)}

    paragraphs = []
    for part in lines():
        found = []
        for entry in part:
            symbols: list[dict[str, Any]] = [{"text": letter} for letter in entry.text]
            kind = "EOL_SURE_SPACE" if entry is part[-1] else "SPACE"
            symbols[-1]["property"] = {"detectedBreak": {"type": kind}}
            box = {"vertices": [vertex(*corner) for corner in entry.corners]}
            found.append({"symbols": symbols, "boundingBox": box, "confidence": SCORE})
        paragraphs.append({"words": found})
    width, height = (HEIGHT, WIDTH) if sideways else (WIDTH, HEIGHT)
    page = {"width": width, "height": height, "blocks": [{"blockType": "TEXT", "paragraphs": paragraphs}]}
    return {"responses": [{"fullTextAnnotation": {"pages": [page], "text": BOOKS}}]}


def pymupdf() -> list[list[tuple[Any, ...]]]:
    """``[page.get_text("words") for page in document]`` of PyMuPDF, in points."""
    entries = [(word, number) for number, part in enumerate(lines()) for word in part]
    return [[(*(edge / 3 for edge in word.edges), word.text, 0, line, 0) for word, line in entries]]


def pdfplumber() -> list[list[dict[str, Any]]]:
    """``[page.extract_words() for page in pdf.pages]`` of pdfplumber, in points."""
    names = ("x0", "top", "x1", "bottom")
    return [
        [
            {"text": word.text, **{n: edge / 3 for n, edge in zip(names, word.edges, strict=True)}}
            for word in words()
        ]
    ]

"""Draws the image of a page with a box around every printed row, coloured by zone."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import get_args

import cv2

from receipt_engine.document import Ledger, Line, Page, Quad, Reading, Sheet, Word, Zone

#: Longest side of the embedded image, in pixels.
_SIDE = 1600
_JPEG_QUALITY = 80
#: Words of a row that are closer than this many heights share a box.
_GAP = 1.2
#: Margin beside the first and the last letter of a box, in heights.
_MARGIN = 0.3
#: Zone or kind → colour of its boxes; chosen to be distinguishable with colour vision deficiency too.
COLOURS = {
    "header": "#2f7fd1",
    "items": "#009e73",
    "summary": "#e07b00",
    "after": "#8a939b",
    "total": "#c2187a",
    "barcode": "#7a5cff",
}


def embedded(page: Page) -> str:
    """The image as an element of an SVG in page pixels."""
    scale = min(1.0, _SIDE / max(page.width, page.height))
    size = (max(1, round(page.width * scale)), max(1, round(page.height * scale)))
    small = cv2.resize(page.image, size, interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", small[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    picture = base64.b64encode(data.tobytes()).decode()
    return f"<image href='data:image/jpeg;base64,{picture}' width='{page.width}' height='{page.height}'/>"


def figure(
    page: Page,
    reading: Reading,
    lines: Sequence[Line],
    sheet: Sheet,
    ledger: Ledger,
    name: Callable[[int], str],
) -> str:
    """The image with its boxes and a legend of their colours. name: CSS class of a row, by its index."""
    total = ledger.total.entry.line if ledger.total and ledger.total.entry else None
    shapes = [
        _shape(quad, "total" if line.index == total else zone, line.text, name(line.index))
        for line, zone in zip(lines, sheet.zones, strict=True)
        for quad in _runs(line.words)
    ]
    shapes += [_shape(b.quad, "barcode", f"{b.kind}: {b.data}", "") for b in reading.barcodes]
    shown = [
        *get_args(Zone),
        *(["total"] if total is not None else []),
        *["barcode"] * bool(reading.barcodes),
    ]
    legend = "".join(f"<span><i style='background:{COLOURS[n]}'></i>{n}</span>" for n in shown)
    return (
        f"<figure><svg viewBox='0 0 {page.width} {page.height}' role='img'>{embedded(page)}"
        f"{''.join(shapes)}</svg><figcaption>{legend}</figcaption></figure>"
    )


def _runs(words: Sequence[Word]) -> Iterator[Quad]:
    """One box per run of words that are close together."""
    start = 0
    for i, word in enumerate(words):
        last = i + 1 == len(words)
        if last or words[i + 1].left - word.right > _GAP * word.height:
            first = words[start].quad
            run = Quad(first.top_left, word.quad.top_right, word.quad.bottom_right, first.bottom_left)
            # Letters extend a little beyond the places that the recogniser gives them.
            margin = _MARGIN * run.height / max(1.0, run.width)
            yield run.slice(-margin, 1 + margin)
            start = i + 1


def _shape(quad: Quad, kind: str, title: str, name: str) -> str:
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in quad.points)
    colour = COLOURS[kind]
    return (
        f"<polygon class='{kind} {name}' points='{corners}' stroke='{colour}' fill='{colour}'>"
        f"<title>{escape(title)} ({kind})</title></polygon>"
    )

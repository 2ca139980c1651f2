"""Decides which way up the page is, once per page from a few lines.

A line classifier run on every line costs accuracy on upright pages. The recogniser's own score is enough: its
mean falls from about .98 to below .7 when text is upside down.
"""

from __future__ import annotations

import cv2
import numpy as np
from msgspec.structs import replace

from receipt_engine.document import Page, Point, Quad, TextBox
from receipt_engine.runtime.protocols import Recognizer
from receipt_engine.stages.recognize.spans import SURE

#: Lines are read in batches of _PROBES, until half that many lines with words have been found or _MAX_PROBES
#: lines have been read.
_PROBES = 6
_MAX_PROBES = 24
#: In words, at least one in this many characters is a different one.
_KINDS = 3
#: Margin of the mean score by which the second direction must win.
_MARGIN = 0.03

_TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


def make_upright(
    page: Page, boxes: tuple[TextBox, ...], recognizer: Recognizer
) -> tuple[Page, tuple[TextBox, ...]]:
    """The page and its boxes, rotated by the multiple of 90 degrees at which its text scores highest."""
    if not boxes:
        return page, boxes
    candidates = (90, 270) if _mostly_vertical(boxes) else (0, 180)
    best: tuple[float, int, Page, tuple[TextBox, ...]] | None = None
    for degrees in candidates:
        turned = turn(page, degrees)
        moved = tuple(_turn_box(box, page, degrees) for box in boxes)
        score = _probe(turned, moved, recognizer)
        if degrees == 0 and score >= SURE:
            return page, boxes
        if best is None or score > best[0] + _MARGIN:
            best = (score, degrees, turned, moved)
    assert best is not None
    return best[2], best[3]


def turn(page: Page, degrees: int) -> Page:
    """The page turned clockwise by 0, 90, 180 or 270 degrees."""
    if degrees == 0:
        return page
    image = np.ascontiguousarray(cv2.rotate(page.image, _TURNS[degrees]), dtype=np.uint8)
    return replace(page, image=image, rotation=(page.rotation + degrees) % 360)


def _mostly_vertical(boxes: tuple[TextBox, ...]) -> bool:
    """Whether most text runs vertically, weighted by length; boxes without a clear direction do not count."""
    vertical = horizontal = 0.0
    for box in boxes:
        if box.quad.height > 1.5 * box.quad.width:
            vertical += box.quad.height
        elif box.quad.width > 1.5 * box.quad.height:
            horizontal += box.quad.width
    return vertical > horizontal


def _probe(page: Page, boxes: tuple[TextBox, ...], recognizer: Recognizer) -> float:
    """Mean score of the widest boxes that have words; rows of ornaments read badly either way up."""
    widest = sorted(boxes, key=lambda box: -box.quad.width)[:_MAX_PROBES]
    scores: list[float] = []
    for start in range(0, len(widest), _PROBES):
        spans = recognizer.read(page, widest[start : start + _PROBES])
        scores += [span.score for span in spans if _has_words(span.text)]
        if 2 * len(scores) >= _PROBES:
            break
    return sum(scores) / len(scores) if scores else 0.0


def _has_words(text: str) -> bool:
    """Whether a text is mostly letters and digits, with enough different ones: a row of hashes upside down is
    read as a row of A, 3 and 9."""
    known = [c for c in text if c.isalnum()]
    return 2 * len(known) > len(text) and _KINDS * len(set(known)) >= len(known)


def _turn_box(box: TextBox, page: Page, degrees: int) -> TextBox:
    if degrees == 0:
        return box
    points = [_turn_point(p, page, degrees) for p in box.quad.points]
    # A clockwise quarter turn moves the bottom left corner to the top left.
    first = {90: 3, 180: 2, 270: 1}[degrees]
    ordered = [points[(first + i) % 4] for i in range(4)]
    middle = None if box.middle is None else _turn_point(box.middle, page, degrees)
    return replace(box, quad=Quad(ordered[0], ordered[1], ordered[2], ordered[3]), middle=middle)


def _turn_point(point: Point, page: Page, degrees: int) -> Point:
    x, y = point
    if degrees == 90:
        return (page.height - y, x)
    if degrees == 180:
        return (page.width - x, page.height - y)
    return (y, page.width - x)

"""Joins placed words into spans of printed rows, like those of a detector and a recogniser of whole lines.

Words that the OCR engine puts into one line become one span; words without a line are joined when they are
next to each other, one space apart. A line is split where a word is off the slope of the others: it is then
not one printed row. Axis-aligned boxes grow with the slope of their text; spans get the slope of their words
and the height of the characters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from receipt_engine.arithmetic.medians import weighted_median
from receipt_engine.document.picture import Char, Quad, Span
from receipt_engine.document.placed_text import Placed

#: The widest gap between two words without a line that are joined, their largest vertical offset, and their
#: largest overlap, in text heights. Two spaces of a wide font are wider.
_BLANK = 1.0
_STEP = 0.4
_BACK = 0.3
#: Largest distance of a word from the slope of its line's other words, in text heights.
_OFF = 0.6
#: Words that follow each other at less than this distance, in text heights, show the slope of the page; a row
#: departs from it by at most `_BEND`, as on curled paper.
_CLOSE = 3.0
_BEND = 0.03
#: Quantile of the words' heights, weighted by length, that is the line's height: hyphens and points are low.
_USUAL = 0.6
#: Most edits between a text and an alternative; beyond that it is a different text.
_FAR = 2


def spans_of(texts: Sequence[Placed]) -> tuple[Span, ...]:
    """The spans of a page whose text is upright, in no particular order."""
    lines: dict[Hashable, list[Placed]] = {}
    alone: list[Placed] = []
    for text in texts:
        if text.line is None:
            alone.append(text)
        else:
            lines.setdefault(text.line, []).append(text)
    tilt = _tilt([*lines.values()])
    rows = [row for line in lines.values() for row in _level(line, tilt)] + _beside(alone)
    return tuple(_span(row, tilt) for row in rows)


def _tilt(lines: Sequence[Sequence[Placed]]) -> float:
    """The slope of the page: the median over words that follow each other closely in a line, or 0."""
    slopes, weights = [0.0], [1e-6]
    for line in lines:
        for left, right in pairwise(sorted(line, key=lambda text: text.quad.center[0])):
            height = max(1e-6, min(left.quad.height, right.quad.height))
            (ax, ay), (bx, by) = left.quad.center, right.quad.center
            if bx > ax and _start(right.quad)[0] - _end(left.quad)[0] < _CLOSE * height:
                slopes.append((by - ay) / (bx - ax))
                weights.append(bx - ax)
    return weighted_median(np.array(slopes), np.array(weights))


def _beside(texts: Sequence[Placed]) -> list[list[Placed]]:
    """Runs of words next to each other, from left to right."""
    rows: list[list[Placed]] = []
    for text in sorted(texts, key=lambda t: t.quad.center[0] - t.quad.width / 2):
        best = min(rows, key=lambda row: _distance(row[-1], text), default=None)
        if best is not None and _distance(best[-1], text) < np.inf:
            best.append(text)
        else:
            rows.append([text])
    return rows


def _distance(left: Placed, right: Placed) -> float:
    """How far the right word is from where it would continue the left one, infinite when it does not."""
    height = max(1e-6, min(left.quad.height, right.quad.height))
    gap = _start(right.quad)[0] - _end(left.quad)[0]
    step = abs(_start(right.quad)[1] - _end(left.quad)[1])
    if not -_BACK * height <= gap <= _BLANK * height or step > _STEP * height:
        return float("inf")
    return abs(gap) + 2 * step


def _start(quad: Quad) -> tuple[float, float]:
    """The middle of the left edge."""
    (ax, ay), _, _, (dx, dy) = quad.points
    return ((ax + dx) / 2, (ay + dy) / 2)


def _end(quad: Quad) -> tuple[float, float]:
    """The middle of the right edge."""
    _, (bx, by), (cx, cy), _ = quad.points
    return ((bx + cx) / 2, (by + cy) / 2)


def _level(line: Sequence[Placed], tilt: float) -> list[list[Placed]]:
    """A line's words from left to right, split where it is not one printed row."""
    ordered = sorted(line, key=lambda text: text.quad.center[0])
    rows: list[list[Placed]] = []
    while ordered:
        off = _off_slope(ordered, tilt)
        rows.append([text for text, away in zip(ordered, off, strict=True) if not away])
        ordered = [text for text, away in zip(ordered, off, strict=True) if away]
    return rows


def _off_slope(texts: Sequence[Placed], tilt: float) -> NDArray[np.bool_]:
    """Which words are above or below the row of the longest ones; never all."""
    if len(texts) == 1:
        return np.zeros(1, dtype=np.bool_)
    centers = np.array([text.quad.center for text in texts])
    slope, start = _slope(texts, tilt)
    heights = np.array([text.quad.height for text in texts])
    height = float(np.quantile(heights, 0.5))
    off = np.abs(centers[:, 1] - (start + slope * centers[:, 0])) > _OFF * height
    if off.all():
        off[int(np.argmax([text.quad.width for text in texts]))] = False
    return np.asarray(off, dtype=np.bool_)


def _slope(texts: Sequence[Placed], tilt: float) -> tuple[float, float]:
    """(slope, y at x = 0) of the row through the words' centres: the median over their pairs, which is robust
    to a word that is elsewhere, kept near the slope of the page."""
    centers = np.array([text.quad.center for text in texts])
    weights = np.array([text.quad.width for text in texts])
    first, second = np.triu_indices(len(texts), 1)
    across = centers[second, 0] - centers[first, 0]
    apart = across > 0
    if not apart.any():
        return tilt, float(np.median(centers[:, 1] - tilt * centers[:, 0]))
    slopes = (centers[second, 1] - centers[first, 1])[apart] / across[apart]
    slope = min(max(weighted_median(slopes, across[apart]), tilt - _BEND), tilt + _BEND)
    return slope, weighted_median(centers[:, 1] - slope * centers[:, 0], weights)


def _span(row: Sequence[Placed], tilt: float) -> Span:
    if len(row) == 1:
        (text,) = row
        return Span(text.text, text.score, text.quad, tuple(_chars(text, 0.0, 1.0)))
    slope, start = _slope(row, tilt)
    left = min(_start(text.quad)[0] for text in row)
    right = max(_end(text.quad)[0] for text in row)
    width = max(1e-6, right - left)
    chars: list[Char] = []
    for text in row:
        begin = max(0.0, (_start(text.quad)[0] - left) / width)
        end = min(1.0, (_end(text.quad)[0] - left) / width)
        if chars:
            chars.append(Char(" ", min(chars[-1].score, text.score), chars[-1].end, begin))
        chars += _chars(text, begin, max(begin, end))
    half = _height(row, slope) / 2
    above, below = start + slope * left, start + slope * right
    quad = Quad((left, above - half), (right, below - half), (right, below + half), (left, above + half))
    letters = [len(text.text) for text in row]
    score = sum(text.score * size for text, size in zip(row, letters, strict=True)) / sum(letters)
    return Span(" ".join(text.text for text in row), round(score, 5), quad, tuple(chars))


def _height(row: Sequence[Placed], slope: float) -> float:
    """The height of the characters: for axis-aligned boxes, without what the slope adds."""
    heights = []
    for text in row:
        (ax, ay), (bx, by), _, _ = text.quad.points
        upright = ay == by and ax != bx
        grown = abs(slope) * text.quad.width if upright else 0.0
        heights.append(max(text.quad.height - grown, 0.5 * text.quad.height))
    order = np.argsort(heights, kind="stable")
    lengths = np.array([len(row[i].text) for i in order], dtype=np.float64)
    cumulated = np.cumsum(lengths)
    return float(heights[order[int(np.searchsorted(cumulated, _USUAL * cumulated[-1]))]])


def _chars(text: Placed, begin: float, end: float) -> list[Char]:
    """The characters of a text between two fractions of its span; East Asian wide ones count double."""
    widths = [2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text.text]
    step = (end - begin) / sum(widths)
    others, inserted = _alternatives(text)
    chars = []
    at = begin
    for index, (character, width) in enumerate(zip(text.text, widths, strict=True)):
        if index in inserted:
            chars.append(Char("", 1 - sum(p for _, p in inserted[index]), at, at, tuple(inserted[index])))
        chars.append(Char(character, text.score, at, at + width * step, tuple(others.get(index, ()))))
        at += width * step
    return chars


_Others = dict[int, list[tuple[str, float]]]


def _alternatives(text: Placed) -> tuple[_Others, _Others]:
    """What each character may be instead, and what may be missing before it, by its index in the text."""
    others: _Others = {}
    inserted: _Others = {}
    for other, probability in text.alternatives:
        edits = Levenshtein.editops(text.text, other)
        if not 0 < len(edits) <= _FAR:
            continue
        for edit in edits:
            if edit.tag == "insert":
                inserted.setdefault(edit.src_pos, []).append((other[edit.dest_pos], probability))
            else:
                instead = other[edit.dest_pos] if edit.tag == "replace" else ""
                others.setdefault(edit.src_pos, []).append((instead, probability))
    return others, inserted

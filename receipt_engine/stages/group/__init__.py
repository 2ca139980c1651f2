"""Line grouping: spans in, printed rows out, from top to bottom.

In: recognised spans, in any order, in page coordinates. Out: `Line`s of words from left to right, or from
right to left where the page is printed that way. Decides: the reading frame that levels tilted and curled
rows and the side from which rows are read (`frame`), the words of each span, with dropped spaces restored and
spaced letters joined (`words`), how far a bent amount column must be moved (`frame`), and which fragments
share a row.

Two fragments of text share a row when, in the reading frame, they lie at the same height and do not overlap.
Pairs are joined from the lowest to the highest cost, so a description at the left edge and its amount at the
right one are joined even where the paper bends between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np
from msgspec.structs import replace

from receipt_engine.document import Line, Span, Word
from receipt_engine.stages.group.frame import Block, align_columns, amounts_at_left, fit_level, turned
from receipt_engine.stages.group.words import joined_letters, split
from receipt_engine.vocabulary.normalise import count_letters, letters_from_right

#: Largest vertical offset of two neighbours in a row, in text heights.
_MAX_STEP = 0.55
#: Largest horizontal overlap of two fragments in a row, in text heights: boxes are larger than their text.
_MAX_COVER = 0.6
#: Cost of a text height of empty space between two fragments, in text heights of vertical offset.
_GAP_COST = 0.01
#: Fewest digits of a number that is no quantity; and the end of an amount.
_LONG = 4
_CENTS = re.compile(r"[.,]\d\d?$")
#: Fewest rows that begin with an amount, on a page whose amounts stand before all names.
_MIN_LEADING = 4
#: Largest gap between two pieces of one text that is read from the right, in text heights.
_BLANKS = 2.0
#: Text more than this many times as high as its neighbour is not in the same row.
_MAX_SIZE_RATIO = 2.2


@dataclass(frozen=True)
class _Fragment:
    """The words of one span: the unit that rows are built from."""

    words: tuple[Word, ...]

    @property
    def left(self) -> float:
        return min([w.left for w in self.words])

    @property
    def right(self) -> float:
        return max([w.right for w in self.words])

    @cached_property
    def height(self) -> float:
        return max(1.0, sum(w.height for w in self.words) / len(self.words))

    @property
    def numeric(self) -> bool:
        text = "".join(w.text for w in self.words)
        return sum(map(str.isdigit, text)) >= 0.5 * len(text)

    @property
    def from_right(self) -> bool:
        """Whether it has letters that are read from right to left."""
        return any(letters_from_right(w.text) for w in self.words)

    @property
    def is_long_number(self) -> bool:
        """Whether it is a year, a time or a telephone number rather than an amount or a quantity."""
        text = " ".join(w.text for w in self.words)
        return self.numeric and sum(map(str.isdigit, text)) >= _LONG and not _CENTS.search(text)

    def moved(self, by: float) -> _Fragment:
        """The fragment moved down by `by` pixels of the reading frame."""
        return _Fragment(tuple(replace(w, top=w.top + by, bottom=w.bottom + by) for w in self.words))

    def middle_at(self, first: bool) -> float:
        word = min(self.words, key=_left) if first else max(self.words, key=_left)
        return (word.top + word.bottom) / 2


def _left(word: Word) -> float:
    return word.left


def group(spans: Sequence[Span]) -> tuple[Line, ...]:
    """Rows from top to bottom, words in reading order; spans without text are left out."""
    level = fit_level([s.quad for s in spans if s.text.strip()])
    fragments = [_Fragment(words) for words in (split(span, level) for span in spans) if words]
    rows = _join(_aligned(fragments))
    printed = sorted(rows, key=_row_middle)
    ordered = _in_direction(printed)
    lines = []
    for index, row in enumerate(ordered):
        pieces = _in_reading_order(row) if ordered is printed else sorted(row, key=lambda p: p.left)
        words = [word for fragment in pieces for word in fragment.words]
        lines.append(Line(index, joined_letters(words)))
    return tuple(lines)


def _in_direction(rows: list[list[_Fragment]]) -> list[list[_Fragment]]:
    """The rows, mirrored horizontally where the page is printed from right to left, or its amounts stand
    before all names."""
    texts = [word.text for row in rows for fragment in row for word in fragment.words]
    from_right = sum(map(letters_from_right, texts))
    if 2 * from_right <= sum(map(count_letters, texts)) and not _amounts_lead(rows):
        return rows
    if not amounts_at_left([(p.left, p.numeric) for p in row] for row in rows):
        return rows
    width = max(p.right for row in rows for p in row) + min(p.left for row in rows for p in row)
    return [[_Fragment(turned(p.words, width)) for p in row] for row in rows]


def _amounts_lead(rows: list[list[_Fragment]]) -> bool:
    """Whether several rows begin with an amount with cents before words, and none has one elsewhere."""
    leads = 0
    for row in rows:
        pieces = sorted(row, key=lambda p: p.left)
        amounts = [at for at, p in enumerate(pieces) if p.numeric and _CENTS.search(p.words[-1].text)]
        if len(pieces) > 1 and amounts == [0] and not pieces[1].numeric:
            leads += 1
        elif amounts and len(pieces) > 1:
            return False
    return leads >= _MIN_LEADING


def _in_reading_order(row: list[_Fragment]) -> Iterator[_Fragment]:
    """The fragments from the left, but close ones that are a text from the right from the right: such a text
    ends at the right with its first word, and may end at the left with a number ("2024 X 04 :Y"). Numbers and
    Latin words side by side within it keep their order."""
    run: list[_Fragment] = []
    for fragment in [*sorted(row, key=lambda p: p.left), None]:
        if fragment is not None and (not run or _is_close(run[-1], fragment)):
            run.append(fragment)
            continue
        first, last = run[0], run[-1]
        turned_round = last.from_right and (first.from_right or first.is_long_number)
        yield from _from_right(run) if turned_round else run
        run = [fragment] if fragment is not None else []


def _from_right(run: list[_Fragment]) -> Iterator[_Fragment]:
    for from_right, alike in groupby(reversed(run), key=lambda p: p.from_right):
        pieces = list(alike)
        yield from pieces if from_right else reversed(pieces)


def _is_close(left: _Fragment, right: _Fragment) -> bool:
    return right.left - left.right < _BLANKS * min(left.height, right.height)


def _aligned(fragments: list[_Fragment]) -> list[_Fragment]:
    """The fragments with a bent amount column aligned to its descriptions."""
    blocks = [
        Block(p.left, p.right, (p.middle_at(True) + p.middle_at(False)) / 2, p.height, p.numeric)
        for p in fragments
    ]
    return [
        fragment.moved(float(by)) if by else fragment
        for fragment, by in zip(fragments, align_columns(blocks), strict=True)
    ]


def _row_middle(row: list[_Fragment]) -> float:
    weight = sum(p.right - p.left + 1 for p in row)
    return sum((p.middle_at(True) + p.middle_at(False)) / 2 * (p.right - p.left + 1) for p in row) / weight


def _join(fragments: list[_Fragment]) -> list[list[_Fragment]]:
    """Merges fragments into rows, cheapest link first."""
    links = sorted(_links(fragments))
    row_of = list(range(len(fragments)))
    rows: dict[int, list[_Fragment]] = {i: [fragment] for i, fragment in enumerate(fragments)}
    for _, a, b in links:
        first, second = row_of[a], row_of[b]
        if first == second or not _compatible(rows[first], rows[second]):
            continue
        rows[first] += rows.pop(second)
        row_of = [first if r == second else r for r in row_of]
    return list(rows.values())


def _links(fragments: list[_Fragment]) -> list[tuple[float, int, int]]:
    """Cost, index of the left and index of the right fragment, for every pair that may share a row."""
    if not fragments:
        return []
    left = np.array([p.left for p in fragments])
    right = np.array([p.right for p in fragments])
    height = np.array([p.height for p in fragments])
    start = np.array([p.middle_at(True) for p in fragments])
    end = np.array([p.middle_at(False) for p in fragments])
    order = np.arange(len(fragments))
    smaller = np.minimum(height[:, None], height[None, :])
    larger = np.maximum(height[:, None], height[None, :])
    step = np.abs(end[:, None] - start[None, :]) / smaller
    gap = (left[None, :] - right[:, None]) / smaller
    before = (left[:, None] < left[None, :]) | (
        (left[:, None] == left[None, :]) & (order[:, None] < order[None, :])
    )
    possible = before & (larger <= _MAX_SIZE_RATIO * smaller) & (step <= _MAX_STEP) & (gap >= -2 * _MAX_COVER)
    cost = step + _GAP_COST * np.maximum(0.0, gap)
    first, second = np.nonzero(possible)
    return list(zip(cost[possible].tolist(), first.tolist(), second.tolist(), strict=True))


def _compatible(first: list[_Fragment], second: list[_Fragment]) -> bool:
    """Whether two rows can be merged without text overlapping text."""
    for a in first:
        for b in second:
            allowed = _MAX_COVER * min(a.height, b.height)
            if min(a.right, b.right) - max(a.left, b.left) > allowed:
                return False
    return True

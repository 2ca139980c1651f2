"""Divides a bent row into pieces that are straight, each where it lies on the page.

Rows are put together from straight spans. One span for a whole bow would lie above or below its own text in
the middle, where its neighbours are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import Char, Point, Quad, Span, TextBox
from receipt_engine.stages.recognize.spans import mean_score

#: A row is divided at the blanks nearest to these parts of its width, if they are near enough.
_CUTS = (1 / 3, 2 / 3)
_NEAR = 1 / 6


def straight_pieces(span: Span, box: TextBox) -> tuple[Span, ...]:
    """The span as pieces, from left to right; as it is for a straight box or text that runs downwards."""
    if box.middle is None or box.quad.height > box.quad.width:
        return (span,)
    center = box.quad.center
    bend = (box.middle[0] - center[0], box.middle[1] - center[1])
    ends = [0.0, *_cuts(span.chars), 1.0]
    pieces = []
    for start, end in pairwise(ends):
        chars = tuple(_within(char, start, end) for char in span.chars if start <= _middle(char) < end)
        text = "".join(char.text for char in chars).strip()
        if text or len(ends) == 2:
            score = mean_score(chars) if chars else span.score
            quad = _on_bow(box.quad, bend, start, end)
            pieces.append(
                replace(span, text=text or span.text, score=round(score, 5), quad=quad, chars=chars)
            )
    return tuple(pieces)


def _cuts(chars: Sequence[Char]) -> list[float]:
    """Where the row is divided, as parts of its width; nowhere if it does not go from left to right."""
    if any(_middle(before) > _middle(behind) for before, behind in pairwise(chars)):
        return []
    blanks = [_middle(char) for char in chars if char.text.isspace()]
    nearest = (min(blanks, key=lambda blank: abs(blank - cut), default=None) for cut in _CUTS)
    near = (
        blank
        for blank, cut in zip(nearest, _CUTS, strict=True)
        if blank is not None and abs(blank - cut) <= _NEAR
    )
    return sorted(set(near))


def _middle(char: Char) -> float:
    return (char.start + char.end) / 2


def _within(char: Char, start: float, end: float) -> Char:
    """The character with its place in the part of the row from start to end."""
    left, right = ((place - start) / (end - start) for place in (char.start, char.end))
    return replace(char, start=max(0.0, left), end=min(1.0, right))


def _on_bow(quad: Quad, bend: Point, start: float, end: float) -> Quad:
    """The part of a quad from start to end, moved to where the bow lies there on average."""
    sag = 2 / 3 * (end - start) ** 2
    left, right = (1 - (2 * place - 1) ** 2 + sag for place in (start, end))
    a, b, c, d = quad.slice(start, end).points
    shifts = (left, right, right, left)
    moved = [(x + bend[0] * k, y + bend[1] * k) for (x, y), k in zip((a, b, c, d), shifts, strict=True)]
    return Quad(*((round(x, 2), round(y, 2)) for x, y in moved))

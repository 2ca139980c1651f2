"""Cuts spans into words and places them in the reading frame."""

from __future__ import annotations

from collections.abc import Iterable

from receipt_engine.document import Char, Quad, Span, Word
from receipt_engine.stages.group.lost_blanks import restore_blanks
from receipt_engine.stages.group.reading_frame import Level


def split(span: Span, level: Level) -> tuple[Word, ...]:
    """The span's words in the order of its characters; a span without characters is one word."""
    if not span.chars:
        return (_word(span.text, span.score, span.quad, (), level),) if span.text.strip() else ()
    words = []
    for run in _runs(restore_blanks(span.chars)):
        printed = [c for c in run if c.text]
        start = min([c.start for c in printed])  # of the last letter, where a script is read from the right
        quad = span.quad.slice(start, max(max([c.end for c in printed]), start + 1e-3))
        score = sum([c.score for c in printed]) / len(printed)
        words.append(_word("".join([c.text for c in printed]), score, quad, run, level))
    return tuple(words)


def _runs(chars: Iterable[Char]) -> list[tuple[Char, ...]]:
    """Runs of characters between spaces that print something."""
    runs: list[list[Char]] = [[]]
    for char in chars:
        if char.text.isspace():
            runs.append([])
        else:
            runs[-1].append(char)
    return [tuple(run) for run in runs if any(c.text for c in run)]


def _word(text: str, score: float, quad: Quad, chars: tuple[Char, ...], level: Level) -> Word:
    a, b, c, d = map(level, quad.points)
    return Word(
        text=text,
        score=round(score, 5),
        quad=quad,
        left=(a[0] + d[0]) / 2,
        right=(b[0] + c[0]) / 2,
        top=(a[1] + b[1]) / 2,
        bottom=(c[1] + d[1]) / 2,
        chars=chars,
    )

"""Reads the features of one line with one head."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from receipt_engine.document import Char, Quad, Span
from receipt_engine.stages.recognize.classes import Feature, Head
from receipt_engine.stages.recognize.ctc import decode

#: Score or probability from which the reading of a line, a letter or a script is accepted as certain.
SURE = 0.9
#: Text that the model cannot read, above all another alphabet, scores less than this.
UNREAD = 0.93
#: Share of digits from which a text is a number, whatever its script.
_MOSTLY = 0.5


def read_line(quad: Quad, feature: Feature, head: Head) -> Span:
    """The line as read by the head, from left to right; the score is the mean of the characters' scores."""
    chars = decode(head.probabilities(feature), head.characters, feature.share)
    return Span("".join(c.text for c in chars), round(mean_score(chars), 5), quad, chars)


def line_score(feature: Feature, head: Head) -> float:
    """The score of the line as read by the head, 0 to 1."""
    return mean_score(decode(head.probabilities(feature), head.characters, feature.share))


def mean_score(chars: Sequence[Char]) -> float:
    """The mean score of the characters that have a text; 0 for none."""
    scores = [char.score for char in chars if char.text]
    return sum(scores) / len(scores) if scores else 0.0


def is_number(span: Span) -> bool:
    """Whether at least half of the characters are digits, whatever the script."""
    return sum(map(str.isdigit, span.text)) >= _MOSTLY * max(1, len(span.text))


def digits_of(span: Span) -> str:
    """The span's digits, in their order."""
    return "".join(filter(str.isdigit, span.text))


T = TypeVar("T")
R = TypeVar("R")


def each(function: Callable[[T], R], items: list[T], threads: int) -> list[R]:
    """Like map(), but processes `threads` items at once; keeps their order."""
    if threads <= 1 or len(items) <= 1:
        return [function(item) for item in items]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(function, items))

"""Receipts one above the other with hardly a gap between them: what is printed tells that they are two."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from receipt_engine.document import Span
from receipt_engine.result import Result
from receipt_engine.scoring.certainty import SURE
from receipt_engine.stages.papers.gaps import gaps_below
from receipt_engine.stages.papers.separate import AMOUNT, DAY, WORD

#: Boxes, amounts and boxes with words of each receipt, at least.
_MIN_BOXES = 12
_MIN_AMOUNTS = 3
_MIN_WORDS = 4
#: Text heights between two rows.
_APART = 0.3
_TIME = re.compile(r"(?<!\d)(?:[01]?\d|2[0-3])[:.][0-5]\d(?!\d)")
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"[^\W\d_]{3,}")
#: How sure total and day of both must be. Parts of 790 single receipts never are where the second has a name:
#: what stands below a total has no name of a shop.
_CERTAIN = 0.9


def places_between(spans: Sequence[Span]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Ways to part spans by a row's gap into those above and those below, each with a time and a day of its
    own, which the other does not have."""
    if len(_days(span.text for span in spans)) < 2:
        return
    corners = np.array([span.quad.points for span in spans])

    for before in gaps_below(corners, _APART):
        above, below = (tuple(np.flatnonzero(side).tolist()) for side in (before, ~before))
        texts = [[spans[i].text for i in side] for side in (above, below)]
        first, second = (_days(side) for side in texts)
        if first and second and not first & second and all(map(_is_receipt, texts)):
            yield above, below


def are_two(first: Result, second: Result) -> bool:
    """Whether two parts of one reading are a receipt each: each has a day and a total of its own, and surely,
    and the second a name. The first one's is at the head anyhow, and products of a few are not found."""
    return (
        first.date != second.date
        and bool(first.line_items or second.line_items)
        and (second.establishment_confidence or 0) >= SURE
        and all(
            min(result.total_confidence or 0, result.date_confidence or 0) >= _CERTAIN
            for result in (first, second)
        )
    )


def _is_receipt(texts: Sequence[str]) -> bool:
    return (
        len(texts) >= _MIN_BOXES
        and sum(AMOUNT.search(text) is not None for text in texts) >= _MIN_AMOUNTS
        and sum(WORD.search(text) is not None for text in texts) >= _MIN_WORDS
        and any(_TIME.search(text) for text in texts)
    )


def _days(texts: Iterator[str] | Sequence[str]) -> set[frozenset[str]]:
    """The days in some texts, each as its numbers and the beginning of its month's name, in any order."""
    return {
        frozenset(number.lstrip("0")[-2:] for number in _NUMBER.findall(day[0]))
        | frozenset(name[:3].casefold() for name in _NAME.findall(day[0]))
        for text in texts
        for day in DAY.finditer(text)
    }

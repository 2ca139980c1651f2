"""Receipts one above the other with hardly a gap between them: what is printed tells that they are two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Span
from receipt_engine.result import Result
from receipt_engine.scoring.certainty import SURE
from receipt_engine.stages.papers.gaps import gaps_below
from receipt_engine.stages.papers.separate import AMOUNT, WORD

#: Boxes, amounts and boxes with words of each receipt, at least.
_MIN_BOXES = 12
_MIN_AMOUNTS = 3
_MIN_WORDS = 4
#: Text heights between two rows, and from the middle of one to that of the next.
_APART = 0.3
_ROW = 0.6
#: Rows with words before the first amount: the name and where it is. Of 379 single receipts 51 have a gap
#: with amounts above and such a head below it, mostly that of a card slip; of 113 pairs 110 have.
_HEAD_ROWS = 2
#: How sure both totals must be, and the name of the second. Of 1,103 ways to part 790 single receipts none
#: has both with what else is asked for; of 150 pairs 126 have. One has where its name may be .5.
_CERTAIN = 0.9
_NAMED = 0.6


def places_between(spans: Sequence[Span]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Ways to part spans by a row's gap into those above and those below, which begin with a head."""
    if len(spans) < 2 * _MIN_BOXES:
        return
    corners = np.array([span.quad.points for span in spans])
    amounts, words = (
        np.array([pattern.search(span.text) is not None for span in spans]) for pattern in (AMOUNT, WORD)
    )
    for above, down in gaps_below(corners, _APART):
        sides = (above, ~above)
        if all(_is_enough(amounts[side], words[side]) for side in sides) and _has_head(
            down[~above], amounts[~above], words[~above]
        ):
            first, second = (tuple(np.flatnonzero(side).tolist()) for side in sides)
            yield first, second


def are_two(first: Result, second: Result) -> bool:
    """Whether two parts of one reading are a receipt each: both have a total of their own, and surely, the
    second has a name, and either the totals are proved by what stands above them or the days differ.

    The first one's name is at the head anyhow, and products of a few are not found.
    """
    days = [
        result.date[:10]
        for result in (first, second)
        if (result.date_confidence or 0) >= SURE and result.date
    ]
    proved = first.validated_total and second.validated_total
    return (
        first.total != second.total
        and min(first.total_confidence or 0, second.total_confidence or 0) >= _CERTAIN
        and bool(first.line_items or second.line_items)
        and (second.establishment_confidence or 0) >= _NAMED
        and (proved or len(set(days)) > 1)
    )


def _is_enough(amounts: NDArray[np.bool_], words: NDArray[np.bool_]) -> bool:
    return (
        len(amounts) >= _MIN_BOXES and int(amounts.sum()) >= _MIN_AMOUNTS and int(words.sum()) >= _MIN_WORDS
    )


def _has_head(down: NDArray[np.float64], amounts: NDArray[np.bool_], words: NDArray[np.bool_]) -> bool:
    """Whether rows with words stand above the first amount. down: of the boxes' middles, in text heights."""
    head = np.sort(down[words & (down < down[amounts].min() - _ROW)])
    return head.size > 0 and 1 + int((np.diff(head) > _ROW).sum()) >= _HEAD_ROWS

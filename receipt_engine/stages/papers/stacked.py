"""Splits two receipts that lie one above the other with hardly a gap between them, by their printed text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Span
from receipt_engine.result import Result
from receipt_engine.scoring.certainty import SURE
from receipt_engine.stages.papers.gaps import gaps_below
from receipt_engine.stages.papers.separate import AMOUNT, WORD

#: Least number of boxes, of amounts and of boxes with words in each receipt.
_MIN_BOXES = 12
_MIN_AMOUNTS = 3
_MIN_WORDS = 4
#: Least gap between two rows, and least distance between the middles of two rows, in text heights.
_APART = 0.3
_ROW = 0.6
#: Least number of rows with words above the first amount, such as name and address. Of 379 single receipts 51
#: have a gap with amounts above and such a header below it, mostly that of a card slip; of 113 pairs 110
#: have.
_HEAD_ROWS = 2
#: Least confidence of both totals, and of the merchant of the second receipt. Of 1,103 ways to split 790
#: single receipts none meets both and the other conditions; of 150 pairs 126 do. With .5 for the merchant,
#: one single receipt does.
_CERTAIN = 0.9
_NAMED = 0.6


def places_between(spans: Sequence[Span]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Ways to split spans at a gap between rows: indices above, and below, where a header must come first."""
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
    """Whether two parts of one reading are a receipt each.

    Both must have a total with high confidence, the totals must differ, at least one part must have line
    items and the second a merchant, and either both totals are validated or the dates differ. The merchant of
    the first is not checked, since it is at the top anyway; line items are missed in some receipts.
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
    """Whether enough rows with words lie above the first amount. down: y of the boxes' middles, in text
    heights."""
    head = np.sort(down[words & (down < down[amounts].min() - _ROW)])
    return head.size > 0 and 1 + int((np.diff(head) > _ROW).sum()) >= _HEAD_ROWS

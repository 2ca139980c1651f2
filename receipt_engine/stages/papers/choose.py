"""Decides which papers are separate receipts, after each has been read, and splits two receipts that lie one
above the other with hardly a gap between them, by their printed text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Span
from receipt_engine.result import Result
from receipt_engine.scoring.certainty import SURE
from receipt_engine.stages.papers.gaps import gaps_below
from receipt_engine.stages.papers.separate import AMOUNT, WORD

#: Least confidence of the total of a separate receipt, unless something else shows that it is one.
_TOTAL = 0.5
#: A tip adds at most this share to the receipt's total.
_MOST_TIP = Decimal("0.4")
#: Line items that count as evidence that a paper without a date is a receipt; how many of three pieces of
#: evidence it needs; and the line items from which a validated total and a merchant are enough.
_DATELESS_ITEMS = 2
_WITNESSES = 2
_PROVING_ITEMS = 4
#: Most minutes between the times of two papers of one purchase; more are allowed for the same total.
_SAME_MINUTES = 2
_SAME_TOTAL_MINUTES = 15
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


def choose_receipts(results: Sequence[Result], has_edge: Sequence[bool]) -> tuple[tuple[int, ...], ...]:
    """The indices of the papers of each receipt, the receipt itself before its card slip.

    results: of the papers, each read separately. has_edge: for each paper, whether another surface surrounds
    it. Fewer than two groups are returned when the papers are one receipt.
    """
    own = [
        i for i, (result, sure) in enumerate(zip(results, has_edge, strict=True)) if _is_receipt(result, sure)
    ]
    receipts: list[list[int]] = []
    for index in own:
        if any(_is_slip_of(results[index], results[other]) for other in own if other != index):
            continue
        for group in receipts:
            first = group[0]
            only_gap = not (has_edge[index] or has_edge[first])
            if _is_one_purchase(results[index], results[first], only_gap):
                group.append(index)
                break
        else:
            receipts.append([index])
    placed = {index for group in receipts for index in group}
    for index in own:
        for group in receipts:
            if index not in placed and _is_slip_of(results[index], results[group[0]]):
                group.append(index)
                break
    return tuple(tuple(group) for group in receipts)


def _is_receipt(result: Result, has_edge: bool) -> bool:
    """Whether a paper is a separate receipt. It must have a total, and one of these:

    - another surface around it (has_edge), a date and a merchant;
    - a total confidence of at least _TOTAL and a date;
    - the same confidence, line items and two of three pieces of evidence: several line items, a confident
      merchant and total, another surface around it. Without such a surface, its total must be validated;
    - a validated total, at least _PROVING_ITEMS line items and a merchant.

    Tax summaries may also be separated by gaps and folds, so the total needs that confidence.
    """
    if result.total is None:
        return False
    if has_edge and result.date is not None and result.establishment is not None:
        return True
    items, named = len(result.line_items), result.establishment is not None
    sure = min(result.establishment_confidence or 0, result.total_confidence or 0) >= SURE
    undated = items > 0 and (items >= _DATELESS_ITEMS) + sure + has_edge >= _WITNESSES
    undated = undated and (has_edge or result.validated_total)
    dated = result.date is not None or undated
    proved = result.validated_total and items >= _PROVING_ITEMS and named
    return (dated and (result.total_confidence or 0) >= _TOTAL) or proved


def _is_one_purchase(first: Result, second: Result, only_gap: bool) -> bool:
    """Whether two papers, or two parts of one, were printed for the same purchase: within a few minutes, or
    with the same total on one day.

    only_gap: neither is surrounded by another surface. The part below the line items may then have the same
    total and another date, the end of the return period, or the only date of both.
    """
    if only_gap and first.total == second.total:
        products = [bool(result.line_items) for result in (first, second)]
        days = [result.date is not None for result in (first, second)]
        if products[0] != products[1] or days[0] != days[1]:
            return True
    if not first.date or not second.date or first.date[:10] != second.date[:10]:
        return False
    minutes = [60 * int(text[11:13]) + int(text[14:16]) for text in (first.date, second.date)]
    if 0 in minutes:  # no time is printed
        return first.total == second.total
    apart = abs(minutes[0] - minutes[1])
    return apart <= _SAME_MINUTES or (first.total == second.total and apart <= _SAME_TOTAL_MINUTES)


def _is_slip_of(slip: Result, receipt: Result) -> bool:
    """Whether a paper without line items is the card slip of a receipt."""
    if slip.line_items or slip.total is None or receipt.total is None:
        return False
    if not receipt.line_items and (slip.date or not receipt.date):  # the other paper is no more complete
        return False
    if slip.date and receipt.date and slip.date[:10] != receipt.date[:10]:
        return False
    return receipt.total <= slip.total <= receipt.total * (1 + _MOST_TIP) and (
        slip.total == receipt.total or slip.tip is not None
    )


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

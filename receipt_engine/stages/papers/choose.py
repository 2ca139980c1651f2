"""Which papers are receipts of their own, once each has been read."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.result import Result
from receipt_engine.scoring.certainty import SURE

#: A receipt of its own has a total that is at least this sure, if nothing else shows that it is one.
_TOTAL = 0.5
#: A tip adds at most this share to the receipt's total.
_MOST_TIP = Decimal("0.4")
#: Products from which a paper without a date may be a receipt, and how many of three things show that it is;
#: and products behind a gap that must prove its total.
_DATELESS_ITEMS = 2
_WITNESSES = 2
_PROVING_ITEMS = 4
#: Minutes between the times of two papers of one purchase; more when they have the same total.
_SAME_MINUTES = 2
_SAME_TOTAL_MINUTES = 15


def choose_receipts(results: Sequence[Result], parted: Sequence[bool]) -> tuple[tuple[int, ...], ...]:
    """For each receipt the indices of its papers, the receipt itself before its card slip.

    results: of the papers, each read on its own; parted: whether another surface lies around a paper. Fewer
    than two receipts when they are one.
    """
    own = [
        i for i, (result, sure) in enumerate(zip(results, parted, strict=True)) if _is_receipt(result, sure)
    ]
    receipts: list[list[int]] = []
    for index in own:
        if any(_is_slip_of(results[index], results[other]) for other in own if other != index):
            continue
        for group in receipts:
            first = group[0]
            only_gap = not (parted[index] or parted[first])
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


def _is_receipt(result: Result, parted: bool) -> bool:
    """Whether a paper is one of its own: it has a total and a date, or products and two of these three: they
    are several, shop and total are sure, another surface parts it. Where none does, they prove the total.

    Tax summaries stand behind gaps and folds too, where the total has to be sure.
    """
    if result.total is None:
        return False
    if parted and result.date is not None and result.establishment is not None:
        return True
    items, named = len(result.line_items), result.establishment is not None
    sure = min(result.establishment_confidence or 0, result.total_confidence or 0) >= SURE
    undated = items > 0 and (items >= _DATELESS_ITEMS) + sure + parted >= _WITNESSES
    undated = undated and (parted or result.validated_total)
    dated = result.date is not None or undated
    proved = result.validated_total and items >= _PROVING_ITEMS and named
    return (dated and (result.total_confidence or 0) >= _TOTAL) or proved


def _is_one_purchase(first: Result, second: Result, only_gap: bool) -> bool:
    """Whether two papers, or two parts of one, were printed for the same purchase: in the same minutes, or on
    one day for one total. only_gap: no other surface lies around them; the part below the products may then
    have the same total and another day, until which goods are taken back, or the only day of both."""
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
    """Whether a paper without products is what the card terminal printed for a receipt with them."""
    if slip.line_items or slip.total is None or receipt.total is None:
        return False
    if not receipt.line_items and (slip.date or not receipt.date):  # neither is more than the other
        return False
    if slip.date and receipt.date and slip.date[:10] != receipt.date[:10]:
        return False
    return receipt.total <= slip.total <= receipt.total * (1 + _MOST_TIP) and (
        slip.total == receipt.total or slip.tip is not None
    )

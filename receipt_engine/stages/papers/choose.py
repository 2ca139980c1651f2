"""Which papers are receipts of their own, once each has been read."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.result import Result

#: A receipt of its own has a total that is at least this sure.
_TOTAL = 0.5
#: A tip adds at most this share to the receipt's total.
_MOST_TIP = Decimal("0.4")


def choose_receipts(results: Sequence[Result]) -> tuple[tuple[int, ...], ...]:
    """For each receipt the indices of its papers, the receipt itself before its card slip.

    results: of the papers, each read on its own. Fewer than two receipts when they are one.
    """
    own = [i for i, result in enumerate(results) if _stands_alone(result)]
    receipts: list[list[int]] = []
    for index in own:
        if not any(_is_slip_of(results[index], results[other]) for other in own if other != index):
            receipts.append([index])
    for index in own:
        for group in receipts:
            if index != group[0] and _is_slip_of(results[index], results[group[0]]):
                group.append(index)
                break
    return tuple(tuple(group) for group in receipts)


def _stands_alone(result: Result) -> bool:
    return result.total is not None and (result.total_confidence or 0) >= _TOTAL


def _is_slip_of(slip: Result, receipt: Result) -> bool:
    """Whether a paper without products is what the card terminal printed for a receipt with them."""
    if slip.line_items or not receipt.line_items or slip.total is None or receipt.total is None:
        return False
    if slip.date and receipt.date and slip.date[:10] != receipt.date[:10]:
        return False
    return receipt.total <= slip.total <= receipt.total * (1 + _MOST_TIP) and (
        slip.total == receipt.total or slip.tip is not None
    )

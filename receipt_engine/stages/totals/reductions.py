"""Negative rows among the products that lower a price, not the products that were brought back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from receipt_engine.document import AmountRow, Entry, Item
from receipt_engine.vocabulary.normalise import squeeze

#: Claim of a negative row with a percentage to be a discount.
_REDUCTION = 0.6
_MULTI_BUY = re.compile(r"(?<!\d)\d ?(?:for|pour|für|por|per|x|=|voor) ?(?:\d(?!\d)|[$€£]\d)", re.IGNORECASE)


def with_reductions(
    entries: Sequence[Entry], items: Sequence[Item], rows: Sequence[AmountRow]
) -> tuple[Entry, ...]:
    """The entries, where negative product rows with a percentage or a multi-buy ("3 for 2") claim to be
    discounts; so do those that only lower the price of the product above."""
    negative = {item.line for item in items if item.total.value < 0}
    lowered = _lowered(items)
    return tuple(
        e.claiming("discount", _REDUCTION)
        if e.line in negative
        and e.zone == "items"
        and not any(role in ("void", "deposit", "discount") for role, _ in e.roles)
        and (e.line in lowered or rows[e.line].percents or _MULTI_BUY.search(rows[e.line].text))
        else e
        for e in entries
    )


def _lowered(items: Sequence[Item]) -> frozenset[int]:
    """Rows right below a product that take off less than it costs, without a code and a quantity, on which a
    product that was brought back would be printed as sold; the products still cost something."""
    if sum(item.total.value for item in items) <= 0:
        return frozenset()
    return frozenset(
        item.line
        for above, item in pairwise(items)
        if -above.total.value < item.total.value < 0
        and item.line == max(above.lines) + 1
        and item.product_code is None
        and item.qty is None
        and item.unit is None
        and not any(_is_same(item, other) for other in items if other is not item)
    )


def _is_same(item: Item, other: Item) -> bool:
    return squeeze(item.desc_clean) == squeeze(other.desc_clean) or item.total.value == -other.total.value

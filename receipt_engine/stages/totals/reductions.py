"""Negative rows among the products that lower a price, not the products that were brought back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from receipt_engine.document import AmountRow, Entry, Item
from receipt_engine.vocabulary.normalise import squeeze
from receipt_engine.vocabulary.terms import term_at_start, term_phrases

#: Claim of a negative row with a percentage to be a discount.
_REDUCTION = 0.6


def with_reductions(
    entries: Sequence[Entry], items: Sequence[Item], rows: Sequence[AmountRow]
) -> tuple[Entry, ...]:
    """The entries, where negative product rows with a percentage or a multi-buy ("3 for 2") claim to be
    discounts; so do those that only lower the price of the product above, but for what is brought back to
    an earlier receipt that the head tells of."""
    negative = {item.line for item in items if item.total.value < 0}
    head = rows[: min((item.line for item in items), default=0)]
    returned = any(term_at_start(row.text, "earlier_document") for row in head)
    lowered = frozenset() if returned else _lowered(items)
    return tuple(
        e.claiming("discount", _REDUCTION)
        if e.line in negative
        and e.zone == "items"
        and not any(role in ("void", "deposit", "discount") for role, _ in e.roles)
        and (e.line in lowered or rows[e.line].percents or _is_multi_buy(rows[e.line].text))
        else e
        for e in entries
    )


def _is_multi_buy(text: str) -> bool:
    """Whether a text names several for the price of fewer, or for a price: "3 for 2", "2x€5"."""
    return _multi_buy().search(text) is not None


@cache
def _multi_buy() -> re.Pattern[str]:
    words = (*term_phrases("bundle_price"), *term_phrases("each_price"))
    between = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(?<![\d-])\d ?(?:{between}|x|=) ?(?:\d(?![\d.,])|[$€£]\d)", re.IGNORECASE)


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

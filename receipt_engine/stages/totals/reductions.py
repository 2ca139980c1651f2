"""Finds discounts among the products: negative rows that lower a price, not products that are returned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from receipt_engine.document import AmountRow, Entry, Item, says, sum_items
from receipt_engine.scoring.certainty import POSSIBLE
from receipt_engine.vocabulary.normalise import squeeze
from receipt_engine.vocabulary.terms import term_at_start

#: How many are taken for the price of how many: "3 FOR 2", "3x2".
_OFFER = re.compile(r"\d{1,2} ?[^\W\d_]{1,4} ?\d{1,2}")
#: Weight of "discount" that a negative product row claims.
_REDUCTION = 0.6


def with_reductions(
    entries: Sequence[Entry], items: Sequence[Item], rows: Sequence[AmountRow]
) -> tuple[Entry, ...]:
    """The entries; those of negative product rows claim to be discounts if they have a percentage or only
    lower the price of the product above, and are not named like a sold product ("MILK 3,8% -1.29"). The last
    rule does not apply where the header refers to an earlier receipt, whose products are returned."""
    sold = {squeeze(item.desc_clean) for item in items if item.total.value > 0}
    negative = {i.line for i in items if i.total.value < 0 and squeeze(i.desc_clean) not in sold}
    head = rows[: min((item.line for item in items), default=0)]
    returned = any(term_at_start(row.text, "earlier_document") for row in head)
    lowered = frozenset() if returned else _lowered(items)
    return tuple(
        e.claiming("discount", _REDUCTION)
        if e.line in negative
        and e.zone == "items"
        and not any(role in ("deposit", "discount") for role, _ in e.roles)
        and not says(rows[e.line].roles, ["void"], POSSIBLE)
        and (e.line in lowered or rows[e.line].percents)
        else e
        for e in entries
    )


def _lowered(items: Sequence[Item]) -> frozenset[int]:
    """Lines of negative items right below a product that take off less than its amount, or are an offer ("3
    FOR 2  -8.99"). Returned products are left out: they are printed as when sold, with a code or quantity, or
    with the name or amount of a sold item. Empty unless the products add up to more than zero."""
    if sum_items(items) <= 0:
        return frozenset()
    sold = [other for other in items if other.total.value > 0]
    return frozenset(
        item.line
        for above, item in pairwise(items)
        if item.total.value < 0 < above.total.value
        and item.line == max(above.lines) + 1
        and (_OFFER.fullmatch(item.desc) or _lowers(item, above, sold))
    )


def _lowers(item: Item, above: Item, sold: Sequence[Item]) -> bool:
    """Whether a negative item with a name takes off less than the amount above, and is no product."""
    named = item.product_code is None or _names_article(item, above)
    plain = named and item.qty is None and item.unit is None
    return plain and -above.total.value < item.total.value and not any(_is_same(item, o) for o in sold)


def _names_article(item: Item, above: Item) -> bool:
    """Whether a row repeats the article number of the product above behind a number of its own, that of the
    reduction: "0000417722 / 88412"."""
    number = above.product_code
    return number is not None and number != item.product_code and item.desc.endswith(number)


def _is_same(item: Item, other: Item) -> bool:
    return squeeze(item.desc_clean) == squeeze(other.desc_clean) or item.total.value == -other.total.value

"""Rows among the products that add up all products above them, under unknown or lost words."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from receipt_engine.document import ZERO, Item


def split_running_sum(items: Sequence[Item]) -> tuple[tuple[Item, ...], int | None]:
    """The products, and the index of the row that adds up all products above it under unknown or lost words.

    What is printed below such a row is no product either. By chance a third product may cost as much as
    the first two: then more products follow than stand above, and nothing is split.
    """
    running = unsigned = ZERO
    for position, item in enumerate(items):
        value = item.total.value
        if position >= 2 and len(items) - position - 1 <= position and value > 0:
            if value == running:
                return tuple(items[:position]), item.line
            if value == unsigned:
                return tuple(_unsigned(i) for i in items[:position]), item.line
        running += value
        unsigned += abs(value)
    return tuple(items), None


def _unsigned(item: Item) -> Item:
    """The product with a stroke before its amount taken for dirt, not for a minus."""
    positive = [m for m in item.total.readings if m.value == abs(item.total.value)]
    if item.total.value >= 0 or not positive:
        return item
    rest = tuple(m for m in item.total.readings if m is not positive[0])
    return replace(item, total=replace(item.total, readings=(positive[0], *rest)))

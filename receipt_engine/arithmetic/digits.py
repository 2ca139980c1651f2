"""Tells amounts that differ by one misread digit."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

#: Pairs of digits that are confused in worn or coarse print.
_ALIKE = frozenset(("06", "08", "09", "17", "38", "56", "58", "68", "69", "89", "49", "27", "35", "14"))


def digit_off(read: Decimal, true: Decimal) -> Literal["like", "unlike"] | None:
    """Whether two amounts differ by exactly one digit, which looks like the other or not; None otherwise."""
    one, other = str(abs(read)), str(abs(true))
    if len(one) != len(other):
        return None
    different = [min(a, b) + max(a, b) for a, b in zip(one, other, strict=True) if a != b]
    if len(different) != 1:
        return None
    return "like" if different[0] in _ALIKE else "unlike"

"""Decides which rows of words are the second row of a product's name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from receipt_engine.stages.items.rows import ItemRow

#: Largest difference between the left edges of two aligned rows, in row heights.
_ALIGNED = 0.7
#: Share of the widest row's width that a row must have to be continued on the next.
_FULL = 0.9
#: Smallest indent of a name's second row, in row heights.
_INDENTED = 2.0


def continues_name(name: ItemRow, row: ItemRow, names: Sequence[ItemRow]) -> bool:
    """Whether words right below a name are its second row: they are left-aligned with the name, and the name
    is about as wide as the widest, so that it had to be broken.

    Options chosen with a product follow names of any width, and are indented, marked or in brackets.
    """
    left, right = name.span
    aligned = abs(row.left - left) < _ALIGNED * name.height
    words = row.desc[:1].isalnum() and not any(c.isdigit() or c == ":" for c in row.desc)
    if name.discount or row.index != name.index + 1 or not (aligned and words) or len(names) < 2:
        return False
    return right - left >= _FULL * max(n.span[1] - left for n in names)


def begins_name(first: ItemRow, name: ItemRow, block: Sequence[ItemRow]) -> bool:
    """Whether words right above a name are its first row: left-aligned and about as wide as the widest."""
    aligned = abs(first.left - name.left) < _ALIGNED * name.height
    if first.index == name.index - 1 and (
        _is_indented(first, name, block) or (aligned and _only_first_is_numbered(first, name, block))
    ):
        return True
    if (
        first.index != name.index - 1
        or not aligned
        or first.right < name.right
        or not first.desc[:1].isalnum()
    ):
        return False
    widest = max(row.right for row in block if row.kind == "text")
    return first.right - first.left >= _FULL * (widest - first.left)


def _is_indented(first: ItemRow, name: ItemRow, block: Sequence[ItemRow]) -> bool:
    """Whether of two rows of words only the second is indented from the edge at which names begin."""
    edge = min(row.left for row in block if row.kind in ("text", "bare"))
    return abs(first.left - edge) < _ALIGNED * first.height and name.left - edge > _INDENTED * name.height


def _only_first_is_numbered(first: ItemRow, name: ItemRow, block: Sequence[ItemRow]) -> bool:
    """Whether each name begins with its number, and of these two rows only the first does."""
    begin = [row for above, row in pairwise(block) if above.kind == "bare" and row.kind == "text"]
    numbered = [row.desc[:1].isdigit() for row in begin]
    return first in begin and all(numbered) and len(numbered) > 1 and not name.desc[:1].isdigit()

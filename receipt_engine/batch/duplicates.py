"""Marks duplicate receipts: the same bytes, or the same receipt photographed again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

import msgspec
from rapidfuzz import fuzz

from receipt_engine.batch.row import Duplicate, Row
from receipt_engine.result import Result

#: Least similarity of two readings of one name: a second photo differs in confusions, a cut-off edge, or the
#: line that was mistaken for the name.
_NAME_LIKENESS = 0.6
#: Least share of product amounts that two readings of one receipt have in common.
_ITEM_OVERLAP = 0.5
#: From this many product amounts on, equal amounts alone show that the names were read differently.
_TELLING_ITEMS = 4


@dataclass(frozen=True, slots=True)
class _Seen:
    """The data kept of a receipt. time: None when none is printed."""

    file: str
    page: int
    receipt: int
    name: str
    time: str | None
    items: Counter[Decimal]


class Duplicates:
    """Compares each row with all earlier rows. Keeps a few hundred bytes per receipt."""

    def __init__(self) -> None:
        self._bytes: dict[tuple[str, int, int], str] = {}
        self._receipts: dict[tuple[str, Decimal], list[_Seen]] = {}

    def marked(self, row: Row) -> Row:
        """The row, marked if it duplicates one that was passed before; an older mark is dropped."""
        found = self._same_bytes(row) or self._same_receipt(row)
        return msgspec.structs.replace(row, duplicate=found or msgspec.UNSET)

    def _same_bytes(self, row: Row) -> Duplicate | None:
        if row.sha256 is None:
            return None
        first = self._bytes.setdefault((row.sha256, row.page, row.receipt), row.file)
        return None if first == row.file else Duplicate(first, row.page, row.receipt, "same bytes")

    def _same_receipt(self, row: Row) -> Duplicate | None:
        result = row.found
        if result is None or result.total is None or result.date is None:
            return None
        day, _, time = result.date.partition(" ")
        seen = _Seen(
            row.file,
            row.page,
            row.receipt,
            _plain(result.establishment or ""),
            None if time == "00:00:00" else time,
            Counter(_amounts(result)),
        )
        others = self._receipts.setdefault((day, result.total), [])
        first = next((other for other in others if _alike(seen, other)), None)
        if first is not None:
            return Duplicate(first.file, first.page, first.receipt, "same receipt")
        others.append(seen)
        return None


def _alike(one: _Seen, other: _Seen) -> bool:
    """Whether two receipts of one day and total are the same: their times do not contradict each other, and
    the products and the merchant's name agree."""
    if one.time and other.time and one.time[:5] != other.time[:5]:
        return False
    overlap = _overlap(one.items, other.items)
    if overlap < _ITEM_OVERLAP:
        return False
    if one.name and other.name and fuzz.ratio(one.name, other.name) >= 100 * _NAME_LIKENESS:
        return True
    telling = min(one.items.total(), other.items.total()) >= _TELLING_ITEMS
    return (telling or one.time is not None) and overlap == 1.0 and one.time == other.time


def _overlap(one: Counter[Decimal], other: Counter[Decimal]) -> float:
    """Share of the longer list that both have in common; 1 when both are empty."""
    longest = max(one.total(), other.total())
    return (one & other).total() / longest if longest else 1.0


def _amounts(result: Result) -> list[Decimal]:
    return [item.line_total for item in result.line_items if item.line_total is not None]


def _plain(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())

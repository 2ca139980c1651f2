"""Keeps in the names what only looks like a count or a unit: pack sizes and abbreviations."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from receipt_engine.stages.items.rows import ItemRow
from receipt_engine.stages.items.rows.words import leading_count

_PACK_BEHIND = re.compile(r"(?<=[^\W_]) [xX](\d{1,2})$")
#: A pack size printed like the name's words: "ROLLS X6".
_CAPITAL_PACK = re.compile(r"[^\W\d_a-z] X(\d{1,2})$")
#: A size in pieces behind a name that begins with its count: "1 OPEN SANDWICH 3 pcs".
_PIECES = re.compile(r" (\d{1,2}) ?[^\W\d_]{1,4}\.?$")
_UNIT_BEFORE = re.compile(r"^\W*\d{1,3} ([^\W\d_]{2,4}\.?) (?=[^\W\d_]{2})")


def without_packs(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows, with a pack size kept in the name ("HAM SLICES X4") instead of being the quantity, if the
    till prints counts in another way: with the unit price, or before every name; or if the size is printed
    in capitals like the name, on a few rows only."""
    block = [_with_pieces(row) for row in block]
    named = [row for row in block if row.kind == "named"]
    counted = len(named) > 1 and all(leading_count(row.words) is not None for row in named)
    if counted or any(row.qty is not None and abs(row.qty) > 1 and row.price is not None for row in block):
        return [_with_pack(row, _PACK_BEHIND) for row in block]
    if 2 * sum(1 for row in named if _PACK_BEHIND.search(row.desc)) < len(named):
        return [_with_pack(row, _CAPITAL_PACK) for row in block]
    return list(block)


def _with_pack(row: ItemRow, pattern: re.Pattern[str]) -> ItemRow:
    pack = pattern.search(row.desc)
    if pack is None or row.qty != int(pack.group(1)) or row.price is not None or row.kind != "named":
        return row
    return replace(row, qty=None, words=f"{row.words} {row.desc.split()[-1]}")


def _with_pieces(row: ItemRow) -> ItemRow:
    size = _PIECES.search(row.desc)
    if size is None or row.qty != int(size[1]) or row.price is not None or leading_count(row.words) is None:
        return row
    return replace(row, qty=None, words=f"{row.words}{size.group()}")


def with_abbreviations(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows, with a word between count and name kept in the name ("1 ST. HELENA") although it is also a
    unit, if most counts of the receipt have no unit."""
    named = [row for row in block if row.kind == "named"]
    bare = sum(1 for row in named if row.qty is None and leading_count(row.words) is not None)
    units = {row.index for row in named if _unit(row) is not None}
    if bare <= len(units):
        return list(block)
    return [replace(row, words=f"{_unit(row)} {row.words}") if row.index in units else row for row in block]


def _unit(row: ItemRow) -> str | None:
    """The unit that was removed between a count without a price and the name, or None."""
    unit = _UNIT_BEFORE.match(row.desc)
    if unit is None or row.qty is None or row.price is not None or row.desc[unit.end() :] != row.words:
        return None
    return unit.group(1)

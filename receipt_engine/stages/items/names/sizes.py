"""Tells sizes of garments and packs from names and counts.

Tills print a garment's name on one row and its size and colour on the row below: "Scarves" stands above
"40771 ONE SIZE Blue 99.00", or "RUN TEE W" and "NAVY MEDIUM" above the article number with its price. Size
and colour alone are not a name. A pack's size and an abbreviation stay in the name, although they look like a
count or a unit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.stages.items.rows import ItemRow, sold
from receipt_engine.stages.items.rows.words import leading_count
from receipt_engine.vocabulary import find_terms

#: Sizes in letters and numbers: "M", "U" for any, "XXL", "3XL", "38", "98/104", "32X34".
_SIZE = re.compile(r"(?<!\S)(?:\d?X{0,4}[SL]|M|T?U|[SML]/[SML]L?|\d{2,3}(?:[/xX-]\d{2,3})?)(?!\S)")
#: An article number before the size, too short to be certain elsewhere.
_NUMBER = re.compile(r"^(\d{3,8}) +(?=\S)")
#: Most words beside a size that may be a colour: "dark blue".
_COLOUR = 2
_PACK_BEHIND = re.compile(r"(?<=[^\W_]) [xX](\d{1,2})$")
#: A pack size printed like the name's words: "ROLLS X6".
_CAPITAL_PACK = re.compile(r"[^\W\d_a-z] X(\d{1,2})$")
#: A size in pieces behind a name that begins with its count: "1 OPEN SANDWICH 3 pcs".
_PIECES = re.compile(r" (\d{1,2}) ?[^\W\d_]{1,4}\.?$")
_UNIT_BEFORE = re.compile(r"^\W*\d{1,3} ([^\W\d_]{2,4}\.?) (?=[^\W\d_]{2})")


def with_garments(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows; if all products are printed so, rows of size, colour and price, perhaps with article numbers,
    become bare amounts of the name above them. The first product's name may still be in the header."""
    rows = sold(block)
    variants = {row.index: variant for row in rows if (variant := _numbered(row)) is not None}
    if not variants or len(variants) < len(rows):
        return list(block)
    named = {row.index for row in block if row.kind == "text"}
    if any(not named & set(range(above.index, row.index)) for above, row in pairwise(rows)):
        return list(block)
    return [variants.get(row.index, row) for row in block]


def is_variant(row: ItemRow) -> bool:
    """Whether a row has only a size without digits and perhaps a colour."""
    return not any(map(str.isdigit, row.words)) and _is_size_and_colour(row.words)


def _numbered(row: ItemRow) -> ItemRow | None:
    """The row as a bare amount, without size and colour, if the size comes first, perhaps after an article
    number; else None. In "662918 SHORTS 38" the size is part of the name."""
    number = _NUMBER.match(row.words) if row.code is None else None
    code = number.group(1) if number else row.code
    words = row.words[number.end() :] if number else row.words
    if not row.desc.startswith(code or "") or not _is_size_and_colour(words, first=True):
        return None
    return replace(row, kind="bare", code=code, words="")


def _is_size_and_colour(words: str, *, first: bool = False) -> bool:
    """Whether words are one size and perhaps a colour. first: the size must come first."""
    sizes = [(m.start, m.end) for m in find_terms(words) if m.term == "garment_size"]
    sizes += [found.span() for found in _SIZE.finditer(words)]
    if not sizes:
        return False
    start, end = max(sizes, key=lambda size: size[1] - size[0])
    if first and words[:start].strip():
        return False
    rest = f"{words[:start]} {words[end:]}".split()
    return len(rest) <= _COLOUR and all(word.isalpha() and len(word) > 1 for word in rest)


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

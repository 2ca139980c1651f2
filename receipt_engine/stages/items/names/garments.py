"""Handles clothes: tills print a garment's name on one row and its size and colour on the row below.

"Scarves" stands above "40771 ONE SIZE Blue 99.00", or "RUN TEE W" and "NAVY MEDIUM" above the article number
with its price. Size and colour alone are not a name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.stages.items.rows import ItemRow, sold
from receipt_engine.vocabulary import find_terms

#: Sizes in letters and numbers: "M", "U" for any, "XXL", "3XL", "38", "98/104", "32X34".
_SIZE = re.compile(r"(?<!\S)(?:\d?X{0,4}[SL]|M|T?U|[SML]/[SML]L?|\d{2,3}(?:[/xX-]\d{2,3})?)(?!\S)")
#: An article number before the size, too short to be certain elsewhere.
_NUMBER = re.compile(r"^(\d{3,8}) +(?=\S)")
#: Most words beside a size that may be a colour: "dark blue".
_COLOUR = 2


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

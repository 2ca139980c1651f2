"""Clothes: tills print what a garment is on one row, and below it which one, by size and colour.

"Scarves" stands above "40771 ONE SIZE Blue 99.00", or "RUN TEE W" and "NAVY MEDIUM" above the article's
number with its price. The size and the colour alone name nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.stages.items.rows import ItemRow
from receipt_engine.vocabulary import find_terms

#: Sizes in letters and numbers: "M", "XXL", "3XL", "38", "98/104", "32X34".
_SIZE = re.compile(r"(?<!\S)(?:\d?X{0,4}[SL]|M|[SML]/[SML]L?|\d{2,3}(?:[/xX-]\d{2,3})?)(?!\S)")
#: An article's number before the size, too short to be sure of elsewhere.
_NUMBER = re.compile(r"^(\d{3,8}) +(?=\S)")
#: Words beside a size that may still be a colour: "dark blue".
_COLOUR = 2


def with_garments(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows, those of an article's number, size, colour and price as amounts of what is named above them,
    where all products are printed so; the first one's name may be among the head."""
    sold = [row for row in block if row.kind == "named" and row.amount is not None and row.amount.value > 0]
    variants = {row.index: variant for row in sold if (variant := _numbered(row)) is not None}
    if not variants or len(variants) < len(sold):
        return list(block)
    named = {row.index for row in block if row.kind == "text"}
    if any(not named & set(range(above.index, row.index)) for above, row in pairwise(sold)):
        return list(block)
    return [variants.get(row.index, row) for row in block]


def is_variant(row: ItemRow) -> bool:
    """Whether a row has nothing but a size, one that is no number, and a colour."""
    return not any(map(str.isdigit, row.words)) and _is_size_and_colour(row.words)


def _numbered(row: ItemRow) -> ItemRow | None:
    """The row without its size and colour, where an article's number stands before them, and the size first:
    in "662918 SHORTS 38" it is a part of the name."""
    number = _NUMBER.match(row.words) if row.code is None else None
    code = number.group(1) if number else row.code
    words = row.words[number.end() :] if number else row.words
    if code is None or not row.desc.startswith(code) or not _is_size_and_colour(words, first=True):
        return None
    return replace(row, kind="bare", code=code, words="")


def _is_size_and_colour(words: str, *, first: bool = False) -> bool:
    """Whether words are one size and perhaps the name of a colour; first: behind it."""
    sizes = [(m.start, m.end) for m in find_terms(words) if m.term == "garment_size"]
    sizes += [found.span() for found in _SIZE.finditer(words)]
    if not sizes:
        return False
    start, end = max(sizes, key=lambda size: size[1] - size[0])
    if first and words[:start].strip():
        return False
    rest = f"{words[:start]} {words[end:]}".split()
    return len(rest) <= _COLOUR and all(word.isalpha() and len(word) > 1 for word in rest)

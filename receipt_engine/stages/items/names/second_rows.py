"""Decides which rows of words are the second row of a product's name; and joins a row of name, quantity and
unit price with the row below it that has only their amount."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.arithmetic.products import product_rounding
from receipt_engine.document import Item
from receipt_engine.stages.items.rows import ItemRow, sold
from receipt_engine.stages.items.rows.words import leading_count
from receipt_engine.vocabulary.normalise import count_letters, weigh_letters

#: Largest difference between the left edges of two aligned rows, in row heights.
_ALIGNED = 0.7
#: Share of the widest row's width that a row must have to be continued on the next.
_FULL = 0.9
#: Smallest indent of an option below a name, in row heights: one narrow letter.
_NARROW = 0.4
#: Letters between the end of the names' column and a count: a blank, and the tens of a larger count.
_BETWEEN = 2
#: Smallest indent of a name's second row, in row heights.
_INDENTED = 2.0
#: A product's place in the list, marked as such, or its count: "2.", "1)", "1 x".
_PLACE = re.compile(r"\d{1,2}(?:[.)](?: (?=[^\W_]{2})|(?=[^\W\d_]{2}|\d{3}))| ?[xX×] (?=[^\W\d_]{2}))")
#: Most further rows of a name in a table.
_MAX_ROWS = 3
#: Words that are all in brackets are no name: "HOUSE THALI" above "(rice+dal)  1  310.00".
_BRACKETED = re.compile(r"\([^()]+\)")
#: Fewest letters of a name behind its place in the list.
_MIN_LETTERS = 4


def begins_list(text: str) -> bool:
    """Whether a row begins with the place of the list's first product and has its name.

    >>> begins_list("1. GARDEN HOSE 20M"), begins_list("10. GARDEN HOSE 20M")
    (True, False)
    """
    return (
        is_listed(text) and text[:1] == "1" and not text[1].isdigit() and count_letters(text) >= _MIN_LETTERS
    )


def is_listed(text: str) -> bool:
    """Whether a row begins with a product's place in the list."""
    return _PLACE.match(text) is not None


def numbered_name(pending: Sequence[ItemRow], block: Sequence[ItemRow]) -> ItemRow | None:
    """The pending row that begins a name of several rows with its place in the list, if the list begins with
    such a name; None without one."""
    first = next((row for row in block if row.kind == "text"), None)
    if first is None or not begins_list(first.desc):
        return None
    return next((row for row in pending if row.kind == "text" and is_listed(row.desc)), None)


def next_rows(name: ItemRow, below: Sequence[ItemRow], names: Sequence[ItemRow]) -> ItemRow | None:
    """The rows of words below a name as one, if all continue it: one, or a few in a table; else None."""
    most = _MAX_ROWS if _is_in_table(name, name.span[0]) else 1
    rows = enumerate(below, name.index)
    if not below or not all(continues_name(replace(name, index=at), row, names) for at, row in rows):
        return None
    return replace(below[0], words=" ".join(row.words for row in below)) if len(below) <= most else None


def continues_name(name: ItemRow, row: ItemRow, names: Sequence[ItemRow]) -> bool:
    """Whether words right below a name are its second row: they are left-aligned with the name, which had to
    be broken, as it is about as wide as the widest or their first word did not fit behind it; or they stand
    in a table below the names, which have other columns before them.

    Options chosen with a product follow names of any width, and are indented, marked or in brackets.
    """
    left, right = name.span
    aligned = abs(row.left - left) < _ALIGNED * name.height
    words = row.desc[:1].isalnum() and not row.opens and not any(c.isdigit() or c == ":" for c in row.desc)
    if name.discount or row.discount or row.index != name.index + 1 or not (aligned and words):
        return False
    if _is_in_table(name, left) and sum(_is_in_table(other, left) for other in names) > 1:
        return True
    full = len(names) > 1 and right - left >= _FULL * max(n.span[1] - left for n in names)
    return full or _had_no_room(name, row)


def _is_in_table(name: ItemRow, left: float) -> bool:
    """Whether a name begins at a column's edge, and another column with more than a count before it: "PL12
    Basin tap  1  89.00"."""
    first = next((cell.text for cell in name.cells if any(map(str.isalpha, cell.text))), name.words)
    before = name.desc[: max(0, name.desc.find(first))].split()
    apart = name.span[0] - name.left > _INDENTED * name.height
    coded = len(before) > 1 or any(map(str.isalpha, "".join(before)))
    return coded and apart and abs(name.span[0] - left) < _ALIGNED * name.height


def _had_no_room(name: ItemRow, row: ItemRow) -> bool:
    """Whether a row's first word did not fit between a name and the column behind it, but the row does."""
    if name.room is None:
        return False
    right, end = name.room
    return right + _first_word(row.desc, row) > end >= row.right


def _first_word(words: str, row: ItemRow) -> float:
    """The width of the first of the words and of the blank before it, as a row is printed; East Asian names
    break anywhere."""
    word = words.split(" ", 1)[0]
    if weigh_letters(word) > count_letters(word):
        return 0.0
    return (row.right - row.left) * (len(word) + 1) / max(1, len(row.desc))


def goes_on(first: ItemRow, name: ItemRow, block: Sequence[ItemRow]) -> bool:
    """Whether words right above a name and its amount are the name's first row: left-aligned, as wide as the
    widest name, and the second row goes on in lower case; or each product has one row that begins with its
    place in the list or its article number, and of the two only the first does."""
    if begins_only_here(first, name, block):
        return True
    if first.index != name.index - 1 or abs(first.left - name.left) >= _ALIGNED * name.height or first.opens:
        return False
    if name.amount is not None and name.amount.value < 0 and not name.discount:
        return first.discount and first.taken_back != first.words  # "RETURN BRASS" above "HINGE  -4.75"
    if _BRACKETED.fullmatch(name.words) and not first.discount:
        return True
    lower = first.desc[:1].isupper() and name.desc[:1].islower()
    named = (row for row in block if row.kind in ("named", "text"))
    return lower and first.right - first.left >= _FULL * max(row.span[1] - row.left for row in named)


def lacked_room(first: ItemRow, name: ItemRow, block: Sequence[ItemRow]) -> bool:
    """Whether words right above a row of a table begin its name: at the left edge, as names do, wider than
    its words, and with no room for the first of these before the column behind: "CHICKEN SHAWARMA" above
    "WRAP  2  1.800". What stands above a name with only its amount may be the heading of a group."""
    edge = min((row.left for row in block if row.kind != "skip"), default=name.left)
    columned = name.qty is not None or (name.tail is not None and name.apart) or len(name.before) > 0
    lettered = count_letters(first.desc) > sum(map(str.isdigit, first.desc)) and first.desc[0].isalnum()
    if name.room is None or first.index != name.index - 1 or first.discount or first.qty is not None:
        return False
    if first.left - edge >= _NARROW * name.height or name.left - edge >= _ALIGNED * name.height:
        return False
    most = name.room[1] - _NARROW * _BETWEEN * name.height
    wide = first.right + _first_word(name.words, first) > most and first.right > name.room[0]
    return columned and lettered and wide and len(first.cells) == 1


def begins_only_here(first: ItemRow, name: ItemRow, block: Sequence[ItemRow]) -> bool:
    """Whether each product, but perhaps the first, has one row with its article number, or that begins with
    its number or code at the left edge, and of these two only the first does: "88748001 WOOD SCREWS" above
    "1LB COARSE  8.97". Beside a number, the second has a price or no amount, or the first the count: "2  Door
    handle brass", "   with lock  4  9.00  36.00"."""
    block = block if first in block else [first, *block]
    edge = min((row.left for row in block if row.kind != "skip"), default=name.left)
    begun = {
        row.index
        for row in block
        if row.kind in ("named", "text", "code")
        if (row.code if first.code else row.left - edge < _ALIGNED * row.height and _is_coded(row.desc))
    }
    if first.index != name.index - 1 or first.index not in begun or name.index in begun or len(begun) < 2:
        return False
    lead = leading_count(first.words)
    count = first.qty or (lead.number if lead is not None else None)
    sure = name.kind == "text" or name.price is not None or first.code is not None
    if not sure and (not count or not name.is_multiple_of(count)):
        return False
    order = "".join("b" * (r.index in begun) + "a" * (r.kind == "bare" or r in sold(block)) for r in block)
    return order.removeprefix("a") == "ba" * len(begun)


def _is_coded(text: str) -> bool:
    """Whether a text begins with a number or a code, before a name."""
    code, _, rest = text.partition(" ")
    return any(map(str.isdigit, code)) and count_letters(rest) >= _MIN_LETTERS


def begins_name(first: ItemRow, name: ItemRow, block: Sequence[ItemRow]) -> bool:
    """Whether words right above a name are its first row: left-aligned, and about as wide as the widest."""
    aligned = abs(first.left - name.left) < _ALIGNED * name.height
    if first.discount and not name.discount:
        return False
    if first.index == name.index - 1 and (
        begins_only_here(first, name, block) or only_second_is_coded(first, name, block)
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


def only_second_is_coded(first: ItemRow, name: ItemRow, block: Sequence[ItemRow]) -> bool:
    """Whether of two rows of words above an amount only the second has an article number, wherever one has:
    "GIRLS DRESS" above "194471201188 6X PNK"."""
    coded = [(upper, row) for upper, row in pairwise(block) if row.kind == "text" and row.code is not None]
    apart = all(upper.kind == "text" and upper.code is None for upper, _ in coded)
    return len(coded) > 1 and (first, name) in coded and apart


def with_amounts_below(items: Sequence[Item]) -> tuple[Item, ...]:
    """The products; one whose last number is its unit price ("GRAPES 0.560 kg x 2.19", "SOUP  2  6.50") takes
    the amount that stands alone on the next row, if quantity and price multiply to it."""
    found: list[Item] = []
    for item in items:
        above = found[-1] if found else None
        if above is not None and _is_amount_of(item, above):
            found[-1] = replace(
                above, line=item.line, lines=(*above.lines, *item.lines), desc=item.desc, total=item.total,
                price=_unit_price(above),
                symbols=item.symbols or above.symbols, below=item.below,
            )  # fmt: skip
        else:
            found.append(item)
    return tuple(found)


def _unit_price(item: Item) -> Decimal:
    """The price of one where another row has the amount: the number in the amount's place, if no other is."""
    return item.total.value if item.price is None else item.price


def _is_amount_of(item: Item, above: Item) -> bool:
    factor = above.unit or above.qty
    bare = not item.desc_clean and item.price is None and item.lines[0] == above.lines[-1] + 1
    price = _unit_price(above)
    if not bare or not factor or (factor == Decimal(1) and above.price is not None):
        return False
    off = abs(abs(factor * price) - abs(item.total.value))
    whole = Decimal("0.5") if not item.total.decimals and not price % 1 else Decimal(0)
    return above.total.value == price and off <= max(product_rounding(factor, price), whole)

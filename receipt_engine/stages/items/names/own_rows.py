"""Decides which rows of words, and which rows with only a code, belong to which amount.

Tills print a product's name, code and amount in any order, but keep to one: a name or code on another row
than the amount is above it on the whole receipt, or below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import AmountRow
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY, SURE
from receipt_engine.stages.items.names.second_rows import begins_list, is_listed
from receipt_engine.stages.items.rows import ItemRow, RowKind, read_row
from receipt_engine.stages.items.rows.headings import heads
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

#: Roles of words about who sells and where, which also occur in product names.
_WHO_OR_WHERE: frozenset[Role] = frozenset(("cashier", "header", "address", "company", "quantity", "weight"))
#: Roles of words that give a product's size.
_SIZES: frozenset[Role] = frozenset(("quantity", "weight"))
#: Largest gap between two rows that are printed together, in row heights.
_MAX_GAP = 1.2
#: Largest difference between the left edges of two aligned rows, in row heights.
_ALIGNED = 0.7
#: Smallest indent of names below the heading of their group, in row heights: one narrow letter.
_INDENTED = 0.4
#: An article number shorter than any barcode's, and how many rows with one make a habit.
_SHORT_NUMBER = re.compile(r"\d{4,6}")
_MIN_LONE = 2
#: Fewest digits of an article number that may begin with a zero, which some tills leave out.
_MIN_PADDED = 9
#: Fewest letters of a name before a quantity and a price, where shorter words are units and labels.
_MIN_BEFORE = 5
#: One word, and perhaps a number whose point was lost.
_WORD = re.compile(r"[^\W\d_]+(?: \d+)?")
#: The place on the shelf and the size of a pack: "RK31 - 18", "LB12/3 - 15/180".
_SHELF = re.compile(r"(?=[A-Z]*\d*[A-Z]+[/-]?\d)[A-Z0-9/-]{3,10} - ?\d{1,4}(?:/\d{1,4})?")
#: Signs before the name of a group of products: ">>>> DAIRY", "-- MAINS --".
_GROUP = re.compile(r"([>=~#-])\1")
_BRACKETED = re.compile(r"\([^()]+\)")
_ENDS_IN_CENTS = re.compile(r"\d[.,]\d{2}$")


def with_last_name(block: Sequence[ItemRow], rows: Sequence[AmountRow]) -> list[ItemRow]:
    """The block, followed by the row below it if that is the last product's name: where the first amount
    without words stands right below the headings of the columns, each name stands below its amount."""
    listed = [row for row in block if row.kind != "skip"]
    last = listed[-1].index + 1 if listed else 0
    if not listed or {listed[0].kind, listed[-1].kind} != {"bare"} or last >= len(rows):
        return list(block)
    if block[-1] is not listed[-1] or not heads(rows[listed[0].index - 1]) or not is_near(rows, last - 1):
        return list(block)
    known = any(m.weight >= SURE and m.role not in _SIZES for m in rows[last].roles)
    row = read_row(last, replace(rows[last], roles=(), in_column=False))
    return [*block, row] if row.kind == "text" and not known else list(block)


def with_coded_names(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows; those of a code and short words become names if other names follow codes of the same length,
    with or without an amount ("9557002 WHOLEMEAL BREAD", "9558003 SUGAR"). Long codes may lack a first 0."""
    coded = [row for row in block if row.code is not None and row.desc.startswith(row.code)]
    usual = {len(row.code or "") for row in coded if row.kind in ("text", "named")}
    usual |= {length + more for length in usual if length >= _MIN_PADDED for more in (-1, 1)}
    names = [row for row in coded if has_name(row) and len(row.code or "") in usual]
    return [replace(row, kind="text") if row in names else row for row in block]


def without_units(block: Sequence[ItemRow], rows: Sequence[AmountRow]) -> list[ItemRow]:
    """The rows of a till that prints a column of units: the one word beside a price is a unit of any kind
    ("1 DRUM 3.20 3.20") where names stand on rows of their own, the first one below the headings."""
    apart = any(row.kind == "text" for row in block)
    first = next((row for row in block if row.kind != "skip"), None)
    if not apart and (first is None or any(m.role == "column" for m in rows[first.index - 1].roles)):
        return list(block)
    return [
        replace(row, kind="bare", words="")
        if row.kind == "named" and row.price is not None and _WORD.fullmatch(row.words)
        else row
        for row in block
    ]


def with_mistaken_names(block: Sequence[ItemRow], rows: Sequence[AmountRow]) -> list[ItemRow]:
    """The rows; where names stand on rows of their own, so does a name whose words also say something about
    the sale ("Take away", "Vegetable item"): without it the amount beside it would have none."""
    step = -1 if names_below(block) else 1
    found = list(block)
    beside = _pairs(kinds_of(block))
    listed = next((begins_list(row.desc) for row in block if row.kind == "text"), False)
    for at, row in enumerate(block):
        following = [other for other in block[at::step][1:3] if not (is_note(other) or is_size(other))]
        if not any(beside) or row.kind != "skip" or not following or following[0].kind != "bare":
            continue
        numbered = listed and any(is_listed(other.desc) for other in block[max(0, at - 1) : at + 1])
        named = at > 0 and block[at - 1].kind == "text"
        priced = step > 0 and following[0].price is not None and not named and _says_no_value(rows[row.index])
        plain = is_plain(rows[row.index]) or priced
        if plain or numbered or _is_enclosed(at, block, rows):
            again = read_row(row.index, replace(rows[row.index], roles=(), in_column=False))
            found[at] = again if again.kind == "text" else row
    return found


def _says_no_value(row: AmountRow) -> bool:
    """Whether a row has no rate, date or label with a colon; where no other name stands above a count and a
    price it is theirs, even with a number and words of the totals block: "GIFT CARD 25" above "1 x 25.00
    25.00"."""
    return not (row.percents or row.dates or ":" in row.text)


def _is_enclosed(at: int, block: Sequence[ItemRow], rows: Sequence[AmountRow]) -> bool:
    """Whether a row about who or where, or with other known words for less than half of it, is all that
    stands between two amounts without words."""
    around = [block[i].kind for i in (at - 1, at + 1) if 0 <= i < len(block)]
    row = rows[block[at].index]
    roles = [m for m in row.roles if m.weight >= LIKELY]
    few = 2 * max((len(m.phrase) for m in roles), default=0) < count_letters(row.text)
    return around == ["bare", "bare"] and bool(roles) and (few or all(m.role in _WHO_OR_WHERE for m in roles))


def with_lone_codes(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows; short numbers alone on a row become codes if the till prints each article's number above or
    below it: several at the left edge of the names, of one length, among products with amounts."""
    lone = [row for row in block if is_lone(row)]
    names = [row for row in block if row.kind == "named" and row.amount is not None]
    lengths = {len(row.desc) for row in lone}
    if not _MIN_LONE <= len(lone) <= len(names) or len(lengths) > 1:
        return list(block)
    left = min(row.left for row in names)
    if any(abs(row.left - left) > _ALIGNED * row.height for row in lone):
        return list(block)
    return [replace(row, kind="code", code=row.desc, words="") if is_lone(row) else row for row in block]


def is_lone(row: ItemRow) -> bool:
    """Whether a row has only a short number, which is no amount, count or measure."""
    return is_size(row) and _SHORT_NUMBER.fullmatch(row.desc) is not None


def is_size(row: ItemRow) -> bool:
    """Whether a row has a number that is no amount, count, measure or code: a size alone ("6R*60")."""
    values = (row.amount, row.qty, row.unit, row.price, row.code)
    return row.kind == "detail" and values == (None,) * len(values)


def has_name(row: ItemRow) -> bool:
    """Whether a row of kind "code" also has a short name."""
    return row.kind == "code" and count_letters(row.words) >= SHORTEST_NAME


def is_note(row: ItemRow) -> bool:
    """Whether a row says no more than a code that is no article number, such as a shelf and a pack size
    ("BK7/3 - 2/48"): it stands between a name and its amount without parting them."""
    if row.amount is not None or row.kind not in ("skip", "text", "detail"):
        return False
    if is_shelf(row):
        return True
    return row.kind == "skip" and any(map(str.isalpha, row.words)) and any(map(str.isdigit, row.words))


def is_shelf(row: ItemRow) -> bool:
    """Whether a row is the place on the shelf and the size of a pack."""
    return _SHELF.fullmatch(row.desc) is not None


def has_name_before(row: ItemRow) -> bool:
    """Whether a row with a quantity and a price but no amount begins with a product name."""
    begins = row.desc[: len(row.words)] == row.words
    return row.kind == "detail" and begins and not row.heading and count_letters(row.words) >= _MIN_BEFORE


def is_plain(row: AmountRow) -> bool:
    """Whether a row has only words: no number, no label with a colon and no signs around it."""
    return row.text[:1].isalnum() and not any(c.isdigit() or c == ":" for c in row.text)


def kinds_of(block: Sequence[ItemRow]) -> list[RowKind]:
    rows = [
        row
        for row, following in zip(block, [*block[1:], None], strict=False)
        if not (_only_heads(row) or is_note(row) or _takes_off(row) or _stands_over(row, following))
    ]
    kinds: list[RowKind] = ["text" if has_name_before(row) else row.kind for row in rows]
    return [kind for kind in kinds if kind in ("named", "bare", "text")]


def _only_heads(row: ItemRow) -> bool:
    """Whether a row has only a column's heading, names a group or says in brackets that the product above was
    returned; with an amount, "DISC" takes off."""
    said = row.heading or (row.discount and _BRACKETED.fullmatch(row.desc)) or _GROUP.match(row.desc)
    return bool(said) and row.amount is None


def _stands_over(row: ItemRow, following: ItemRow | None) -> bool:
    """Whether words stand left of the name and amount below them, as the heading of a group does."""
    named = following is not None and following.kind == "named" and row.kind == "text"
    return following is not None and named and following.left - row.left >= _INDENTED * row.height


def _takes_off(row: ItemRow) -> bool:
    """Whether a row says how much was taken off the product above it: words for a discount with an amount
    that is not in the column of amounts."""
    return row.discount and row.kind in ("text", "detail") and _ENDS_IN_CENTS.search(row.desc) is not None


def pairs_end(kinds: Sequence[RowKind]) -> RowKind:
    """The kind of row that ends each pair of name and amount: "bare" if names stand above amounts."""
    above, below = _pairs(kinds)
    closed = above + 1 == below and kinds[-1] == "bare"  # another row stands between a name and its amount
    return "bare" if above + 1 > below or closed else "text"


def _pairs(kinds: Sequence[RowKind]) -> tuple[int, int]:
    """The numbers of amounts without words that have words right above, and right below."""
    pairs = list(pairwise(kinds))
    return pairs.count(("text", "bare")), pairs.count(("bare", "text"))


def names_below(block: Sequence[ItemRow]) -> bool:
    """Whether amounts without words take the words below them."""
    kinds = kinds_of(block)
    above, below = _pairs(kinds)
    return bool(kinds) and kinds[0] == "bare" and below >= above + (kinds[-1] == "bare")


def codes_below(block: Sequence[ItemRow]) -> bool:
    """Whether a row with only a code belongs to the product above it."""
    kinds = ["code" if r.kind == "code" else "item" for r in block if r.kind in ("named", "bare", "code")]
    pairs = list(pairwise(kinds))
    return (
        bool(kinds) and kinds[0] != "code" and pairs.count(("item", "code")) >= pairs.count(("code", "item"))
    )


def is_translated(block: Sequence[ItemRow]) -> bool:
    """Whether the name in another script stands above each product, as on bilingual tills: "مندي دجاج" above
    "CHICKEN MANDI  2  25.00  50.00". The first one's may be lost."""
    rows = [row for row in block if row.kind in ("text", "named")]
    pairs = list(pairwise(rows))
    named = sum(row.kind == "named" for row in rows)
    return (
        named > 1
        and rows[-1].kind == "named"
        and all(
            lower.kind == "named" and translates(row, lower) for row, lower in pairs if row.kind == "text"
        )
        and all(upper.kind == "text" for upper, row in pairs if row.kind == "named")
    )


def translates(upper: ItemRow, name: ItemRow) -> bool:
    """Whether two neighbouring rows are words in Latin letters and in another script."""
    return name.index == upper.index + 1 and _is_latin(upper.words) != _is_latin(name.words)


def _is_latin(words: str) -> bool:
    found = [c.isascii() for c in words if c.isalpha()]
    return 2 * sum(found) > len(found)


def is_near(rows: Sequence[AmountRow], index: int) -> bool:
    line, following = rows[index].line, rows[index + 1].line
    return following.top - line.bottom < _MAX_GAP * max(line.height, following.height)

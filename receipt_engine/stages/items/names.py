"""Decides which rows of words, and which rows with only a code, belong to which amount.

Tills print a product's name, code and amount in any order, but keep to one: a name or code on another row
than the amount is above it on the whole receipt, or below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import AmountRow, Zone
from receipt_engine.region import Role
from receipt_engine.stages.items.garments import is_variant
from receipt_engine.stages.items.rows import ItemRow, RowKind, is_pump, read_row
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

#: Most rows above the block that may belong to its first product: a name and a code.
_MAX_LEAD = 2
#: Roles whose words may also name a product: a room, a table, a station.
_ALSO_SOLD: frozenset[Role] = frozenset(("header", "cashier", "address", "quantity", "weight", "service"))
#: Largest gap between two rows that are printed together, in row heights.
_MAX_GAP = 1.2
#: Largest difference between the left edges of two aligned rows, in row heights.
_ALIGNED = 0.7
#: Share of the widest row's width that a row must have to be continued on the next.
_FULL = 0.9
#: An article number shorter than any barcode's, and how many rows with one make a habit.
_SHORT_NUMBER = re.compile(r"\d{4,6}")
_MIN_LONE = 2
#: Fewest letters of a name before a quantity and a price, where shorter words are units and labels.
_MIN_BEFORE = 5


def with_lead(
    block: Sequence[ItemRow],
    rows: Sequence[AmountRow],
    zones: Sequence[Zone],
) -> list[ItemRow]:
    """The block, preceded by those rows right above it that belong to its first product.

    They have no amount, so only the rows that follow distinguish them from the receipt's header.
    """
    first = next((row for row in block), None)
    if first is None or first.kind not in ("bare", "named", "text", "detail"):
        return list(block)
    lead: list[ItemRow] = []
    for index in range(first.index - 1, max(-1, first.index - 1 - _MAX_LEAD), -1):
        if is_pump(rows[index].text):
            continue
        page_row = replace(rows[index], in_column=False)
        row = read_row(index, page_row)
        if _is_lone(row) and any(r.kind == "code" and r.code and len(r.code) == len(row.desc) for r in block):
            row = replace(row, kind="code", code=row.desc, words="")
        if first.kind == "bare" and has_name(row):
            row = replace(row, kind="text")
        if is_note(row) and any(map(is_note, block)) and _near(rows, index):
            continue
        if row.kind == "skip" and _may_be_name(page_row):
            row = read_row(index, replace(page_row, roles=()))
        if zones[index] != "header" or row.kind not in ("text", "code") or not _near(rows, index):
            break
        lead.insert(0, row)
    lead = _used(lead, block)
    return [*lead, *block]


def with_coded_names(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows; those of a code and short words become names if other names follow codes of the same length
    ("9557002 WHOLEMEAL BREAD", "9558003 SUGAR")."""
    usual = {len(row.code) for row in block if row.kind == "text" and row.code and _begins_with_code(row)}
    return [
        replace(row, kind="text")
        if row.kind == "code"
        and row.code is not None
        and len(row.code) in usual
        and count_letters(row.words) >= SHORTEST_NAME
        and _begins_with_code(row)
        else row
        for row in block
    ]


def _begins_with_code(row: ItemRow) -> bool:
    return row.code is not None and row.desc.startswith(row.code)


def with_lone_codes(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows; short numbers alone on a row become codes if the till prints each article's number above or
    below it: several at the left edge of the names, of one length, among products with amounts."""
    lone = [row for row in block if _is_lone(row)]
    names = [row for row in block if row.kind == "named" and row.amount is not None]
    lengths = {len(row.desc) for row in lone}
    if not _MIN_LONE <= len(lone) <= len(names) or len(lengths) > 1:
        return list(block)
    left = min(row.left for row in names)
    if any(abs(row.left - left) > _ALIGNED * row.height for row in lone):
        return list(block)
    return [replace(row, kind="code", code=row.desc, words="") if _is_lone(row) else row for row in block]


def _is_lone(row: ItemRow) -> bool:
    """Whether a row has only a short number, which is no amount, count or measure."""
    values = (row.amount, row.qty, row.unit, row.price, row.code)
    return (
        row.kind == "detail"
        and _SHORT_NUMBER.fullmatch(row.desc) is not None
        and values == (None,) * len(values)
    )


def has_name(row: ItemRow) -> bool:
    """Whether a row of kind "code" also has a short name."""
    return row.kind == "code" and count_letters(row.words) >= SHORTEST_NAME


def is_note(row: ItemRow) -> bool:
    """Whether a row says no more than a code that is no article number, such as a shelf and a pack size
    ("BK7/3 - 2/48"): it stands between a name and its amount without parting them."""
    return row.kind == "skip" and any(map(str.isalpha, row.words)) and any(map(str.isdigit, row.words))


def has_name_before(row: ItemRow) -> bool:
    """Whether a row with a quantity and a price but no amount begins with a product name."""
    begins = row.desc[: len(row.words)] == row.words
    return row.kind == "detail" and begins and not row.heading and count_letters(row.words) >= _MIN_BEFORE


def _may_be_name(row: AmountRow) -> bool:
    """Whether a row of words whose roles are about the sale ("Double room") may be a product name."""
    plain = not any(c.isdigit() or c == ":" for c in row.text)
    return plain and all(m.role in _ALSO_SOLD for m in row.roles)


def _used(lead: list[ItemRow], block: Sequence[ItemRow]) -> list[ItemRow]:
    """The lead rows that the block needs, by the order in which it prints names, codes and amounts."""
    kinds = _kinds(block)
    wanted: list[ItemRow] = []
    texts = [row for row in block if row.kind == "text"]
    coded = bool(texts) and all(row.code is not None for row in texts)
    if lead and lead[-1].kind == "code" and coded and kinds == ["bare", *["text", "bare"] * len(texts)]:
        lead[-1] = replace(lead[-1], kind="text")  # a name like the others, which was lost after its code
    above = _ends(kinds) == "bare" or (bool(lead) and _coded_alike(lead[-1], texts))
    if lead and kinds[:1] == ["bare"] and lead[-1].kind == "text" and above:
        wanted.insert(0, lead.pop())
        if lead and lead[-1].kind == "text" and is_variant(wanted[0]):
            wanted.insert(0, lead.pop())  # the garment's name, above its size and colour
    elif lead and kinds[:1] == ["bare"] and len(lead) > 1 and lead[-2].kind == "text":
        return lead if _ends(kinds) == "bare" else []
    if lead and lead[-1].kind == "text" and is_translated(block) and translates(lead[-1], block[0]):
        wanted.insert(0, lead.pop())
    codes = [row.kind for row in block if row.kind in ("named", "bare", "code")]
    if lead and lead[-1].kind == "code" and codes[-1:] != ["code"] and ("code" in codes or len(codes) == 1):
        wanted.insert(0, lead[-1])
    return wanted


def _coded_alike(lead: ItemRow, texts: Sequence[ItemRow]) -> bool:
    """Whether the lead row and the first name in the block have a code, and the last name has none."""
    return len(texts) > 1 and lead.code is not None and texts[0].code is not None and texts[-1].code is None


def _kinds(block: Sequence[ItemRow]) -> list[RowKind]:
    kinds: list[RowKind] = ["text" if has_name_before(row) else row.kind for row in block]
    return [kind for kind in kinds if kind in ("named", "bare", "text")]


def _ends(kinds: Sequence[RowKind]) -> RowKind:
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
    kinds = _kinds(block)
    above, below = _pairs(kinds)
    return bool(kinds) and kinds[0] == "bare" and below >= above


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
    if (
        first.index != name.index - 1
        or not aligned
        or first.right < name.right
        or not first.desc[:1].isalnum()
    ):
        return False
    widest = max(row.right for row in block if row.kind == "text")
    return first.right - first.left >= _FULL * (widest - first.left)


def _near(rows: Sequence[AmountRow], index: int) -> bool:
    line, following = rows[index].line, rows[index + 1].line
    return following.top - line.bottom < _MAX_GAP * max(line.height, following.height)

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
from receipt_engine.scoring.certainty import SURE
from receipt_engine.stages.items.garments import is_variant
from receipt_engine.stages.items.headings import heads
from receipt_engine.stages.items.rows import ItemRow, RowKind, is_pump, read_row
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

#: Most rows above the block that may belong to its first product: a name and a code.
_MAX_LEAD = 2
#: Roles whose words may also name a product: a room, a table, a station.
_ALSO_SOLD: frozenset[Role] = frozenset(("header", "cashier", "address", "quantity", "weight", "service"))
#: Roles of words that give a product's size.
_SIZES: frozenset[Role] = frozenset(("quantity", "weight"))
#: Largest gap between two rows that are printed together, in row heights.
_MAX_GAP = 1.2
#: Largest difference between the left edges of two aligned rows, in row heights.
_ALIGNED = 0.7
#: An article number shorter than any barcode's, and how many rows with one make a habit.
_SHORT_NUMBER = re.compile(r"\d{4,6}")
_MIN_LONE = 2
#: Fewest letters of a name before a quantity and a price, where shorter words are units and labels.
_MIN_BEFORE = 5
#: The place on the shelf and the size of a pack: "RK31 - 18", "LB12/3 - 15/180".
_SHELF = re.compile(r"(?=[A-Z]*\d*[A-Z]+[/-]?\d)[A-Z0-9/-]{3,10} - \d{1,4}(?:/\d{1,4})?")
#: Characters that names of one till share where each begins with its article number.
_ALIKE = 3


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
    shelf = False  # whether the row below is one
    for index in range(first.index - 1, max(-1, first.index - 1 - _MAX_LEAD), -1):
        if is_pump(rows[index].text):
            continue
        page_row = replace(rows[index], in_column=False)
        row = read_row(index, page_row)
        if _is_lone(row) and any(r.kind == "code" and r.code and len(r.code) == len(row.desc) for r in block):
            row = replace(row, kind="code", code=row.desc, words="")
        if first.kind == "bare" and has_name(row):
            row = replace(row, kind="text")
        if is_note(row) and (first.kind == "bare" or any(map(is_note, block))) and _near(rows, index):
            shelf = _SHELF.fullmatch(row.desc) is not None
            continue
        named = shelf or _may_be_name(page_row) or _begins_alike(page_row, first, block)
        if row.kind == "skip" and named:
            row = read_row(index, replace(page_row, roles=()))
        if zones[index] != "header" or row.kind not in ("text", "code") or not _near(rows, index):
            break
        lead.insert(0, row)
    lead = _used(lead, block)
    return [*lead, *block]


def with_last_name(block: Sequence[ItemRow], rows: Sequence[AmountRow]) -> list[ItemRow]:
    """The block, followed by the row below it if that is the last product's name: where the first amount
    without words stands right below the headings of the columns, each name stands below its amount."""
    listed = [row for row in block if row.kind != "skip"]
    last = listed[-1].index + 1 if listed else 0
    if not listed or {listed[0].kind, listed[-1].kind} != {"bare"} or last >= len(rows):
        return list(block)
    if block[-1] is not listed[-1] or not heads(rows[listed[0].index - 1]) or not _near(rows, last - 1):
        return list(block)
    known = any(m.weight >= SURE and m.role not in _SIZES for m in rows[last].roles)
    row = read_row(last, replace(rows[last], roles=(), in_column=False))
    return [*block, row] if row.kind == "text" and not known else list(block)


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


def with_mistaken_names(block: Sequence[ItemRow], rows: Sequence[AmountRow]) -> list[ItemRow]:
    """The rows; where names stand on rows of their own, so does a name whose words also say something about
    the sale ("Take away", "Vegetable item"): without it the amount beside it would have none."""
    step = -1 if names_below(block) else 1
    found = list(block)
    beside = _pairs(_kinds(block))
    for at, row in enumerate(block):
        other = block[at + step] if 0 <= at + step < len(block) else None
        if not any(beside) or row.kind != "skip" or other is None or other.kind != "bare":
            continue
        if _is_plain(rows[row.index]):
            again = read_row(row.index, replace(rows[row.index], roles=(), in_column=False))
            found[at] = again if again.kind == "text" else row
    return found


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
    if row.amount is not None or row.kind not in ("skip", "text", "detail"):
        return False
    if _SHELF.fullmatch(row.desc):
        return True
    return row.kind == "skip" and any(map(str.isalpha, row.words)) and any(map(str.isdigit, row.words))


def has_name_before(row: ItemRow) -> bool:
    """Whether a row with a quantity and a price but no amount begins with a product name."""
    begins = row.desc[: len(row.words)] == row.words
    return row.kind == "detail" and begins and not row.heading and count_letters(row.words) >= _MIN_BEFORE


def _may_be_name(row: AmountRow) -> bool:
    """Whether a row of words whose roles are about the sale ("Double room") may be a product name."""
    return _is_plain(row) and all(m.role in _ALSO_SOLD for m in row.roles)


def _is_plain(row: AmountRow) -> bool:
    """Whether a row has only words: no number, no label with a colon and no signs around it."""
    return row.text[:1].isalnum() and not any(c.isdigit() or c == ":" for c in row.text)


def _begins_alike(row: AmountRow, first: ItemRow, block: Sequence[ItemRow]) -> bool:
    """Whether a row above an amount without words begins like the names in the block, with the same tax code
    or the start of the same number."""
    begins = row.text[:_ALIKE]
    return first.kind == "bare" and any(r.kind == "text" and r.desc.startswith(begins) for r in block)


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
        if lead and lead[-1].kind == "text" and (is_variant(wanted[0]) or wanted[0].desc.startswith("(")):
            wanted.insert(0, lead.pop())  # the name, above a garment's size and colour or what is in brackets
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
    kinds: list[RowKind] = ["text" if has_name_before(row) else row.kind for row in block if not row.heading]
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


def _near(rows: Sequence[AmountRow], index: int) -> bool:
    line, following = rows[index].line, rows[index + 1].line
    return following.top - line.bottom < _MAX_GAP * max(line.height, following.height)

"""Decides which rows right above the product block belong to its first product.

They have no amount, so only the rows around them distinguish them from the receipt's header.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import AmountRow, Zone, says
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.stages.items.names.own_rows import (
    has_name,
    is_lone,
    is_near,
    is_note,
    is_plain,
    is_shelf,
    is_size,
    is_translated,
    kinds_of,
    pairs_end,
    translates,
)
from receipt_engine.stages.items.names.second_rows import (
    begins_list,
    begins_name,
    begins_only_here,
    goes_on,
    lacked_room,
    only_second_is_coded,
)
from receipt_engine.stages.items.names.sizes import is_variant
from receipt_engine.stages.items.rows import ItemRow, is_pump, read_row
from receipt_engine.stages.items.rows.headings import heads
from receipt_engine.vocabulary.normalise import count_letters

#: Most rows above the block that may belong to its first product: a name and a code; and where the name
#: begins with its place in the list.
_MAX_LEAD = 2
_MAX_LISTED = 3
#: Roles whose words may also name a product: a room, a table, a station.
_ALSO_SOLD: frozenset[Role] = frozenset(("header", "cashier", "address", "quantity", "weight", "service"))
#: Characters that names of one till share where each begins with its article number.
_ALIKE = 3
#: Fewest letters of a name right below the column headings, where shorter words are units ("(RM)").
_MIN_HEADED = 5


def with_lead(block: Sequence[ItemRow], rows: Sequence[AmountRow], zones: Sequence[Zone]) -> list[ItemRow]:
    """The block, preceded by those rows right above it that belong to its first product."""
    first = block[0] if block else None
    # A first row without words is a former price, between the first product's name and its amount.
    if first is None or not (first.kind in ("bare", "named", "text", "detail") or first.before):
        return list(block)
    lead: list[ItemRow] = []
    counts: list[ItemRow] = []
    shelf = False  # whether the row below is one
    listed = _list_begins(first, rows)
    top = first.index - _MAX_LEAD if listed is None else listed
    for index in range(first.index - 1, max(-1, top - 1), -1):
        if is_pump(rows[index].text):
            continue
        row = _read(index, rows, first, block)
        if listed is not None and row.kind in ("detail", "skip"):
            row = _as_text(index, rows)
        if _is_beside(row, first) and is_near(rows, index):
            shelf = is_shelf(row)
            continue
        made = _makes(row, first) if lead or first.kind == "named" else _is_count(row)
        if made and not counts and is_near(rows, index):
            counts = [row]
            continue
        if row.kind == "skip" and (shelf or _may_be_name(index, rows, first, block)):
            row = read_row(index, replace(rows[index], roles=(), in_column=False))
        if zones[index] != "header" or row.kind not in ("text", "code") or not is_near(rows, index):
            break
        lead.insert(0, row)
    if listed is not None and lead and lead[0].index == listed:
        return [*lead, *block]
    wrapped = any(row.kind == "text" and lacked_room(row, below, block) for row, below in pairwise(block))
    tabled = bool(lead) and (wrapped or _heads_above(lead[-1].index, rows))
    if tabled and lacked_room(lead[-1], first, [lead[-1], *block]):
        return [lead[-1], *block]
    headed = bool(lead) and _is_headed(lead[0].index, rows, first)
    used = _used(lead, block, headed)
    return [*used, *(counts if used or first.kind == "named" else []), *block]


def _read(index: int, rows: Sequence[AmountRow], first: ItemRow, block: Sequence[ItemRow]) -> ItemRow:
    row = read_row(index, replace(rows[index], in_column=False))
    if is_lone(row) and any(r.kind == "code" and r.code and len(r.code) == len(row.desc) for r in block):
        row = replace(row, kind="code", code=row.desc, words="")
    beside = any(r.kind == "code" and has_name(r) for r in block)  # sizes beside codes, below the names
    return replace(row, kind="text") if first.kind == "bare" and has_name(row) and not beside else row


def _as_text(index: int, rows: Sequence[AmountRow]) -> ItemRow:
    """A row between the list's first place and the first amount, whose words are all of the name."""
    row = read_row(index, replace(rows[index], roles=(), in_column=False))
    return replace(row, kind="text", words=row.words or row.desc)


def _list_begins(first: ItemRow, rows: Sequence[AmountRow]) -> int | None:
    """The row above an amount without words in which the first place of a list begins its name, or None."""
    above = range(first.index - 1, max(-1, first.index - 1 - _MAX_LISTED), -1)
    return next(
        (
            i
            for i in above
            if first.kind == "bare" and begins_list(rows[i].text) and not says(rows[i].roles, ["tax"], LIKELY)
        ),
        None,
    )


def _is_beside(row: ItemRow, first: ItemRow) -> bool:
    """Whether a row stands between a name and its amount without being either: a note, or a size alone."""
    sized = is_size(row) and any(map(str.isalpha, row.desc))
    return first.kind == "bare" and (sized or is_note(row))


def _is_count(row: ItemRow) -> bool:
    """Whether a row has only a count, perhaps with its label: "Qty: 2"."""
    return row.kind == "detail" and row.qty is not None and row.price is None and not row.words


def _makes(row: ItemRow, first: ItemRow) -> bool:
    """Whether a row has only the count and the price that make the amount of the product below it."""
    if row.kind != "detail" or row.words or row.price is None:
        return False
    count = row.qty if row.qty is not None else row.unit
    return count is not None and first.amount is not None and count * row.price == first.amount.value


def _may_be_name(index: int, rows: Sequence[AmountRow], first: ItemRow, block: Sequence[ItemRow]) -> bool:
    """Whether a row whose words seem to say something about the sale may be a product's name: its words may
    name one ("Double room"), it begins like the names in the block, or stands right below the headings."""
    row = rows[index]
    if is_plain(row) and all(m.role in _ALSO_SOLD for m in row.roles):
        return True
    begins = row.text[:_ALIKE]
    if first.kind == "bare" and any(r.kind == "text" and r.desc.startswith(begins) for r in block):
        return True
    if first.kind == "bare" and _is_said_within(row):
        return True
    return _is_headed(index, rows, first)


def _is_said_within(row: AmountRow) -> bool:
    """Whether the known words of a row are less than half of it and behind others, where no label stands:
    "PILOT DRIVER SET", "WHEEL BALANCING"."""
    known = max((len(m.phrase) for m in row.roles if m.weight >= POSSIBLE), default=0)
    behind = all(m.start for m in row.roles)
    return behind and 2 * known < count_letters(row.text) and not (row.dates or ":" in row.text)


def _is_headed(index: int, rows: Sequence[AmountRow], first: ItemRow) -> bool:
    """Whether a row stands between the headings of the columns and the first amount, which has no words."""
    return (
        _heads_above(index, rows)
        and first.kind == "bare"
        and not any(m.role == "column" for m in rows[index].roles)
        and count_letters(rows[index].text) >= _MIN_HEADED
    )


def _heads_above(index: int, rows: Sequence[AmountRow]) -> bool:
    """Whether the headings of the columns stand right above a row, perhaps with a rule between them."""
    above = (row for row in reversed(rows[:index]) if any(map(str.isalnum, row.text)))
    return (row := next(above, None)) is not None and heads(row)


def _begins_name(first: ItemRow, name: ItemRow, block: Sequence[ItemRow], headed: bool) -> bool:
    """Whether a row above a name begins it: the name is a garment's size and colour or in brackets; or, as
    in the block, only the second has an article number, or the two are in different scripts; or, right below
    the headings of the columns, for any reason for which names in the block have two rows."""
    both = [first, name, *block]
    if (headed and begins_name(first, name, both)) or (first.code and begins_only_here(first, name, both)):
        return True
    texts = ((upper, row) for upper, row in pairwise(block) if {upper.kind, row.kind} == {"text"})
    translated = translates(first, name) and any(translates(*pair) for pair in texts)
    beside = is_variant(name) or name.desc.startswith("(")
    return beside or translated or only_second_is_coded(first, name, both)


def _used(lead: list[ItemRow], block: Sequence[ItemRow], headed: bool) -> list[ItemRow]:
    """The lead rows that the block needs, by the order in which it prints names, codes and amounts. headed:
    they stand right below the headings of the columns."""
    kinds = kinds_of(block)
    wanted: list[ItemRow] = []
    above = pairs_end(kinds) == "bare"
    above = above or (headed and kinds[-1:] != ["text"])
    if lead and kinds[:1] == ["bare"] and lead[-1].kind == "text" and above:
        wanted.insert(0, lead.pop())
        if lead and lead[-1].kind == "text" and _begins_name(lead[-1], wanted[0], block, headed):
            wanted.insert(0, lead.pop())
    elif lead and kinds[:1] == ["bare"] and len(lead) > 1 and lead[-2].kind == "text":
        return lead if pairs_end(kinds) == "bare" else []
    translated = is_translated(block)
    if (
        lead
        and lead[-1].kind == "text"
        and ((translated and translates(lead[-1], block[0])) or goes_on(lead[-1], block[0], block))
    ):
        wanted.insert(0, lead.pop())
    codes = [row.kind for row in block if row.kind in ("named", "bare", "code")]
    if lead and lead[-1].kind == "code" and codes[-1:] != ["code"]:
        # A number in groups is rather the shop's telephone, unless other codes are printed so.
        printed = [row.code for row in block if row.kind == "code" and row.code]
        own = (lead[-1].code or "").isalnum() or not all(code.isalnum() for code in printed)
        wanted[:0] = lead[-1:] if own and (len(codes) == 1 or "code" in codes) else []
    return wanted

"""Line items: rows of the product block joined into products.

A row with words and an amount is a product. A row with an amount but no words takes the words above it.
A row with quantity and price but no amount belongs to the neighbour whose amount it multiplies to. Other
words near a product are kept beside it, not merged into its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise

from receipt_engine.document import AmountReading, Item, Money, ParsedLine, RoleMatch, Zone
from receipt_engine.stages.classify.item_rows import ItemRow, leading_count, read_row

#: A discount printed without its minus sign.
_LOST_MINUS = 0.7
_ROUNDING = Decimal("0.011")
_MAX_BESIDE = 4


@dataclass(slots=True)
class _Draft:
    """A product while its rows are gathered."""

    amount_row: ItemRow
    name: ItemRow
    detail: ItemRow | None = None
    code: str | None = None
    above: list[ItemRow] = field(default_factory=list)
    below: list[ItemRow] = field(default_factory=list)


def find_items(
    rows: Sequence[ParsedLine],
    roles: Sequence[Sequence[RoleMatch]],
    zones: Sequence[Zone],
    column: Sequence[bool],
) -> tuple[Item, ...]:
    """Products from top to bottom."""
    block = [read_row(i, rows[i], roles[i], column[i]) for i in range(len(rows)) if zones[i] == "items"]
    drafts = _gather(block)
    named = [d for d in drafts if d.name.leading_count]
    counts_first = len(named) >= max(1, 0.5 * len(drafts))
    return tuple(_item(draft, counts_first) for draft in drafts)


def _gather(block: Sequence[ItemRow]) -> list[_Draft]:
    drafts: list[_Draft] = []
    pending: list[ItemRow] = []
    below = _names_below(block)
    taken: set[int] = set()
    for position, row in enumerate(block):
        following = block[position + 1] if position + 1 < len(block) else None
        if row.index in taken:
            continue
        if row.kind == "skip":
            _settle(pending, drafts)
            pending = []
        elif row.kind == "named":
            pending = _start(row, row, pending, drafts)
        elif row.kind == "bare":
            if below and following is not None and following.kind == "text":
                taken.add(following.index)
                pending = _start(row, following, pending, drafts)
                continue
            name = next((p for p in reversed(pending) if p.kind == "text"), None)
            if name is None and drafts and _continues(drafts[-1], row):
                continue
            pending = _start(row, name or row, [p for p in pending if p is not name], drafts)
        else:
            pending.append(row)
    _settle(pending, drafts)
    return drafts


def _names_below(block: Sequence[ItemRow]) -> bool:
    """Whether amounts without words take the words below them: the block begins with an amount."""
    kinds = [row.kind for row in block if row.kind in ("named", "bare", "text")]
    pairs = list(pairwise(kinds))
    under, over = pairs.count(("bare", "text")), pairs.count(("text", "bare"))
    return bool(kinds) and kinds[0] == "bare" and under >= over


def _start(row: ItemRow, name: ItemRow, pending: list[ItemRow], drafts: list[_Draft]) -> list[ItemRow]:
    """Begins a product, handing the rows since the last one to it or to the last one."""
    draft = _Draft(row, name)
    for other in pending:
        previous = drafts[-1] if drafts else None
        if other.kind == "detail":
            if previous is not None and previous.detail is None and _multiplies(other, previous.amount_row):
                previous.detail = other
            elif _multiplies(other, row) or previous is None or previous.detail is not None:
                draft.detail = draft.detail or other
            else:
                previous.detail = other
        elif other.kind == "code":
            draft.code = other.code
        elif name is not row and other.index < name.index and previous is not None:
            previous.below.append(other)
        elif previous is None or (other.code and other.words.count(" ") == 0):
            draft.above.append(other)
        else:
            previous.below.append(other)
    drafts.append(draft)
    return []


def _settle(pending: list[ItemRow], drafts: list[_Draft]) -> None:
    """Rows after the last product of a run belong to it."""
    if not drafts:
        return
    last = drafts[-1]
    for row in pending:
        if row.kind == "detail" and last.detail is None:
            last.detail = row
        elif row.kind == "code" and last.code is None:
            last.code = row.code
        elif row.kind == "text" and len(last.below) < _MAX_BESIDE:
            last.below.append(row)


def _multiplies(detail: ItemRow, row: ItemRow) -> bool:
    """Whether the detail's quantity × price is the row's amount."""
    count = detail.qty if detail.qty is not None else detail.unit
    if row.amount is None or count is None or detail.price is None:
        return False
    return abs(abs(count * detail.price) - abs(row.amount.value)) <= _ROUNDING


def _continues(last: _Draft, row: ItemRow) -> bool:
    """Whether a bare row only repeats the amount of the product above it."""
    amount, before = row.amount, last.amount_row.amount
    if amount is None or before is None or last.name is not last.amount_row:
        return False
    return row.price is not None and amount.value == before.value


def _item(draft: _Draft, counts_first: bool) -> Item:
    row, detail, name = draft.amount_row, draft.detail, draft.name
    assert row.amount is not None
    words, qty = name.words, row.qty
    lead = leading_count(words)
    if lead is not None and (counts_first or lead[0] == qty):
        qty, words = (lead[0] if qty is None else qty), lead[1]
    price, unit = row.price, row.unit
    if detail is not None:
        qty = detail.qty if qty is None else qty
        price = detail.price if price is None else price
        unit = detail.unit if unit is None else unit
    used = {row.index, name.index} | ({detail.index} if detail else set())
    code = row.code or draft.code or name.code or next((a.code for a in draft.above if a.code), None)
    return Item(
        line=row.index,
        lines=tuple(sorted(used | {r.index for r in draft.above + draft.below})),
        desc=row.desc or name.desc,
        desc_clean=words or name.desc,
        total=_signed(row),
        price=price,
        qty=qty,
        unit=unit,
        product_code=code,
        symbols=row.amount.symbols,
        above=tuple(r.desc for r in draft.above),
        below=tuple(r.desc for r in draft.below),
    )


def _signed(row: ItemRow) -> AmountReading:
    """The row's amount; a discount without a minus may also be negative."""
    amount = row.amount
    assert amount is not None
    if not row.discount or amount.value < 0:
        return amount
    negative = tuple(
        Money(-m.value, m.cost + _LOST_MINUS, f"{m.rule}, lost minus") for m in amount.readings if m.value > 0
    )
    readings = sorted(amount.readings + negative, key=lambda m: m.cost)
    return replace(amount, readings=tuple(readings))


def split_running_sum(items: Sequence[Item]) -> tuple[tuple[Item, ...], Item | None]:
    """The products, and the row that adds up all products above it under unknown or lost words.

    What is printed below such a row is no product either. By chance a third product may cost as much as
    the first two: then more products follow than stand above, and nothing is split.
    """
    running = unsigned = Decimal(0)
    for position, item in enumerate(items):
        value = item.total.value
        if position >= 2 and len(items) - position - 1 <= position and value > 0:
            if value == running:
                return tuple(items[:position]), item
            if value == unsigned:
                return tuple(_unsigned(i) for i in items[:position]), item
        running += value
        unsigned += abs(value)
    return tuple(items), None


def _unsigned(item: Item) -> Item:
    """The product with a stroke before its amount taken for dirt, not for a minus."""
    positive = [m for m in item.total.readings if m.value == abs(item.total.value)]
    if item.total.value >= 0 or not positive:
        return item
    rest = tuple(m for m in item.total.readings if m is not positive[0])
    return replace(item, total=replace(item.total, readings=(positive[0], *rest)))

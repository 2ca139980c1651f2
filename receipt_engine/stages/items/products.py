"""Line items: rows of the product block joined into products.

A row with words and an amount is a product. A row with an amount but no words takes the words above it.
A row with quantity and price but no amount belongs to the neighbour whose amount it multiplies to. Other
words near a product are kept beside it, not merged into its name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.arithmetic.products import is_likely, multiplies_to, product_rounding
from receipt_engine.document import AmountReading, AmountRow, AmountRule, Item, Money, Zone
from receipt_engine.scoring.certainty import POSSIBLE
from receipt_engine.stages.items.codes import short_code
from receipt_engine.stages.items.habits import (
    Habits,
    habits,
    without_batches,
    without_codes,
    without_days,
    without_rates,
)
from receipt_engine.stages.items.names import (
    begins_name,
    codes_below,
    continues_name,
    has_name,
    has_name_before,
    names_below,
    with_lead,
)
from receipt_engine.stages.items.rows import ItemRow, is_pump, read_row
from receipt_engine.stages.items.words import leading_count, list_number, mend, times

#: A discount printed without its minus sign.
_LOST_MINUS = 0.7
_MAX_BESIDE = 4
_SIGNED_COUNT = re.compile(r"[*xX×] ?(\d{1,3})\b")


@dataclass(slots=True)
class _Draft:
    """A product while its rows are gathered. more: the second row of its name, or the first of two."""

    amount_row: ItemRow
    name: ItemRow
    detail: ItemRow | None = None
    code: str | None = None
    more: ItemRow | None = None
    above: list[ItemRow] = field(default_factory=list)
    below: list[ItemRow] = field(default_factory=list)


def read_products(
    rows: Sequence[AmountRow], zones: Sequence[Zone], codes: Collection[str] = ()
) -> tuple[Item, ...]:
    """Products from top to bottom. codes: the region's for rates of tax."""
    inside = [i for i, zone in enumerate(zones) if zone == "items" and not is_pump(rows[i].text)]
    block = [read_row(i, rows[i]) for i in inside]
    if not any(row.amount is not None for row in block):
        # The totals' column is another one than the products'.
        block = [read_row(i, replace(rows[i], in_column=_ends_in_money(rows[i]))) for i in inside]
    block = without_batches(without_days(without_rates(with_lead(block, rows, zones))))
    drafts = _without_group_sum(_gather(without_codes(block, codes)))
    if not drafts or (len(drafts) == 1 and _is_nameless(drafts[0])):
        return ()
    edges = [(row.line.left, row.line.right) for row in rows]
    names = [d.name for d in drafts]
    shared = habits(
        names,
        [d.amount_row for d in drafts],
        width=max(right for _, right in edges) - min(left for left, _ in edges),
        headed=any(map(_heads, rows)),
    )
    return tuple(_item(draft, shared, names) for draft in drafts)


def _ends_in_money(row: AmountRow) -> bool:
    """Whether the row ends in an amount with cents, or in one that a quantity and a price multiply to."""
    amount = row.amount
    if amount is None or not is_likely(row, amount):
        return False
    return amount.decimals > 0 or any(multiplies_to(quantity, amount) for quantity in row.quantities)


def _is_nameless(draft: _Draft) -> bool:
    """Whether an amount has no word, code or count beside it: alone on a slip it is what was paid."""
    row = draft.amount_row
    named = any(c.isalnum() for c in draft.name.desc) or draft.code or row.code
    return draft.name is row and not (named or row.qty or row.unit or draft.detail)


def _heads(row: AmountRow) -> bool:
    """Whether a row's words head columns: at least two of them, or one and a count of items."""
    sure = [m.role for m in row.roles if m.weight >= POSSIBLE]
    columns = sure.count("column")
    counts = "quantity" in sure or "item_count" in sure
    return not row.amounts and (columns >= 2 or (columns == 1 and counts))


def _gather(block: Sequence[ItemRow]) -> list[_Draft]:
    drafts: list[_Draft] = []
    pending: list[ItemRow] = []
    below, code_below = names_below(block), codes_below(block)
    taken: set[int] = set()
    for position, row in enumerate(block):
        following = block[position + 1] if position + 1 < len(block) else None
        if row.index in taken:
            continue
        if row.kind == "skip":
            kept = [] if code_below else [p for p in pending if p.kind == "code"]
            _settle([p for p in pending if p not in kept], drafts)
            pending = kept
        elif row.kind == "code" and code_below and drafts and drafts[-1].code is None:
            drafts[-1].code = row.code
        elif row.kind == "named":
            pending = _start(row, row, pending, drafts)
        elif row.kind == "bare":
            if below and following is not None and following.kind == "text":
                taken.add(following.index)
                pending = _start(row, following, pending, drafts)
                continue
            name = next((p for p in reversed(pending) if p.kind == "text"), None)
            name = name or next((p for p in reversed(pending) if has_name(p) or has_name_before(p)), None)
            if name is None and drafts and not pending and _completes(drafts[-1], row):
                continue
            if name is None and drafts and not pending and _continues(drafts[-1], row):
                continue
            rest = [p for p in pending if p is not name]
            first = next((p for p in reversed(rest) if p.kind == "text"), None)
            wraps = name is not None and first is not None and begins_name(first, name, block)
            pending = _start(row, name or row, [p for p in rest if not (wraps and p is first)], drafts)
            drafts[-1].more = first if wraps else None
            if name is not None and row.price is None and (name.kind == "detail" or _multiplies(name, row)):
                drafts[-1].detail = name
        else:
            pending.append(row)
    _settle(pending, drafts)
    return drafts


def _without_group_sum(drafts: list[_Draft]) -> list[_Draft]:
    """The products without rows that add up those above: called a total in the middle of the list, or, as
    the last row, called like their group ("Food 43.50") or like a column ("Qty 2 43.50")."""
    drafts = drafts[: len(drafts) - _groups_at_end(drafts)]
    kept: list[_Draft] = []
    group = total = Decimal(0)
    for draft in drafts:
        row = draft.amount_row
        value = row.amount.value if row.amount is not None else Decimal(0)
        last = draft is drafts[-1] and row.qty is None and row.department
        if kept and (row.sums or last or (row.heading and draft is drafts[-1])) and value in (group, total):
            group = Decimal(0)
            continue
        kept.append(draft)
        group += value
        total += value
    return kept


def _groups_at_end(drafts: Sequence[_Draft]) -> int:
    """How many of the last rows are groups ("Food 43.50", "Drinks 9.00") that add up to the products."""
    count = 0
    for draft in reversed(drafts):
        if not draft.amount_row.department or draft.amount_row.qty is not None:
            break
        count += 1
    values = [d.amount_row.amount.value for d in drafts if d.amount_row.amount is not None]
    repeats = 1 < count < len(drafts) and sum(values[-count:]) == sum(values[:-count])
    return count if repeats else 0


def _start(row: ItemRow, name: ItemRow, pending: list[ItemRow], drafts: list[_Draft]) -> list[ItemRow]:
    """Begins a product, handing the rows since the last one to it or to the last one."""
    draft = _Draft(row, name)
    for other in pending:
        previous = drafts[-1] if drafts else None
        if other.kind == "detail":
            if previous is not None and previous.detail is None and _multiplies(other, previous.amount_row):
                previous.detail = other
            elif _multiplies(other, row) or previous is None or previous.detail is not None or _off(previous):
                draft.detail = draft.detail or other
            else:
                previous.detail = other
        elif other.kind == "code":
            draft.code = other.code
        elif name is not row and other.index < name.index and previous is not None:
            previous.below.append(other)
        elif previous is None:
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
        elif row.kind == "code":
            last.code = last.code or row.code
        elif row.kind == "text" and len(last.below) < _MAX_BESIDE:
            last.below.append(row)


def _multiplies(detail: ItemRow, row: ItemRow) -> bool:
    """Whether the detail's quantity × price is the row's amount."""
    count = detail.qty if detail.qty is not None else detail.unit
    if row.amount is None or count is None or detail.price is None:
        return False
    return abs(abs(count * detail.price) - abs(row.amount.value)) <= product_rounding(count, detail.price)


def _off(draft: _Draft) -> bool:
    """Whether a row takes off: then a count and a price below it are of the next product."""
    amount = draft.amount_row.amount
    return draft.name.discount or (amount is not None and amount.value < 0)


def _continues(last: _Draft, row: ItemRow) -> bool:
    """Whether a bare row only repeats the amount of the product above it."""
    amount, before = row.amount, last.amount_row.amount
    if amount is None or before is None or last.name is not last.amount_row:
        return False
    return row.price is not None and amount.value == before.value


def _completes(last: _Draft, row: ItemRow) -> bool:
    """Whether a bare row with a code has the amount of the product above, which is printed with its price:
    then it becomes the product's row."""
    first = last.amount_row
    if row.code is None or first.amount is None or row.amount is None or first is not last.name:
        return False
    if first.code is not None or last.detail is not None or row.index != first.index + 1:
        return False
    price, count = first.amount.value, row.qty
    if count is None:
        found = _SIGNED_COUNT.search(row.desc)
        count = Decimal(found.group(1)) if found else Decimal(1)
    if not price or price * count != row.amount.value:
        return False
    last.amount_row = replace(row, price=price, qty=count if count != 1 or row.qty else row.qty)
    last.code = row.code
    return True


def _item(draft: _Draft, shared: Habits, names: Sequence[ItemRow]) -> Item:
    row, detail, name = draft.amount_row, draft.detail, draft.name
    assert row.amount is not None
    words, qty, code = _taken_apart(draft, shared)
    below = draft.below
    more = draft.more
    if more is None and len(below) == 1 and continues_name(name, below[0], names):
        more, below = below[0], []
    if more is not None:
        words = f"{words} {more.words}" if more.index > name.index else f"{more.words} {words}"
    price, unit = row.price, row.unit
    if detail is not None:
        qty = detail.qty if qty is None else qty
        price = detail.price if price is None else price
        unit = detail.unit if unit is None else unit
    used = {row.index, name.index} | {r.index for r in (detail, more) if r is not None}
    return Item(
        line=row.index,
        lines=tuple(sorted(used | {r.index for r in draft.above + below})),
        desc=row.desc or name.desc,
        desc_clean=mend(words) or name.desc,
        total=_signed(row),
        price=price,
        qty=qty,
        unit=unit,
        product_code=code,
        symbols=row.amount.symbols,
        above=tuple(r.desc for r in draft.above),
        below=tuple(r.desc for r in below),
    )


def _taken_apart(draft: _Draft, shared: Habits) -> tuple[str, Decimal | None, str | None]:
    """(name, quantity, code): what stands before and behind the name by the habits of the receipt."""
    row, name = draft.amount_row, draft.name
    words, qty = name.words, row.qty
    code = row.code or draft.code or name.code
    tail = row.tail if name is row else None
    if tail is not None and shared.counts_at is not None and qty is None:
        first, last = shared.counts_at
        if first <= tail[2] <= last:
            qty, words = tail[0], words[: words.rfind(str(abs(tail[0])))].rstrip(" -")
    if shared.listed and (number := list_number(words)) is not None:
        words = number.rest
        if shared.codes_listed and code is None and (second := leading_count(words)) is not None:
            code, words = words.split()[0], second.rest
    if qty is None and (counted := times(words)) is not None:
        qty, words = counted
    lead = leading_count(words, glued=shared.counts_first)
    if lead is not None and not shared.listed:
        if qty is None and (shared.counts_first or lead.sure):
            qty, words = lead.number, lead.rest
        elif lead.number == qty:
            words = lead.rest
    if shared.codes_first and code is None and (short := short_code(words)) is not None:
        code, words = short.text, words[short.end :].strip()
    return words, qty, code


def _signed(row: ItemRow) -> AmountReading:
    """The row's amount; a discount without a minus may also be negative."""
    amount = row.amount
    assert amount is not None
    if not row.discount or amount.value < 0:
        return amount
    negative = tuple(
        Money(-m.value, m.cost + _LOST_MINUS, AmountRule.LOST_MINUS) for m in amount.readings if m.value > 0
    )
    readings = sorted(amount.readings + negative, key=lambda m: m.cost)
    return replace(amount, readings=tuple(readings))

"""Groups the rows of the product block into products.

A row with words and an amount is a product. A row with an amount but no words takes the words above it.
A row with quantity and price but no amount belongs to the neighbour whose amount it multiplies to. Other
words near a product are kept beside it, not merged into its name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.arithmetic.products import product_rounding
from receipt_engine.document import ZERO
from receipt_engine.stages.items.names.own_rows import (
    codes_below,
    has_name,
    has_name_before,
    is_note,
    is_translated,
    names_below,
    translates,
)
from receipt_engine.stages.items.names.second_rows import begins_name, goes_on, lacked_room, numbered_name
from receipt_engine.stages.items.names.sizes import is_variant
from receipt_engine.stages.items.rows import ItemRow
from receipt_engine.vocabulary import term_at_end

#: Most rows of words that are kept below the last product.
_MAX_BESIDE = 4
_SIGNED_COUNT = re.compile(r"[*xX×] ?(\d{1,3})\b")


@dataclass(slots=True)
class Draft:
    """A product while its rows are gathered. more: the other row of a two-row name, above or below `name`."""

    amount_row: ItemRow
    name: ItemRow
    detail: ItemRow | None = None
    code: str | None = None
    more: ItemRow | None = None
    above: list[ItemRow] = field(default_factory=list)
    below: list[ItemRow] = field(default_factory=list)

    @property
    def is_proved(self) -> bool:
        """Whether count × price of the detail row is the product's amount."""
        return self.detail is not None and _multiplies(self.detail, self.amount_row)

    @property
    def proved_count(self) -> Decimal | None:
        """The count of the detail row, if it is proved; else None."""
        return self.detail.qty if self.detail is not None and self.is_proved else None


def gather(block: Sequence[ItemRow]) -> list[Draft]:
    """One draft per product, from top to bottom."""
    drafts: list[Draft] = []
    pending: list[ItemRow] = []
    below, code_below, translated = names_below(block), codes_below(block), is_translated(block)
    taken: set[int] = set()
    for row, following in zip(block, [*block[1:], None], strict=False):
        if row.index in taken or is_note(row):
            continue
        if row.kind == "skip":
            kept = [p for p in pending if p.kind == "text" or (p.kind == "code" and not code_below)]
            _settle([p for p in pending if p not in kept], drafts)
            pending = kept
        elif code_below and drafts and _is_code_of(row, drafts[-1], following):
            drafts[-1].code = row.code
        elif row.kind == "named":
            upper = next(
                (
                    p
                    for p in pending
                    if p.kind == "text"
                    and (translated or goes_on(p, row, block) or lacked_room(p, row, block))
                ),
                None,
            )
            _start(row, row, [p for p in pending if p is not upper], drafts)
            drafts[-1].more = upper
            pending = []
        elif row.kind == "bare" and below and following is not None and _is_name(following, row):
            taken.add(following.index)
            following = _as_name(following, row)
            _start(row, following, pending, drafts)
            drafts[-1].detail = following if following.kind == "detail" else None
            pending = []
        elif row.kind == "bare":
            _start_bare(row, pending, drafts, block)
            pending = []
        else:
            pending.append(row)
    _settle(pending, drafts)
    return drafts


def _is_code_of(row: ItemRow, above: Draft, following: ItemRow | None) -> bool:
    """Whether a row's code is that of the product above it, which has none, and not of a short name beside it
    whose amount follows."""
    named = has_name(row) and following is not None and following.kind == "bare"
    return row.kind == "code" and above.code is above.name.code is None and not named


def _is_name(row: ItemRow, above: ItemRow) -> bool:
    """Whether a row right below an amount is its name."""
    return row.kind == "text" or has_name_before(row) or _is_measure(row, above)


def _is_measure(row: ItemRow, above: ItemRow) -> bool:
    """Whether a row has only numbers that are no count and price of the amount above, which has its own: the
    name of a plank, "8' 2 X 3"."""
    return row.kind == "detail" and not has_name_before(row) and above.is_made and not _multiplies(row, above)


def _as_name(row: ItemRow, above: ItemRow) -> ItemRow:
    """The row right below an amount as its name."""
    return replace(row, kind="text", words=row.desc) if _is_measure(row, above) else row


def _start_bare(row: ItemRow, pending: list[ItemRow], drafts: list[Draft], block: Sequence[ItemRow]) -> None:
    """Begins a product at an amount without words, with a name from the pending rows; without any pending row
    the amount may complete or repeat the product above."""
    numbered = numbered_name(pending, block)
    name = numbered or next((p for p in reversed(pending) if p.kind == "text"), None)
    name = name or next((p for p in reversed(pending) if has_name(p) or has_name_before(p)), None)
    joins = (_completes, _reduces, _is_bought)
    if drafts and not pending and (any(join(drafts[-1], row) for join in joins) or _repeats(drafts, row)):
        return
    rest = [p for p in pending if p is not name]
    more = _other_row(rest, name, numbered is not None, block)
    _start(row, name or row, [p for p in rest if p is not more], drafts)
    drafts[-1].more = more
    if name is not None and row.price is None and (name.kind == "detail" or _multiplies(name, row)):
        drafts[-1].detail = name


def _other_row(
    rest: Sequence[ItemRow], name: ItemRow | None, numbered: bool, block: Sequence[ItemRow]
) -> ItemRow | None:
    """The other row of a two-row name: below one that begins with its place in the list, else above."""
    texts = [row for row in rest if row.kind == "text"]
    if name is None or not texts:
        return None
    if numbered:
        return next((row for row in texts if row.index > name.index and ":" not in row.desc), None)
    first = texts[-1]  # of the name, a garment whose size and colour it gives, or the name in another script
    garment = first.index == name.index - 1 and is_variant(name)
    return first if begins_name(first, name, block) or garment or translates(first, name) else None


def without_group_sum(drafts: list[Draft]) -> list[Draft]:
    """The products without rows that add up those above: labelled as a total anywhere in the list, or, as the
    last row, labelled with a group ("Food 43.50") or a column heading ("Qty 2 43.50")."""
    drafts = drafts[: len(drafts) - _groups_at_end(drafts)]
    kept: list[Draft] = []
    group = total = ZERO
    for draft in drafts:
        row = draft.amount_row
        value = row.amount.value if row.amount is not None else ZERO
        last = draft is drafts[-1] and row.qty is None and row.department
        if kept and (row.sums or last or (row.heading and draft is drafts[-1])) and value in (group, total):
            group = ZERO
            continue
        kept.append(draft)
        group += value
        total += value
    return kept


def _groups_at_end(drafts: Sequence[Draft]) -> int:
    """The number of last rows that are groups ("Food 43.50", "Drinks 9.00") and add up to the products."""
    count = 0
    for draft in reversed(drafts):
        if not draft.amount_row.department or draft.amount_row.qty is not None:
            break
        count += 1
    values = [d.amount_row.amount.value for d in drafts if d.amount_row.amount is not None]
    repeats = 1 < count < len(drafts) and sum(values[-count:]) == sum(values[:-count])
    return count if repeats else 0


def _start(row: ItemRow, name: ItemRow, pending: Sequence[ItemRow], drafts: list[Draft]) -> None:
    """Begins a product and assigns the pending rows to it or the one before."""
    draft = Draft(row, name)
    for other in pending:
        previous = drafts[-1] if drafts else None
        if other.kind == "detail":
            if name is not row and name.index < other.index:
                draft.detail = draft.detail or other
            elif previous is not None and not previous.is_proved and _multiplies(other, previous.amount_row):
                previous.detail = other
            elif (
                _multiplies(other, row)
                or previous is None
                or previous.detail is not None
                or _is_discount(previous)
            ):
                draft.detail = draft.detail or other
            else:
                previous.detail = other
        elif other.kind == "code":
            draft.code = other.code
            counted = replace(other, price=row.price)  # "3x 9550012345670" above "HINGE @6.20  18.60"
            draft.detail = counted if row.qty is None and _multiplies(counted, row) else draft.detail
        elif name is not row and other.index < name.index and previous is not None:
            previous.below.append(other)
        elif previous is None or (name is not row and other.index > name.index):
            draft.above.append(other)
        else:
            previous.below.append(other)
    drafts.append(draft)


def _settle(pending: list[ItemRow], drafts: list[Draft]) -> None:
    """Assigns the pending rows after the last product of a run to that product."""
    if not drafts:
        return
    last = drafts[-1]
    for row in pending:
        if row.kind == "detail" and last.detail is None:
            last.detail = row
        elif row.kind == "text" and len(last.below) < _MAX_BESIDE:
            last.below.append(row)


def _multiplies(detail: ItemRow, row: ItemRow) -> bool:
    """Whether the detail's quantity × price is the row's amount."""
    count = detail.qty if detail.qty is not None else detail.unit
    if row.amount is None or count is None or detail.price is None:
        return False
    return abs(abs(count * detail.price) - abs(row.amount.value)) <= product_rounding(count, detail.price)


def _is_discount(draft: Draft) -> bool:
    """Whether a draft is a discount: then a count and a price below it belong to the next product."""
    amount = draft.amount_row.amount
    return draft.name.discount or (amount is not None and amount.value < 0)


def _continues(last: Draft, row: ItemRow) -> bool:
    """Whether a bare row only repeats the amount of the product above it."""
    amount, before = row.amount, last.amount_row.amount
    if amount is None or before is None or last.name is not last.amount_row:
        return False
    if last.amount_row.price is not None:  # has its price: the row is another product at that price
        return False
    return row.price is not None and amount.value == before.value


def _repeats(drafts: Sequence[Draft], row: ItemRow) -> bool:
    """Whether a bare row repeats the amount of the product above it, or is what its discounts leave. If it
    repeats it, its count and price are the product's."""
    if _continues(drafts[-1], row):
        drafts[-1].detail = drafts[-1].detail or row
        return True
    if row.amount is None:
        return False
    last = drafts[-1].amount_row.amount
    if last is not None and any(value - row.amount.value == last.value > 0 for value in row.before):
        return True  # the former price and what was taken off it: "REG 9.99  SALE 2.00" below "MINTS 7.99"
    left = ZERO
    for draft in reversed(drafts):
        value = draft.amount_row.amount.value if draft.amount_row.amount is not None else ZERO
        left += value
        if value > 0:
            return draft is not drafts[-1] and left == row.amount.value
    return False


def _reduces(last: Draft, row: ItemRow) -> bool:
    """Whether a bare row takes a discount off the product above and has what is left: "1 @ 39.90  39.90"
    above "20 % -7.98  31.92". If so, makes it the product's amount row."""
    first = last.amount_row
    if first.amount is None or row.amount is None:
        return False
    if not any(value < 0 and first.amount.value + value == row.amount.value for value in row.before):
        return False
    last.detail = last.detail or first
    last.amount_row = row
    return True


def _is_bought(last: Draft, row: ItemRow) -> bool:
    """Whether a bare row's count and price make its amount, below a name whose amount is that of an offer:
    "CRISPS 2 FOR 5.00" above "2 @ 3.29  6.58". If so, makes it the product's amount row."""
    first = last.amount_row
    offered = first is last.name and row.is_made and term_at_end(first.desc, "bundle_price") is not None
    if offered:
        last.amount_row = row
    return offered


def _completes(last: Draft, row: ItemRow) -> bool:
    """Whether a bare row with a code or a count has the amount of the product above, whose own row has only
    its price: "1000412 MOUSE 9.00" above "2 pcs at 9.00  18.00". If so, makes it the product's amount row."""
    first = last.amount_row
    if first.amount is None or row.amount is None or first is not last.name:
        return False
    if last.detail is not None or row.index != first.index + 1:
        return False
    price, count = first.amount.value, row.qty
    if row.code is None or first.code is not None:
        count = count or first.qty
        if count in (None, 1) or first.price is not None:
            return False
    elif count is None:
        found = _SIGNED_COUNT.search(row.desc)
        count = Decimal(found.group(1)) if found else Decimal(1)
    if count is None or not price or price * count != row.amount.value:
        return False
    last.amount_row = replace(row, price=price, qty=count if count != 1 or row.qty else row.qty)
    last.code = row.code or first.code
    return True

"""Finds further rows that must be products because the receipt adds up only with them, against their words.

A product may have the name of a means of payment or a tip, and the first products may look like part of the
header. If the products found do not add up to the subtotal or total below them, but do with further rows that
are printed like products, those rows are products. The sums printed below the products are what they should
add up to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from itertools import accumulate

from msgspec.structs import replace

from receipt_engine.document import (
    PLAUSIBLE,
    ZERO,
    AmountRow,
    Entry,
    Item,
    Record,
    sum_entries,
    sum_items,
    text_width,
)
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE, SURE
from receipt_engine.stages.items.sums.candidates import MAX_READING_COST, Candidate, find_candidates
from receipt_engine.stages.items.sums.inner_sums import below_groups, is_priced

#: Bounds on the search: rows above, among and below the products found.
_MAX_ABOVE = 24
_MAX_AMONG = 8
_MAX_BELOW = 48
#: Tolerance for the right edges of one column's amounts, as a share of the text's width.
_ALIGNED = 0.12
#: The same for prices in a separate column that is followed by columns of other values, and the fewest prices
#: of such a column: of prices alone in their rows, below the names, two are enough.
_ALIGNED_PRICES = 0.03
_MIN_PRICES, _MIN_ALONE = 3, 2
#: Fewest products below the sums.
_SEVERAL = 2
#: Costs of a row, of a word that contradicts it, and of leaving out a row without such a word; and the
#: highest cost of a set of rows.
_ROW_COST = 0.2
_WORD_COST = 1.0
_LEFT_OUT_COST = 0.5
_MAX_SET_COST = 3.2
#: Bound on the search: most values to reach.
MAX_TARGETS = 8


def missing_products(
    rows: Sequence[AmountRow],
    items: Sequence[Item],
    entries: Sequence[Entry],
    among: Collection[int] | None = None,
) -> tuple[int, ...]:
    """Indices of the rows that are products too, in order; empty if none are needed or no set is convincing.

    Candidates above the products are taken upwards and those below downwards, without gaps; of those between
    products, none, one or all. among: the rows that may be taken; by default those that belong to no product.
    """
    total = sum_items(items)
    first = min((item.line for item in items), default=-1)
    last = max((item.line for item in items), default=-1)
    targets = targets_below(entries, items)
    candidates = list(find_candidates(rows, first, last))
    if among is not None:
        candidates = [row for row in candidates if row.index in among]
    else:
        # A note beside a product may be one of its own.
        taken = {at for item in items for at in item.lines if rows[at].text not in item.above + item.below}
        candidates = [row for row in candidates if row.index not in taken]
    summed = len(items) > 1 and any(e.last and e.line > last and e.amount.value == total for e in entries)
    if not targets or summed or (items and any(t.value == total for t in targets)):
        plain = [r for r in candidates if r.weight < LIKELY or (r.added and is_priced(rows[r.index]))]
        values = {row.index: row.value for row in plain if among is None}
        return below_groups(rows, entries, values, total, last)
    sets: list[tuple[float, tuple[Candidate, ...]]] = []
    for target in (*targets[:MAX_TARGETS], *without_charges(targets, entries, last)):
        found = _in_the_targets_column(rows, candidates, target)
        for chosen in _closing_sets(found, items, target.value - total):
            cost = _cost(chosen, found)
            if cost <= _MAX_SET_COST and _is_enough(chosen, items, target, entries):
                sets.append((cost, chosen))
    _, cheapest = min(sets, key=lambda priced: priced[0], default=(0.0, ()))
    if not (items or cheapest):
        cheapest = _below_sums(candidates, targets)
    return tuple(sorted(row.index for row in cheapest))


def _below_sums(found: Sequence[Candidate], targets: Sequence[Target]) -> tuple[Candidate, ...]:
    """The first rows below all sums, without words against a product, that add up to one of them, as where an
    app shows what was paid before what was bought; several, as one may repeat what was paid."""
    last = max(target.line for target in targets)
    below = [row for row in found if row.index > last and row.weight < POSSIBLE and row.value > 0]
    values = {target.value for target in targets}
    sums = enumerate(_running_sums(below))
    count = next((count for count, value in sums if count >= _SEVERAL and value in values), 0)
    return tuple(below[:count])


def _in_the_targets_column(
    rows: Sequence[AmountRow], found: Sequence[Candidate], target: Target
) -> list[Candidate]:
    """The candidates above the target whose amounts end in its column, or in a separate column: prices before
    columns of nutrition facts end far from the totals, and so may discounts right behind their names."""
    amount = rows[target.line].amount
    width = text_width(rows)
    above = [r for r in found if r.index < target.line]
    if amount is None:
        return above
    edge = rows[target.line].edge(amount)
    own = [r for r in above if _is_price(rows[r.index])]
    alone = all(_is_alone(rows[r.index]) for r in own)
    fewest = _MIN_ALONE if alone else _MIN_PRICES
    return [
        r
        for r in above
        if abs(r.edge - edge) <= _ALIGNED * width
        or (r.added and r.value < 0)
        or (r in own and sum(abs(r.edge - o.edge) <= _ALIGNED_PRICES * width for o in own) >= fewest)
    ]


def _is_price(row: AmountRow) -> bool:
    """Whether a row's amount is plausible and has a currency, and decimals unless it is alone in its row."""
    amount = row.amount
    if amount is None or not amount.is_plausible or amount.currency is None:
        return False
    return amount.decimals > 0 or _is_alone(row)


def _is_alone(row: AmountRow) -> bool:
    """Whether a row has nothing but its amount."""
    amount = row.amount
    return amount is not None and not (row.text[: amount.start] + row.text[amount.end :]).strip()


def _closing_sets(
    found: Sequence[Candidate], items: Sequence[Item], missing: Decimal
) -> Iterator[tuple[Candidate, ...]]:
    """Non-empty sets of rows that add up to the missing value."""
    first = min((item.line for item in items), default=-1)
    last = max((item.line for item in items), default=-1)
    above = [r for r in found if r.index < first][::-1][:_MAX_ABOVE]
    among = [r for r in found if first <= r.index <= last][:_MAX_AMONG]
    below = [r for r in found if r.index > last][:_MAX_BELOW]
    if not items:  # the start of the products is unknown, but they end above the target
        above, below = below[::-1][:_MAX_ABOVE], []
    lower: dict[Decimal, int] = {}
    for count, value in enumerate(_running_sums(below)):
        lower.setdefault(value, count)
    middles = [(), *((r,) for r in among), *([tuple(among)] if len(among) > 1 else [])]
    for count, upper in enumerate(_running_sums(above)):
        for middle in middles:
            rest = missing - upper - sum((r.value for r in middle), ZERO)
            if rest in lower and (count or middle or lower[rest]):
                yield (*above[:count], *middle, *below[: lower[rest]])


def _running_sums(found: Sequence[Candidate]) -> Iterator[Decimal]:
    """The sums of none, the first, the first two of the rows and so on."""
    return accumulate((row.value for row in found), initial=ZERO)


def _cost(chosen: Sequence[Candidate], found: Sequence[Candidate]) -> float:
    """Cost of taking the rows as products. Words count little on a row above one without any."""
    plain = [r.index for r in chosen if r.weight < LIKELY]
    cost = 0.0
    for row in chosen:
        word = row.weight * (0.1 if plain and row.index < max(plain) else 1.0)
        cost += _ROW_COST * (0.2 if len(chosen) > 3 else 1.0) + _WORD_COST * word + 0.3 * row.cost
    lines = {r.index for r in chosen}
    return cost + _LEFT_OUT_COST * sum(1 for r in found if r.index not in lines and r.weight < LIKELY)


def _is_enough(
    chosen: Sequence[Candidate], items: Sequence[Item], target: Target, entries: Sequence[Entry]
) -> bool:
    """Whether the sum is more than one row that equals the amount paid, or a charge or tax that is added."""
    last = max([r.index for r in chosen] + [item.line for item in items])
    among_products = bool(items) or len(chosen) == 1
    taxed = [row.index for row in chosen if row.taxed]
    if not target.subtotal and taxed and min(taxed) == last:
        return False  # a tax as the last row is the missing tax itself; between products it is a levy
    # A surcharge below a lone fare is sold with it.
    charges = [row for row in chosen if row.added and (row.weight > LIKELY or among_products)]
    if not target.subtotal and any(row.index == last for row in charges):
        return False
    if items or len(chosen) > 1:
        return True
    row = chosen[0]
    # A voucher may be sold: another payment follows.
    paid = any(e.line > target.line and e.role in ("cash", "card") and e.certainty >= SURE for e in entries)
    right_above = (target.subtotal or paid) and not row.added and target.line - row.index <= 2
    return row.cost < PLAUSIBLE and (row.weight < POSSIBLE or right_above)


class Target(Record, frozen=True):
    """The value that the products above a row should add up to. subtotal: nothing else is added before it."""

    line: int
    value: Decimal
    subtotal: bool


def targets_below(entries: Sequence[Entry], items: Sequence[Item]) -> list[Target]:
    """Subtotals and totals below the products, topmost first, totals also without tax and rounding; if none,
    the amounts of card tenders, also without tax."""
    first = max((item.line for item in items), default=-1)
    below = [e for e in entries if e.line > first and e.last and e.amount.cost <= MAX_READING_COST]
    taxes = _sum_of(below, "tax") or _sum_of(below, "total_tax")
    rounding = [e for e in below if e.role == "rounding" and abs(e.amount.value) < 1][:2]
    found: list[Target] = []
    for entry in below:
        value = entry.amount.value
        subtotal = entry.role in ("subtotal", "net") and entry.certainty >= LIKELY
        total = entry.is_called("total", LIKELY)
        if value == 0 or not (subtotal or total):
            continue
        found.append(Target(entry.line, value, subtotal))
        if total:
            less = {taxes, *(sign * r.amount.value for r in rounding for sign in (1, -1))} - {ZERO}
            found += [Target(entry.line, value - amount, False) for amount in sorted(less)]
    if not found:
        found = [
            Target(e.line, e.amount.value - less, False)
            for e in below
            if e.is_called("card", LIKELY) and e.amount.value
            for less in {ZERO, taxes}
        ]
    return found


def without_charges(targets: Sequence[Target], entries: Sequence[Entry], last: int) -> list[Target]:
    """The totals without the service charges between them and the last product, and without the discounts
    where no subtotal is printed; none without a product."""
    found = []
    discounted = not any(target.subtotal for target in targets)
    for target in targets[: MAX_TARGETS if last >= 0 else 0]:
        between = [e for e in entries if last < e.line < target.line]
        charges = _sum_of(between, "service")
        taken_off = (e for e in between if discounted and e.is_called("discount", SURE))
        discounts = sum((abs(e.amount.value) for e in taken_off), ZERO)
        added = sorted({charges, -discounts, charges - discounts} - {ZERO})
        found += [replace(target, value=target.value - value) for value in added if not target.subtotal]
    return found


def _sum_of(entries: Sequence[Entry], role: Role) -> Decimal:
    """The sum of the entries that surely have the role."""
    return sum_entries(e for e in entries if e.is_called(role, SURE))

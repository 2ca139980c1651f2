"""Finds further rows that must be products because the receipt adds up only with them, against their words.

A product may have the name of a means of payment or a tip, and the first products may look like part of the
header. If the products found do not add up to the subtotal or total below them, but do with further rows that
are printed like products, those rows are products.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import (
    PLAUSIBLE,
    ZERO,
    AmountReading,
    AmountRow,
    DateReading,
    Entry,
    Item,
    Record,
    RoleMatch,
    Zone,
    is_account,
)
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE, SURE
from receipt_engine.scoring.costs import DOUBTFUL
from receipt_engine.stages.items.sums.below_groups import below_groups
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

#: Roles of rows that close the products or follow them, and other roles of rows that are not products.
_CLOSING: frozenset[Role] = frozenset(("total", "subtotal", "net", "gross", "tax", "total_tax", "rounding"))
_NEVER: frozenset[Role] = frozenset(
    ("savings", "loyalty", "suggested", "item_count", "phone", "tax_id", "receipt_number", "date")
)
#: Roles of amounts that may also be added to the products' sum, so that a sum alone does not prove a product.
_ADDED: frozenset[Role] = frozenset(("service", "tip", "discount", "deposit", "void"))
#: Roles that a row loses once it is known to be a product.
_OVERRULED: frozenset[Role] = (
    _CLOSING
    | _NEVER
    | {"tip", "service", "cash", "card", "change", "balance", "footer", "cashier", "header", "company"}
)
#: Bounds on the search: rows above, among and below the products found, and sums to reach.
_MAX_ABOVE = 24
_MAX_AMONG = 8
_MAX_BELOW = 48
_MAX_TARGETS = 8
#: Highest cost of an amount's reading that a closing sum may prove.
_MAX_READING = 3.5
#: Tolerance for the right edges of one column's amounts, as a share of the text's width.
_ALIGNED = 0.12
#: The same for prices in a separate column that is followed by columns of other values, and the fewest prices
#: of such a column.
_OWN_COLUMN = 0.03
_MIN_OWN = 3
#: Costs of a row, of a word that contradicts it, and of leaving out a row without such a word; and the
#: highest cost of a set of rows.
_ROW = 0.2
_WORD = 1.0
_UNEXPLAINED = 0.5
_MAX_COST = 3.2
#: Largest share of a name's letters for a word of the totals block at its start ("TAX FORMS A4 PACK").
_SHARE = 0.4


class _Row(Record, frozen=True):
    """A candidate row. cost: of its amount's reading; weight: highest weight of a word against a product;
    added: words say that it is added to the products; taxed: words say that it is a tax; edge: right edge of
    its amount."""

    index: int
    value: Decimal
    cost: float
    weight: float
    added: bool
    taxed: bool
    edge: float


class _Target(Record, frozen=True):
    """The value that the products above a row should add up to. subtotal: nothing else is added before it."""

    line: int
    value: Decimal
    subtotal: bool


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
    total = sum((item.total.value for item in items), ZERO)
    targets = _targets(entries, items)
    taken = {line for item in items for line in item.lines}
    last = max((item.line for item in items), default=-1)
    candidates = [
        row
        for row in _candidates(rows, last)
        if (row.index in among if among is not None else row.index not in taken or _is_beside(row, items))
    ]
    if not targets or (items and any(t.value == total for t in targets)):
        plain = {row.index: row.value for row in candidates if row.weight < POSSIBLE and among is None}
        return below_groups(rows, entries, plain, total, last)
    best: tuple[float, tuple[_Row, ...]] | None = None
    for target in (*targets[:_MAX_TARGETS], *_without_charges(targets, entries, last)):
        found = _above(rows, candidates, target)
        for chosen in _closing_sets(found, items, target.value - total):
            cost = _cost(chosen, found)
            if _is_enough(chosen, items, target) and cost <= _MAX_COST and (best is None or cost < best[0]):
                best = (cost, chosen)
    return tuple(sorted(row.index for row in best[1])) if best else ()


def as_products(
    lines: Collection[int], rows: Sequence[AmountRow], zones: Sequence[Zone]
) -> tuple[tuple[AmountRow, ...], tuple[Zone, ...]]:
    """(rows, zones) with the lines, and the rows between them and the other products, as items."""
    products = sorted({i for i, zone in enumerate(zones) if zone == "items"} | set(lines))
    inside = set(lines)
    for above, below in pairwise(products):
        closes = any(
            m.role in _CLOSING and m.weight >= SURE for i in range(above + 1, below) for m in rows[i].roles
        )
        if (above in lines or below in lines) and not closes:
            inside.update(range(above, below))
    new_zones = tuple("items" if i in inside else zone for i, zone in enumerate(zones))
    return tuple(_as_product(row) if i in lines else row for i, row in enumerate(rows)), new_zones


def _as_product(row: AmountRow) -> AmountRow:
    """The row as one in the amount column, without the roles that the sum overrules."""
    return replace(row, roles=tuple(m for m in row.roles if m.role not in _OVERRULED), in_column=True)


def _targets(entries: Sequence[Entry], items: Sequence[Item]) -> list[_Target]:
    """Subtotals and totals below the products, topmost first, totals also without tax and rounding; if none,
    the amounts of card tenders, also without tax."""
    first = max((item.line for item in items), default=-1)
    below = [e for e in entries if e.line > first and e.last and e.amount.cost <= _MAX_READING]
    taxes = _sum_of(below, "tax") or _sum_of(below, "total_tax")
    rounding = [e for e in below if e.role == "rounding" and abs(e.amount.value) < 1][:2]
    found: list[_Target] = []
    for entry in below:
        value = entry.amount.value
        subtotal = entry.role in ("subtotal", "net") and entry.weight(entry.role) >= LIKELY
        total = entry.role == "total" and entry.weight("total") >= LIKELY
        if value == 0 or not (subtotal or total):
            continue
        found.append(_Target(entry.line, value, subtotal))
        if total:
            less = {taxes, *(sign * r.amount.value for r in rounding for sign in (1, -1))} - {ZERO}
            found += [_Target(entry.line, value - amount, False) for amount in sorted(less)]
    if not found:
        found = [
            _Target(e.line, e.amount.value - less, False)
            for e in below
            if e.role == "card" and e.weight("card") >= LIKELY and e.amount.value
            for less in {ZERO, taxes}
        ]
    return found


def _without_charges(targets: Sequence[_Target], entries: Sequence[Entry], last: int) -> list[_Target]:
    """The totals without the service charges between them and the last product; none without a product."""
    found = []
    for target in targets[: _MAX_TARGETS if last >= 0 else 0]:
        charges = _sum_of([e for e in entries if last < e.line < target.line], "service")
        found += [replace(target, value=target.value - charges)] if charges and not target.subtotal else []
    return found


def _is_beside(row: _Row, items: Sequence[Item]) -> bool:
    """Whether a row beside a product, like a note on it, is a discount."""
    return row.added and row.value < 0 and all(row.index != item.line for item in items)


def _sum_of(entries: Sequence[Entry], role: Role) -> Decimal:
    return sum((e.amount.value for e in entries if e.role == role and e.weight(role) >= SURE), ZERO)


def _candidates(rows: Sequence[AmountRow], last: int) -> Iterator[_Row]:
    """Rows that are printed like a product: words, on the row or next to it, and an amount at the end. last:
    row of the last product found, above which loyalty words may be names ("BONUS CHOC BAR 8.99")."""
    account = is_account(rows)
    for index, row in enumerate(rows):
        amount = row.amount
        if amount is None or amount.cost > _MAX_READING:
            continue
        before = [m for m in row.roles if m.start < amount.start]
        named_so = [m for m in before if m.role != "loyalty" or index > last]
        if not _may_be_sold(row, amount, named_so, account) or not (
            _named(row, amount) or _beside(rows, index)
        ):
            continue
        weight = max((m.weight for m in before if m.role in _OVERRULED | _ADDED), default=0.0)
        added = any(m.role in _ADDED and m.weight >= LIKELY for m in before)
        edge = row.line.place(amount.start, amount.end)[1]
        taxed = any(m.role in ("tax", "total_tax") and m.weight >= LIKELY for m in before)
        yield _Row(index, amount.value, amount.cost, weight, added, taxed, edge)


def _is_sure(date: DateReading) -> bool:
    return date.cost < DOUBTFUL


def _above(rows: Sequence[AmountRow], found: Sequence[_Row], target: _Target) -> list[_Row]:
    """The candidates above the target whose amounts end in its column, or in a separate column: prices before
    columns of nutrition facts end far from the totals, and so may discounts right behind their names."""
    edge = _edge(rows[target.line])
    width = max(1.0, max(r.line.right for r in rows) - min(r.line.left for r in rows))
    above = [r for r in found if r.index < target.line]
    if edge is None:
        return above
    own = [r for r in above if _is_price(rows[r.index])]
    return [
        r
        for r in above
        if abs(r.edge - edge) <= _ALIGNED * width
        or (r.added and r.value < 0)
        or (r in own and sum(abs(r.edge - o.edge) <= _OWN_COLUMN * width for o in own) >= _MIN_OWN)
    ]


def _is_price(row: AmountRow) -> bool:
    """Whether a row's amount is plausible and has a currency and decimals."""
    amount = row.amount
    return amount is not None and amount.is_plausible and amount.currency is not None and amount.decimals > 0


def _edge(row: AmountRow) -> float | None:
    amount = row.amount
    return row.line.place(amount.start, amount.end)[1] if amount is not None else None


def _may_be_sold(row: AmountRow, amount: AmountReading, before: Sequence[RoleMatch], account: bool) -> bool:
    """Whether nothing on the row rules out a product. before: roles before the amount; account: the page
    lists charges by date."""
    if not amount.value or any(_is_sure(date) and not (account and date.start == 0) for date in row.dates):
        return False
    if any(m.role in _NEVER and m.weight >= LIKELY and len(m.phrase) > 1 for m in before):
        return False
    letters = count_letters(row.text[: amount.start])
    if any(m.role == "balance" and m.weight >= SURE and len(m.phrase) == letters for m in before):
        return False  # of an earlier bill
    closing = [m for m in before if m.role in _CLOSING and m.weight >= SURE]
    return not any(m.start or len(m.phrase) > _SHARE * letters for m in closing)


def _named(row: AmountRow, amount: AmountReading) -> bool:
    return count_letters(row.text[: amount.start]) >= SHORTEST_NAME


def _beside(rows: Sequence[AmountRow], index: int) -> bool:
    """Whether the row has a plausible amount with decimals and a row of words above or below it."""
    amount = rows[index].amount
    if amount is None or not amount.is_plausible or not amount.decimals:
        return False
    around = [rows[i] for i in (index - 1, index + 1) if 0 <= i < len(rows)]
    return any(
        row.amount is None and count_letters(row.text) >= SHORTEST_NAME and not row.dates for row in around
    )


def _closing_sets(
    found: Sequence[_Row], items: Sequence[Item], missing: Decimal
) -> Iterator[tuple[_Row, ...]]:
    """Non-empty sets of rows that add up to the missing value."""
    first = min((item.line for item in items), default=-1)
    last = max((item.line for item in items), default=-1)
    above = [r for r in found if r.index < first][::-1][:_MAX_ABOVE]
    among = [r for r in found if first <= r.index <= last][:_MAX_AMONG]
    below = [r for r in found if r.index > last][:_MAX_BELOW]
    if not items:  # the start of the products is unknown, but they end above the target
        above, below = below[::-1][:_MAX_ABOVE], []
    lower: dict[Decimal, int] = {}
    running = ZERO
    for count, row in enumerate([None, *below]):
        running += row.value if row is not None else ZERO
        lower.setdefault(running, count)
    middles = [(), *((r,) for r in among), *([tuple(among)] if len(among) > 1 else [])]
    upper = ZERO
    for count in range(len(above) + 1):
        upper += above[count - 1].value if count else ZERO
        for middle in middles:
            rest = missing - upper - sum((r.value for r in middle), ZERO)
            if rest in lower and (count or middle or lower[rest]):
                yield (*above[:count], *middle, *below[: lower[rest]])


def _cost(chosen: Sequence[_Row], found: Sequence[_Row]) -> float:
    """Cost of taking the rows as products. Words count little on a row above one without any."""
    plain = [r.index for r in chosen if r.weight < LIKELY]
    cost = 0.0
    for row in chosen:
        word = row.weight * (0.1 if plain and row.index < max(plain) else 1.0)
        cost += _ROW * (0.2 if len(chosen) > 3 else 1.0) + _WORD * word + 0.3 * row.cost
    lines = {r.index for r in chosen}
    return cost + _UNEXPLAINED * sum(1 for r in found if r.index not in lines and r.weight < LIKELY)


def _is_enough(chosen: Sequence[_Row], items: Sequence[Item], target: _Target) -> bool:
    """Whether the sum is more than one row that equals the amount paid, or a charge or tax that is added."""
    last = max([r.index for r in chosen] + [item.line for item in items])
    among_products = bool(items) or len(chosen) == 1
    taxed = [row.index for row in chosen if row.taxed]
    if not target.subtotal and taxed and min(taxed) == last:
        return False  # a tax as the last row is the missing tax itself; between products it is a levy
    for row in chosen:
        # A surcharge below a lone fare is sold with it.
        doubtful = row.weight > LIKELY or among_products
        if row.added and row.index == last and doubtful and not target.subtotal:
            return False
    if items or len(chosen) > 1:
        return True
    row = chosen[0]
    right_above = target.subtotal and not row.added and target.line - row.index <= 2
    return row.cost < PLAUSIBLE and (row.weight < POSSIBLE or right_above)

"""Finds whole numbers that are amounts by the evidence of the page: short ones, and products above a total
with cents.

On its own a short number is more often a count or a code ("REDONDEO -3", "VUELTO 0"). It is an amount where
the page's other amounts are whole and a word of the totals block stands right before it or a tax code of
letters follows it directly ("55TX"); and a zero is one where it ends in their column ("FREE GIFT 1 0").

Tills of countries whose prices are whole print them as they were typed in, and totals, or what is computed,
with decimals: "DAL FRY 2 120 240", "TOTAL 240.00"; "SUBTOTAL 898", "SERVICE 10% 89.8". Such numbers are
amounts when together they add up to the first total; so then are the whole discounts and sums below them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.arithmetic.products import is_product_of
from receipt_engine.document import HABIT, ZERO, AmountReading, AmountRow, AmountRule, says
from receipt_engine.region import SUMS, Role
from receipt_engine.scoring.certainty import LIKELY, SURE

#: Highest cost that the reading of such a number may have, and its cost once the page supports it.
_MOST_COST = 3.6
HABIT_COST = 0.9
#: Most letters and digits of a tax code after an amount.
_MAX_CODE = 2
#: Roles whose amounts may be as small as a few coins.
_SMALL: frozenset[Role] = frozenset(("rounding", "change", "discount", "tip"))

#: Amounts with new costs, by row and offset.
RepricedAmounts = dict[tuple[int, int], AmountReading]


def whole_amounts(rows: Sequence[AmountRow], finals: Sequence[tuple[int, AmountReading]]) -> RepricedAmounts:
    """The amounts that the page's habit makes likely. finals: (row index, last amount) of each row."""
    sure = [(i, a) for i, a in finals if a.is_plausible]
    if len(sure) < HABIT or any(a.decimals for _, a in sure):
        return {}
    edges = [rows[i].edge(a) for i, a in sure]
    found: RepricedAmounts = {}
    for i, row in enumerate(rows):
        if row.dates:
            continue
        found |= {(i, a.start): _likely(a) for a in (*_zeros_after_rate(row), *_zero_below(row, edges))}
        amount = _last(row)
        if amount is None or amount.cost > _MOST_COST:
            continue
        if _is_named(row, amount) or any(len(code) > 1 for code in amount.symbols):
            found[i, amount.start] = _likely(amount)
    return found


def _last(row: AmountRow) -> AmountReading | None:
    """The row's last number that is not a tax code, if it is not yet a plausible amount."""
    for amount in reversed(row.amounts):
        behind = sum(c.isalnum() for c in row.text[amount.end :])
        if amount.is_plausible or behind > _MAX_CODE:
            return None
        if behind or amount is row.amounts[0] or not is_tax_code(row, amount):
            return amount
    return None


def _zeros_after_rate(row: AmountRow) -> tuple[AmountReading, ...]:
    """The zeros after the rate in a tax table's row ("0% 10.290 0")."""
    if not row.percents or not any(a.is_plausible for a in row.amounts):
        return ()
    behind = row.percents[0].end
    return tuple(a for a in row.amounts if a.start >= behind and a.raw == "0")


def _zero_below(row: AmountRow, edges: Sequence[float]) -> tuple[AmountReading, ...]:
    """The zero that ends a row below amounts that end at the same place: of a gift, "FREE MUG 1 0"."""
    zeros = (a for a in row.amounts[-1:] if a.raw == "0" and not row.text[a.end :].strip())
    return tuple(a for a in zeros if any(abs(row.edge(a) - e) < row.line.height / 2 for e in edges))


def is_tax_code(row: AmountRow, amount: AmountReading) -> bool:
    """Whether a single digit follows another number, as tax codes do."""
    return sum(c.isdigit() for c in amount.raw) == 1 and row.text[: amount.start].rstrip()[-1:].isdigit()


def _is_named(row: AmountRow, amount: AmountReading) -> bool:
    """Whether a word for a small amount stands before it, perhaps with its rate: "RABATT 20 % -96"."""
    end = next((p.start for p in row.percents if not row.text[p.end : amount.start].strip()), amount.start)
    return any(
        m.role in _SMALL
        and m.weight >= SURE
        and m.end <= amount.start
        and not any(c.isalnum() for c in row.text[m.end : end])
        for m in row.roles
    )


def _likely(amount: AmountReading) -> AmountReading:
    first = amount.readings[0]
    money = replace(first, cost=min(first.cost, HABIT_COST), rule=AmountRule.PAGE_HABIT)
    return replace(amount, readings=(money, *amount.readings[1:]))


#: Most rows of products, and most rows without a number between two of them.
_MAX_ROWS = 60
_MAX_BETWEEN = 2
#: Most letters of a tax code after a product's amount.
_MAX_LETTERS = 3
#: Fewest products whose sum is proof enough; fewer also need quantity and price.
_MIN_SUM = 3
_TOTALS: frozenset[Role] = frozenset(("subtotal", "total"))
#: Roles of words that name an amount of the totals block.
_NAMED: frozenset[Role] = SUMS | _SMALL | {"service"}
#: A whole number, perhaps with a minus and its thousands apart.
_WHOLE = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+|\d+)")
#: Roles of rows that are not products, whatever their numbers.
_OTHERS: frozenset[Role] = frozenset(
    ("date", "time", "phone", "fax", "tax_id", "receipt_number", "cashier", "item_count", "column")
)

_Final = tuple[int, AmountReading]


def whole_products(rows: Sequence[AmountRow]) -> list[_Final]:
    """(row index, last number) of the rows whose last numbers add up to the first total, and of the totals
    block; empty if none do, or no amount has decimals."""
    below = next((i for i, row in enumerate(rows) if _printed_sum(row) is not None), None)
    amounts = (row.amount for row in rows)
    if below is None or not any(a.is_plausible and a.decimals for a in amounts if a is not None):
        return []
    total = _printed_sum(rows[below])
    found: list[_Final] = []
    running = ZERO
    for index, amount in _column(rows, below):
        found.insert(0, (index, amount))
        running += whole_value(amount)
        if total is None or running >= total:
            break
    priced = [(i, a) for i, a in found if whole_value(a)]  # a zero is not proved by a sum
    if running != total or not priced:
        return []
    if len(priced) < _MIN_SUM and not all(_is_counted(rows[i], a) for i, a in priced):
        return []
    return priced + [(i, a) for i in range(below, len(rows)) if (a := _whole_sum(rows[i])) is not None]


def _whole_sum(row: AmountRow) -> AmountReading | None:
    """The whole number that ends a row of the totals block, if its words surely name that amount."""
    return _last_number(row, labelled=True) if says(row.roles, _NAMED, SURE) else None


def whole_value(amount: AmountReading) -> Decimal:
    """The amount's digits as one whole number."""
    return Decimal("".join(c for c in amount.raw if c.isdecimal()) or "0")


def _column(rows: Sequence[AmountRow], below: int) -> Iterator[_Final]:
    """(row index, last number) of the rows above the row `below`, from bottom to top."""
    between = 0
    for index in range(below - 1, max(-1, below - 1 - _MAX_ROWS), -1):
        row = rows[index]
        amount = _last_number(row)
        if amount is None:
            between += 1
            if between > _MAX_BETWEEN or any(a.is_plausible for a in row.amounts):
                return
            continue
        between = 0
        yield index, amount


def _last_number(row: AmountRow, *, labelled: bool = False) -> AmountReading | None:
    """The whole number that ends a row; None if its words are about something other than a product. labelled:
    a colon may stand before it ("Kinds: 3")."""
    if not row.amounts:
        return None
    if says(row.roles, _OTHERS, LIKELY):
        return None
    last = row.amounts[-1]
    behind = row.text[last.end :].strip(" .-|")
    coded = behind.isalpha() and behind.isupper() and len(behind) <= _MAX_LETTERS
    plain = _WHOLE.fullmatch(last.raw) is not None and last.currency is None and (not behind or coded)
    before = row.text[: last.start].rstrip()
    apart = before == row.text[: last.start] and before[-1:].isalnum()
    return last if plain and not apart and (labelled or not before.endswith(":")) else None


def _is_counted(row: AmountRow, amount: AmountReading) -> bool:
    """Whether a quantity and a price before the amount multiply to it."""
    before = [a for a in row.amounts if a.end <= amount.start]
    values = [whole_value(a) if a.raw.isdecimal() else a.value for a in before]
    return is_product_of(values, whole_value(amount))


def _printed_sum(row: AmountRow) -> Decimal | None:
    """The amount of a row that names it a total or subtotal; None for other rows."""
    amount = row.amount
    if amount is None or not any(
        m.role in _TOTALS and m.weight >= LIKELY and m.start < amount.start for m in row.roles
    ):
        return None
    whole = _whole_sum(row)
    if amount.is_plausible:
        return amount.value
    return None if whole is None else whole_value(whole)

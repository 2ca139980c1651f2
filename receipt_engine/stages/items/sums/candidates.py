"""Finds the rows that only a sum can show to be products, and marks them as such.

They are printed like products, whatever their words say; or their decimal point was lost or read as another
mark: "750", "7 50", "7:50" for 7.50; or, where no decimals are printed, their amount is as small as a count
("BAG 45").
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import (
    AmountReading,
    AmountRow,
    AmountRule,
    Money,
    Record,
    RoleMatch,
    Zone,
    is_account,
)
from receipt_engine.region import SUMS, TAXES, TENDERS, Role
from receipt_engine.scoring.certainty import LIKELY, SURE
from receipt_engine.scoring.costs import DOUBTFUL
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

#: Roles of rows that close the products or follow them, and other roles of rows that are not products.
CLOSING: frozenset[Role] = SUMS | {"rounding"}
_NO_PRODUCT: frozenset[Role] = frozenset(
    ("savings", "loyalty", "suggested", "item_count", "phone", "tax_id", "receipt_number", "date")
)
#: Of these, roles of words that say what a negative amount is taken off for.
_TAKEN_OFF_FOR: frozenset[Role] = frozenset(("savings", "loyalty"))
#: Roles of amounts that may also be added to the products' sum, so that a sum alone does not prove a product.
_ADDED: frozenset[Role] = frozenset(("service", "tip", "discount", "deposit", "void"))
#: Roles that a row loses once it is known to be a product.
OVERRULED: frozenset[Role] = (
    CLOSING | _NO_PRODUCT | TENDERS | {"tip", "service", "balance", "footer", "cashier", "header", "company"}
)
#: Highest cost of an amount's reading that a closing sum may prove.
MAX_READING_COST = 3.5
#: Largest share of a name's letters for a word of the totals block at its start ("TAX FORMS A4 PACK").
_CLOSING_SHARE = 0.5
#: The same for a word of savings or points ("SAVING CREAM").
_SAVING_SHARE = 0.6
_ENDING = re.compile(
    r"(?<![^\s$€£*])(?P<minus>-?)[$€£]?(?P<whole>\d{1,3}(?:[.,]\d{3}){1,3}(?=\d\d)|\d{1,4})"
    r" ?[:;-]? ?(?P<cents>\d{2})(?=(?: ?[A-Z*]{1,2}| \d)?$)"
)
_SMALL = re.compile(r"(?<![^\s*])(?P<minus>-?)(?P<whole>\d{1,2})(?=(?: ?[A-Z*]{1,2})?$)")
#: Digits after the decimal point, and the fewest amounts that have them.
_CENTS = 2
_COLUMN = 2
#: Cost of such a reading; only a sum can outweigh it.
_COST = 1.5


class Candidate(Record, frozen=True):
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


def find_candidates(rows: Sequence[AmountRow], first: int, last: int) -> Iterator[Candidate]:
    """Rows that are printed like a product: words, on the row or next to it, and an amount at the end. first,
    last: rows of the first and the last product found, between which words for a total may be names ("NUTS
    TOTAL MIX 8.99"); so may loyalty words above the last ("BONUS CHOC BAR 8.99")."""
    account = is_account(rows)
    for index, row in enumerate(rows):
        amount = row.amount
        if amount is None or amount.cost > MAX_READING_COST:
            continue
        before = [m for m in row.roles if m.start < amount.start]
        named_so = [m for m in before if m.role != "loyalty" or index > last]
        if first < index < last:
            named_so = [m for m in named_so if m.role != "total"]
        if amount.value < 0:
            named_so = [m for m in named_so if m.role not in _TAKEN_OFF_FOR]
        if not _may_be_sold(row, amount, named_so, account) or not (
            count_letters(row.text[: amount.start]) >= SHORTEST_NAME or _has_words_beside(rows, index)
        ):
            continue
        weight = max((m.weight for m in before if m.role in OVERRULED | _ADDED), default=0.0)
        added = any(m.role in _ADDED and m.weight >= LIKELY for m in before)
        taxed = any(m.role in TAXES and m.weight >= LIKELY for m in before)
        yield Candidate(index, amount.value, amount.cost, weight, added, taxed, row.edge(amount))


def _may_be_sold(row: AmountRow, amount: AmountReading, before: Sequence[RoleMatch], account: bool) -> bool:
    """Whether nothing on the row rules out a product. before: roles before the amount; account: the page
    lists charges by date."""
    priced = amount.is_plausible and amount.decimals and amount.currency  # "Until 13 Aug 2024  $3.99"
    dated = any(date.cost < DOUBTFUL and not (account and date.start == 0) for date in row.dates)
    if (dated and not priced) or not amount.value:
        return False
    letters = count_letters(row.text[: amount.start])
    other = [m for m in before if m.role in _NO_PRODUCT and m.weight >= LIKELY and len(m.phrase) > 1]
    if any(m.role not in _TAKEN_OFF_FOR or m.start or len(m.phrase) > _SAVING_SHARE * letters for m in other):
        return False
    if any(m.role == "balance" and m.weight >= SURE and len(m.phrase) == letters for m in before):
        return False  # of an earlier bill
    closing = [m for m in before if m.role in CLOSING and m.weight >= SURE]
    return not any(m.start or len(m.phrase) > _CLOSING_SHARE * letters for m in closing)


def _has_words_beside(rows: Sequence[AmountRow], index: int) -> bool:
    """Whether the row has an amount with decimals or a currency, and a row of words above or below it."""
    amount = rows[index].amount
    if amount is None or not (amount.decimals or amount.currency):
        return False
    around = [rows[i] for i in (index - 1, index + 1) if 0 <= i < len(rows)]
    return any(
        (row.amount is None or not row.amount.is_plausible)
        and count_letters(row.text) >= SHORTEST_NAME
        and not row.dates
        for row in around
    )


def as_products(
    lines: Collection[int], rows: Sequence[AmountRow], zones: Sequence[Zone]
) -> tuple[tuple[AmountRow, ...], tuple[Zone, ...]]:
    """(rows, zones) with the lines, and the rows between them and the other products, as items."""
    products = sorted({i for i, zone in enumerate(zones) if zone == "items"} | set(lines))
    inside = set(lines)
    for above, below in pairwise(products):
        closes = any(
            m.role in CLOSING and m.weight >= SURE for i in range(above + 1, below) for m in rows[i].roles
        )
        if (above in lines or below in lines) and not closes:
            inside.update(range(above, below))
    new_zones = tuple("items" if i in inside else zone for i, zone in enumerate(zones))
    return tuple(_as_product(row) if i in lines else row for i, row in enumerate(rows)), new_zones


def _as_product(row: AmountRow) -> AmountRow:
    """The row as one in the amount column, without the roles that the sum overrules."""
    return replace(row, roles=tuple(m for m in row.roles if m.role not in OVERRULED), in_column=True)


def with_lost_points(rows: Sequence[AmountRow]) -> tuple[AmountRow | None, ...]:
    """Each row with its last digits read as cents, or as a small whole amount; None for a row that does not
    end in such a number, and for all where few rows end in amounts of that kind."""
    sure = [row.amount.decimals for row in rows if row.amount is not None and row.amount.is_plausible]
    places = max(sure, default=_CENTS)
    if sure.count(places) < _COLUMN or places not in (0, _CENTS):
        return (None,) * len(rows)
    return tuple(_mended(row, places) for row in rows)


def _mended(row: AmountRow, places: int) -> AmountRow | None:
    mark = (_ENDING if places else _SMALL).search(row.text)
    if mark is None or any(date.cost < DOUBTFUL for date in row.dates):
        return None
    priced = any(a.decimals and a.is_plausible and a.end <= mark.start() for a in row.amounts)
    if not priced and count_letters(row.text[: mark.start()]) < SHORTEST_NAME:
        return None
    if any((a.decimals or not places) and a.is_plausible and a.end > mark.start() for a in row.amounts):
        return None
    cents = f".{mark['cents']}" if places else ""
    whole = mark["whole"].replace(".", "").replace(",", "")
    value = Decimal(f"{mark['minus']}{whole}{cents}")
    money = Money(value, _COST, AmountRule.PAGE_HABIT)
    amount = AmountReading(mark.group(), mark.start(), mark.end(), (money,), decimals=places)
    others = tuple(a for a in row.amounts if a.end <= mark.start())
    return replace(row, amounts=(*others, amount), likely=(amount,), amount=amount, in_column=True)

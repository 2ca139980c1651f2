"""Finds amounts whose decimal point was lost or read as another mark: "750", "7 50", "7:50" for 7.50; and,
where no decimals are printed, amounts as small as a count ("BAG 45").

On their own such numbers may be anything. They are amounts if the products add up only with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import AmountReading, AmountRow, AmountRule, Money
from receipt_engine.scoring.costs import DOUBTFUL
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

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

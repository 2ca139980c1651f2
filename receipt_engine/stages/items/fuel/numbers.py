"""Finds the numbers of a page that may be a volume or a unit price."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from receipt_engine.document import MEASURED, AmountRow, Record
from receipt_engine.scoring.certainty import POSSIBLE

_DECIMAL = re.compile(r"(?<![\w.,/-])[$€£]?(\d{1,6})[.,](\d{1,4})(?=\D|$)(?![.,:/]\d)")
#: A number with thousands and decimals ("1.465,02").
_GROUPED = re.compile(r"\d[.,' ]\d{3}[.,]\d")


class MeasureNumber(Record, frozen=True):
    """A number that may be a volume or a price. row: its row on the page. decimals: how many are printed.
    labelled: its unit or a word shows that it is a volume. priced: a currency shows that it is a price."""

    row: int
    value: Decimal
    decimals: int
    labelled: bool
    priced: bool = False


def measure_numbers(rows: Sequence[AmountRow]) -> Iterator[MeasureNumber]:
    """Numbers that may be a volume or a price, each in every way in which it can be read."""
    for index, row in enumerate(rows):
        if row.dates:
            continue
        price = _whole_price(row)
        if price is not None:
            yield MeasureNumber(index, price, 0, False)
        yield from _amounts(index, row)
        yield from _decimals(index, row)


def _amounts(index: int, row: AmountRow) -> Iterator[MeasureNumber]:
    """The row's amounts with thousands or behind the letters of a currency."""
    for amount in row.amounts:
        if not amount.decimals or not amount.is_plausible:
            continue
        grouped = _GROUPED.search(amount.raw) is not None
        if grouped or amount.raw[:1].isalpha():  # "RM2.05/L"
            yield MeasureNumber(index, abs(amount.value), amount.decimals, False, not grouped)


def _decimals(index: int, row: AmountRow) -> Iterator[MeasureNumber]:
    """The row's numbers with decimals; those with three also as whole numbers with thousands."""
    # After a slash the unit is that of a price: "RATE/LTR".
    units = [(m.end, row.text[: m.start].rstrip().endswith("/")) for m in row.roles if m.role == "weight"]
    called = not all(of_price for _, of_price in units)
    volumes = {q.value for q in row.quantities if q.kind != "count" and q.unit}
    for match in _DECIMAL.finditer(row.text):
        head, tail = match.groups()
        value = Decimal(f"{head}.{tail}")
        if not value:
            continue
        before = [of_price for end, of_price in sorted(units) if end <= match.start()]
        labelled = (called and not any(before[-1:])) or value in volumes
        money = [a for a in row.amounts if a.currency is not None and a.start <= match.start() < a.end]
        if all(amount.decimals for amount in money):  # "Rp10.000" is ten thousand, not ten
            yield MeasureNumber(index, value, len(tail), labelled, bool(money))
        if len(tail) == MEASURED:
            yield MeasureNumber(index, Decimal(head + tail), 0, labelled)


def _whole_price(row: AmountRow) -> Decimal | None:
    """The whole number after a column heading ("単価: 177"), or None."""
    if len(row.amounts) != 1:
        return None
    amount = row.amounts[0]
    if any(q.end <= amount.start or amount.end <= q.start for q in row.quantities[1:]):
        return None
    named = any(m.role == "column" and m.weight >= POSSIBLE for m in row.roles)
    return amount.value if named and not amount.decimals and amount.value > 1 else None

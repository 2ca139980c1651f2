"""Finds a column of taxes behind the products' amounts, as tickets for trains print it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from receipt_engine.document import ZERO, AmountRow, says
from receipt_engine.scoring.certainty import LIKELY

#: Amounts of a row with a price and the tax in it.
_PAIR = 2


def without_tax_column(rows: Sequence[AmountRow]) -> tuple[AmountRow, ...]:
    """The rows; where the last heading above two columns of amounts names a tax and both columns add up to
    the amounts of a total, the amount of each of these rows is the first: "Seat 4.90 0.32". Below a total,
    and where rows have rates, such columns are a tax table.
    """
    found = list(rows)
    for at, row in enumerate(rows):
        if row.amount is not None and says(row.roles, ["total"], LIKELY):
            break
        if not _heads_tax(row):
            continue
        end = at + 1
        while end < len(rows) and _is_priced_and_taxed(rows[end]):
            end += 1
        if _adds_up(rows[at + 1 : end]):
            found[at + 1 : end] = [_with_first(below) for below in rows[at + 1 : end]]
    return tuple(found)


def _heads_tax(row: AmountRow) -> bool:
    """Whether a row has headings, the last of which names a tax."""
    sure = [m.role for m in row.roles if m.weight >= LIKELY and m.role in ("column", "tax", "total")]
    return not row.amounts and len(sure) >= _PAIR and sure[-1] == "tax" and sure[0] != "tax"


def _is_priced_and_taxed(row: AmountRow) -> bool:
    price, *taxes = row.likely or (None,)
    if price is None or len(taxes) != 1 or not (price.decimals and taxes[0].decimals):
        return False
    small = 0 <= _PAIR * taxes[0].value < price.value
    return small and not row.percents and row.amount is taxes[0]


def _adds_up(rows: Sequence[AmountRow]) -> bool:
    """Whether the last row is labelled as a total and adds up both amounts of those above it."""
    if len(rows) < _PAIR or not says(rows[-1].roles, ["total"], LIKELY):
        return False
    return all(
        sum((row.likely[side].value for row in rows[:-1]), ZERO) == rows[-1].likely[side].value
        for side in range(_PAIR)
    )


def _with_first(row: AmountRow) -> AmountRow:
    first = row.likely[0]
    return replace(row, amounts=(first,), likely=(first,), amount=first)

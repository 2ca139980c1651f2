"""Gives the amounts of a row without words the roles of the heads that stand above them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from msgspec.structs import replace

from receipt_engine.document import AmountReading, LabelledRow, RoleMatch
from receipt_engine.region import SUMS, Region, Role
from receipt_engine.scoring.certainty import WEAK
from receipt_engine.vocabulary.phrases import find_roles

#: Roles of heads that are no sums, as invoices print them between the net amount and the rest to pay.
_BESIDE_SUMS: frozenset[Role] = frozenset(
    ("cash", "card", "change", "tip", "service", "discount", "withheld", "rounding", "balance")
)
#: Fewest different sums that heads name, and amounts of such a row; the most, for which sums are tried.
_FEWEST_SUMS, _FEWEST, _MOST = 2, 3, 6
#: Wider gaps than this, in row heights, separate columns.
_COLUMN_BLANK = 0.9


def with_heads(rows: Sequence[LabelledRow], region: Region) -> tuple[LabelledRow, ...]:
    """The rows; where the totals block is one row of amounts below a row of heads, each amount has the
    role of the head above it: "Net  VAT 20%  Deposit  To pay" above "50.00  10.00  20.00  40.00". Several
    such rows are a tax table."""
    found = list(rows)
    for at in range(1, len(rows)):
        above, row = rows[at - 1], rows[at]
        amounts = tuple(a for a in row.amounts if a.is_plausible)
        alone = _is_bare(row) and not above.amounts and not (at + 1 < len(rows) and _is_bare(rows[at + 1]))
        if not alone or not _FEWEST <= len(amounts) <= _MOST or not _adds_up(amounts):
            continue
        heads = _heads(above, region)
        named = [(a, match) for a in amounts if (match := _over(row.line.place(a.start, a.end), heads))]
        if len({match.role for _, match in named if match.role in SUMS}) >= _FEWEST_SUMS:
            own = (replace(match, start=a.start - 1, end=a.start) for a, match in named)
            found[at] = replace(row, roles=tuple(own))
    return tuple(found)


def _is_bare(row: LabelledRow) -> bool:
    """Whether a row has amounts, and no words, dates and rates."""
    return bool(row.amounts) and not row.dates and not row.percents and not any(map(str.isalpha, row.text))


def _adds_up(amounts: Sequence[AmountReading]) -> bool:
    """Whether an amount is the sum of those before it, each added or taken off."""
    values = [a.value for a in amounts]
    return any(
        values[at] == sum(sign * value for sign, value in zip(signs, values, strict=False))
        for at in range(_FEWEST - 1, len(values))
        for signs in product((1, -1), repeat=at)
    )


def _heads(row: LabelledRow, region: Region) -> list[tuple[float, float, RoleMatch]]:
    """(left, right, role) of each column of a row of heads; words of two columns are no phrase: "Sales Tax
    Total"."""
    columns = row.line.columns(_COLUMN_BLANK)
    roles = find_roles([row.text[start:end] for start, end in columns], region)
    return [
        (*row.line.place(start, end), max(sure, key=lambda m: m.weight))
        for (start, end), matches in zip(columns, roles, strict=True)
        if (sure := [m for m in matches if m.role in SUMS | _BESIDE_SUMS and m.weight >= WEAK])
    ]


def _over(place: tuple[float, float], heads: Sequence[tuple[float, float, RoleMatch]]) -> RoleMatch | None:
    """The head that stands above a place."""
    return next((match for left, right, match in heads if left < place[1] and place[0] < right), None)

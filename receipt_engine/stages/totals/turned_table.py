"""Finds the tax table that is turned by a quarter: a column for each rate."""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.arithmetic.tax_splits import tax_amounts
from receipt_engine.document import AmountRow, TaxRow, Zone
from receipt_engine.region import Role

#: Fewest rates of such a table.
_RATES = 2

#: Row and offset of an amount → its role.
TableRoles = dict[tuple[int, int], Role]


def turned_table(
    rows: Sequence[AmountRow], zones: Sequence[Zone]
) -> tuple[tuple[TaxRow, ...], TableRoles] | None:
    """The table that has a column, not a row, for each rate: "Net 10.00 5.00", "VAT 2.00 0.25", "Gross 12.00
    5.25"; perhaps with one more for their sums."""
    names: tuple[Role, ...] = ("net", "tax", "gross")
    for line in range(len(rows) - 2):
        own = {
            next((m.role for m in rows[at].roles if m.role in names), None): at
            for at in range(line, line + 3)
        }
        if not own.keys() >= set(names) or any(zones[at] != "summary" for at in own.values()):
            continue
        sides = [tax_amounts(rows[own[name]]) for name in names]
        columns = [tuple(a.value for a in column) for column in zip(*sides, strict=False)]
        if len({len(columns), *map(len, sides)}) > 1 or len(columns) < _RATES:
            continue
        if all(net + tax == gross for net, tax, gross in columns) and any(tax for _, tax, _ in columns):
            whole = len(columns) > _RATES and 2 * columns[-1][2] == sum(gross for _, _, gross in columns)
            parts = columns[:-1] if whole else columns
            roles: TableRoles = {
                (own[name], a.start): name
                for name, side in zip(names, sides, strict=True)
                for a in side[: len(parts)]
            }
            return tuple(TaxRow(own["tax"], None, *part) for part in parts), roles
    return None

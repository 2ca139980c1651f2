"""Marks the rows that a sum shows to be products as such."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import AmountRow, Zone
from receipt_engine.scoring.certainty import SURE
from receipt_engine.stages.items.sums.candidates import CLOSING, OVERRULED


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

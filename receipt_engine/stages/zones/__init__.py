"""Which part of the receipt each row belongs to: header, items, summary, or what comes after.

In: the rows with their roles and amounts, and the region's rates of tax. Out: one zone a row. Decides by the
look and the words of the rows, all together; `items` and `totals` may move a row when sums prove otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import AmountRow, Zone
from receipt_engine.region import Region
from receipt_engine.stages.zones.features import row_features
from receipt_engine.stages.zones.path import cheapest_zones

__all__ = ["find_zones"]


def find_zones(rows: Sequence[AmountRow], region: Region) -> tuple[Zone, ...]:
    """One zone for each row; none without rows."""
    rates = frozenset(region.tax.percents) - {0}
    return cheapest_zones([row_features(row, rates) for row in rows])

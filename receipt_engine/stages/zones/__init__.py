"""Assigns each row to a zone of the receipt: header, items, summary, or after.

In: the rows with their roles and amounts, and the region's tax rates. Out: one zone per row. Decides all rows
jointly by their layout and words: a Viterbi search over a chain that runs down the page, whose costs are
about negative log-likelihoods, set from the look of rows in each zone. `items` and `totals` may move a row
when sums prove otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from receipt_engine.document import AmountRow, Zone, is_account
from receipt_engine.region import Region
from receipt_engine.scoring.costs import FORBIDDEN
from receipt_engine.stages.zones.apart import (
    with_labels_above,
    with_names_below_taxes,
    without_first_total,
    without_named_totals,
)
from receipt_engine.stages.zones.features import RowFeatures, charge, row_features

__all__ = ["find_zones"]


def find_zones(rows: Sequence[AmountRow], region: Region) -> tuple[Zone, ...]:
    """One zone for each row; empty without rows."""
    rates = frozenset(region.tax.percents) - {0}
    account = is_account(rows)
    features = [charge(row) if account and row.dated else row_features(row, rates) for row in rows]
    features = without_named_totals(rows, features)
    features = without_first_total(rows, with_labels_above(rows, features))
    return cheapest_zones(with_names_below_taxes(features))


_ZONES: tuple[Zone, ...] = get_args(Zone)
#: Cost of placing a row of a tax table in the header or the items.
_TABLE = 3.0
#: Cost of placing a row whose count and price make its amount outside the items, and of the step from the
#: totals to it: below the sum of one tax rate's products stand those of the next.
_SOLD, _NEXT_GROUP = 1.5, 2.5
#: Cost of placing a charge on an account in the totals, which its list may end without.
_CHARGED = 1.5
#: Cost of a row of one zone (outer key) being followed by a row of another (inner key).
_STEP: dict[Zone, dict[Zone, float]] = {
    "header": {"header": 0.0, "items": 0.7, "summary": 2.5, "after": 6.0},
    "items": {"header": 4.0, "items": 0.0, "summary": 0.5, "after": 3.0},
    "summary": {"header": FORBIDDEN, "items": 5.5, "summary": 0.0, "after": 0.5},
    "after": {"header": FORBIDDEN, "items": FORBIDDEN, "summary": 1.8, "after": 0.0},
}
_SOLD_STEP = {**_STEP, "summary": {**_STEP["summary"], "items": _NEXT_GROUP}}
_START: dict[Zone, float] = {"header": 0.0, "items": 1.5, "summary": 5.0, "after": FORBIDDEN}


def cheapest_zones(rows: Sequence[RowFeatures]) -> tuple[Zone, ...]:
    """The sequence of zones with the lowest total cost, one per row."""
    if not rows:
        return ()
    best = {zone: _START[zone] + cost for zone, cost in _costs(rows[0]).items()}
    back: list[dict[Zone, Zone]] = []
    for row in rows[1:]:
        costs = _costs(row)
        step = _SOLD_STEP if row.sold else _STEP
        ways = {zone: min([(best[z] + step[z][zone], i) for i, z in enumerate(_ZONES)]) for zone in _ZONES}
        best = {zone: cost + costs[zone] for zone, (cost, _) in ways.items()}
        back.append({zone: _ZONES[i] for zone, (_, i) in ways.items()})
    zone = min(_ZONES, key=lambda z: best[z])
    path = [zone]
    for came in reversed(back):
        zone = came[zone]
        path.append(zone)
    return tuple(reversed(path))


def _costs(row: RowFeatures) -> dict[Zone, float]:
    """How badly a row fits each zone; lower is better."""
    summary = row.summary if row.headings < 3 or row.column else 0.0
    tender, after, header = row.tender, row.after, row.header
    head = 2.5 if row.column else 0.8 if row.amount else 0.0
    items = 0.0 if row.column and row.letters else 0.35 if row.amount else 0.6
    items -= 0.8 if row.headings >= 2 else 0.0
    if row.column or row.letters < 14:
        items += 4.0 * summary + 3.0 * tender
    totals = 1.2 if row.column else 1.4 if row.amount else 1.0
    totals += _CHARGED * row.charged
    totals -= 1.6 * max(summary, 0.7 * tender) if row.column else 0.6 * summary
    rest = 1.6 if row.column else 0.5 if row.amount else 0.0
    if row.sold:
        head, totals, rest = head + _SOLD, totals + _SOLD, rest + _SOLD
    if row.table:
        head, items, totals, rest = head + _TABLE, items + _TABLE, min(totals, 0.3), min(rest, 0.8)
    return {
        "header": head + 2.5 * summary * row.column + tender * row.column + 0.5 * after,
        "items": items + 1.8 * after + 0.9 * header * (not row.column) + 0.8 * row.date,
        "summary": max(0.0, totals) + 0.8 * header + 0.7 * after + 0.8 * row.date + 0.5 * (row.headings >= 2),
        "after": max(0.0, rest - 1.2 * max(tender, after)) + 1.5 * summary * row.column,
    }

"""Which part of the receipt each row belongs to: header, items, summary, or what comes after.

Rows are decided together: the cheapest path through a small chain whose steps run down the page
(Viterbi). Costs are about negative log-likelihoods, set from what rows of each part look like.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from receipt_engine.document import ParsedLine, Record, RoleMatch, Zone
from receipt_engine.region import Role
from receipt_engine.stages.classify.columns import is_counted, row_amount

ZONES: tuple[Zone, ...] = get_args(Zone)

#: Roles whose amount belongs to the totals block.
SUMMARY_ROLES: frozenset[Role] = frozenset(
    ("total", "subtotal", "tax", "total_tax", "tip", "service", "rounding", "net", "gross")
)
TENDER_ROLES: frozenset[Role] = frozenset(("cash", "card", "change"))
AFTER_ROLES: frozenset[Role] = frozenset(("savings", "loyalty", "balance", "suggested", "footer"))
_HEADER_ROLES: frozenset[Role] = frozenset(
    ("company", "phone", "fax", "tax_id", "address", "header", "invoice", "cashier", "receipt_number", "date")
)

#: What a till also sells by count and price.
CHARGES: frozenset[Role] = frozenset(("service", "tax"))

#: What is told below the totals, or added in their block, unless it takes off: "SC SOAP SAVINGS -1.50".
_TAKEN_OFF: frozenset[Role] = frozenset(("service", "savings", "loyalty"))

#: A word of the totals block weaker than this is none.
_MIN_SUMMARY = 0.4

#: A word for a tender below this was read with a slip, or names other things too.
_SURE_TENDER = 0.6

#: Left of a word for change before other words and a negative amount: "RETOUR JEAN -16,00".
_BROUGHT_BACK = 0.3

#: Cost of taking a row of a tax table for one of the head or for a product.
_TABLE = 3.0

#: Cost of a row of the first part being followed by one of the second.
_STEP: dict[Zone, dict[Zone, float]] = {
    "header": {"header": 0.0, "items": 0.7, "summary": 2.5, "after": 6.0},
    "items": {"header": 4.0, "items": 0.0, "summary": 0.5, "after": 3.0},
    "summary": {"header": 9.0, "items": 5.5, "summary": 0.0, "after": 0.5},
    "after": {"header": 9.0, "items": 8.0, "summary": 1.8, "after": 0.0},
}
_START: dict[Zone, float] = {"header": 0.0, "items": 1.5, "summary": 5.0, "after": 8.0}


class RowFacts(Record, frozen=True):
    """What the decision looks at. column: a plausible amount ends in the page's amount column; table: the
    row's arithmetic is that of a tax table."""

    amount: bool
    column: bool
    letters: int
    weights: dict[Role, float]
    headings: int
    date: bool
    table: bool = False


def facts(parsed: ParsedLine, roles: Sequence[RoleMatch], column: bool, table: bool = False) -> RowFacts:
    """The facts of one row."""
    weights: dict[Role, float] = {}
    amount = row_amount(parsed) if column else None
    sold = amount is not None and is_counted(parsed)
    letters = sum(map(str.isalpha, parsed.text))
    for match in roles:
        if amount is not None and match.start >= amount.start:
            continue  # a tax code behind the amount says nothing about the row
        weight = match.weight
        if match.role in SUMMARY_ROLES and weight < _MIN_SUMMARY:
            continue  # a tax code before a name
        if match.role in CHARGES and sold:
            continue  # a cover or a city tax among the products
        if match.role in _TAKEN_OFF and amount is not None and amount.value < 0:
            continue
        if match.role in TENDER_ROLES and sold and weight < _SURE_TENDER:
            continue  # a product whose name is one letter from a card's
        if match.role in TENDER_ROLES:
            # A means of payment is nearly all that its row says: an octopus may also be eaten.
            weight *= min(1.0, 1.5 * len(match.phrase) / max(1, letters))
            if match.role == "change" and letters > len(match.phrase) + 2 and amount and amount.value < 0:
                weight *= _BROUGHT_BACK
        weights[match.role] = max(weight, weights.get(match.role, 0.0))
    if weights.keys() >= {"footer", "header", "not_date"}:
        del weights["footer"]  # the batch and the expiry of the product above: "LOTE G4279 VENC. 08/28"
    return RowFacts(
        amount=any(a.readings[0].cost < 1.5 for a in parsed.amounts),
        column=column,
        letters=letters,
        weights=weights,
        headings=sum(1 for m in roles if m.role == "column" and m.weight >= 0.4),
        date=bool(parsed.dates) and parsed.dates[0].cost < 1.0,
        table=table,
    )


def find_zones(rows: Sequence[RowFacts]) -> tuple[Zone, ...]:
    """One zone per row."""
    if not rows:
        return ()
    best = {zone: _START[zone] + cost for zone, cost in _costs(rows[0]).items()}
    back: list[dict[Zone, Zone]] = []
    for row in rows[1:]:
        costs = _costs(row)
        ways = {zone: min([(best[z] + _STEP[z][zone], i) for i, z in enumerate(ZONES)]) for zone in ZONES}
        best = {zone: cost + costs[zone] for zone, (cost, _) in ways.items()}
        back.append({zone: ZONES[i] for zone, (_, i) in ways.items()})
    zone = min(ZONES, key=lambda z: best[z])
    path = [zone]
    for came in reversed(back):
        zone = came[zone]
        path.append(zone)
    return tuple(reversed(path))


def _strength(row: RowFacts, roles: frozenset[Role]) -> float:
    return max([w for r, w in row.weights.items() if r in roles], default=0.0)


def _costs(row: RowFacts) -> dict[Zone, float]:
    """How badly a row fits each zone, 0 at best."""
    summary = _strength(row, SUMMARY_ROLES) if row.headings < 3 or row.column else 0.0
    tender = _strength(row, TENDER_ROLES)
    after = _strength(row, AFTER_ROLES)
    header = _strength(row, _HEADER_ROLES)
    head = 2.5 if row.column else 0.8 if row.amount else 0.0
    items = 0.0 if row.column else 0.35 if row.amount else 0.6
    items -= 0.8 if row.headings >= 2 else 0.0
    if row.column or row.letters < 14:
        items += 4.0 * summary + 3.0 * tender
    totals = 1.2 if row.column else 1.4 if row.amount else 1.0
    totals -= 1.6 * max(summary, 0.7 * tender) if row.column else 0.6 * summary
    rest = 1.6 if row.column else 0.5 if row.amount else 0.0
    if row.table:
        head, items, totals, rest = head + _TABLE, items + _TABLE, min(totals, 0.3), min(rest, 0.8)
    return {
        "header": head + 2.5 * summary * row.column + tender * row.column + 0.5 * after,
        "items": items + 1.8 * after + 0.9 * header * (not row.column) + 0.8 * row.date,
        "summary": max(0.0, totals) + 0.8 * header + 0.7 * after + 0.8 * row.date + 0.5 * (row.headings >= 2),
        "after": max(0.0, rest - 1.2 * max(tender, after)) + 1.5 * summary * row.column,
    }

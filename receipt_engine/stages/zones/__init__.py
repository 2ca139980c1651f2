"""Assigns each row to a zone of the receipt: header, items, summary, or after.

In: the rows with their roles and amounts, and the region's tax rates. Out: one zone per row. Decides all rows
jointly by their layout and words: a Viterbi search over a chain that runs down the page, whose costs are
about negative log-likelihoods, set from the look of rows in each zone; features are adapted to pages that
print amounts apart from their words, as apps and e-mails do. `items` and `totals` may move a row when sums
prove otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import get_args

from msgspec.structs import replace

from receipt_engine.document import ZERO, AmountRow, Zone, is_account, says
from receipt_engine.region import Region
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.scoring.costs import FORBIDDEN
from receipt_engine.stages.zones.features import RowFeatures, charge, has_name, row_features
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

__all__ = ["find_zones"]
#: Largest gap between a label and the amount below it, in row heights.
_MAX_GAP = 1.5
#: Least weight of words by which a row belongs to the totals block.
_SUMMARY = 0.5


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


def with_labels_above(rows: Sequence[AmountRow], features: Sequence[RowFeatures]) -> list[RowFeatures]:
    """The features; an amount alone on its row has those of the words right above it: "Total" above
    "€12.50"."""
    found = list(features)
    for at in range(1, len(rows)):
        if _is_alone(rows[at]) and not rows[at - 1].amounts and _is_near(rows[at - 1], rows[at]):
            # Here a tax and its rate are no note on the product above.
            label = row_features(replace(rows[at - 1], percents=()), frozenset())
            found[at] = replace(
                found[at],
                summary=max(found[at].summary, label.summary),
                tender=max(found[at].tender, label.tender),
                letters=label.letters,
            )
    return found


def _is_alone(row: AmountRow) -> bool:
    """Whether a row has an amount with decimals and no words."""
    amount = row.amount if row.in_column else None
    if amount is None or not amount.decimals:
        return False
    return not any(map(str.isalnum, row.text[: amount.start] + row.text[amount.end :]))


def _is_near(above: AmountRow, row: AmountRow) -> bool:
    height = max(above.line.height, row.line.height)
    return row.line.top - above.line.bottom < _MAX_GAP * height


def with_names_below_taxes(features: Sequence[RowFeatures]) -> list[RowFeatures]:
    """The features; words between a row of the totals and a bare count and price are the name of what is sold
    at that price: some tills print the tax of each product below it ("VAT 10% 1.60", "SHAMPOO", "2 x 4.50
    9.00")."""
    found = list(features)
    for at in range(1, len(features) - 1):
        above, row, below = features[at - 1 : at + 2]
        plain = not row.column and max(row.summary, row.tender, row.after, row.header) < _SUMMARY
        priced = below.sold and below.letters < SHORTEST_NAME <= row.letters
        if plain and priced and above.column and above.summary >= _SUMMARY:
            found[at] = replace(row, sold=True)
    return found


def without_first_total(rows: Sequence[AmountRow], features: Sequence[RowFeatures]) -> list[RowFeatures]:
    """The features, without those of a total that stands above the products and again below them: the receipt
    of a ride begins with the price."""
    found = list(features)
    placed = [at for at, row in enumerate(rows) if row.in_column]
    first = next((k for k, at in enumerate(placed) if not rows[at].names_total), 0)
    values = {_value(rows[at]) for at in placed[:first]}
    if len(values) != 1:
        return found
    again = next(
        (
            at
            for at in placed[first:]
            if _value(rows[at]) in values and says(rows[at].roles, ["total", "subtotal"], LIKELY)
        ),
        0,
    )
    between = [at for at in placed[first:] if at < again]
    if not any(_may_be_product(features[at]) for at in between):
        return found
    for at in placed[:first]:
        found[at] = replace(found[at], amount=False, column=False, summary=0.0)
    return found


def without_named_totals(rows: Sequence[AmountRow], features: Sequence[RowFeatures]) -> list[RowFeatures]:
    """The features, without a total's where a product's name is beside the word and the amount is smaller
    than one above it, which it cannot add up: "TOTAL MUESLI 3.49" below "HONEY 5.99". Behind a discount only
    what is left of all of them is a sum."""
    found = list(features)
    most = left = ZERO
    discounted = False
    for at, row in enumerate(rows):
        amount = row.amount if row.in_column else None
        if amount is None or features[at].table or max(features[at].tender, features[at].after) >= _SUMMARY:
            continue
        named = any(m.role == "total" and m.weight >= LIKELY for m in row.roles) and has_name(row)
        if amount.value < most and named and not (discounted and amount.value == left):
            plain = replace(row, roles=tuple(m for m in row.roles if m.role != "total"))
            found[at] = row_features(plain, frozenset())
        if found[at].summary < _SUMMARY:
            most = max(most, amount.value)
            left += amount.value
            discounted |= amount.value < 0
    return found


def _value(row: AmountRow) -> Decimal | None:
    return row.amount.value if row.amount is not None else None


def _may_be_product(row: RowFeatures) -> bool:
    """Whether a row has words and an amount, and nothing says that it belongs to the totals block."""
    return row.letters > 1 and not row.table and max(row.summary, row.tender, row.after) < _SUMMARY

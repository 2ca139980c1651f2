"""Reads the products that were bought, with quantity, price and code.

In: rows with amounts, their zones, and the region's tax codes and rates; later also the totals. Out: the
products, with the page's rows and zones updated to match. Decides which rows of words and amounts belong
together, where the list ends in a sum, and which further rows the totals show to be products.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import AmountRow, Item, Products, Totals, Zone, says, sum_entries, sum_items
from receipt_engine.region import Region, Role
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.items.fuel.completion import with_fuel
from receipt_engine.stages.items.products import read_products
from receipt_engine.stages.items.sums.candidates import as_products, with_lost_points
from receipt_engine.stages.items.sums.inner_sums import (
    find_closing_sums,
    split_running_sum,
    without_carried,
    without_groups,
    without_heading_sums,
)
from receipt_engine.stages.items.sums.missing import missing_products

__all__ = ["complete_items", "find_items"]

#: An odometer or a meter shows more than this; an amount of four digits may have lost its point.
_METERS = Decimal(9_999)
_SUMS: tuple[Role, ...] = ("total", "subtotal")
_TOTAL: tuple[Role, ...] = ("total",)
_CARD: tuple[Role, ...] = ("card",)
_COUNTED: tuple[Role, ...] = ("item_count",)
_DISCOUNTS: tuple[Role, ...] = ("discount", "savings")


def find_items(rows: Sequence[AmountRow], zones: Sequence[Zone], region: Region) -> Products:
    """The products by the layout of the page; rows after one that adds them up are not products."""
    products = without_carried(read_products(rows, zones, region), rows)
    closing = None if any(map(_has_total, rows)) else find_closing_sums(products)
    items, sum_line = (products, None) if _are_labelled(products, rows) else split_running_sum(products)
    counted = _counted_sum(items, rows)
    if counted is not None:
        items, sum_line = tuple(item for item in items if item.line < counted), counted
    if closing is not None:
        items, sum_line = products[: closing.start], products[closing.start].line
    if sum_line is not None:
        zones = _ended(zones, sum_line)
    if not items:
        zones = tuple(
            "summary" if zone == "items" and _begins_with_sum(row) else zone
            for row, zone in zip(rows, zones, strict=True)
        )
    return Products(items, tuple(rows), tuple(zones), sum_line, closing.roles if closing else ())


def _ended(zones: Sequence[Zone], line: int) -> tuple[Zone, ...]:
    """The zones, with the products ended above a row."""
    return tuple("summary" if zone == "items" and at >= line else zone for at, zone in enumerate(zones))


def _are_labelled(products: Sequence[Item], rows: Sequence[AmountRow]) -> bool:
    """Whether a row labelled as a total or subtotal below the products adds all of them up."""
    total = sum_items(products)
    last = max((item.line for item in products), default=0)
    return any(row.amount.value == total for row in rows[last + 1 :] if row.amount and _has_total(row))


def _counted_sum(items: Sequence[Item], rows: Sequence[AmountRow]) -> int | None:
    """The row among the products that counts those above it and adds them up: "Items: 5  Qty: 12  491.50"."""
    for at, row in enumerate(rows[: items[-1].line if items else 0]):
        if row.amount is not None and row.in_column and says(row.roles, _COUNTED, LIKELY):
            above = [item for item in items if item.line < at]
            if len(above) > 1 and sum_items(above) == row.amount.value:
                return at
    return None


def _begins_with_sum(row: AmountRow) -> bool:
    """Whether a row begins with a word for a sum, as the first amount of a card slip does."""
    return row.in_column and any(m.role in _SUMS and m.start == 0 for m in row.roles)


def _has_total(row: AmountRow) -> bool:
    """Whether a row labels its amount as a total or subtotal."""
    return row.amount is not None and says(row.roles, _SUMS, LIKELY)


def complete_items(products: Products, totals: Totals, region: Region) -> Products:
    """The products, completed from the totals: with rows without which they do not add up, and with volume
    and unit price from rows of their own (fuel)."""
    found = replace(products, zones=totals.zones)
    added: tuple[int, ...] = ()
    if products.sum_line is None:
        added = missing_products(products.rows, products.items, totals.entries)
    if added:
        rows, zones = as_products(added, products.rows, totals.zones)
        items = read_products(rows, zones, region)
        found = Products(items, rows, zones, added=added)
    elif products.items and products.sum_line is None:
        found = _with_lost_points(found, totals, region)
    found = _without_groups(_without_meters(found, totals), totals)
    found = _without_headings(_without_recap(_without_savings(found, totals), totals), totals)
    entries = [e for e in totals.entries if e.line not in found.added]
    return replace(found, items=with_fuel(found.items, found.rows, entries))


def _without_groups(products: Products, totals: Totals) -> Products:
    """The products without group sums at their end, whose rows move to the summary."""
    return _ended_with(products, without_groups(products.items, _sums_below(products, totals)))


def _without_headings(products: Products, totals: Totals) -> Products:
    """The products without the sums above each group, if only these add up to a printed sum."""
    kept, sums = without_heading_sums(products.items), _sums_below(products, totals)
    again = sum_items(products.items) not in sums and sum_items(kept) in sums
    return replace(products, items=kept) if again else products


def _without_meters(products: Products, totals: Totals) -> Products:
    """The products without those whose amount is above the total and alone in having no decimals: a meter's
    or an odometer's reading ("Mileage 104,220")."""
    amounts = [products.rows[item.line].amount for item in products.items]
    whole = [amount is not None and amount.decimals == 0 for amount in amounts]
    sums = [e.amount.value for e in totals.entries if e.role in _TOTAL and e.amount.decimals]
    if not sums or 2 * sum(whole) >= len(whole):
        return products
    most = max(_METERS, *sums)
    kept = [
        item for item, no in zip(products.items, whole, strict=True) if not (no and item.total.value > most)
    ]
    return replace(products, items=tuple(kept)) if kept else products


def _without_recap(products: Products, totals: Totals) -> Products:
    """The products without a last row that adds up the discounts above it, of either sign, if they add up to
    a printed sum without it."""
    *items, last = products.items or (None,)
    if last is None or not says(products.rows[last.line].roles, _DISCOUNTS, LIKELY):
        return products
    taken = sum_items(item for item in items if item.total.value < 0)
    sums = _sums_below(products, totals)
    again = bool(taken) and abs(last.total.value) == -taken
    return _ended_with(products, items) if again and sum_items(items) in sums else products


def _without_savings(products: Products, totals: Totals) -> Products:
    """The products without the discounts below them that their prices already contain, or without the prices
    that repeat what is left of those above: only without these they make the total, or the card payment where
    no row names a total, less the taxes: "Card savings 1.57-" below the price that is left, "Your price
    41.70" below "69.50" and "-27.80". Discounts that are printed again below a subtotal are not in it."""
    sums = _sums_below(products, totals, _TOTAL) or _sums_below(products, totals, _CARD)
    charged = [item for item in products.items if item.total.value >= 0]
    taken = {-item.total.value for item in products.items if item.total.value < 0}
    if taken and taken <= {abs(e.amount.value) for e in totals.entries if e.role in _DISCOUNTS}:
        sums |= _sums_below(products, totals)
    for kept in (charged, _without_repeated(products.items)):
        if kept and sum_items(products.items) not in sums and sum_items(kept) in sums:
            return replace(products, items=tuple(kept))
    return products


def _without_repeated(items: Sequence[Item]) -> list[Item]:
    """The products without those that cost what the price right above them and its discounts come to."""
    kept: list[Item] = []
    left = Decimal(0)
    for item in items:
        value = item.total.value
        if value != left:
            kept.append(item)
            left = value if value > 0 else left + value
    return kept


def _sums_below(products: Products, totals: Totals, roles: Collection[Role] = _SUMS) -> set[Decimal]:
    """The sums of these roles below the products, also without the taxes."""
    last = products.items[-1].line if products.items else -1
    below = [e for e in totals.entries if e.line > last]
    sums = {e.amount.value for e in below if e.role in roles}
    taxes = sum_entries(e for e in below if e.role == "tax" and e.last)
    return sums | {value - taxes for value in sums}


def _ended_with(products: Products, items: Sequence[Item]) -> Products:
    """The products with only the first items, the rows of the others in the summary."""
    if len(items) == len(products.items):
        return products
    ended = _ended(products.zones, products.items[len(items)].line)
    return replace(products, items=tuple(items), zones=ended)


def _with_lost_points(products: Products, totals: Totals, region: Region) -> Products:
    """The products, with those whose amount lost its decimal point, if the sum needs them to be right."""
    mended = with_lost_points(products.rows)
    sold = {item.line for item in products.items}
    among = {at for at, row in enumerate(mended) if row is not None and at not in sold}
    if not among:
        return products
    rows = tuple(new or old for new, old in zip(mended, products.rows, strict=True))
    added = missing_products(rows, products.items, totals.entries, among)
    if not added:
        return products
    kept = [rows[at] if at in added else row for at, row in enumerate(products.rows)]
    taken, zones = as_products(added, kept, products.zones)
    items = read_products(taken, zones, region)
    lines = {item.line for item in items}
    return Products(items, taken, zones, added=added) if lines == sold | set(added) else products

"""Classification: parsed rows in, a sheet out that says what each row and each amount may be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import Entry, Item, ParsedLine, RoleMatch, Sheet, Zone
from receipt_engine.region import Region, Role
from receipt_engine.stages.classify.closing import as_products, missing_products, with_claim
from receipt_engine.stages.classify.columns import PLAUSIBLE, in_column, is_detail, row_amount
from receipt_engine.stages.classify.entries import find_entries, is_number
from receipt_engine.stages.classify.items import find_items, split_running_sum
from receipt_engine.stages.classify.measures import with_measures
from receipt_engine.stages.classify.page_numbers import with_page_habits
from receipt_engine.stages.classify.tax_table import find_tax_rows, is_table_row, relabel
from receipt_engine.stages.classify.tip_guides import as_suggested, tip_guides
from receipt_engine.stages.classify.zones import facts, find_zones
from receipt_engine.vocabulary.normalise import squeeze
from receipt_engine.vocabulary.phrases import find_roles

__all__ = ["classify"]

#: Claim of a row that adds up the products above it, whatever it is called.
_SUM_OF_ITEMS = 0.7
#: Claim of a negative row with a percentage to be a discount.
_REDUCTION = 0.6
#: Claim of the only amounts on a ticket to be what it costs.
_ONLY_AMOUNT = 0.45
_MULTI_BUY = re.compile(r"(?<!\d)\d ?(?:for|pour|für|por|per|x|=|voor) ?(?:\d(?!\d)|[$€£]\d)", re.IGNORECASE)


def classify(rows: Sequence[ParsedLine], region: Region) -> Sheet:
    """The sheet of a receipt; empty parts when there are no rows."""
    roles = find_roles([row.text for row in rows], region)
    guides = tip_guides(rows, roles)
    roles = as_suggested(roles, guides)
    rows = with_page_habits(rows, roles)
    column = tuple(
        inside and not _is_numbered(row, found) and not is_detail(rows, at)
        for at, (row, found, inside) in enumerate(zip(rows, roles, in_column(rows, guides), strict=True))
    )
    table = [is_table_row(row, region) for row in rows]
    zones = find_zones([facts(*f) for f in zip(rows, roles, column, table, strict=True)])
    tax_rows, labels = find_tax_rows(rows, roles, zones, region)
    items, running_sum = split_running_sum(find_items(rows, roles, zones, column, region.tax.codes))
    entries = relabel(find_entries(rows, roles, zones, column), labels)
    if not items and all(e.amount.readings[0].cost >= PLAUSIBLE for e in entries):
        zones, entries = _priced(rows, roles, zones, column) or (zones, entries)
    if running_sum is None:
        more = missing_products(rows, roles, items, entries)
        if more:
            roles, zones, column = as_products(more, roles, zones, column)
            items = find_items(rows, roles, zones, column, region.tax.codes)
            entries = relabel(find_entries(rows, roles, zones, column), labels)
    else:
        zones = tuple(
            "summary" if zone == "items" and line >= running_sum.line else zone
            for line, zone in enumerate(zones)
        )
        tax_rows, labels = find_tax_rows(rows, roles, zones, region)
        entries = relabel(find_entries(rows, roles, zones, column), labels)
        claim = _claim_of_sum(entries, running_sum.line)
        entries = tuple(
            with_claim(e, claim, _SUM_OF_ITEMS) if e.line == running_sum.line and e.last else e
            for e in entries
        )
    items = with_measures(items, rows, roles, entries)
    entries = _with_reductions(entries, items, rows)
    return Sheet(zones=zones, roles=roles, items=items, entries=entries, tax_rows=tax_rows)


def _is_numbered(parsed: ParsedLine, roles: Sequence[RoleMatch]) -> bool:
    """Whether what ends a row is the number that its words announce: a telephone's, a card's."""
    amount = row_amount(parsed)
    return amount is not None and is_number(parsed.text, amount, roles)


def _priced(
    rows: Sequence[ParsedLine],
    roles: Sequence[tuple[RoleMatch, ...]],
    zones: Sequence[Zone],
    column: Sequence[bool],
) -> tuple[tuple[Zone, ...], tuple[Entry, ...]] | None:
    """(zones, entries) of a ticket without products and totals, which only shows what it costs ("CHF 25.50");
    None when it does not."""
    zones = tuple("summary" if _is_money(row) else zone for row, zone in zip(rows, zones, strict=True))
    found = [e for e in find_entries(rows, roles, zones, column) if e.zone == "summary"]
    return (zones, tuple(replace(e, roles=(("total", _ONLY_AMOUNT),)) for e in found)) if found else None


def _is_money(parsed: ParsedLine) -> bool:
    amount = row_amount(parsed)
    return amount is not None and amount.currency is not None and amount.readings[0].cost < PLAUSIBLE


def _with_reductions(
    entries: Sequence[Entry], items: Sequence[Item], rows: Sequence[ParsedLine]
) -> tuple[Entry, ...]:
    """Negative product rows with a percentage or a multi-buy ("3 for 2") in them are discounts; so are those
    that only lower the price of the product above."""
    negative = {item.line for item in items if item.total.value < 0}
    lowered = _lowered(items, rows)
    return tuple(
        with_claim(e, "discount", _REDUCTION)
        if e.line in negative
        and e.zone == "items"
        and not any(role in ("void", "deposit", "discount") for role, _ in e.roles)
        and (e.line in lowered or rows[e.line].percents or _MULTI_BUY.search(rows[e.line].text))
        else e
        for e in entries
    )


def _lowered(items: Sequence[Item], rows: Sequence[ParsedLine]) -> frozenset[int]:
    """Rows right below a product that take off less than it costs, without a code and a quantity, on which a
    product that was brought back would be printed as sold; the products still cost something."""
    if sum(item.total.value for item in items) <= 0:
        return frozenset()
    return frozenset(
        item.line
        for above, item in pairwise(items)
        if -above.total.value < item.total.value < 0
        and item.line == max(above.lines) + 1
        and item.product_code is None
        and item.qty is None
        and item.unit is None
        and not any(_is_same(item, other) for other in items if other is not item)
    )


def _is_same(item: Item, other: Item) -> bool:
    return squeeze(item.desc_clean) == squeeze(other.desc_clean) or item.total.value == -other.total.value


def _claim_of_sum(entries: Sequence[Entry], line: int) -> Role:
    """What a row that adds up the products is: the subtotal, or the total when none is printed below."""
    totals = (e for e in entries if e.line > line and e.weight("total") >= _SUM_OF_ITEMS)
    return "subtotal" if any(totals) else "total"

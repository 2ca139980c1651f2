"""The entries and the tax table of a page, once it is known where its products end."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from receipt_engine.document import AmountRow, Entry, Products, Totals, Zone
from receipt_engine.region import Region, Role
from receipt_engine.stages.totals.entries import find_entries
from receipt_engine.stages.totals.tax_table import find_tax_rows, relabel

#: Claim of a row that adds up the products above it, whatever it is called.
_SUM_OF_ITEMS = 0.7
#: Claim of an amount to what sums show it to be.
_BY_SUMS = 0.7
#: Claim of the only amounts on a ticket to be what it costs.
_ONLY_AMOUNT = 0.45


def find_totals(products: Products, region: Region) -> Totals:
    """Entries and tax rows outside the products."""
    rows, zones = products.rows, products.zones
    tax_rows, table_roles = find_tax_rows(rows, zones, region)
    entries = relabel(find_entries(rows, zones), table_roles)
    if products.proved:
        roles = dict(products.proved)
        entries = tuple(
            e.claiming(roles[e.line], _BY_SUMS) if e.last and e.line in roles else e for e in entries
        )
    elif products.sum_line is not None:
        entries = _with_sum(entries, products.sum_line)
    elif not products.items and not any(e.amount.is_plausible for e in entries):
        zones, entries = _priced(rows, zones) or (zones, entries)
    return Totals(zones, entries, tax_rows)


def _with_sum(entries: Sequence[Entry], line: int) -> tuple[Entry, ...]:
    """The entries with the claim of a row that adds up the products: subtotal, or total when none
    is printed below."""
    below = any(e.line > line and e.weight("total") >= _SUM_OF_ITEMS for e in entries)
    role: Role = "subtotal" if below else "total"
    return tuple(e.claiming(role, _SUM_OF_ITEMS) if e.line == line and e.last else e for e in entries)


def _priced(
    rows: Sequence[AmountRow], zones: Sequence[Zone]
) -> tuple[tuple[Zone, ...], tuple[Entry, ...]] | None:
    """(zones, entries) of a ticket without products and totals, which only shows what it costs ("CHF 25.50");
    None when it does not."""
    zones = tuple("summary" if _is_money(row) else zone for row, zone in zip(rows, zones, strict=True))
    found = [e for e in find_entries(rows, zones) if e.zone == "summary"]
    entries = tuple(replace(e, roles=(("total", _ONLY_AMOUNT),)) for e in found)
    return (zones, entries) if entries else None


def _is_money(row: AmountRow) -> bool:
    return row.amount is not None and row.amount.currency is not None and row.amount.is_plausible

"""Determines the possible roles of amounts outside the products: totals, taxes, tips, discounts, tenders.

In: the products, with the page's rows and zones. Out: entries (amounts with weighted roles) and rows of tax
tables; given the complete products, the sheet. Decides the roles by the words beside the amounts and by the
arithmetic of tax tables; `reconcile` decides which of the roles is true.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from receipt_engine.document import AmountRow, Entry, Products, Sheet, Totals, Zone, says
from receipt_engine.region import TAXES, Region, Role
from receipt_engine.scoring.certainty import LIKELY, SURE
from receipt_engine.stages.totals.entries import find_entries, row_entries
from receipt_engine.stages.totals.settlement import with_reductions, without_conversion
from receipt_engine.stages.totals.tax_table import find_tax_rows, relabel

__all__ = ["find_totals", "make_sheet"]

#: Weight of a role that sums give to an amount, whatever its label.
_BY_SUMS = 0.7
#: Weight of "total" for the only amounts on a ticket.
_ONLY_AMOUNT = 0.45


def make_sheet(products: Products, totals: Totals) -> Sheet:
    """The sheet of a page. products: complete; totals: as found before arithmetic added any products."""
    entries = _revised(products, totals) if products.added else totals.entries
    return Sheet(
        zones=products.zones,
        roles=tuple(row.roles for row in products.rows),
        items=products.items,
        entries=with_reductions(entries, products.items, products.rows),
        tax_rows=totals.tax_rows,
    )


def _revised(products: Products, totals: Totals) -> tuple[Entry, ...]:
    """The entries, read again for rows added to the products, their neighbours and rows of changed zone."""
    pairs = zip(products.zones, totals.zones, strict=True)
    changed = {line for line, (new, old) in enumerate(pairs) if new != old}
    changed |= {near for line in products.added for near in (line - 1, line, line + 1)}
    changed &= set(range(len(products.rows))) - {row.line for row in totals.tax_rows}
    entries = [e for e in totals.entries if e.line not in changed]
    for line in changed:
        entries += row_entries(products.rows, products.zones, line)
    return tuple(sorted(entries, key=lambda e: e.line))


def find_totals(products: Products, region: Region) -> Totals:
    """The entries and tax rows outside the products."""
    rows, zones = products.rows, products.zones
    tax_rows, table_roles = find_tax_rows(rows, zones, region)
    entries = without_conversion(find_entries(rows, zones), rows, region)
    entries = _with_taxes_within(relabel(entries, table_roles))
    if products.proved:
        roles = dict(products.proved)
        entries = tuple(
            e.claiming(roles[e.line], _BY_SUMS) if e.last and e.line in roles else e for e in entries
        )
    elif products.sum_line is not None:
        entries = _with_sum(entries, products.sum_line)
    elif not products.items and _may_be_ticket(entries):
        zones, entries = _priced(rows, zones) or (zones, entries)
    return Totals(zones, entries, tax_rows)


def _with_taxes_within(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries; what is taken off a total to show its net amount, named like a discount, is the tax in it
    if the same total is due below: "Total sales 112.00", "Less: VAT 12.00", "Net 100.00", "Due 112.00"."""
    last = [e for e in entries if e.last]
    due = [(e.line, e.amount.value) for e in last if e.weight("total") >= LIKELY]
    taxes = [
        off
        for whole, off, net in zip(last, last[1:], last[2:], strict=False)
        if off.role == "discount" and net.role == "net"
        and whole.amount.value - abs(off.amount.value) == net.amount.value
        and any(line < off.line and value == whole.amount.value for line, value in due)
        and any(line > net.line and value == whole.amount.value for line, value in due)
    ]  # fmt: skip
    return tuple(replace(e, roles=(("tax", LIKELY),)) if e in taxes else e for e in entries)


def _may_be_ticket(entries: Sequence[Entry]) -> bool:
    """Whether no amount found may be a total: none is legible, or they only state taxes."""
    return not any(e.amount.is_plausible for e in entries) or all(e.role in (*TAXES, None) for e in entries)


def _with_sum(entries: Sequence[Entry], line: int) -> tuple[Entry, ...]:
    """The entries, with a role claimed for the row that adds up the products: subtotal if a total is printed
    below it, or more was paid in cash and nothing given back; else total."""
    below = [e for e in entries if e.line > line]
    paid = [e for e in entries if e.line == line and e.last and _is_paid_more(e, below)]
    role: Role = "subtotal" if paid or any(e.weight("total") >= _BY_SUMS for e in below) else "total"
    return tuple(e.claiming(role, _BY_SUMS) if e.line == line and e.last else e for e in entries)


def _is_paid_more(entry: Entry, below: Sequence[Entry]) -> bool:
    cash = [e for e in below if e.is_called("cash", SURE)]
    change = any(e.weight("change") for e in below)
    return not change and any(abs(e.amount.value) > entry.amount.value > 0 for e in cash)


def _priced(
    rows: Sequence[AmountRow], zones: Sequence[Zone]
) -> tuple[tuple[Zone, ...], tuple[Entry, ...]] | None:
    """(zones, entries) of a ticket without products and totals that only shows its price ("CHF 25.50") and
    the tax in it; None if it shows no price."""
    zones = tuple("summary" if _is_money(row) else zone for row, zone in zip(rows, zones, strict=True))
    found = [e for e in find_entries(rows, zones) if e.zone == "summary"]
    entries = tuple(
        e if says(rows[e.line].roles, TAXES, LIKELY) else replace(e, roles=(("total", _ONLY_AMOUNT),))
        for e in found
    )
    return (zones, entries) if any(e.role == "total" for e in entries) else None


def _is_money(row: AmountRow) -> bool:
    return row.amount is not None and row.amount.currency is not None and row.amount.is_plausible

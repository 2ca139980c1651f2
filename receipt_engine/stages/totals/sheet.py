"""The sheet: products and totals put together."""

from __future__ import annotations

from receipt_engine.document import Entry, Products, Sheet, Totals
from receipt_engine.stages.totals.entries import row_entries
from receipt_engine.stages.totals.reductions import with_reductions


def make_sheet(products: Products, totals: Totals) -> Sheet:
    """The sheet of a page. products: complete; totals: as found before arithmetic added any to them."""
    entries = _revised(products, totals) if products.added else totals.entries
    return Sheet(
        zones=products.zones,
        roles=tuple(row.roles for row in products.rows),
        items=products.items,
        entries=with_reductions(entries, products.items, products.rows),
        tax_rows=totals.tax_rows,
    )


def _revised(products: Products, totals: Totals) -> tuple[Entry, ...]:
    """The entries, read again on rows that are products after all, and beside them."""
    pairs = zip(products.zones, totals.zones, strict=True)
    changed = {line for line, (new, old) in enumerate(pairs) if new != old}
    changed |= {near for line in products.added for near in (line - 1, line, line + 1)}
    changed &= set(range(len(products.rows))) - {row.line for row in totals.tax_rows}
    entries = [e for e in totals.entries if e.line not in changed]
    for line in changed:
        entries += row_entries(products.rows, products.zones, line)
    return tuple(sorted(entries, key=lambda e: e.line))

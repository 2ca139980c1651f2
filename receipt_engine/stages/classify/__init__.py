"""Classification: parsed rows in, a sheet out that says what each row and each amount may be."""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import ParsedLine, Sheet
from receipt_engine.region import Region
from receipt_engine.stages.classify.columns import in_column
from receipt_engine.stages.classify.entries import find_entries
from receipt_engine.stages.classify.items import find_items
from receipt_engine.stages.classify.keywords import best_role, find_roles
from receipt_engine.stages.classify.tax_table import find_tax_rows, relabel
from receipt_engine.stages.classify.zones import facts, find_zones

__all__ = ["best_role", "classify", "find_roles"]


def classify(rows: Sequence[ParsedLine], region: Region) -> Sheet:
    """The sheet of a receipt; empty parts when there are no rows."""
    roles = find_roles([row.text for row in rows], region)
    column = in_column(rows)
    zones = find_zones([facts(*f) for f in zip(rows, roles, column, strict=True)])
    tax_rows, labels = find_tax_rows(rows, roles, zones, region)
    return Sheet(
        zones=zones,
        roles=roles,
        items=find_items(rows, roles, zones, column),
        entries=relabel(find_entries(rows, roles, zones), labels),
        tax_rows=tax_rows,
    )

"""Decides which number of each row is its amount.

In: the labelled rows. Out: the same rows with their amounts, whose readings are costed by how the page as a
whole prints amounts (decimals or none, a currency sign before each). Decides which number ends a row as its
amount and which of these stand in the page's amount column. Numbers that a preceding word marks as something
else ("AUTH 771902") are not amounts.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from receipt_engine.document import AmountRow, LabelledRow
from receipt_engine.stages.columns.misread_points import with_misread_points
from receipt_engine.stages.columns.page_style import with_page_style
from receipt_engine.stages.columns.row_amounts import (
    as_amount_row,
    in_column,
    is_announced,
    is_counted_above,
    is_detail,
)
from receipt_engine.stages.columns.tax_column import without_tax_column

__all__ = ["find_columns"]


def find_columns(rows: Sequence[LabelledRow]) -> tuple[AmountRow, ...]:
    """The rows with their amounts."""
    priced = with_misread_points(with_page_style([as_amount_row(row) for row in rows]))
    priced = without_tax_column(priced)
    inside = in_column(priced)
    return tuple(
        replace(
            row,
            likely=tuple(a for a in row.likely if not is_announced(row, a)),
            counted=row.counted or (at > 0 and is_counted_above(priced[at - 1], row)),
            in_column=inside[at]
            and row.amount is not None
            and not is_announced(row, row.amount)
            and not is_detail(priced, at),
        )
        for at, row in enumerate(priced)
    )

"""Where a row goes over from one part of a receipt to another: zones.txt lists pages of a few rows.

A row is told by what is looked at: c for an amount in the page's column, a for one elsewhere, l20 for so many
letters, n2 for so many names of columns, d for a date, x for the arithmetic of a tax table; s, t, f and h
with the weight of its surest word for the totals, a tender, what comes after, the header. Where one weight is
`*`, it grows from 0 to 1, and behind "=>" stands from where on the rows lie in which parts: Header, Items,
Summary, After.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from receipt_engine.stages.zones import cheapest_zones
from receipt_engine.stages.zones.features import RowFeatures
from tests.unit.stages.row_lists import RowList

STEPS = 50
WEIGHTS = {"s": "summary", "t": "tender", "f": "after", "h": "header"}


def _row(row: str, growing: float) -> RowFeatures:
    signs = row.split()
    counts = {sign[0]: int(sign[1:]) for sign in signs if sign[0] in "ln"}
    weights = {
        WEIGHTS[sign[0]]: growing if sign[1:] == "*" else float(sign[1:])
        for sign in signs
        if sign[0] in WEIGHTS
    }
    return RowFeatures(
        amount="a" in signs or "c" in signs,
        column="c" in signs,
        letters=counts.get("l", 0),
        headings=counts.get("n", 0),
        date="d" in signs,
        table="x" in signs,
        **{name: weights.get(name, 0.0) for name in WEIGHTS.values()},
    )


def _describe(_: str, rows: Sequence[str]) -> Iterable[str]:
    told = ""
    for step in range(STEPS + 1):
        zones = cheapest_zones([_row(row, step / STEPS) for row in rows])
        path = "".join(zone[0].upper() for zone in zones)
        if path != told:
            yield f"{step / STEPS:g} {path}" if "*" in " ".join(rows) else path
        told = path


ZONES = RowList(Path(__file__).parent / "zones.txt", _describe)


@pytest.mark.parametrize("row", ZONES.rows)
def test_where_the_parts_of_a_page_meet(row: str) -> None:
    assert row == ZONES.result_of(row)


if __name__ == "__main__":
    ZONES.write()

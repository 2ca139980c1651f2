"""Parses every row of the page."""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import Line, ParsedLine
from receipt_engine.region import Region
from receipt_engine.stages.parse.amounts import AmountHints, find_amounts
from receipt_engine.stages.parse.dates import find_dates
from receipt_engine.stages.parse.percent import find_percents
from receipt_engine.stages.parse.quantities import find_quantities
from receipt_engine.stages.parse.times import find_times


def parse(
    lines: Sequence[Line], region: Region, hints: AmountHints, default_order: str | None = None
) -> tuple[ParsedLine, ...]:
    """Every row with its readings. default_order: "d/m" or "m/d", which wins over the region's."""
    rows = []
    for line in lines:
        text = line.text
        rows.append(
            ParsedLine(
                line=line,
                text=text,
                amounts=find_amounts(text, region, hints),
                percents=find_percents(text, region),
                quantities=find_quantities(text, region),
                dates=find_dates(text, region, default_order=default_order),
                times=find_times(text, region),
            )
        )
    return tuple(rows)

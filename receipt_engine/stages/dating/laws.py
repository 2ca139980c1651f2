"""The laws under which a receipt was printed."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from receipt_engine.document import ParsedLine
from receipt_engine.region import Region
from receipt_engine.scoring.costs import ACCEPTED


def laws_in_force(rows: Sequence[ParsedLine], region: Region) -> Region:
    """The region with the tax rates and roundings of the days that the rows name.

    Which of the days is that of the sale is decided later, with the help of the sums. So every reading of
    every date counts, which may leave a law too many, and never one too few; without a date, or with mere
    guesses at one, all of them.
    """
    found = [date for row in rows for date in row.dates]
    if not any(date.cost <= ACCEPTED for date in found):
        return region
    days = [datetime.date(d.year, d.month, d.day) for d in found]
    return region.in_force(min(days), max(days))

"""Dates whose month is a Roman number, as in much of Europe: "14 V 2025", "14.XI.2025"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from receipt_engine.document import DateLayout
from receipt_engine.stages.parse.dates.calendar_dates import Day, possible

_MONTHS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
#: A year of four digits, and a point or dash around X alone: "2 X 24" and "2 X 2000" are a count and a price.
_DATE = re.compile(
    r"(?<![\w.,/-])(?P<d>[0-3]?[0-9])(?P<mark>[ ./-]{1,2})(?P<m>X?V?I{1,3}|I[VX]|V|XI{1,2}|(?<! )X)(?P=mark)"
    r"(?P<y>(?:199|20[0-9])[0-9])(?![\d/-]|[.,][0-9])"
)
_COST = 0.1


def roman_days(line: str) -> Iterator[Day]:
    """Every date of a plain line whose month is a Roman number."""
    for match in _DATE.finditer(line):
        if match["m"] in _MONTHS:
            month = _MONTHS.index(match["m"]) + 1
            yield from possible(
                *match.span(), int(match["y"]), month, int(match["d"]), _COST, DateLayout.DAY_ROMAN_YEAR
            )

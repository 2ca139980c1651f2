"""What the rows of a page are read as together: pages.txt lists them, a country of `parse_lands`, its rows,
and behind "=>" what each holds, "/" between two rows. A character of a grid is ten pixels wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from receipt_engine.document import ParsedLine
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from tests.printed import spans
from tests.unit.stages.parse.parse_lands import LANDS
from tests.unit.stages.row_lists import RowList


def _shown(row: ParsedLine) -> str:
    found = [f"{m.value} {m.cost:g}" for a in row.amounts for m in a.readings[:2]]
    found += [f"{date.iso} {date.cost:g}" for date in row.dates[:1]]
    found += [f"{time.hour}:{time.minute:02}" for time in row.times]
    found += [f"{q.value} x {q.unit_price}" for q in row.quantities]
    found += [f"{p.value}%" for p in row.percents]
    return ", ".join(found) or "-"


def _describe(land: str, rows: Sequence[str]) -> Iterable[str]:
    read = parse(group(spans("\n".join(rows))), LANDS[land], AmountHints())
    return [" / ".join(map(_shown, read))]


LIST = RowList(Path(__file__).parent / "pages.txt", _describe)


@pytest.mark.parametrize("row", LIST.rows)
def test_what_the_rows_of_a_page_hold(row: str) -> None:
    assert LIST.result_of(row) == row


if __name__ == "__main__":
    LIST.write()

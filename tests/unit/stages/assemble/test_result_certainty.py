"""What becomes of the totals block of small receipts: summaryItems, what each amount's confidence rests
on, and the table of the taxes. receipts.txt lists them as `told` says; a feature that is 0 is left out, and
so are those of the whole page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.trace import Trace
from tests.printed import reading
from tests.unit.stages.row_lists import RowList

#: Fields whose confidence rests on words that other rooms read, and features that say how the page was read.
OTHERS = frozenset(("establishment", "date", "address", "phoneNumber"))
OF_PAGE = frozenset(("region", "legibility"))


def _features(found: dict[str, Any]) -> str:
    shown = ((name, value) for name, value in found["features"].items() if value and name not in OF_PAGE)
    return " ".join(f"{name} {value:.2f}" for name, value in shown)


def _describe(country: str, rows: Sequence[str]) -> Iterable[str]:
    options = ExtractOptions(region=country, evidence=True)
    result = interpret(reading("\n".join(rows)), options, None, Trace(keep=False))
    for line in result.summary_items:
        yield f"{line.desc} {line.line_total} is {line.line_type}"
    evidence: dict[str, Any] = result.evidence or {}
    for field, found in evidence["confidence"].items():
        if field not in OTHERS:
            for one in found if isinstance(found, list) else [found]:
                yield f"{field}: {_features(one)}"
    for row in evidence["taxTable"]:
        yield "rate " + " ".join(
            f"{name} {value:g}" for name, value in row.items() if isinstance(value, float)
        )


LIST = RowList(Path(__file__).parent / "receipts.txt", _describe)


@pytest.mark.parametrize("row", LIST.rows)
def test_how_surely_a_receipt_is_read(row: str) -> None:
    assert LIST.result_of(row) == row


if __name__ == "__main__":
    LIST.write()

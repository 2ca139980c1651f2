"""How surely a document is an invoice or a receipt: documents.txt lists what stands below a name, and, below
"---", below the total.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tests.unit.stages.printed_receipts import printed
from tests.unit.stages.row_lists import RowList, sure

GOODS = ("", "Room      120.00", "TOTAL      120.00")


def _describe(country: str, rows: Sequence[str]) -> Iterable[str]:
    at = rows.index("---") if "---" in rows else len(rows)
    text = "\n".join(("QUAY INN", *rows[:at], *GOODS, *rows[at + 1 :]))
    yield from sure("", printed(country, text + "\n").document_type)


DOCUMENTS = RowList(Path(__file__).parent / "documents.txt", _describe)


@pytest.mark.parametrize("row", DOCUMENTS.rows)
def test_how_surely_it_is_one(row: str) -> None:
    assert row == DOCUMENTS.result_of(row)


if __name__ == "__main__":
    DOCUMENTS.write()

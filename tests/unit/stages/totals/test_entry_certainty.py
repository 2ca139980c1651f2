"""What the words beside an amount say that it is, and how surely: entries.txt lists what stands below two
products, and behind "=>" each amount that is no product, with its roles and their weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tests.unit.stages.printed_sheets import sheet
from tests.unit.stages.row_lists import RowList

HEAD = (
    "      CORNER STORE",
    "    12 Mill Street",
    "",
    "Tea                      4.00",
    "Rice                     5.00",
)
WIDTH = 29


def _printed(row: str) -> str:
    """The row with its amount in the column of amounts."""
    words, _, amount = row.rpartition("  ")
    return f"{words}{amount.strip():>{WIDTH - len(words)}}" if words else row


def _describe(country: str, rows: Sequence[str]) -> Iterable[str]:
    for entry in sheet("\n".join((*HEAD, *map(_printed, rows))) + "\n", country).entries:
        if entry.zone == "items":
            continue
        roles = ", ".join(f"{role} {weight:.3g}" for role, weight in entry.roles)
        yield f"[{entry.amount.value}] {roles or 'nothing'}"


ENTRIES = RowList(Path(__file__).parent / "entries.txt", _describe)


@pytest.mark.parametrize("row", ENTRIES.rows)
def test_what_an_amount_may_be(row: str) -> None:
    assert row == ENTRIES.result_of(row)


if __name__ == "__main__":
    ENTRIES.write()

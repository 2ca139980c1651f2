"""How surely a receipt says how it was paid: payments.txt lists what stands below a total of 12.00."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tests.unit.stages.printed_receipts import printed
from tests.unit.stages.row_lists import RowList, sure

HEAD = ("LITTLE HARBOUR STORE", "", "Soup        7.00", "Bread       5.00")
TOTAL = "TOTAL      12.00"


def _describe(country: str, rows: Sequence[str]) -> Iterable[str]:
    below = rows if any("TOTAL" in row for row in rows) else (TOTAL, *rows)
    payment = printed(country, "\n".join((*HEAD, *below)) + "\n").payment
    yield from sure("by", payment.method)
    yield from sure("card", payment.card_digits)


PAYMENTS = RowList(Path(__file__).parent / "payments.txt", _describe)


@pytest.mark.parametrize("row", PAYMENTS.rows)
def test_how_surely_it_was_paid_so(row: str) -> None:
    assert row == PAYMENTS.result_of(row)


if __name__ == "__main__":
    PAYMENTS.write()

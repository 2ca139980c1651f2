"""How surely a number or an address is the merchant's: contacts.txt lists what stands below name and street.

What was found, kind by kind, with its score, stands before what was chosen, with its confidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tests.unit.stages.printed_receipts import printed
from tests.unit.stages.row_lists import RowList, sure

HEAD = ("LINDEN HARDWARE", "14 Mill Street")
SALE = ("", "Hammer      12.00", "TOTAL       12.00")


def _describe(country: str, rows: Sequence[str]) -> Iterable[str]:
    """A row "---" parts what stands above the products from what stands below the total."""
    at = rows.index("---") if "---" in rows else len(rows)
    receipt = printed(country, "\n".join((*HEAD, *rows[:at], *SALE, *rows[at + 1 :])) + "\n")
    for entity in receipt.entities:
        if entity.row not in (0, 1):
            marks = "".join(f" {mark}" for mark in ("tax", "valid") if getattr(entity, mark))
            yield f"{entity.kind} [{entity.value}] {entity.score:.3g}{marks}"
    contacts = receipt.contacts
    yield from sure("phone", contacts.phone)
    yield from sure("url", contacts.url)
    yield from sure("tax number", contacts.tax_number)
    yield from sure("receipt number", contacts.receipt_number)
    yield from sure("country", contacts.country)


CONTACTS = RowList(Path(__file__).parent / "contacts.txt", _describe)


@pytest.mark.parametrize("row", CONTACTS.rows)
def test_how_surely_they_are_the_merchants(row: str) -> None:
    assert row == CONTACTS.result_of(row)


if __name__ == "__main__":
    CONTACTS.write()

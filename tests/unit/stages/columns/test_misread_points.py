"""Numbers with another mark for the decimal point, in the column of amounts."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.unit.stages.printed_sheets import sheet

_PAGE = """
      CORNER STORE
    12 Main Street
Bread                    4.00
Olive oil       1    {oil}
Honey                    5.25
SUBTOTAL                14.55
{last}
TOTAL                   16.00
"""


def test_a_time_between_amounts_is_one() -> None:
    found = sheet(_PAGE.format(oil="    5:30", last="TAX                      1.45"))
    assert [item.total.value for item in found.items] == [Decimal("4.00"), Decimal("5.30"), Decimal("5.25")]


@pytest.mark.parametrize(("word", "role"), [("TAX", "tax"), ("SALES TAX", "tax")])
def test_a_time_behind_the_word_for_a_tax_is_one(word: str, role: str) -> None:
    found = sheet(_PAGE.format(oil="    5.30", last=f"{word:<9}                1:45"))
    assert (Decimal("1.45"), role) in [(e.amount.value, e.role) for e in found.entries]


def test_a_time_behind_other_words_stays_one() -> None:
    found = sheet(_PAGE.format(oil="    5.30", last="Order taken             12:30"))
    assert Decimal("12.30") not in [e.amount.value for e in found.entries if e.amount.is_plausible]

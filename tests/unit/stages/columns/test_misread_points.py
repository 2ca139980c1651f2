"""Numbers with another mark for the decimal point, in the column of amounts."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.printed import read
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


@pytest.mark.parametrize("price", ["       5 30", "       5.3O", "5.30   5 30", "       5 30 B"])
def test_doubtful_cents_at_the_end_of_a_row_are_an_amount(price: str) -> None:
    page = _PAGE.replace("Olive oil       1    {oil}", f"Walnuts           {price}")
    found = sheet(page.format(last="TAX                      1.45"))
    assert [item.total.value for item in found.items] == [Decimal("4.00"), Decimal("5.30"), Decimal("5.25")]


def test_opening_hours_are_no_amount() -> None:
    found = sheet(_PAGE.format(oil="    5.30", last="MON-SAT          8:00 - 19:30"))
    assert Decimal("-19.30") not in [item.total.value for item in found.items]


def test_cents_that_begin_with_a_zero_are_no_whole_number_before_another() -> None:
    result = read(_PAGE.format(oil="  149 00", last="Pipe 6                   9.00"), "no")
    assert 149 in [item.line_total for item in result.line_items]


@pytest.mark.parametrize(
    ("tax", "change", "expected"),
    [
        (" .09", "  71", (Decimal("0.09"), Decimal("0.71"))),
        ("  09", " .71", (Decimal("0.09"), Decimal("0.71"))),
        (" .09", "  20", (Decimal("0.09"), None)),  # no sum proves where its point stands
    ],
)
def test_cents_without_their_point_are_those_that_the_sums_need(
    tax: str, change: str, expected: tuple[Decimal, Decimal | None]
) -> None:
    text = f"""
      CORNER STORE
Rye rolls                1.20
SUBTOTAL                 1.20
TAX                      {tax}
TOTAL                    1.29
CASH                     2.00
CHANGE                   {change}
"""
    result = read(text, "us")
    assert (result.tax, result.change) == expected


def test_whole_change_stays_whole() -> None:
    text = """
      CORNER STORE
Oak shelf               29.00
TOTAL                   29.00
CASH                   100.00
CHANGE                     71
"""
    result = read(text, "us")
    assert result.change == 71

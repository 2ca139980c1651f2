"""How a page prints its amounts wins over what its country usually does."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pytest
from parse_lands import LANDS

from receipt_engine.document import Money, ParsedLine
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from tests.printed import spans


def _rows(land: str, *rows: str) -> Sequence[ParsedLine]:
    return parse(group(spans("\n".join(rows))), LANDS[land], AmountHints())


def _last(rows: Sequence[ParsedLine]) -> Money:
    """The likeliest reading of the last amount of the page."""
    return rows[-1].amounts[-1].readings[0]


def test_three_amounts_with_another_sign_make_a_habit() -> None:
    rows = _rows("euro", "TEA     3.50", "RICE    4.20", "SALT    1.10")
    assert _last(rows).cost == 0


def test_two_make_none() -> None:
    rows = _rows("euro", "TEA     3.50", "RICE    4.20")
    assert _last(rows).cost > 1


def test_four_of_five_amounts_make_a_habit() -> None:
    rows = _rows("euro", "TEA     3,50", "RICE    4.20", "SALT    1.10", "OIL     5.00", "EGGS    2.30")
    assert _last(rows).cost == 0


def test_three_of_four_make_none() -> None:
    rows = _rows("euro", "TEA     3,50", "RICE    4.20", "SALT    1.10", "OIL     5.00")
    assert _last(rows).cost > 1


def test_numbers_without_cents_show_no_sign() -> None:
    rows = _rows("euro", "TEA      350", "RICE     420", "SALT    1.10", "OIL     5.00", "EGGS    2.30")
    assert _last(rows).cost == 0


def test_cents_are_read_in_a_country_without_them_where_nearly_all_rows_print_them() -> None:
    rows = _rows("peso", "TEA     3,50", "RICE    4,20", "SALT    1,10")
    assert (_last(rows).value, _last(rows).cost) == (Decimal("1.10"), 0)


def test_two_of_five_rows_without_cents_leave_the_country_without_them() -> None:
    printed = ("TEA     3,50", "RICE    4,20", "SALT     110", "OIL      500", "EGGS    2,30")
    assert _last(_rows("peso", *printed)).cost > 0


def test_a_gap_of_columns_parts_numbers_where_points_group_thousands() -> None:
    printed = ("VINO  3.750", "PAN   2.390", "CAFE  3.760", "PAPA  950 949")
    rows = _rows("ecu", *printed)
    assert [amount.value for amount in rows[-1].amounts] == [950, 949]


def test_a_country_that_groups_with_points_keeps_its_commas() -> None:
    printed = ("VINO  3.750,00", "PAN   2.390,00", "CAFE  3.760,00", "PAPA  1.950,00")
    assert _last(_rows("euro", *printed)) == _last(_rows("euro", printed[-1]))


@pytest.mark.parametrize("year_below", ["2024", " 2024 10:12"])
def test_a_year_on_the_next_row_belongs_to_the_date(year_below: str) -> None:
    rows = _rows("pound", "Date: 05/03/", year_below)
    assert [date.iso[:10] for date in rows[0].dates] == ["2024-03-05", "2024-05-03"]
    assert rows[0].dates[0].end == len(rows[0].text)


@pytest.mark.parametrize("below", ["20245", "Table 2024", "1850"])
def test_a_number_on_the_next_row_that_is_no_year_does_not(below: str) -> None:
    assert _rows("pound", "Date: 05/03/", below)[0].dates == ()


def test_a_page_without_rows_has_no_values() -> None:
    assert parse((), LANDS["pound"], AmountHints()) == ()

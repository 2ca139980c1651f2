"""Blanks between numbers on pages that print a point between thousands."""

from __future__ import annotations

from receipt_engine.region import load_region
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from tests.printed import spans

PAGE = """
VINO TINTO      1   3.750   3.750
PAN DE MOLDE    1   2.390   2.390
HELADO          1   3.760   3.760
PAPA BLANCA           950     949
"""


def test_a_blank_parts_price_and_amount_where_points_group_thousands() -> None:
    rows = parse(group(spans(PAGE)), load_region("cl"), AmountHints())
    assert [a.value for a in rows[-1].amounts][-2:] == [950, 949]


def test_a_blank_groups_thousands_where_nothing_else_does() -> None:
    rows = parse(group(spans(PAGE.replace(".", " "))), load_region("co"), AmountHints())
    assert rows[0].amounts[-1].value == 3750

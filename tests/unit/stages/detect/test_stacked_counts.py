"""Boxes that hold single characters of two rows are divided between the rows."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from receipt_engine.document import Quad, TextBox
from receipt_engine.stages.detect.lone import divide_stacked

STEP = 22  # from row to row, with rows 20 high


def box(left: float, top: float, width: float, height: float, tilt: float = 0.0) -> TextBox:
    """A rectangle of a page that is turned by `tilt` radians."""
    cos, sin = math.cos(tilt), math.sin(tilt)
    corners = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
    return TextBox(Quad(*((x * cos - y * sin, x * sin + y * cos) for x, y in corners)), 0.9)


def rows(count: int = 5, tilt: float = 0.0) -> tuple[TextBox, ...]:
    return tuple(box(100, 100 + STEP * row, 200, 20, tilt) for row in range(count))


def counts(top: float = 100.0, height: float = 42.0, width: float = 12.0, tilt: float = 0.0) -> TextBox:
    return box(60, top, width, height, tilt)


@given(st.floats(-0.15, 0.15))
def test_two_counts_in_one_box_are_one_for_each_row_however_the_page_is_turned(tilt: float) -> None:
    own, stack = rows(tilt=tilt), counts(tilt=tilt)
    divided = divide_stacked((*own[:2], stack, *own[2:]))
    assert (*divided[:2], *divided[4:]) == own
    upper, lower = divided[2:4]
    assert upper.quad.points[:2] == stack.quad.points[:2] and lower.quad.points[2:] == stack.quad.points[2:]
    assert upper.quad.height == pytest.approx(lower.quad.height, abs=1)
    assert upper.quad.bottom_left == lower.quad.top_left and upper.quad.bottom_right == lower.quad.top_right
    assert upper.score == lower.score == stack.score


def test_the_box_is_divided_where_the_rows_meet() -> None:
    """Here its upper part is larger, since it reaches above the first row."""
    upper, lower = divide_stacked((*rows(), counts(top=96, height=46)))[-2:]
    assert upper.quad.bottom_left[1] == lower.quad.top_left[1] == pytest.approx(100 + 21, abs=1)


@pytest.mark.parametrize(
    "stack",
    [
        counts(top=100, height=20),
        counts(top=98, height=24),
        counts(top=100, height=42, width=30),  # as wide as two characters
        counts(top=100, height=64),  # three rows
        counts(top=60, height=42),  # only its lower half is beside a row
    ],
)
def test_other_boxes_stay_whole(stack: TextBox) -> None:
    assert divide_stacked((*rows(), stack)) == (*rows(), stack)


def test_a_large_digit_beside_large_print_stays_whole() -> None:
    own = (*rows(), box(100, 300, 150, 42))
    assert divide_stacked((*own, counts(top=300))) == (*own, counts(top=300))


def test_without_rows_that_show_the_direction_nothing_is_divided() -> None:
    short = tuple(box(100, 100 + STEP * row, 50, 20) for row in range(5))
    assert divide_stacked((*short, counts())) == (*short, counts())
    assert divide_stacked(()) == ()

"""Columns of amounts are moved half a row at most: a whole row apart, they were printed so."""

from __future__ import annotations

import numpy as np

from receipt_engine.stages.group.frame import Block, align_columns

HEIGHT, PITCH, ROWS = 18.0, 24.0, 8


def _name(y: float) -> Block:
    return Block(0.0, 200.0, y, HEIGHT, False)


def _amount(y: float) -> Block:
    return Block(330.0, 400.0, y, HEIGHT, True)


def test_amounts_printed_below_their_names_stay_there() -> None:
    blocks = [_name(2 * PITCH * i) for i in range(ROWS)] + [
        _amount(2 * PITCH * i + PITCH) for i in range(ROWS)
    ]
    assert not align_columns(blocks).any()


def test_amounts_half_a_row_too_high_come_down() -> None:
    up = PITCH / 2
    blocks = [_name(PITCH * i) for i in range(ROWS)] + [_amount(PITCH * i - up) for i in range(ROWS)]
    moved = align_columns(blocks)
    assert np.allclose(moved[ROWS:], up, atol=0.15 * HEIGHT)

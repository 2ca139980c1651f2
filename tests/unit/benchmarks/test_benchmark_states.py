"""States change a picture as they say, the same way each time; the table compares with the untouched one."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks.datasets import Label, Sample
from benchmarks.protocols.states import STATES, Row, rows, summary
from receipt_engine import Engine
from receipt_engine.testing import fake_models


def picture() -> np.ndarray:
    image = np.full((400, 300, 3), 235, np.uint8)
    image[20:380:20, 20:280] = 30
    return image


@pytest.mark.parametrize("state", STATES)
def test_the_same_picture_gives_the_same_picture(state: str) -> None:
    first = STATES[state](picture(), np.random.default_rng(4))
    again = STATES[state](picture(), np.random.default_rng(4))
    assert first.dtype == np.uint8
    assert np.array_equal(first, again)
    assert np.array_equal(first, picture()) == (state == "untouched")


def test_what_states_do() -> None:
    noise = np.random.default_rng(1)
    assert STATES["quarter-left"](picture(), noise).shape == (300, 400, 3)
    assert STATES["half-size"](picture(), noise).shape == (200, 150, 3)
    assert STATES["quarter-of-frame"](picture(), noise).shape == picture().shape
    assert np.ptp(STATES["contrast-15"](picture(), noise)) < 0.2 * np.ptp(picture())


def test_every_state_is_read(tmp_path: Path) -> None:
    path = tmp_path / "one.png"
    Image.fromarray(picture()).save(path)
    sample = Sample("one", "set", path, "us", {"total": Label.of(Decimal("6.60"))})
    engine = Engine(models=fake_models("CORNER SHOP\nMilk    6.60\nTOTAL   6.60\nCASH    6.60"))
    found = list(rows([sample], ["half-size", "jpeg-18"], engine))
    assert [(row.state, row.right) for row in found] == [
        ("untouched", True),
        ("half-size", True),
        ("jpeg-18", True),
    ]


def test_summary() -> None:
    found = [
        Row("a", "untouched", True, True),
        Row("b", "untouched", False, True),
        Row("a", "blur", False, True),
        Row("b", "blur", False, True),
    ]
    assert summary(found)["blur"] == {
        "pictures": 2,
        "right %": 0.0,
        "points below": 50.0,
        "wrong at .9": 1,
    }

"""Building tables with the garbage collector paused."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from receipt_engine.region import collecting_nothing


@pytest.fixture(params=[True, False])
def enabled(request: pytest.FixtureRequest) -> Iterator[bool]:
    before = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    (gc.enable if before else gc.disable)()


@collecting_nothing
def _divided(by: int) -> tuple[float, bool]:
    return 1 / by, gc.isenabled()


def test_the_collector_is_as_it_was_before(enabled: bool) -> None:
    assert _divided(2) == (0.5, False) and gc.isenabled() is enabled


def test_after_an_error_too(enabled: bool) -> None:
    with pytest.raises(ZeroDivisionError):
        _divided(0)
    assert gc.isenabled() is enabled

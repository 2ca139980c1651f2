"""Fixtures: invented countries by name."""

from collections.abc import Callable

import pytest
from parse_lands import LANDS

from receipt_engine.region import Region


@pytest.fixture
def land() -> Callable[[str], Region]:
    return LANDS.__getitem__

"""Makes ``drawn`` importable from the tests of this folder, and loads the models once for all of them."""

import sys
from pathlib import Path

import pytest

from receipt_engine.engine import Engine

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def engine() -> Engine:
    """An engine that uses every processor."""
    return Engine()

"""Fixtures: receipts as text, read by the rules of invented countries."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from dating_lands import choose

from receipt_engine.document import DateChoice


@pytest.fixture
def chosen() -> Callable[..., DateChoice]:
    """Chooses the date of a printed text; fails the test when there is none."""

    def run(text: str, **wishes: object) -> DateChoice:
        choice = choose(text, **wishes)  # type: ignore[arg-type]
        assert choice is not None, "no date was chosen"
        return choice

    return run

"""The examples in the parsers' docstrings are true."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from receipt_engine.stages.parse.amounts import finder as amounts
from receipt_engine.stages.parse.dates import finder as dates
from receipt_engine.stages.parse.dates import times
from receipt_engine.stages.parse.quantities import finder as quantities


@pytest.mark.parametrize("module", [amounts, dates, quantities, times])
def test_docstring_examples(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried and not failed
